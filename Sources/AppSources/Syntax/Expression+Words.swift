extension Expression {
    /// A condition as it is written, without spaces.
    var words: String {
        switch kind {
        case .name(let name): name
        case .member(let base, let name): "\(base.words).\(name)"
        case .prefix(let mark, let value): mark + value.words
        case .binary(let mark, let left, let right): "\(left.words) \(mark) \(right.words)"
        case .call(let callee, let arguments):
            "\(callee.words)(\(arguments.map(\.value.words).joined(separator: ", ")))"
        case .index(let base, let key): "\(base.words)[\(key.words)]"
        case .number(let text): text
        case .text(let pieces):
            "\"" + pieces.map { if case .plain(let text) = $0 { text } else { "…" } }.joined() + "\""
        case .opaque(let text), .tested(let text, _): text
        case .list, .table, .closure, .conditional: "the condition on line \(line)"
        }
    }

    /// A text as it is written, with the expressions in it: `*.${site.name}`.
    var template: String {
        guard case .text(let pieces) = kind else { return words }
        return pieces.map { piece in
            switch piece {
            case .plain(let text): text
            case .value(let value): "${\(value.words)}"
            }
        }.joined()
    }

    /// `throw`.
    var isThrow: Bool {
        guard case .opaque(let text) = kind else { return false }
        return text == "throw" || ["throw ", "throw("].contains(where: text.hasPrefix)
    }
}

extension String {
    /// The names in it.
    var words: [Substring] { split { !$0.isLetter && !$0.isNumber && $0 != "_" } }

    /// The parts of a name, in small letters: `api` and `pins` of `apiPins`, `API_PINS` and `api-pins`.
    var partsOfName: [String] {
        var parts: [String] = []
        var wasSmall = false
        for (letter, isNext) in zip(self, [false] + dropLast().map(\.isLetter)) where letter.isLetter {
            if !isNext || letter.isUppercase && wasSmall { parts.append("") }
            parts[parts.count - 1] += letter.lowercased()
            wasSmall = letter.isLowercase
        }
        return parts
    }

    /// Whether a condition asks if there is anything to do, which says nothing of a build. A `country` is no `count`.
    var asksForContents: Bool {
        words.contains { word in
            word.lowercased().hasSuffix("empty")
                || ["length", "Length", "size", "count", "Count", "undefined", "Any"].contains(word)
        }
    }
}
