/// Whole certificates among the texts of a source.
extension SourceModule.File {
    /// Those in PEM, and those whose bytes stand in Base64, with their lines, in however many texts they are written.
    ///
    /// None where a private key stands among the texts, whose certificate proves the owner of that key, and none in a source
    /// that speaks of SAML or of signed tokens, where certificates are of signers.
    package var certificates: [(text: String, line: Int)] {
        guard ["BEGIN CERTIFICATE", "gAwIB"].contains(where: text.contains) else { return [] }
        var found: [(text: String, line: Int)] = []
        var isOpen = false
        for token in tokens {
            if let name = token.name?.lowercased(), ["saml", "jwt", "jws"].contains(where: name.contains) { return [] }
            guard let text = token.literalText else {
                // Only what joins texts may stand between two of its lines.
                if !token.isMark("+"), !token.isMark(",") { isOpen = false }
                continue
            }
            if text.contains("PRIVATE KEY-----") { return [] }
            if PinText.isCertificate(text) {
                found.append((text, token.line))
                isOpen = !text.contains(Self.end)
            } else if isOpen, let last = found.indices.last, found[last].text.utf8.count < 20_000 {
                found[last].text += text
                isOpen = !text.contains(Self.end)
            } else if PinText.isCertificateInBase64(text) {
                found.append((text, token.line))
            }
        }
        // What code only looks for, the lines around a certificate, is none.
        return found.filter { FoundPins.body(ofCertificate: $0.text).map { $0.utf8.count > 200 } ?? false }
    }

    private static let end = "-----END CERTIFICATE-----"
}

extension PinText {
    /// Whether a text is the Base64 of a certificate's bytes: the version stands at the same place in all of them (RFC 5280,
    /// section 4.1: two sequences of more than 255 bytes, then the tag `[0]` with the integer 2).
    static func isCertificateInBase64(_ text: String) -> Bool {
        let digits = text.utf8.prefix(80).filter { !$0.isBlank }.prefix(16)
        return text.hasPrefix("MII") && text.utf8.count > 300 && digits.count == 16
            && digits.suffix(5).elementsEqual("gAwIB".utf8)
    }
}

extension FoundPins {
    /// What is the same of a certificate however it is written: the digits of its Base64 without those that code joins texts with;
    /// `nil` where a text is none.
    package static func body(ofCertificate text: String) -> String? {
        guard PinText.isCertificate(text) || PinText.isCertificateInBase64(text.trimmedPin) else { return nil }
        let start = text.firstRange(of: "-----BEGIN CERTIFICATE-----")?.upperBound ?? text.startIndex
        let end = text[start...].firstRange(of: "-----END")?.lowerBound ?? text.endIndex
        return text[start..<end].replacing("\\n", with: "").replacing("\\r", with: "")
            .filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "/") }
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}

extension Token {
    /// What is written of a text, without what is filled in.
    fileprivate var literalText: String? {
        guard case .text(let pieces) = kind else { return nil }
        return pieces.compactMap { if case .plain(let text) = $0 { text } else { nil } }.joined()
    }
}

extension TextPins {
    /// Whole certificates in PEM in a program of a language that is not read, with the lines where they begin; none where
    /// it does not speak of TLS, or a private key stands beside them.
    package static func certificates(_ text: String) -> [(text: String, line: Int)] {
        let small = text.lowercased()
        guard !text.contains("PRIVATE KEY-----"),
            ["tls", "ssl", "setcacert", "secure", "x509"].contains(where: small.contains)
        else { return [] }
        var found: [(text: String, line: Int)] = []
        var start: Int?
        var digits: [String] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let body = line.drop(while: \.isWhitespace)
            if line.contains("-----BEGIN CERTIFICATE-----") {
                // In a comment it is nobody's.
                start = ["//", "/*", "* ", "# "].contains(where: body.hasPrefix) ? nil : index + 1
                digits = []
            } else if line.contains("-----END CERTIFICATE-----") {
                let lines = ["-----BEGIN CERTIFICATE-----"] + digits + ["-----END CERTIFICATE-----"]
                if let start, digits.joined().utf8.count > 200 { found.append((lines.joined(separator: "\n"), start)) }
                start = nil
            } else if start != nil, digits.count < 400 {
                // What joins lines stands outside of their quotes.
                let parts = body.split(separator: "\"", omittingEmptySubsequences: false)
                let own = parts.count > 2 ? parts[1] : body
                digits.append(String(own.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0)) }))
            }
        }
        return found
    }
}
