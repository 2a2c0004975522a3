/// The lines on which keys stand, by searching the text for them one below the other.
struct KeyLines {
    /// UTF-8, in which no key can begin within another character.
    private var text: [UInt8] = []
    private var isXML = false

    init() {}

    init(_ text: String, isXML: Bool) {
        self.text = Array(text.utf8)
        self.isXML = isXML
    }

    func line(of path: [String]) -> Int? {
        text.withUnsafeBytes { text in
            var rest = text[...]
            for key in path where !key.hasPrefix("[") {
                let sought = Array((isXML ? ">\(PropertyListText.escape(key))<" : key).utf8)
                guard let end = KeyLines.end(of: sought, in: rest) else { return nil }
                rest = rest[end...]
            }
            let place = rest.startIndex
            return place > 0 ? text[..<place].count { $0 == UInt8(ascii: "\n") } + 1 : nil
        }
    }

    /// Where the first `sought` ends.
    private static func end(of sought: [UInt8], in text: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard let first = sought.first else { return nil }
        var rest = text
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: sought) { return start + sought.count }
            rest = rest.dropFirst()
        }
        return nil
    }
}
