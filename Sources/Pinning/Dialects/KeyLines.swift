import Foundation

/// The lines on which keys stand, by searching the text for them one below the other.
struct KeyLines {
    private var text = ""
    private var isXML = false

    init() {}

    init(_ text: String, isXML: Bool) {
        self.text = text
        self.isXML = isXML
    }

    func line(of path: [String]) -> Int? {
        guard !text.isEmpty else { return nil }
        var place = text.startIndex
        var isFound = false
        for key in path where !key.hasPrefix("[") {
            guard let range = text[place...].range(of: isXML ? ">\(escaped(key))<" : key) else { return nil }
            place = range.upperBound
            isFound = true
        }
        return isFound ? text.utf8[..<place].count { $0 == UInt8(ascii: "\n") } + 1 : nil
    }

    private func escaped(_ key: String) -> String { PropertyListText.escape(key) }
}
