extension String {
    /// Words in lines of at most `width` characters, each with the indent. A longer word stands on a line of its own.
    package func wrapped(to width: Int, indent: String) -> [String] {
        var lines: [String] = []
        for word in split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append("\(indent)\(word)")
            }
        }
        return lines
    }

    func padded(to width: Int) -> String { self + .spaces(width - count) }

    static func spaces(_ count: Int) -> String { String(repeating: " ", count: Swift.max(0, count)) }
}
