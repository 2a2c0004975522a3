/// Texts that are pins by what stands around them.
extension SourceModule.File {
    /// Whole keys, in one text or several that are joined, beside code that looks at certificates.
    func keys(in tokens: [Token]) -> [(text: String, line: Int)] {
        let places: Set<String> = ["CertificateHandler", "checkServerTrusted"]
        guard [.kotlin, .java, .cSharp].contains(language),
            tokens.contains(where: { token in
                guard let name = token.name else { return false }
                return places.contains(name) || name.contains("ValidationCallback")
            })
        else { return [] }
        var found: [(text: String, line: Int)] = []
        var index = 0
        while index < tokens.count {
            let line = tokens[index].line
            var whole = ""
            while index < tokens.count, case .text(let pieces) = tokens[index].kind, pieces.count == 1,
                case .plain(let text) = pieces[0]
            {
                whole += text
                guard index + 2 < tokens.count, tokens[index + 1].isMark("+") else { break }
                index += 2
            }
            if PinText.isHexKey(whole) || language == .cSharp && whole.contains("-----BEGIN PUBLIC KEY-----") {
                found.append((whole, line))
            }
            index += 1
        }
        return found
    }

    /// `pinnedHash = "…"`: whether a text is what a name stands for that says that it has digests.
    func isNamedPin(_ tokens: [Token], _ place: Int) -> Bool {
        let before = tokens[max(0, place - 8)..<place].lastIndex { $0.isMark("=") || $0.isMark(":") } ?? place
        return tokens[max(0, before - 4)..<place].contains { token in
            token.name.map { name in
                PinText.namesDigests(name) || name.partsOfName.contains { $0.hasPrefix("pin") }
            } ?? false
        }
    }

    /// Whether C# gives a text to what says by its name that it is of a server's certificate:
    /// `ServerCertificateThumbprint = "…"`.
    func isServers(_ tokens: [Token], _ place: Int) -> Bool {
        guard language == .cSharp, place > 1, tokens[place - 1].isMark("="), let name = tokens[place - 2].name else {
            return false
        }
        let parts = name.partsOfName
        return parts.contains("server") && !["thumbprint", "fingerprint"].filter(parts.contains).isEmpty
    }

    /// The first line of a certificate alone, to which nothing is added there: what code puts before one, or takes away.
    func isFirstLine(_ text: String, _ tokens: [Token], _ place: Int) -> Bool {
        !text.contains("-----END ") && !(place + 1 < tokens.count && tokens[place + 1].isMark("+"))
    }

    /// `SHA1 + "…"`: whether a text stands behind the prefix of a digest.
    func isBehindPrefix(_ tokens: [Token], _ place: Int) -> Bool {
        guard place > 1, tokens[place - 1].isMark("+") else { return false }
        if case .text(let pieces) = tokens[place - 2].kind, pieces.count == 1, case .plain(let text) = pieces[0] {
            return ["sha1/", "sha256/"].contains(text)
        }
        let name = tokens[place - 2].name?.lowercased() ?? ""
        return ["sha1", "sha256", "sha_256", "sha_1"].contains(where: name.contains)
    }

    /// Whether what holds a text says by its name that it is no server's: the digest of what signed the app itself
    /// (`signingCertHashes: […]`), or, of bare digits, a secret of another kind (`encryptionKey = "…"`).
    func isOfOthers(_ text: String, _ tokens: [Token], _ place: Int) -> Bool {
        let names = holders(tokens, place)
        let signing = ["signature", "signing", "sha256_cert_fingerprints", "sha256certfingerprints"]
        if names.contains(where: { name in signing.contains(where: name.lowercased().contains) }) { return true }
        let isBare = !text.contains(":") && !text.lowercased().hasPrefix("sha") && !text.contains(" ")
        return isBare && names.last.map(PinText.namesSecrets) ?? false
    }

    /// The names before a text, up to that of what holds it: `static const List<String> hashes = [`, `"hashes": `.
    private func holders(_ tokens: [Token], _ place: Int) -> [String] {
        var next = place - 1
        // Past the elements before it in its list.
        search: while next >= 0, next > place - 40 {
            switch tokens[next].kind {
            case .text where next + 1 < place && !tokens[next + 1].isMark(","): break search
            case .text, .mark(","), .mark("["), .mark("("), .mark("{"), .mark("<"), .mark(">"), .mark("@"): next -= 1
            case .name(let name) where ["const", "listOf", "setOf", "arrayOf", "List", "Set", "String"].contains(name):
                next -= 1
            default: break search
            }
        }
        return tokens[max(0, next - 3)..<min(next + 2, place)].compactMap { $0.name ?? $0.plainText }
    }
}

extension PinText {
    /// Whether a text is an RSA key in hexadecimal, alone (`isPlain`) or behind what says that it is one.
    static func isRSAKey(_ text: String, isPlain: Bool) -> Bool {
        guard isHexKey(text) else { return false }
        let first = text.dropFirst(text.hasPrefix("3081") ? 6 : 8).prefix(2)
        return first == (isPlain ? "02" : "30")
    }

    /// Whether a name speaks of what a pin is of, or of whom it is for.
    static func namesPins(_ name: String) -> Bool {
        let ofPins: Set<String> = [
            "pin", "pins", "pinned", "pinning", "cert", "certs", "certificate", "certificates", "spki", "fingerprint",
            "fingerprints", "thumbprint", "thumbprints", "hash", "hashes", "sha", "ssl", "tls", "public", "pubkey",
            "digest", "digests", "server", "leaf", "root", "ca", "host", "trusted", "lets",
        ]
        return !ofPins.isDisjoint(with: name.partsOfName)
    }

    /// Whether a name says that it stands for a secret, and for no digest of a certificate: `encryptionKey`, `keyHex`.
    static func namesSecrets(_ name: String) -> Bool {
        let parts = name.partsOfName
        guard !namesPins(name) else { return false }
        let secrets: Set<String> = [
            "aes", "encryption", "encrypt", "encrypted", "decryption", "decrypt", "cipher", "hmac", "secret", "secrets",
            "salt", "token", "password", "passphrase", "iv", "nonce", "seed", "jwt", "session", "apikey", "private",
        ]
        if !secrets.isDisjoint(with: parts) { return true }
        let isKey = parts.contains("key") || parts.contains("keys")
        return isKey && ["api", "hex", "base", "bytes", "app", "master", "client"].contains(where: parts.contains)
    }

    /// Whether a constant's name says that it has digests.
    static func namesDigests(_ name: String) -> Bool {
        let parts = name.partsOfName
        return ["hash", "hashes", "fingerprint", "fingerprints", "thumbprint", "thumbprints", "spki", "sha256"]
            .contains(where: parts.contains)
            || parts.contains { ["pin", "pins"].contains($0) }
    }

    /// `PLACEHOLDER_HASH_1`: words that tell what belongs in their place.
    static func isOfWords(_ text: String) -> Bool {
        let words = text.split { "_-".contains($0) }
        return words.count > 1 && text.utf8.count >= 12
            && words.allSatisfy { $0.allSatisfy { $0.isUppercase || $0.isNumber } }
    }
}
