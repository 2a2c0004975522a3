/// Digests that languages which are not read write as bytes: `const uint8_t fingerprint[20] = {0x40, 0xAF, …};`
enum ByteLists {
    struct Found: Equatable {
        /// What stands before the list in its statement.
        var head: String
        /// Hexadecimal digits.
        var digest: String
        /// From zero.
        var line: Int
    }

    private static let longestHead = 120

    static func read(_ text: String) -> [Found] {
        let text = Array(text.utf8)
        var (found, line, head) = ([Found](), 0, 0)
        for (place, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: ";"), UInt8(ascii: "}"): head = place + 1
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("):
                guard let digest = digest(text[(place + 1)...]) else { continue }
                let own = text[max(head, place - longestHead)..<place]
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
