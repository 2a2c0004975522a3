/// `--pinnedpubkey` and its kin in scripts and in the settings of curl, wget and git.
package enum CommandLines {
    package struct Found: Hashable, Sendable {
        package enum Tool: String, Sendable {
            case curl
            case wget
            case git
        }

        package var tool: Tool
        package var line: Int
        /// As it is written, without its quotes.
        package var value: String
        package var isInsecure: Bool
        /// Of the URL on the same command line.
        package var host: String?
        /// Why the value is not known; `nil` where it is.
        package var gap: String?
    }

    /// Longer lines are no person's.
    private static let longest = 20_000

    /// - Parameter definitions: what a person said that variables stand for.
    package static func read(_ text: String, fileName: String, definitions: [String: String] = [:]) -> [Found] {
        let name = fileName.split(separator: "/").last.map { $0.lowercased() } ?? ""
        var found: [Found] = []
        var values: [Substring: Set<String>] = [:]
        for (name, value) in definitions { values[name[...]] = [value] }
        var section: Substring = ""
        for (line, words) in logicalLines(text) {
            let trimmed = words.drop(while: \.isWhitespace)
            if trimmed.hasPrefix("#") || trimmed.hasPrefix("//") || trimmed.utf8.count > longest { continue }
            let isOfPipeline = name.hasSuffix(".yml") || name.hasSuffix(".yaml")
            if let assignment = assignment(trimmed) ?? (isOfPipeline ? entry(trimmed) : nil) {
                values[assignment.name, default: []].insert(assignment.value)
            }
            if trimmed.hasPrefix("[") { section = trimmed }
            let lowercased = trimmed.lowercased()
            // `$PINNEDPUBKEY` is a variable, whose text stands on a line of its own.
            guard let option = option(in: lowercased, of: trimmed) else { continue }
            let offset = lowercased.utf8.distance(from: lowercased.startIndex, to: option.upperBound)
            guard offset <= trimmed.utf8.count else { continue }
            let after = trimmed.utf8.index(trimmed.startIndex, offsetBy: offset)
            var rest = trimmed[after...]
            rest = rest.drop { " \t=:,".contains($0) }
            // A JSON array or a list of YAML has the value in quotes of its own, behind those of the option.
            if let first = rest.first, "\"'".contains(first), rest.dropFirst().first.map({ " ,".contains($0) }) ?? false
            {
                rest = rest.dropFirst().drop { " \t,".contains($0) }
            }
            guard let value = quoted(rest), !value.isEmpty else { continue }
            let isGit = name.contains("gitconfig") || trimmed.contains("git ") || section.contains("http")
            var entry = Found(
                tool: isGit ? .git : name.contains("wgetrc") || trimmed.contains("wget") ? .wget : .curl,
                line: line,
                value: value,
                isInsecure: isInsecure(trimmed),
                host: host(in: trimmed) ?? host(in: expanded(trimmed, values)[...]) ?? (isGit ? host(in: section) : nil)
            )
            resolve(&entry, values)
            found.append(entry)
        }
        return found
    }

    private static func option(in line: String, of written: Substring) -> Range<String.Index>? {
        var rest = line[...]
        while let found = rest.firstRange(of: "pinnedpubkey") {
            let offset = line.utf8.distance(from: line.startIndex, to: found.lowerBound)
            if !written.utf8.dropFirst(offset).starts(with: "PINNEDPUBKEY".utf8) { return found }
            rest = line[found.upperBound...]
        }
        return nil
    }

    private static func resolve(_ entry: inout Found, _ values: [Substring: Set<String>]) {
        entry.value = expanded(entry.value[...], values)
        guard let dollar = entry.value.firstIndex(of: "$") else { return }
        let rest = entry.value[entry.value.index(after: dollar)...]
        let name = rest.drop { $0 == "{" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let reference = rest.hasPrefix("{") ? "${\(name)}" : "$\(name)"
        entry.gap = "'\(reference)' is set elsewhere: give it with --define \(name)=VALUE"
    }

    /// A text with the values of its variables, where each has one.
    private static func expanded(_ text: Substring, _ values: [Substring: Set<String>]) -> String {
        var whole = ""
        var rest = text
        while let dollar = rest.firstIndex(of: "$") {
            whole += rest[..<dollar]
            let behind = rest[rest.index(after: dollar)...]
            let isBraced = behind.hasPrefix("{")
            let name = behind.drop { $0 == "{" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            let isWhole = !isBraced || behind[name.endIndex...].hasPrefix("}")
            guard isWhole, let known = values[name], known.count == 1, let value = known.first, !value.contains("$")
            else {
                whole += "$"
                rest = behind
                continue
            }
            whole += value
            rest = behind[name.endIndex...].dropFirst(isBraced ? 1 : 0)
        }
        return whole + rest
    }

    private static func assignment(_ line: Substring) -> (name: Substring, value: String)? {
        var rest = line
        for word in ["export ", "readonly ", "local ", "declare ", "ARG ", "ENV "] where rest.hasPrefix(word) {
            rest = rest.dropFirst(word.count)
        }
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        guard !name.isEmpty, rest.dropFirst(name.count).first == "=", let value = quoted(rest.dropFirst(name.count + 1))
        else {
            return nil
        }
        // `A=1; B=2` on one line.
        let isQuoted = "\"'".contains(rest.dropFirst(name.count + 1).first ?? " ")
        guard !isQuoted, let end = value.firstIndex(of: ";"), !value[end...].hasPrefix(";sha256//") else {
            return (name, value)
        }
        return (name, String(value[..<end]))
    }

    /// `NAME: value` of a pipeline's environment.
    private static func entry(_ line: Substring) -> (name: Substring, value: String)? {
        let name = line.prefix { $0.isUppercase || $0.isNumber || $0 == "_" }
        let rest = line.dropFirst(name.count)
        guard name.count > 2, rest.hasPrefix(": "), let value = quoted(rest.dropFirst(2).drop { $0 == " " }) else {
            return nil
        }
        return (name, value)
    }

    /// A word of a shell, its quotes taken off.
    private static func quoted(_ text: Substring) -> String? {
        guard let first = text.first else { return nil }
        if first == "\\", text.dropFirst().first == "\"" {
            return String(text.dropFirst(2).prefix { $0 != "\\" })
        }
        guard "\"'".contains(first) else { return String(text.prefix { !$0.isWhitespace && !",|)]}\"'".contains($0) }) }
        let body = text.dropFirst()
        guard let end = body.firstIndex(of: first) else { return nil }
        return String(body[..<end])
    }

    private static func isInsecure(_ line: Substring) -> Bool {
        line.split(whereSeparator: { $0.isWhitespace || "\"',".contains($0) }).contains { word in
            if ["--insecure", "--no-check-certificate", "http.sslVerify=false"].contains(String(word)) { return true }
            // `-sk`, and not `-key`.
            return word.hasPrefix("-") && !word.hasPrefix("--") && word.count <= 4 && word.contains("k")
        }
    }

    private static func host(in line: Substring) -> String? {
        guard let scheme = line.firstRange(of: "https://") else { return nil }
        let host = line[scheme.upperBound...].prefix { !"/?#:\"' \t)]".contains($0) }.split(separator: "@").last ?? ""
        return host.isEmpty || host.contains("$") || host.contains("{") ? nil : String(host)
    }

    /// Lines, those that a backslash lengthens put together.
    private static func logicalLines(_ text: String) -> [(line: Int, words: Substring)] {
        var lines: [(Int, Substring)] = []
        var held: (line: Int, text: String)?
        for (index, part) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let isLengthened = part.hasSuffix("\\") || part.hasSuffix("\\\r")
            let body = isLengthened ? part.dropLast(part.hasSuffix("\r") ? 2 : 1) : part
            if var open = held {
                if open.text.utf8.count < longest { open.text += body }
                held = open
            } else {
                held = isLengthened ? (index + 1, String(body)) : nil
                if !isLengthened { lines.append((index + 1, part)) }
            }
            if !isLengthened, let open = held {
                lines.append((open.line, open.text[...]))
                held = nil
            }
        }
        if let open = held { lines.append((open.line, open.text[...])) }
        return lines
    }
}
