/// `Public-Key-Pins` in the configurations of servers, and in what is written in languages that are not read.
package enum ServerHeaders {
    package struct Found: Hashable, Sendable {
        package var line: Int
        /// `Public-Key-Pins`, or its form that only reports.
        package var name: String
        package var value: String
        /// Of the server around it, where it has one name.
        package var host: String?
        /// Why the value is not known; `nil` where it is.
        package var gap: String?
        /// Under which requests it is sent, as the file writes it; empty where for all of the server's.
        package var conditions: [String] = []

        /// Those that are known, also of a value whose quotes are not understood.
        package var pins: [String] { ServerHeaders.pins(in: value) }
    }

    static func pins(in value: String) -> [String] {
        value.matches(of: #/(?i)pin-sha256[= \\"']*+([^\\"'; ]+)/#).map { String($0.output.1) }
            .filter { $0.allSatisfy { $0 != HeaderValue.unknown && !"${}%".contains($0) } }
            // `pin-sha256=\"" . f($key) . "\"`
            .filter { !$0.contains("(") && $0.first.map { $0.isLetter || $0.isNumber || "+/<[".contains($0) } ?? false }
            // What stands behind a pin in a value that is not understood is none of it.
            .map { pin in pin.prefixMatch(of: #/[A-Za-z0-9+\/_\-]+=+/#).map { String($0.output) } ?? pin }
    }

    /// Of a line, in bytes.
    private static let longest = 20_000

    /// - Parameter fileName: tells languages, whose blocks are told by how far in they stand, from settings of servers.
    package static func read(_ text: String, fileName: String = "") -> [Found] {
        let kind = fileName.split(separator: ".").last?.lowercased() ?? ""
        let isCode = TextPins.programs.contains(kind)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var found: [Found] = []
        var constants: [String: String?] = [:]
        for (index, line) in lines.enumerated() {
            let trimmed = line.drop(while: \.isWhitespace)
            guard !trimmed.hasPrefix("#"), !trimmed.hasPrefix("//") else { continue }
            guard line.utf8.count < longest else {
                if let tooLong = tooLong(line, index) { found.append(tooLong) }
                continue
            }
            let lowercased = trimmed.lowercased()
            guard let header = lowercased.firstRange(of: "public-key-pins") else { continue }
            let isReport = lowercased[header.upperBound...].hasPrefix("-report-only")
            let end = lowercased.utf8.distance(from: lowercased.startIndex, to: header.upperBound) + (isReport ? 12 : 0)
            guard end <= trimmed.utf8.count else { continue }
            var rest = String(trimmed[trimmed.utf8.index(trimmed.startIndex, offsetBy: end)...])
            // `more_set_headers 'Public-Key-Pins: …'`: its name and its value are one text.
            let before = trimmed.utf8.index(
                trimmed.startIndex,
                offsetBy: lowercased.utf8.distance(from: lowercased.startIndex, to: header.lowerBound)
            )
            if let quote = trimmed[..<before].last, "\"'".contains(quote), rest.drop(while: \.isWhitespace).first == ":"
            {
                rest = ": \(quote)" + rest.drop { $0.isWhitespace || $0 == ":" }
            }
            let first = rest
            // A value in quotes may go on for some lines.
            for next in lines[(index + 1)...].prefix(12) where !isClosed(rest) { rest += " " + next }
            let more = lines[(index + 1)...].prefix(40).reduce("") { $0.utf8.count < 8000 ? $0 + "\n" + $1 : $0 }
            var written = HeaderValue.read(first + more)
            if isCode, !(written?.contains("pin-sha256") ?? false), let name = name(in: first) {
                // A file may set thousands of headers to one name.
                let value = constants[name] ?? constant(name, lines)
                constants[name] = .some(value)
                written = value ?? written
            }
            let removal = removal(lines, index)
            if let text = written, text.contains("$") {
                written = filled(text, with: variables(lines, index)) ?? written
            }
            guard let value = written.flatMap(Self.known) else {
                // Pins that a variable holds, or that are written in some other way.
                if written?.contains("$") ?? false || rest.contains("pin-sha256")
                    || written?.contains("pin-sha256") ?? false
                {
                    found.append(
                        Found(
                            line: index + 1,
                            name: "Public-Key-Pins",
                            value: [written ?? "", first, rest].first { !pins(in: $0).isEmpty } ?? "",
                            host: hosts(lines, index).first,
                            gap: "the value of the header is not understood",
                            conditions: isCode
                                ? IndentedConditions.read(lines, index, kind) : conditions(lines, index, rest).written
                        )
                    )
                }
                continue
            }
            let around =
                isCode
                ? (written: IndentedConditions.read(lines, index, kind), host: nil) : conditions(lines, index, rest)
            let names = around.host.map { [$0] } ?? hosts(lines, index)
            let isPlain = !isCode && isPlain(lines, index)
            for host in names.isEmpty ? [nil] : names.map(Optional.some) {
                found.append(
                    Found(
                        line: index + 1,
                        name: isReport ? "Public-Key-Pins-Report-Only" : "Public-Key-Pins",
                        value: value,
                        host: host,
                        gap: removal.map { "line \($0) takes the header away again" } ?? (isPlain ? onPlainHTTP : nil),
                        conditions: around.written
                    )
                )
            }
        }
        return found
    }

    /// A value of which only what has nothing to do with pins may be told later: where reports go.
    private static func known(_ value: String) -> String? {
        let parts = value.split(separator: ";").filter { !$0.lowercased().contains("report-uri") }
        guard value.lowercased().contains("pin-sha256"), !value.contains("$"),
            !parts.contains(where: { $0.contains(HeaderValue.unknown) || $0.contains("{") || $0.contains("%") })
        else { return nil }
        let known = value.replacing("\u{0}", with: "unknown")
        return HeaderValue.isWellFormed(known) ? known : nil
    }

    /// What `set` of nginx, and `Define` of Apache, give to names above a line; `nil` for those that a condition decides.
    private static func variables(_ lines: [Substring], _ index: Int) -> [String: String?] {
        var known: [String: String?] = [:]
        var depth = 0
        // Where the blocks that are open at the header begin.
        var open: [Int] = []
        for line in lines[..<index] {
            for character in line {
                if character == "{" { open.append(0) } else if character == "}" { open = open.dropLast() }
            }
        }
        let limit = open.count
        for line in lines[..<index].suffix(500) {
            let trimmed = line.drop(while: \.isWhitespace)
            let words = trimmed.split(maxSplits: 2, whereSeparator: \.isWhitespace)
            if words.count == 3, words[0] == "set" || words[0].lowercased() == "define" {
                let name = String(words[1].drop { $0 == "$" })
                let given = HeaderValue.read(" " + words[2]).flatMap { text -> String? in
                    // What stands behind the quotes is a comment.
                    "\"'".contains(words[2].first ?? " ")
                        ? text : String(text.prefix { $0 != ";" && $0 != "#" }).trimmedEnd
                }
                known[name] = .some(given.flatMap { $0.contains("$") ? filled($0, with: known) : $0 })
            }
            let isConditional = trimmed.hasPrefix("if ") || trimmed.hasPrefix("if(") || trimmed.hasPrefix("<If")
            if isConditional { depth += 1 }
            if depth > 0 {
                let all = trimmed.split { $0.isWhitespace || $0 == "{" }
                for (word, name) in zip(all, all.dropFirst()) where ["set", "Define"].contains(word) {
                    known[String(name.drop { $0 == "$" })] = .some(nil)
                }
            }
            if depth > 0, trimmed.contains("}") || trimmed.hasPrefix("</If") { depth -= 1 }
            // Another server's.
            if trimmed.hasPrefix("server "), limit > 0 { known = known.filter { $0.value == nil } }
        }
        return known
    }

    /// `${NAME}` and `$NAME`; `nil` where one of them is not known.
    private static func filled(_ text: String, with known: [String: String?]) -> String? {
        var value = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            value += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            let isBraced = rest.first == "{"
            if isBraced { rest = rest.dropFirst() }
            var name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            // Tcl's namespaces.
            while rest[name.endIndex...].hasPrefix("::"), rest[name.endIndex...].dropFirst(2).first?.isLetter ?? false {
                let own = rest[name.endIndex...].dropFirst(2).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                name = rest[..<own.endIndex]
            }
            guard let found = known[String(name)] ?? nil else { return nil }
            value += found
            rest = rest.dropFirst(name.count)
            if isBraced { rest = rest.dropFirst() }
            guard value.utf8.count < longest else { return nil }
        }
        return value + rest
    }

    private static func isClosed(_ text: String) -> Bool {
        var quote: Character?
        var isEscaped = false
        var hasBegun = false
        for character in text {
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil }
            } else if "\"'`".contains(character) {
                // The name of the header may end with one.
                if !hasBegun, text.first == character { hasBegun = true } else { quote = character }
            }
        }
        return quote == nil && !text.allSatisfy { $0.isWhitespace || "\"':,=>".contains($0) }
    }

    /// The conditions around a line: nginx's and lighttpd's blocks, Apache's `<If>`, and what stands behind the value. The host
    /// that one of lighttpd's compares with is the host.
    private static func conditions(_ lines: [Substring], _ index: Int, _ rest: String) -> (
        written: [String], host: String?
    ) {
        var written: [String] = []
        var host: String?
        func take(_ head: Substring) {
            let words = head.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let own = words.firstRange(of: "$HTTP[\"host\"] == \"").flatMap { range in
                range.lowerBound == words.startIndex ? words[range.upperBound...].prefix { $0 != "\"" } : nil
            }
            if let own = own ?? Self.varnishHost(words) {
                host = host ?? String(own)
            } else if words.hasPrefix("if ") || words.hasPrefix("if(") || words.hasPrefix("$")
                // All requests are below it.
                || words.hasPrefix("location ") && words != "location /"
            {
                written.insert(words.hasPrefix("if ") ? String(words.dropFirst(3)) : words, at: 0)
            }
        }
        var (braces, tags) = (0, 0)
        for place in stride(from: index, through: max(0, index - 500), by: -1) {
            let line = lines[place].drop(while: \.isWhitespace)
            guard !line.hasPrefix("#") else { continue }
            // What stands on the header's own line before it.
            let head = place == index ? line[..<(line.lastIndex(of: "{") ?? line.startIndex)] : line
            braces += place == index ? 0 : line.count { $0 == "}" } - line.count { $0 == "{" }
            if braces < 0 || place == index {
                take(head.prefix { $0 != "{" })
                braces = 0
            }
            let tag = line.lowercased()
            if place < index, Self.parts.contains(where: { tag.hasPrefix("</\($0)") }) { tags += 1 }
            if place < index, Self.parts.contains(where: { tag.hasPrefix("<\($0)") }) {
                let head = String(line.prefix { $0 != ">" }) + ">"
                let isAll =
                    tag.hasPrefix("<ifmodule") || ["<location />", "<location \"/\">"].contains(head.lowercased())
                if tags == 0, !isAll { written.insert(head, at: 0) }
                tags = max(0, tags - 1)
            }
            if tag.hasPrefix("</virtualhost") || tag.hasPrefix("<virtualhost") { break }
        }
        // `Header set … "…" env=NAME`, and `"expr=…"`.
        if let last = rest.split(whereSeparator: \.isWhitespace).last,
            last.hasPrefix("env=") || last.hasPrefix("\"expr=")
        {
            written.append(String(last).filter { $0 != "\"" })
        }
        // HAProxy's, behind the value.
        for word in ["\" if ", "\" unless ", "' if ", "' unless "] {
            guard let range = rest.firstRange(of: word) else { continue }
            let test = String(rest[range.upperBound...].drop(while: \.isWhitespace)).trimmedEnd
            written.append(word.contains("unless") ? "not \(test)" : test)
        }
        return (written, host)
    }

    /// `if (req.http.host ~ "www.acme.example")` of Varnish, and nothing else.
    private static func varnishHost(_ words: String) -> Substring? {
        let parts = words.filter { !$0.isWhitespace && $0 != "(" && $0 != ")" }.split(separator: "\"")
        guard parts.count == 2, ["ifreq.http.host~", "ifreq.http.host=="].contains(parts[0]),
            PinText.isHost(String(parts[1]))
        else { return nil }
        return parts[1]
    }

    /// Sections of Apache that are for some requests.
    private static let parts = ["if", "location", "directory", "files", "limit"]

    /// The line of the same block by which a header is not sent after all.
    private static func removal(_ lines: [Substring], _ index: Int) -> Int? {
        var depth = 0
        let isAlways = lines[index].lowercased().contains("header always")
        for place in (index + 1)..<max(index + 1, min(index + 200, lines.count)) {
            let line = lines[place].lowercased().drop(while: \.isWhitespace)
            if line.hasPrefix("#") { continue }
            let isOpen = line.hasPrefix("<") && !line.hasPrefix("</")
            if line.hasPrefix("</") { depth -= 1 }
            depth -= line.count { $0 == "}" }
            if depth < 0 { return nil }
            let isSame = line.contains("public-key-pins") && !line.contains("public-key-pins-report-only")
            if depth == 0, isSame, !line.contains(" if ") {
                let apache = line.hasPrefix("header ") && line.contains("unset ") && line.contains("always") == isAlways
                if apache || line.contains("more_clear_headers") || line.contains("del-header") { return place + 1 }
            }
            depth += line.count { $0 == "{" } + (isOpen ? 1 : 0)
        }
        return nil
    }
}
