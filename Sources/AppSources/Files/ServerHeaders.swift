/// `Public-Key-Pins` in the configurations of nginx, Apache and Caddy.
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
    }

    package static func read(_ text: String) -> [Found] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var found: [Found] = []
        for (index, line) in lines.enumerated() {
            let trimmed = line.drop(while: \.isWhitespace)
            guard !trimmed.hasPrefix("#"), !trimmed.hasPrefix("//"), line.utf8.count < 20_000 else { continue }
            let lowercased = trimmed.lowercased()
            guard let header = lowercased.firstRange(of: "public-key-pins") else { continue }
            let isReport = lowercased[header.upperBound...].hasPrefix("-report-only")
            let end = lowercased.utf8.distance(from: lowercased.startIndex, to: header.upperBound) + (isReport ? 12 : 0)
            guard end <= trimmed.utf8.count else { continue }
            var rest = String(trimmed[trimmed.utf8.index(trimmed.startIndex, offsetBy: end)...])
            // A value in quotes may go on for some lines.
            for next in lines[(index + 1)...].prefix(12) where !isClosed(rest) { rest += " " + next }
            let written = value(of: rest)
            guard let value = written, value.lowercased().contains("pin-sha256"), !value.contains("$") else {
                // Pins that a variable holds, or that are written in some other way.
                if written?.contains("$") ?? false || rest.contains("pin-sha256") {
                    found.append(
                        Found(
                            line: index + 1,
                            name: "Public-Key-Pins",
                            value: "",
                            host: host(lines, index),
                            gap: "the value of the header is not understood"
                        )
                    )
                }
                continue
            }
            found.append(
                Found(
                    line: index + 1,
                    name: isReport ? "Public-Key-Pins-Report-Only" : "Public-Key-Pins",
                    value: value,
                    host: host(lines, index)
                )
            )
        }
        return found
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
            } else if "\"'".contains(character) {
                // The name of the header may end with one.
                if !hasBegun, text.first == character { hasBegun = true } else { quote = character }
            }
        }
        return quote == nil && !text.allSatisfy { $0.isWhitespace || "\"':,=>".contains($0) }
    }

    /// The value, its quotes taken off and its escapes undone.
    private static func value(of text: String) -> String? {
        var rest = text[...]
        if let first = rest.first, "\"'".contains(first) { rest = rest.dropFirst() }
        // Lighttpd writes `=>`.
        rest = rest.drop { " \t:,=>".contains($0) }
        guard let first = rest.first else { return nil }
        guard "\"'".contains(first) else { return String(rest.prefix { $0 != "\r" && $0 != "\n" }).trimmedEnd }
        var value = ""
        var isEscaped = false
        for character in rest.dropFirst() {
            if isEscaped {
                if character != first && character != "\\" && character != "\"" { value += "\\" }
                value.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == first {
                return value
            } else {
                value.append(character == "\n" || character == "\r" || character == "\t" ? " " : character)
            }
        }
        return nil
    }

    /// `server_name a;` or `ServerName a` of the block around a line.
    private static func host(_ lines: [Substring], _ index: Int) -> String? {
        var depth = 0
        var begin: Int?
        for place in stride(from: index, through: max(0, index - 500), by: -1) {
            let line = lines[place].lowercased().drop(while: \.isWhitespace)
            if place < index { depth += lines[place].count { $0 == "}" } - lines[place].count { $0 == "{" } }
            // What ends before the line says nothing of it.
            if line.hasPrefix("</virtualhost") { return nil }
            let isServer = line.hasPrefix("server ") || line.hasPrefix("server{")
            if line.hasPrefix("<virtualhost") || isServer && (depth < 0 || place == index) {
                begin = place
                break
            }
        }
        var names: [String] = []
        var open = 0
        // Without a block around it, it is a part of one, and the names are those of the whole file.
        for line in lines[(begin ?? 0)...].prefix(1000) {
            let words = line.split { $0.isWhitespace || $0 == ";" }
            if let first = words.first?.lowercased(), first == "server_name" || first == "servername",
                begin != nil || open == 0
            {
                names += words.dropFirst().map(String.init)
            }
            open += line.count { $0 == "{" } - line.count { $0 == "}" }
            guard begin != nil else { continue }
            if line.lowercased().contains("</virtualhost") || open < 0 || open == 0 && line.contains("}") { break }
        }
        return names.count == 1 && names[0] != "_" && !names[0].contains("$") ? names[0] : nil
    }
}

extension String {
    fileprivate var trimmedEnd: String { String(String(reversed()).drop { $0.isWhitespace || $0 == ";" }.reversed()) }
}
