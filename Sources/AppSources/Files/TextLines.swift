/// The lines of a text, and the blocks that their indentation makes.
struct TextLines {
    struct Line {
        var text: Substring
        /// How far in it begins.
        var depth: Int
        /// Whether it is empty or a comment.
        var isSkipped: Bool
        /// That of the line, and of the last line that has one.
        var ownKey: String?
        var key: String
        /// What is left of the key without the words for hosts and pins.
        var subject: [String]
        /// Hosts in it; in code those in quotes or URLs alone.
        var names: [String]
        /// The address that its key is given, which counts where nothing has a name.
        var address: String?
    }

    private(set) var all: [Line] = []
    private let isCode: Bool
    private static let longest = 4000
    private static let deepest = 8
    private static let longestBlock = 400

    init(_ text: String, isCode: Bool) {
        self.isCode = isCode
        var (key, isComment) = ("", false)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let body = line.drop(while: \.isWhitespace)
            let depth = line.prefix(while: \.isWhitespace).reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }
            if body.hasPrefix("<!--") { isComment = true }
            let wasComment = isComment
            if line.contains("-->") { isComment = false }
            let isMacro = isCode && body.hasPrefix("#define")
            // A digest of Base64 may begin with `//`, and that of a pin stands in quotes.
            let isSkipped =
                wasComment || body.isEmpty || line.utf8.count >= Self.longest
                || !isMacro && ["#", "//", ";", "*", "/*"].contains(where: body.hasPrefix)
            let ownKey = isSkipped ? nil : Self.key(of: isCode ? Self.declared(body) : body)
            if let ownKey { key = ownKey }
            all.append(
                Line(
                    text: line,
                    depth: depth,
                    isSkipped: isSkipped,
                    ownKey: ownKey,
                    key: key,
                    subject: SourceReader.subject(of: key),
                    names: isSkipped ? [] : Self.hosts(in: line, isCode: isCode),
                    address: isSkipped ? nil : Self.address(in: body)
                )
            )
        }
    }

    /// The lines in whose blocks a line stands, the innermost first.
    func parents(of index: Int) -> [Int] {
        var found: [Int] = []
        var depth = all[index].depth
        for place in stride(from: index - 1, through: max(0, index - Self.longestBlock), by: -1) {
            guard depth > 0, found.count < Self.deepest else { break }
            guard !all[place].isSkipped, all[place].depth < depth else { continue }
            found.append(place)
            depth = all[place].depth
        }
        return found
    }

    /// The one host of the innermost block around a line that has any.
    func hostOfBlock(_ index: Int) -> String? {
        var (place, depth) = (index, all[index].depth)
        for parent in parents(of: index).map(Optional.some) + [nil] {
            if !isCode || depth > 0 {
                let names = names(around: place, depth)
                if names.count == 1 { return names.first }
                let addresses = names.isEmpty ? addresses(around: place, depth) : []
                if addresses.count == 1, parent.flatMap(head) == nil { return addresses.first }
                if names.count > 1 { return parent.flatMap(head) }
            }
            guard let parent else { return nil }
            if let name = head(parent) { return name }
            guard continues(parent) else { return nil }
            (place, depth) = (parent, all[parent].depth)
        }
        return nil
    }

    /// The host of the line that opens a block, or of the one before it where that is a bracket or a tag alone.
    private func head(_ parent: Int) -> String? {
        let own = Set(all[parent].names)
        guard own.isEmpty else { return own.count == 1 ? own.first : nil }
        if let address = all[parent].address { return address }
        let text = all[parent].text.filter { !$0.isWhitespace }
        guard ["{", "[", "(", "<dict>", "<array>"].contains(text),
            let above = (0..<parent).last(where: { !all[$0].isSkipped }), all[above].depth == all[parent].depth,
            all[above].names.count == 1
        else { return nil }
        return all[above].names[0]
    }

    /// Whether a line is a list or a table's, so that what stands beside it is of the same thing.
    private func continues(_ index: Int) -> Bool {
        let text = all[index].text.drop(while: \.isWhitespace)
        let isKey = text.hasSuffix(":") && !text.contains(where: \.isWhitespace)
        // `pins = [`, `"pins": {`, or an element of a list
        let isOpen =
            text == "{" || text == "["
            || ["=", ":", "=>"].contains { text.hasSuffix("\($0) [") || text.hasSuffix("\($0) {") }
        return !isCode || text.hasPrefix("- ") || text.hasPrefix("<") || isKey || isOpen
    }

    /// Those of the lines around one that are as far in as it, or farther.
    private func names(around index: Int, _ depth: Int) -> Set<String> {
        Set(block(around: index, depth).flatMap { all[$0].names })
    }

    private func addresses(around index: Int, _ depth: Int) -> Set<String> {
        Set(block(around: index, depth).compactMap { all[$0].address })
    }

    private func block(around index: Int, _ depth: Int) -> [Int] {
        func isWithin(_ place: Int) -> Bool { all[place].isSkipped || all[place].depth >= depth }
        let before = stride(from: index, through: max(0, index - Self.longestBlock), by: -1).prefix(while: isWithin)
        let behind = (index..<min(all.count, index + Self.longestBlock)).prefix(while: isWithin)
        return Array(before) + Array(behind)
    }

    // MARK: One line

    /// `NAME = value`, `name: value`, `<key>name</key>`, `<string name="name">`
    private static func key(of line: Substring) -> String? {
        for mark in ["<key>", "name=\""] {
            if let start = line.firstRange(of: mark) {
                return String(line[start.upperBound...].prefix { $0 != "<" && $0 != "\"" })
            }
        }
        if line.hasPrefix("<") { return nil }
        if line.hasPrefix("#define") {
            return String(
                line.dropFirst(7).drop(while: \.isWhitespace).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            )
        }
        let body = line.drop { "-\"' \t{[(".contains($0) }
        let name = body.prefix { !"=: \t\"'".contains($0) }
        let rest = body.dropFirst(name.count).drop { "\"' \t".contains($0) }
        guard !name.isEmpty, let mark = rest.first, mark == "=" || mark == ":" else { return nil }
        // An element of a list, whose Base64 ends with the mark: `- fhuc…Pks=`
        if mark == "=", PinText.isPin("\(name)=") { return nil }
        return String(name)
    }

    /// What a line of code declares, without the words before its name: `var pins = …`, `private static final PIN = …`.
    private static func declared(_ line: Substring) -> Substring {
        let words: Set<Substring> = [
            "var", "const", "let", "val", "static", "final", "private", "public", "protected", "internal", "export",
            "my", "our", "local",
        ]
        var rest = line
        for _ in 0..<4 {
            let word = rest.prefix { $0.isLetter }
            guard words.contains(word), rest.dropFirst(word.count).first?.isWhitespace ?? false else { break }
            rest = rest.dropFirst(word.count).drop(while: \.isWhitespace)
        }
        return rest
    }

    /// `address_data: 192.0.2.1` of stubby.
    private static func address(in line: Substring) -> String? {
        guard let key = key(of: line), key.hasPrefix("address") || ["gateway", "remote", "server"].contains(key) else {
            return nil
        }
        let value = line.drop { $0 != ":" && $0 != "=" }.dropFirst().filter {
            !$0.isWhitespace && !"\"';,".contains($0)
        }
        let isLong = value.count { $0 == ":" } > 1 && value.allSatisfy { $0.isHexDigit || $0 == ":" } && value != "::1"
        return PinText.isAddress(value) || isLong ? value : nil
    }

    /// `certificate:vpn.acme.example:443` of NetworkManager: its key has the server's name.
    private static func tunnelHost(_ line: Substring) -> String? {
        guard let mark = line.firstRange(of: "certificate:") else { return nil }
        let rest = line[mark.upperBound...]
        let name = String(rest.prefix { $0.isLetter || $0.isNumber || ".-_".contains($0) })
        let port = rest.dropFirst(name.count).dropFirst().prefix(while: \.isNumber)
        guard rest.dropFirst(name.count).first == ":", !port.isEmpty, PinText.isHostOrEnd(name) else { return nil }
        return name
    }

    private static func hosts(in line: Substring, isCode: Bool) -> [String] {
        // Where reports are sent to, and whose words a document is written in, is nobody that is pinned.
        guard !["report", "xmlns", "DOCTYPE"].contains(where: line.contains) else { return [] }
        if let host = tunnelHost(line) ?? (isCode ? commandHost(line) : nil) { return [host] }
        guard isCode, line.drop(while: \.isWhitespace).first != "<" else {
            return line.split { $0.isWhitespace || "\"'<>,;=()[]{}|".contains($0) }.map(String.init).compactMap(host)
                .uniqued
        }
        let urls = line.split(separator: "://").dropFirst().compactMap { rest -> String? in
            let place = rest.prefix { !"/?#\"'`),]}; ".contains($0) }
            let name = String(place.split(separator: "@").last?.prefix { $0 != ":" } ?? "")
            return PinText.isAddress(name) ? name : host(name)
        }
        guard urls.isEmpty else { return urls.uniqued }
        // Each second part stands in quotes.
        let parts = line.split(omittingEmptySubsequences: false) { "\"'`".contains($0) }.map(String.init)
        // `HOST = '192.0.2.7'`
        let isOfHost = parts[0].split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { word in
            String(word).partsOfName.contains {
                ["host", "hostname", "server", "ip", "address", "broker"].contains($0)
            }
        }
        return parts.indices.filter { $0 % 2 == 1 && !isOfCode(parts[$0]) }.compactMap { index in
            isOfHost && PinText.isAddress(parts[index]) ? parts[index] : host(parts[index])
        }
        .uniqued
    }

    /// Of a command, whose words have no quotes.
    private static func commandHost(_ line: Substring) -> String? {
        guard CommandLines.options.contains(where: line.lowercased().contains) else { return nil }
        let names = line.split(whereSeparator: \.isWhitespace).map(String.init).compactMap(host).uniqued
        return names.count == 1 ? names[0] : nil
    }

    /// `const char* host = "…"`, `#define SERVER "…"`, in no block
    func isHostConstant(_ index: Int) -> Bool {
        guard all[index].depth == 0 else { return false }
        let head = all[index].text.prefix { !"\"'`".contains($0) }
        return head.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { word in
            String(word).partsOfName.contains {
                ["host", "hostname", "server", "domain", "endpoint", "broker"].contains($0)
            }
        } && !head.contains("(")
    }

    /// Whether a text ends as the name of a source does: `main.py`.
    private static func isOfCode(_ word: String) -> Bool {
        let end = word.split(separator: ".").last?.lowercased() ?? ""
        return [
            "py", "go", "rs", "rb", "php", "sh", "js", "ts", "c", "h", "cc", "cpp", "hpp", "lua", "css", "log", "sql",
            "ini",
            "conf", "cfg", "toml", "csv", "zip", "gz", "png", "jpg", "svg", "so", "dll", "exe", "db", "local", "id",
        ].contains(end)
    }

    /// Of a word or a URL.
    static func host(_ word: String) -> String? {
        var text = word[...]
        if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...] }
        let host = String(text.prefix { !"/:?".contains($0) })
        // What ends as a file does is none, nor is what has a name of code: `network.api.pins`.
        let end = host.split(separator: ".").last ?? ""
        guard PinText.isHost(host), !PinText.isKnownFile(host), end == end.lowercased(),
            host == host.lowercased() || end.count < 4, !TextPins.speaksOfPins(host),
            !["host", "url", "domain", "name", "key", "yaml", "yml", "xml", "properties", "md"].contains(
                host.split(separator: ".").last.map(String.init) ?? ""
            )
        else { return nil }
        return host
    }
}
