/// The value of a header as a file of any kind writes it: a text in quotes, several that a language joins, or a part of a text.
enum HeaderValue {
    /// Stands for what only a run tells.
    static let unknown: Character = "\u{0}"

    /// - Parameter text: what stands behind the header's name, and some lines more.
    static func read(_ text: String) -> String? {
        var rest = text[...]
        if let first = rest.first, "\"'".contains(first) { rest = rest.dropFirst() }
        // Lighttpd writes `=>`, and others `h["…"] = "…"`.
        rest = rest.drop { $0.isWhitespace || "]:,=>".contains($0) }
        // Python's own mark of a line that goes on.
        if rest.hasPrefix("\\\n") { rest = rest.dropFirst(2).drop(while: \.isWhitespace) }
        // `sprintf("…", x)`, `HeaderValue::from_static("…")`
        let call = rest.prefix { $0.isLetter || $0.isNumber || "_.:".contains($0) }
        let inner = rest.dropFirst(call.count + 1)
        if rest.dropFirst(call.count).first == "(",
            inner.first.map({ "\"'".contains($0) }) ?? false || raw.contains(where: { inner.hasPrefix($0.0) })
        {
            rest = inner
        }
        guard !rest.isEmpty else { return nil }
        for (open, close) in raw where rest.hasPrefix(open) {
            let body = rest.dropFirst(open.count)
            return body.firstRange(of: close).map { String(body[..<$0.lowerBound]) }
        }
        // `b"…"`, `r'…'`, `$"…"`
        let sign = rest.prefix { $0.isLetter || "$@".contains($0) }
        let body = rest.dropFirst(sign.count)
        if sign.count < 3, let quote = body.first, "\"'`".contains(quote) { return joined(body) }
        if let mark = rest.prefix(2000).firstRange(of: "pin-sha256=\\\""), !rest[..<mark.lowerBound].contains("\"") {
            // The name and the value are parts of one text, which began before them.
            return joined("\"" + rest)
        }
        return String(rest.prefix { $0 != "\r" && $0 != "\n" }).trimmedEnd
    }

    /// Whether a value is a list of `name` and `name=value`. Where it is not, its quotes are not those of the header.
    static func isWellFormed(_ value: String) -> Bool {
        var isQuoted = false
        var part = ""
        func isPart() -> Bool {
            let text = part.filter { !$0.isWhitespace }
            guard let mark = text.firstIndex(of: "=") else { return !text.contains("\"") }
            let given = text[text.index(after: mark)...]
            let isText = given.count > 1 && given.first == "\"" && given.last == "\"" && given.count { $0 == "\"" } == 2
            return !text[..<mark].contains("\"") && (isText || !given.isEmpty && !given.contains("\""))
        }
        for character in value {
            if character == "\"" { isQuoted.toggle() }
            if character == ";", !isQuoted {
                if !isPart() { return false }
                part = ""
            } else {
                part.append(character)
            }
        }
        return !isQuoted && isPart()
    }

    /// How Varnish, Rust, C++ and Ruby begin and end a text with quotes in it.
    private static let raw = [
        ("{\"", "\"}"), ("r#\"", "\"#"), ("R\"(", ")\""), ("%q(", ")"), ("%Q(", ")"), ("%(", ")"), ("%q{", "}"),
        ("%{", "}"),
    ]

    /// Texts in quotes, one or more.
    private static func joined(_ text: some StringProtocol) -> String? {
        var rest = Substring(text)
        var value = ""
        while let quote = rest.first {
            guard let end = take(&rest, until: quote) else { return nil }
            value += end
            rest = skipped(rest)
            // Python and C join texts that stand one behind the other.
            if value.trimmedOfBlanks.hasSuffix(";"), "\"'".contains(rest.first ?? " "), !rest.hasPrefix("\"expr=") {
                continue
            }
            guard let mark = ["+", "..", ".", "<>", "\\\n"].first(where: rest.hasPrefix) else { break }
            let next = skipped(rest.dropFirst(mark.count))
            // A full stop may be one.
            guard let first = next.first, mark != "." || "\"'$(".contains(first) || first.isLetter else { break }
            rest = next
            guard !"\"'`".contains(first) else { continue }
            value.append(unknown)
            guard let text = nextText(rest) else { break }
            rest = text
        }
        return value
    }

    /// A text, its quotes taken off and its escapes undone.
    private static func take(_ rest: inout Substring, until quote: Character) -> String? {
        var value = ""
        var isEscaped = false
        rest = rest.dropFirst()
        while let character = rest.popFirst() {
            if isEscaped {
                if character != quote && character != "\\" && character != "\"" { value += "\\" }
                value.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == quote {
                return value
            } else if "\"'".contains(character), let next = other(rest, character) {
                // `'Header set … "pin-sha256=\"…\"; ' 'pin-sha256=…'`: the text around this one ends, and another begins.
                value.append(unknown)
                rest = next
            } else {
                value.append(character.isNewline || character == "\t" ? " " : character)
            }
        }
        return nil
    }

    /// What stands behind a quote that opens again what its twin closed, on a line below.
    private static func other(_ text: Substring, _ quote: Character) -> Substring? {
        let blanks = text.prefix(while: \.isWhitespace)
        guard blanks.contains(where: \.isNewline), text.dropFirst(blanks.count).first == quote else { return nil }
        return text.dropFirst(blanks.count + 1)
    }

    /// Without blanks and comments.
    private static func skipped(_ text: Substring) -> Substring {
        var rest = text.drop(while: \.isWhitespace)
        while rest.hasPrefix("//") || rest.hasPrefix("#") || rest.hasPrefix("/*") {
            if rest.hasPrefix("/*") {
                guard let end = rest.firstRange(of: "*/") else { return "" }
                rest = rest[end.upperBound...]
            } else {
                rest = rest.drop { !$0.isNewline }
            }
            rest = rest.drop(while: \.isWhitespace)
        }
        return rest
    }

    /// The text that is joined to an expression; `nil` where that is the last part.
    private static func nextText(_ text: Substring) -> Substring? {
        var rest = text
        var depth = 0
        var wasMark = false
        while let character = rest.first {
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if depth < 0 || depth == 0 && ";,".contains(character) { return nil }
            if "\"'".contains(character) {
                if depth == 0, wasMark { return rest }
                guard take(&rest, until: character) != nil else { return nil }
                continue
            }
            if !character.isWhitespace { wasMark = "+.>".contains(character) }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension String {
    fileprivate var trimmedOfBlanks: Substring {
        var text = self[...]
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return text
    }

    var trimmedEnd: String { String(String(reversed()).drop { $0.isWhitespace || $0 == ";" }.reversed()) }
}
