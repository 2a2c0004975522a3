/// `CURLOPT_PINNEDPUBLICKEY` in languages that are not read, where its value is no literal.
package enum LibraryOptions {
    package struct Found: Hashable, Sendable {
        package var line: Int
        package var host: String?
        /// Of the names that it is given, those that the file tells.
        package var pins: [String]
    }

    package static let name = "PINNEDPUBLICKEY"
    package static let reason = "what this option of curl is given is not read in this language"

    package static func read(_ text: String) -> [Found] {
        var reader = LibraryOptionReader(text)
        return reader.found()
    }
}

/// What a file says of the values of such options. What is asked of the whole file is kept: it may have thousands of them.
private struct LibraryOptionReader {
    private typealias Head = (line: Int, name: String, parameters: [String])

    private let lines: TextLines
    /// The words of each line that is no comment.
    private let words: [[Substring]]
    private var pinsByName: [String: [String]] = [:]
    private var hostsByName: [String: [String]] = [:]
    private var callsByName: [String: [LibraryOptions.Found]] = [:]

    init(_ text: String) {
        let lines = TextLines(text, isCode: true)
        self.lines = lines
        words = lines.all.map { $0.isSkipped ? [] : Self.words(of: $0.text) }
    }

    mutating func found() -> [LibraryOptions.Found] {
        var (found, head) = ([LibraryOptions.Found](), Head?.none)
        for index in lines.all.indices {
            if !lines.all[index].isSkipped { found += options(at: index, in: head) }
            head = self.head(at: index) ?? head
        }
        return found
    }

    private mutating func options(at index: Int, in head: Head?) -> [LibraryOptions.Found] {
        let line = lines.all[index].text
        guard let option = line.firstRange(of: LibraryOptions.name) else { return [] }
        // What declares the option gives nothing to anyone.
        let before = Self.words(of: line[..<option.lowerBound])
        guard !["define", "const", "enum"].contains(where: before.contains) else { return [] }
        // The value may stand on the next line.
        let own = line[option.upperBound...]
        let isOpen = own.allSatisfy { $0.isWhitespace || ",=>\"'".contains($0) }
        let value = isOpen && index + 1 < lines.all.count ? lines.all[index + 1].text : own
        guard PinText.pins(within: String(value)).isEmpty, value.contains(where: \.isLetter) else { return [] }
        let names = Self.words(of: value).map(String.init).filter { $0.count > 1 }
        let pins = names.flatMap { self.pins(of: $0) }.uniqued
        if pins.isEmpty, let head, index - head.line <= 200, head.parameters.contains(where: names.contains) {
            let given = calls(of: head.name)
            if !given.isEmpty { return given }
        }
        let host = lines.hostOfBlock(index) ?? host(beside: index)
        return [.init(line: index + 1, host: host, pins: pins)]
    }

    /// The function that begins on a line: `function get($url, $pin) {`
    private func head(at index: Int) -> Head? {
        guard let word = words[index].first(where: { ["function", "def", "func", "fn"].contains($0) }) else {
            return nil
        }
        let text = lines.all[index].text[word.startIndex...]
        guard let match = text.prefixMatch(of: #/\w+\s+(\w+)\s*\(([^)]*)\)/#) else { return nil }
        return (index, String(match.output.1), Self.words(of: match.output.2).map(String.init))
    }

    /// What the calls of the function around an option give it, where its value is a parameter of that function.
    private mutating func calls(of name: String) -> [LibraryOptions.Found] {
        if let known = callsByName[name] { return known }
        let found = lines.all.indices.compactMap { place -> LibraryOptions.Found? in
            guard words[place].contains(where: { $0 == name }), head(at: place)?.name != name else { return nil }
            let line = lines.all[place].text
            guard let call = line.firstRange(of: "\(name)("),
                line[..<call.lowerBound].last.map({ !$0.isLetter && !$0.isNumber && $0 != "_" }) ?? true
            else { return nil }
            var text = String(line[call.lowerBound...])
            for next in lines.all[(place + 1)...].prefix(8) where Self.isOpen(text) { text += "\n" + next.text }
            let pins = PinText.pins(within: text)
            return pins.isEmpty ? nil : .init(line: place + 1, host: CommandLines.host(of: text), pins: pins)
        }
        callsByName[name] = found
        return found
    }

    private static func isOpen(_ text: String) -> Bool { text.count { $0 == "(" } > text.count { $0 == ")" } }

    /// Of the URL that the same handle is given, where that is a constant: `curl_init(self::$api)`.
    private mutating func host(beside index: Int) -> String? {
        var names: [String] = []
        for place in max(0, index - 30)..<min(lines.all.count, index + 30) where !words[place].isEmpty {
            let line = lines.all[place].text
            guard let mark = ["curl_init(", "CURLOPT_URL", "pycurl.URL"].compactMap({ line.firstRange(of: $0) }).first
            else { continue }
            names += Self.words(of: line[mark.upperBound...]).map(String.init)
        }
        let hosts = Set(names.uniqued.flatMap { self.hosts(of: $0) })
        return hosts.count == 1 ? hosts.first : nil
    }

    private mutating func hosts(of name: String) -> [String] {
        if let known = hostsByName[name] { return known }
        let found = lines.all.indices.compactMap { place -> String? in
            guard words[place].prefix(4).contains(where: { $0 == name }), lines.all[place].text.contains("=") else {
                return nil
            }
            return CommandLines.host(of: String(lines.all[place].text))
        }
        hostsByName[name] = found
        return found
    }

    /// `$name = "…"`, `const NAME = "…"`, `define('NAME', '…')`
    private mutating func pins(of name: String) -> [String] {
        if let known = pinsByName[name] { return known }
        let found = lines.all.indices.flatMap { place -> [String] in
            guard words[place].prefix(6).contains(where: { $0 == name }),
                let range = lines.all[place].text.firstRange(of: name)
            else { return [] }
            let rest = lines.all[place].text[range.upperBound...].drop { $0.isWhitespace || "'\"[]:".contains($0) }
            guard let mark = rest.first, mark == "=" || mark == ",", !rest.hasPrefix("==") else { return [] }
            let parts = rest.split(omittingEmptySubsequences: false) { "\"'`".contains($0) }.map(String.init)
            return parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
                .filter { !PinText.pins(within: $0).isEmpty || PinText.isPin($0) }
        }
        pinsByName[name] = found
        return found
    }

    private static func words(of text: Substring) -> [Substring] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    }
}
