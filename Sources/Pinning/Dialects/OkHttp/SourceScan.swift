/// Kotlin or Java source in words, read in bytes and from front to back, so that the work is in proportion to its size.
struct SourceScan {
    enum Word: Equatable {
        case name(String)
        /// In double quotes, on one line and without interpolation; `nil` where a quote begins nothing of the kind, of
        /// which only the quote is then gone past.
        case literal(String?)
        case mark(UInt8)
    }

    private let bytes: [UInt8]
    private(set) var index = 0
    private(set) var line = 1
    /// Where the last literal came to nothing: what begins before it comes to nothing there too.
    private var deadEnd = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The next word, white space and comments before it gone past.
    mutating func next() -> Word? {
        skipSpace()
        guard index < bytes.count else { return nil }
        if bytes[index] == UInt8(ascii: "\"") { return .literal(literal()) }
        let name = bytes[index...].prefix(while: Self.isOfName)
        guard name.isEmpty else {
            index = name.endIndex
            return .name(String(decoding: name, as: UTF8.self))
        }
        index += 1
        return .mark(bytes[index - 1])
    }

    /// Whether a mark comes next, which is then taken.
    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }

    /// What stands at a place up to the end of an argument, cut short, for messages.
    func argument(at place: Int) -> String {
        String(decoding: bytes[place...].prefix(60).prefix { !",)\r\n".utf8.contains($0) }, as: UTF8.self)
    }

    /// White space and comments.
    mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\n"):
                line += 1
                index += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0x0B, 0x0C: index += 1
            case UInt8(ascii: "/") where bytes[index...].starts(with: "//".utf8):
                index = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            case UInt8(ascii: "/") where bytes[index...].starts(with: "/*".utf8): skipBlockComment()
            default: return
            }
        }
    }

    private mutating func skipBlockComment() {
        index += 2
        while index < bytes.count, !bytes[index...].starts(with: "*/".utf8) {
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
        index = min(index + 2, bytes.count)
    }

    private mutating func literal() -> String? {
        var place = index + 1
        index = place
        var text: [UInt8] = []
        while deadEnd < place, place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                index = place + 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\") where place + 1 < bytes.count && "\\\"$".utf8.contains(bytes[place + 1]):
                text.append(bytes[place + 1])
                place += 2
            case UInt8(ascii: "\\"), UInt8(ascii: "$"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                deadEnd = place
                return nil
            default:
                text.append(bytes[place])
                place += 1
            }
        }
        deadEnd = max(deadEnd, place)
        return nil
    }

    /// A letter that is not of ASCII counts as one of a name.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
