import Pinning

extension CommandTemplate {
    /// The `run:` line that says what a shell has split into words already.
    ///
    /// A word that begins with `[` opens a group, and one that ends with `]` closes it, where a placeholder stands between
    /// them; all other words stay what they are, whatever they hold.
    package static func line(of words: [String]) -> String {
        var line: [String] = []
        var rest = words[...]
        while let word = rest.first {
            guard let end = endOfGroup(opening: rest) else {
                line.append(quoted(word))
                rest = rest.dropFirst()
                continue
            }
            var group = Array(rest[...end])
            group[0].removeFirst()
            group[group.count - 1].removeLast()
            line.append("[\(group.filter { !$0.isEmpty }.map(quoted).joined(separator: " "))]")
            rest = rest[(end + 1)...]
        }
        return line.joined(separator: " ")
    }

    /// The words of a line that somebody typed, brackets and placeholders as they stand, as a shell would hand them over;
    /// none where a quote is left open.
    package static func words(of line: String) -> [String] {
        guard let tokens = try? CommandTokens(line).tokens else { return [] }
        return tokens.flatMap { token -> [String] in
            switch token {
            case .word(let characters): return [String(characters.map(\.character))]
            case .group(let words, _):
                var words = words.map { String($0.map(\.character)) }
                guard !words.isEmpty else { return [] }
                words[0] = "[" + words[0]
                words[words.count - 1] += "]"
                return words
            }
        }
    }

    private static func endOfGroup(opening words: ArraySlice<String>) -> Int? {
        guard words.first?.hasPrefix("[") == true, let end = words.firstIndex(where: { $0.hasSuffix("]") }) else {
            return nil
        }
        let holdsPlaceholder = words[...end].contains { word in
            (try? TextTemplate(parsing: word))?.placeholders.isEmpty == false
        }
        return holdsPlaceholder ? end : nil
    }

    /// Within single quotes nothing is special but the quote itself, and placeholders stay placeholders.
    package static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "_-+=:,./@%{}".contains($0) }
        return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }

    /// Whether the line has a place for so many pins of keys and of certificates, and no need of more.
    package func takes(keys: Int, certificates: Int) -> Bool {
        var values: [String: String] = [:]
        var lists: [String: [String]] = [:]
        for placeholder in CommandPlaceholder.allCases {
            let count = placeholder.match.map { $0 == .key ? keys : certificates } ?? 1
            if placeholder.isRepeated {
                lists[placeholder.rawValue] = Array(repeating: "x", count: count)
            } else {
                values[placeholder.rawValue] = count == 0 ? "" : "x"
            }
        }
        return (try? fill(values, lists: lists)) != nil
    }
}
