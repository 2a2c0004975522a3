/// What looks like a pin.
enum PinText {
    /// Whether a text is a SHA-256 or SHA-1 pin with its prefix, or the Base64 of 32 bytes.
    static func isPin(_ text: String) -> Bool {
        for prefix in ["sha256//", "sha256/", "sha1/"] where text.hasPrefix(prefix) {
            let rest = text.dropFirst(prefix.count)
            // `sha256/AB:CD:…`, which no library takes.
            if rest.utf8.count > 58,
                rest.split(separator: ":").allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(isHexDigit) })
            {
                return true
            }
            return rest.utf8.count >= 27 && rest.utf8.count <= 88 && rest.utf8.allSatisfy(isDigit)
        }
        let bytes = Array(text.utf8)
        guard bytes.count == 44, bytes[43] == UInt8(ascii: "="), bytes[42] != UInt8(ascii: "="),
            bytes.allSatisfy(isDigit)
        else {
            return false
        }
        // 32 bytes leave four bits of the last digit, of which two are nothing.
        return "AEIMQUYcgkosw048".utf8.contains(bytes[42])
    }

    /// Whether a text is a digest in any way of writing it, or a whole key or certificate: more than `isPin` believes, and
    /// right only where a certificate is compared.
    static func isDigest(_ text: String) -> Bool {
        if isPin(text) || isFingerprint(text) || isPrefixed(text) { return true }
        // Its first line alone is what code takes away from a certificate.
        if isCertificate(text) || text.contains("-----BEGIN PUBLIC KEY-----") { return text.contains("-----END ") }
        let bytes = Array(text.utf8)
        // Placeholders are no bytes of a digest, and stand where one belongs.
        if bytes.count == 44, bytes[43] == UInt8(ascii: "="), bytes[42] != UInt8(ascii: "="), bytes.allSatisfy(isDigit)
        {
            return true
        }
        let isHex = bytes.allSatisfy(isHexDigit)
        if isHex, [40, 64].contains(bytes.count) || bytes.count >= 80 && bytes.count.isMultiple(of: 2) { return true }
        // A key's modulus as its bytes: `44 20 82 …`.
        let pairs = bytes.count < 191 ? [] : text.split(separator: " ", omittingEmptySubsequences: false)
        if pairs.count >= 64,
            pairs.dropLast(pairs.last == "" ? 1 : 0).allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(isHexDigit) }
            )
        {
            return true
        }
        guard bytes.allSatisfy({ isDigit($0) || $0 == 0x0A || $0 == 0x0D || $0 == 0x20 }) else { return false }
        if isLongDigest(text) { return true }
        // A key or a certificate in Base64.
        return isKeyOfCurve(text) || text.drop(while: \.isWhitespace).hasPrefix("MI") && bytes.count >= 100
            || bytes.count == 28 && bytes[27] == UInt8(ascii: "=") && bytes[26] != UInt8(ascii: "=")
    }

    /// The SubjectPublicKeyInfo of a key of P-256, P-384 or Ed25519 in Base64, as it begins and as long as it is (RFC 5480, RFC 8410).
    static func isKeyOfCurve(_ text: String) -> Bool {
        let text = text.filter { !$0.isWhitespace }
        let known = [("MFkwEwYHKoZIzj0CAQYI", 124), ("MHYwEAYHKoZIzj0CAQYF", 160), ("MCowBQYDK2VwAyEA", 60)]
        return known.contains { text.hasPrefix($0) && text.utf8.count == $1 }
    }

    /// A SHA-512 digest in Base64.
    static func isLongDigest(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 88 && text.hasSuffix("==") && bytes[85] != UInt8(ascii: "=") && bytes.allSatisfy(isDigit)
    }

    /// As long as the Base64 of 32 bytes, and made of so few letters that somebody is to replace it: `BBBB…=`.
    static func isPlaceholder(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 44 && bytes[43] == UInt8(ascii: "=") && Set(bytes[..<43]).count <= 3
            && bytes[..<43].allSatisfy { isDigit($0) && $0 != UInt8(ascii: "=") }
    }

    /// `SHA256:…` or `SHA256/…` before a digest in any way of writing it, which no library of pins takes.
    static func isPrefixed(_ text: String) -> Bool {
        for prefix in ["sha256:", "sha256/", "sha-256:", "sha1:"] where text.lowercased().hasPrefix(prefix) {
            let rest = String(text.dropFirst(prefix.count))
            return isPin(rest) || isFingerprint(rest)
                || [40, 64].contains(rest.utf8.count) && rest.utf8.allSatisfy(isHexDigit)
        }
        return false
    }

    /// Whether a text is written as digests are, and has not their length: nothing is equal to it.
    static func isBroken(_ text: String) -> Bool {
        guard text.utf8.count < 200, !text.contains(where: \.isWhitespace) else { return false }
        // Some digits of a SHA-256 digest were lost, or typed twice.
        if (56...72).contains(text.utf8.count), text.utf8.count != 64, text.utf8.allSatisfy(isHexDigit) { return true }
        // The Base64 of 32 bytes, with digits lost or typed twice.
        if (40...48).contains(text.utf8.count), ![40, 44, 48].contains(text.utf8.count), text.hasSuffix("="),
            text.utf8.allSatisfy(isDigit), text.contains(where: \.isNumber), text.contains(where: \.isUppercase)
        {
            return true
        }
        let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
        // What has fewer is the address of a network card, or a version.
        if pairs.count >= 16, pairs.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(isHexDigit) }) { return true }
        guard let mark = text.lowercased().firstRange(of: "sha256") else { return false }
        let rest = text.lowercased()[mark.upperBound...]
        return ["/", "=", ":"].contains(rest.first) && rest.utf8.count >= 28
            && rest.utf8.dropFirst().allSatisfy(isDigit)
    }

    /// Whether a text is too long to be a word, and neither a digest nor a host, an address or a file.
    static func isOfNoForm(_ text: String) -> Bool {
        (20..<200).contains(text.utf8.count) && !text.contains(where: \.isWhitespace) && !text.contains("://")
            && !text.utf8.allSatisfy { isHexDigit($0) || $0 == UInt8(ascii: ":") } && !isDigest(text) && !isBroken(text)
            && !isHostOrEnd(text) && !isKnownFile(text)
    }

    /// Whether a text is the digest of a certificate as tools print it: `AB:CD:…`, or with blanks.
    static func isFingerprint(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard [20, 32].contains((bytes.count + 1) / 3), bytes.count % 3 == 2 else { return false }
        let mark = bytes[2]
        return (mark == UInt8(ascii: ":") || mark == UInt8(ascii: " ") || mark == UInt8(ascii: "-"))
            && bytes.indices.allSatisfy { $0 % 3 == 2 ? bytes[$0] == mark : isHexDigit(bytes[$0]) }
    }

    /// Whether a text is a certificate in PEM.
    static func isCertificate(_ text: String) -> Bool { text.contains("-----BEGIN CERTIFICATE-----") }

    /// Whether a text is a certificate in PEM, or its bytes in Base64.
    static func isWholeCertificate(_ text: String) -> Bool {
        isCertificate(text) || text.hasPrefix("MII") && text.utf8.count > 400
    }

    /// An RSA key in hexadecimal, with or without what says that it is one.
    static func isHexKey(_ text: String) -> Bool {
        text.utf8.count >= 120 && text.utf8.count.isMultiple(of: 2) && text.utf8.allSatisfy(isHexDigit)
            && ["3081", "3082"].contains(where: text.hasPrefix)
    }

    /// 32 bytes in hexadecimal.
    static func isBareHex(_ text: String, digits: Int = 64) -> Bool {
        text.utf8.count == digits && text.utf8.allSatisfy(isHexDigit)
    }

    /// Pins that stand in a longer text, as in the option of a command.
    static func pins(within text: String) -> [String] {
        var found: [String] = []
        var rest = text[...]
        while let mark = rest.firstRange(of: "sha256/"), found.count < 100 {
            rest = rest[mark.upperBound...]
            let isOfCurl = rest.first == "/"
            // A blank behind it is a slip, which no library reads over.
            let blanks = rest.prefix { $0 == " " }
            let digest = rest.dropFirst(isOfCurl ? 1 : blanks.count)
                .prefix { $0.isASCII && isDigit($0.asciiValue ?? 0) }
            if digest.utf8.count == 44, digest.last == "=" {
                found.append((isOfCurl ? "sha256//" : "sha256/\(blanks)") + digest)
            }
        }
        // Directives of a header.
        if text.contains("pin-sha256=") {
            found += ServerHeaders.pins(in: text).filter { isPin($0) && $0.utf8.count == 44 }.map { "sha256/" + $0 }
        }
        return found
    }

    /// 20 or 32 numbers as one digest.
    static func digest(ofBytes values: [Value]) -> String? {
        guard [20, 32].contains(values.count) else { return nil }
        var text = ""
        for value in values {
            guard case .number(let number) = value, -128...255 ~= number else { return nil }
            let byte = String(number & 0xFF, radix: 16)
            text += byte.count == 1 ? "0" + byte : byte
        }
        return text
    }

    /// Whether a text ends as files do.
    static func isKnownFile(_ text: String) -> Bool {
        guard let dot = text.lastIndex(of: ".") else { return false }
        let end = text[text.index(after: dot)...].lowercased()
        return isCertificateFile(text)
            || ["plist", "json", "p12", "pfx", "txt", "html", "strings", "key"].contains(end)
    }

    /// Whether a text is the name of a file that is taken apart before any of it counts.
    static func isOfValues(_ text: String) -> Bool {
        let end = text.lastIndex(of: ".").map { text[text.index(after: $0)...].lowercased() } ?? ""
        return ["plist", "json", "html", "strings", "js", "xml", "p12", "pfx"].contains(end)
    }

    static func isCertificateFile(_ text: String) -> Bool {
        guard text.utf8.count < 200, let dot = text.lastIndex(of: ".") else { return false }
        return ["cer", "cert", "crt", "der", "pem"].contains(text[text.index(after: dot)...].lowercased())
            && !text.contains("\n") && text.first != "."
    }

    static func isHost(_ text: String) -> Bool {
        guard text.utf8.count < 254, !isCertificateFile(text) else { return false }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let last = labels.last, last.count > 1, last.allSatisfy({ $0.isASCII && $0.isLetter })
        else { return false }
        return labels.enumerated().allSatisfy { index, label in
            !label.isEmpty
                && (index == 0 && label.allSatisfy { $0 == "*" }
                    || label.utf8.allSatisfy {
                        $0 == 0x2D || $0 == 0x5F || isDigit($0) && $0 != 0x2B && $0 != 0x2F && $0 != 0x3D
                    })
        }
    }

    /// A host's name or address, or the end of names: `.acme.example`.
    static func isHostOrEnd(_ text: String) -> Bool {
        isHost(text.hasPrefix(".") ? String(text.dropFirst()) : text) || isAddress(text)
    }

    /// What a table of pins has as a key: this computer, too.
    static func isKeyOfPins(_ text: String) -> Bool {
        isHost(text) || isAddress(text) || ["localhost", "127.0.0.1", "10.0.2.2", "10.0.3.2"].contains(text)
    }

    /// The IPv4 address of another computer.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts.allSatisfy({ part in part.count < 4 && UInt8(part) != nil }) else { return false }
        // What emulators call the computer that they run on is none that is pinned.
        return !["0", "127"].contains(parts[0]) && !["10.0.2.2", "10.0.3.2"].contains(text)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), 0x30...0x39,
            UInt8(ascii: "+"),
            UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The digest alone.
    static func bare(_ text: String) -> Substring {
        // OkHttp's prefix before a digest that begins with '/' itself.
        let own = text.dropFirst("sha256/".count)
        if text.hasPrefix("sha256//"), own.utf8.count == 44, own.last == "=" { return own }
        for prefix in ["sha256//", "sha256/", "sha1/"] where text.hasPrefix(prefix) {
            return text.dropFirst(prefix.count)
        }
        return text[...]
    }
}

extension SourceModule.File {
    /// Texts that look like pins, with their lines. Bare hexadecimal counts where the source speaks of certificates.
    ///
    /// - Parameter tokens: Its own.
    func pinTexts(in tokens: [Token]) -> [(text: String, line: Int)] {
        let speaksOfPins = tokens.contains { token in
            guard let name = token.name?.lowercased() else { return false }
            return ["thumbprint", "certhash", "spki", "pinned", "pinning", "publickeyhash"].contains(
                where: name.contains
            )
                || name == "pins" || name.hasSuffix("_pins")
                || name.hasSuffix("pins") && token.name?.contains("Pins") ?? false
                || name.contains("cert") && ["fingerprint", "sha256", "sha1", "hash"].contains(where: name.contains)
        }
        // As long as a commit's name, which others pin.
        let trusts =
            [.kotlin, .java].contains(language)
            && tokens.contains { token in
                ["TrustManagerFactory", "checkServerTrusted", "HandshakeCertificates"].contains { token.isName($0) }
            }
        let mayBeShort =
            speaksOfPins
            && ([.kotlin, .java, .swift, .objectiveC].contains(language)
                || language == .cSharp && tokens.contains { $0.name?.lowercased().contains("pinn") ?? false })
        return tokens.flatMap { token -> [(text: String, line: Int)] in
            guard case .text(let pieces) = token.kind else { return [] }
            return pieces.flatMap { piece in
                guard case .plain(let text) = piece else { return [String]() }
                if text.utf8.count < 100, PinText.isPin(text) { return [] }
                return PinText.pins(within: text)
            }
            .map { ($0, token.line) }
        }
            + tokens.enumerated().compactMap { index, token in
                guard case .text(let pieces) = token.kind, pieces.count == 1, case .plain(let text) = pieces[0],
                    PinText.isPin(text) || PinText.isFingerprint(text)
                        || speaksOfPins && PinText.isBareHex(text)
                        || speaksOfPins && (PinText.isPrefixed(text) || PinText.isPlaceholder(text))
                        || (mayBeShort || isServers(tokens, index)) && PinText.isBareHex(text, digits: 40)
                        || trusts && PinText.isCertificate(text) && !isFirstLine(text, tokens, index)
                        || isBehindPrefix(tokens, index) && PinText.isDigest(text)
                        || speaksOfPins && PinText.isLongDigest(text) && isNamedPin(tokens, index),
                    !isOfOthers(text, tokens, index), !tokens.isPartOfDigits(index)
                else { return nil }
                return (text, token.line)
            } + keys(in: tokens)
    }
}

extension FoundPins {
    /// The digests in it, without their prefixes.
    package var digests: Set<String> {
        let texts: [String] =
            switch content {
            case .pinner(let entries): entries.flatMap(\.pins)
            case .dictionary(let value), .evaluators(let value, _): value.texts
            case .library(let library): library.pins
            case .described(_, let pins, _, _): pins
            case .gaps(_, _, let known): known.flatMap(\.pins)
            }
        // A text with more before its pin is one that is not taken.
        return Set((texts + texts.flatMap(PinText.pins)).map(Self.digest(of:)))
    }

    /// The same however its letters and colons are written.
    package static func digest(of text: String) -> String {
        let text = String(text.drop(while: \.isWhitespace))
        // A certificate is the same however its lines are ended.
        if text.hasPrefix("-----BEGIN") { return text.filter { !$0.isWhitespace } }
        let bare = PinText.isFingerprint(text) ? text.filter(\.isHexDigit) : String(PinText.bare(text))
        return [40, 64].contains(bare.utf8.count) && bare.allSatisfy(\.isHexDigit) ? bare.lowercased() : bare
    }
}
