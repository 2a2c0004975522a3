/// Digests that languages which are not read write as bytes: `const uint8_t fingerprint[20] = {0x40, 0xAF, …};`
enum ByteLists {
    struct Found: Equatable {
        /// What stands before the list in its statement, on its line, or on the one before if the list begins one.
        var head: String
        /// Hexadecimal digits.
        var digest: String
        /// From zero.
        var line: Int
    }

    static func read(_ text: String) -> [Found] {
        let text = Array(text.utf8)
        var (found, line, head, above) = ([Found](), 0, 0, 0)
        for (place, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                // Another line may be a comment.
                if text[head..<place].contains(where: { $0 > UInt8(ascii: " ") }) { above = head }
                head = place + 1
            case UInt8(ascii: ";"), UInt8(ascii: "}"): (head, above) = (place + 1, place + 1)
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("):
                guard let digest = digest(text[(place + 1)...]) else { continue }
                let isFirst = text[head..<place].allSatisfy { $0 <= UInt8(ascii: " ") }
                let own = text[(isFirst ? above : head)..<place]
                found.append(.init(head: String(decoding: own, as: UTF8.self), digest: digest, line: line))
            default: break
            }
        }
        return found
    }

    /// Of 20 or 32 bytes up to a bracket.
    private static func digest(_ text: ArraySlice<UInt8>) -> String? {
        var (digits, isByte) = ([UInt8](), false)
        var rest = text
        while let next = rest.first, digits.count <= 64 {
            switch next {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): rest = rest.dropFirst()
            case UInt8(ascii: ",") where isByte: (rest, isByte) = (rest.dropFirst(), false)
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"):
                return [40, 64].contains(digits.count) ? String(decoding: digits, as: UTF8.self) : nil
            case UInt8(ascii: "0") where !isByte:
                let own = rest.dropFirst(2).prefix { Character(UnicodeScalar($0)).isHexDigit }
                guard rest.dropFirst().first == UInt8(ascii: "x"), [1, 2].contains(own.count) else { return nil }
                digits += own.count == 1 ? [UInt8(ascii: "0")] + own : Array(own)
                (rest, isByte) = (rest.dropFirst(2 + own.count), true)
            default: return nil
            }
        }
        return nil
    }
}
