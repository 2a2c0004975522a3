/// The texts of `res/values`, and the fields that Gradle writes into `BuildConfig`.
package enum AndroidResources {
    /// `<string name="api_host">api.acme.example</string>`, by `string/api_host`; arrays with a line for each element.
    package static func strings(in text: String) -> [(name: String, value: String)] {
        var found: [(String, String)] = []
        for element in elements("string", in: text[...]) {
            found.append(("string/\(element.name)", unescaped(element.body)))
        }
        for element in elements("string-array", in: text[...]) {
            let items = elements("item", in: element.body, isNamed: false).map { unescaped($0.body) }
            found.append(("array/\(element.name)", items.joined(separator: "\n")))
        }
        return found
    }

    private static func elements(_ tag: String, in text: Substring, isNamed: Bool = true) -> [(
        name: String, body: Substring
    )] {
        var found: [(String, Substring)] = []
        var rest = text
        while let open = rest.firstRange(of: "<\(tag)"), found.count < 100_000 {
            rest = rest[open.upperBound...]
            // `<string-array` begins with `<string`.
            guard let next = rest.first, next.isWhitespace || next == ">" else { continue }
            guard let close = rest.firstIndex(of: ">") else { break }
            let head = rest[..<close]
            rest = rest[rest.index(after: close)...]
            guard !head.hasSuffix("/"), let end = rest.firstRange(of: "</\(tag)>") else { continue }
            let name = head.firstRange(of: "name=").flatMap { range -> String? in
                let value = head[range.upperBound...]
                guard let quote = value.first, "\"'".contains(quote) else { return nil }
                return String(value.dropFirst().prefix { $0 != quote })
            }
            if !isNamed || name != nil { found.append((name ?? "", rest[..<end.lowerBound])) }
            rest = rest[end.upperBound...]
        }
        return found
    }

    private static func unescaped(_ text: Substring) -> String {
        var value = String(text)
        if let data = value.firstRange(of: "<![CDATA["), let end = value.firstRange(of: "]]>"),
            data.upperBound <= end.lowerBound
        {
            value = String(value[data.upperBound..<end.lowerBound])
        }
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
            value = value.replacing(entity, with: character)
        }
        let start = value.drop(while: \.isWhitespace)
        let trimmed = String(String(start.reversed()).drop(while: \.isWhitespace).reversed())
        let isQuoted = trimmed.hasPrefix("\"") && trimmed.hasSuffix("\"") && trimmed.count > 1
        return isQuoted ? String(trimmed.dropFirst().dropLast()) : trimmed.replacing("\\'", with: "'")
    }

    /// `buildConfigField "String", "PIN", "\"sha256/…\""`, the value as Java writes it.
    package static func buildFields(in text: String, _ language: SourceLanguage) -> [(name: String, value: String)] {
        let tokens = Lexer.tokens(of: text, in: language)
        var found: [(String, String)] = []
        for (index, token) in tokens.enumerated() where token.isName("buildConfigField") {
            var texts: [String] = []
            for next in tokens[(index + 1)...].prefix(12) {
                if case .text(let pieces) = next.kind {
                    guard pieces.count <= 1 else { break }
                    texts.append(pieces.first.map { if case .plain(let text) = $0 { text } else { "" } } ?? "")
                    if texts.count == 3 { break }
                } else if !next.isMark(","), !next.isMark("("), next.name == nil {
                    break
                }
            }
            if texts.count == 3 { found.append((texts[1], texts[2])) }
        }
        return found
    }
}
