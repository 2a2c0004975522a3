/// What looks like a pin.
enum PinText {
    /// Whether a text is a SHA-256 or SHA-1 pin with its prefix, or the Base64 of 32 bytes.
    static func isPin(_ text: String) -> Bool {
        for prefix in ["sha256//", "sha256/", "sha1/"] where text.hasPrefix(prefix) {
            let rest = text.dropFirst(prefix.count)
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
        for prefix in ["sha256//", "sha256/", "sha1/"] where text.hasPrefix(prefix) {
            return text.dropFirst(prefix.count)
        }
        return text[...]
    }
}

extension SourceModule.File {
    /// Texts that look like pins, with their lines.
    package var pinTexts: [(text: String, line: Int)] {
        tokens.compactMap { token in
            guard case .text(let pieces) = token.kind, pieces.count == 1, case .plain(let text) = pieces[0],
                PinText.isPin(text)
            else { return nil }
            return (text, token.line)
        }
    }
}

extension FoundPins {
    /// The digests in it, without their prefixes.
    package var digests: Set<String> {
        let texts: [String] =
            switch content {
            case .pinner(let entries): entries.flatMap(\.pins)
            case .dictionary(let value), .evaluators(let value, _): value.texts
            case .described(_, let pins, _): pins
            case .gaps: []
            }
        return Set(texts.map { String(PinText.bare($0)) })
    }

    package static func digest(of text: String) -> String { String(PinText.bare(text)) }
}
