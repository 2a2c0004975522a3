/// A first look at the text of a property list or of JSON: how deep it goes, and where its tags or brackets go wrong.
/// Foundation's readers recurse without a limit, and name no lines.
struct DocumentScan {
    private(set) var isXML = false
    private(set) var looksLikeJSON = false
    /// The line at which nesting goes too deep.
    private(set) var tooDeep: Int?
    /// The first thing wrong with tags or brackets.
    private(set) var flaw: (line: Int?, message: String?)?

    private static let deepest = 100
    /// All that a property list is made of (PropertyList-1.0.dtd).
    private static let tags: Set = [
        "plist", "dict", "key", "array", "string", "true", "false", "integer", "real", "date", "data",
    ]

    private var isPropertyList = true

    init() {}

    /// - Parameter isPropertyList: whether tags that no property list has are flaws.
    init(_ bytes: [UInt8], isPropertyList: Bool = true) {
        self.isPropertyList = isPropertyList
        let start = bytes.firstIndex { !" \t\r\n\u{FEFF}".utf8.contains($0) } ?? bytes.endIndex
        isXML = start < bytes.endIndex && bytes[start] == UInt8(ascii: "<")
        looksLikeJSON = start < bytes.endIndex && "{[".utf8.contains(bytes[start])
        if isXML { scanTags(bytes) } else { scanBrackets(bytes) }
    }

    private mutating func scanTags(_ bytes: [UInt8]) {
        var open: [(name: ArraySlice<UInt8>, line: Int)] = []
        var line = 1
        var index = 0
        func begins(_ text: StaticString) -> Bool {
            bytes[index...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
        func end(of text: String) -> Int { bytes.index(of: Array(text.utf8), from: index) ?? bytes.count }
        while index < bytes.count, flaw == nil, tooDeep == nil {
            guard bytes[index] == UInt8(ascii: "<") else {
                if bytes[index] == UInt8(ascii: "\n") { line += 1 }
                index += 1
                continue
            }
            let stop: Int
            if begins("<!--") {
                stop = end(of: "-->")
            } else if begins("<![CDATA[") {
                stop = end(of: "]]>")
            } else {
                stop = end(of: ">")
                take(tag: bytes[index..<stop], at: line, isCut: stop == bytes.count, &open)
            }
            line += bytes[index..<stop].count { $0 == UInt8(ascii: "\n") }
            index = stop
        }
        if flaw == nil, let last = open.last { flaw = (last.line, "found <\(text(last.name))> without its end") }
    }

    /// - Parameter tag: from `<` to before `>`.
    private mutating func take(
        tag: ArraySlice<UInt8>,
        at line: Int,
        isCut: Bool,
        _ open: inout [(name: ArraySlice<UInt8>, line: Int)]
    ) {
        let inside = tag.dropFirst()
        if isCut { return flaw = (line, "found a tag that does not end, '\(text(tag.prefix(30)))'") }
        guard let first = inside.first, first != UInt8(ascii: "?"), first != UInt8(ascii: "!") else { return }
        guard first == UInt8(ascii: "/") else {
            let name = inside.prefix { !" \t\r\n/".utf8.contains($0) }
            guard !isPropertyList || DocumentScan.tags.contains(text(name)) else {
                return flaw = (line, "found <\(text(name))>, which no property list has")
            }
            if inside.last == UInt8(ascii: "/") { return }
            open.append((name, line))
            if open.count > DocumentScan.deepest { tooDeep = line }
            return
        }
        let name = inside.dropFirst().prefix { !" \t\r\n".utf8.contains($0) }
        guard let last = open.popLast() else { return flaw = (line, "found </\(text(name))> without its beginning") }
        if last.name != name {
            flaw = (line, "found </\(text(name))> where <\(text(last.name))> of line \(last.line) is to end")
        }
    }

    private mutating func scanBrackets(_ bytes: [UInt8]) {
        var depth = 0
        var line = 1
        var isQuoted = false
        var isEscaped = false
        for byte in bytes {
            if byte == UInt8(ascii: "\n") { line += 1 }
            if isQuoted {
                if isEscaped { isEscaped = false; continue }
                if byte == UInt8(ascii: "\\") { isEscaped = true }
                if byte == UInt8(ascii: "\"") { isQuoted = false }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isQuoted = true
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("):
                depth += 1
                if depth > DocumentScan.deepest { return tooDeep = line }
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"):
                depth -= 1
                if depth < 0 { return flaw = (line, "found a closing bracket too many") }
            default: break
            }
        }
        if isQuoted { flaw = (line, "found a string that does not end") }
        if depth > 0 { flaw = (line, "found the end of the file inside \(depth) open brackets") }
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes.prefix(40), as: UTF8.self) }
}

extension [UInt8] {
    /// Where a pattern begins, at or after an index.
    fileprivate func index(of pattern: [UInt8], from start: Int) -> Int? {
        guard let first = pattern.first, start < count else { return nil }
        var index = start
        while let found = self[index...].firstIndex(of: first) {
            if self[found...].starts(with: pattern) { return found }
            index = found + 1
        }
        return nil
    }
}
