/// Texts that are pins by what stands around them.
extension SourceModule.File {
    /// Whole keys, in one text or several that are joined, beside code that looks at certificates.
    var keys: [(text: String, line: Int)] {
        let tokens = tokens
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

    /// `SHA1 + "…"`: whether a text stands behind the prefix of a digest.
    func isBehindPrefix(_ tokens: [Token], _ place: Int) -> Bool {
        guard place > 1, tokens[place - 1].isMark("+") else { return false }
        if case .text(let pieces) = tokens[place - 2].kind, pieces.count == 1, case .plain(let text) = pieces[0] {
            return ["sha1/", "sha256/"].contains(text)
        }
        let name = tokens[place - 2].name?.lowercased() ?? ""
        return ["sha1", "sha256", "sha_256", "sha_1"].contains(where: name.contains)
    }
}

extension PinText {
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
