extension Expression {
    /// A condition as it is written, without spaces.
    var words: String {
        switch kind {
        case .name(let name): name
        case .member(let base, let name): "\(base.words).\(name)"
        case .prefix(let mark, let value): mark + value.words
        case .binary(let mark, let left, let right): "\(left.words) \(mark) \(right.words)"
        case .call(let callee, let arguments):
            // `(() => { … })()`
            callee.isOfClosure
                ? callee.words : "\(callee.words)(\(arguments.map(\.value.words).joined(separator: ", ")))"
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

    private var isOfClosure: Bool { if case .closure = kind { true } else { false } }

    /// `throw`.
    var isThrow: Bool {
        guard case .opaque(let text) = kind else { return false }
        return text == "throw" || ["throw ", "throw("].contains(where: text.hasPrefix)
    }
}

extension String {
    /// The names in it.
    var words: [Substring] { split { !$0.isLetter && !$0.isNumber && $0 != "_" } }

    /// What stands between marks of a condition; `nil` where other marks, or brackets around several parts, do as well.
    func parts(between mark: String) -> [String]? {
        let other = mark == " && " ? "||" : "&&"
        let parts = split(separator: mark).map(String.init)
        let areWhole = parts.allSatisfy { part in part.count { $0 == "(" } == part.count { $0 == ")" } }
        return areWhole && !contains(other) ? parts : nil
    }

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

    /// A condition without what stands in its texts: `host == ""` of `host == "reinforce.acme.example"`.
    var withoutTexts: String {
        guard contains("\"") else { return self }
        let parts: [Substring] = split(separator: "\"", omittingEmptySubsequences: false)
        return stride(from: 0, to: parts.count, by: 2).map { parts[$0] }.joined(separator: "\"\"")
    }

    /// A condition of Swift without what it binds: `config.isOn == true` of `let isOn = config.isOn, isOn == true`.
    var plainWords: String {
        guard hasPrefix("let ") || contains(", let ") || contains(", ") && contains("let ") else { return self }
        var parts: [String] = []
        for part in split(separator: ", ").map(String.init) {
            if let last = parts.last, !last.isClosed {
                parts[parts.count - 1] += ", " + part
            } else {
                parts.append(part)
            }
        }
        var bound: [(name: String, value: String)] = []
        var others: [String] = []
        for part in parts {
            guard part.hasPrefix("let ") else {
                others.append(part)
                continue
            }
            let sides = part.dropFirst(4).split(separator: " = ", maxSplits: 1).map(String.init)
            guard let name = sides.first, name.words.count == 1 else { return self }
            bound.append((name, sides.count > 1 ? sides[1] : name))
        }
        var words = bound.filter { one in !others.contains { $0.words.contains(one.name[...]) } }
            .map { "there is \($0.value)" }
        for other in others {
            words.append(bound.reduce(other) { $0.replacingWord($1.name, with: $1.value) })
        }
        return words.joined(separator: " && ")
    }

    private var isClosed: Bool { count { $0 == "(" || $0 == "[" } == count { $0 == ")" || $0 == "]" } }

    /// The same text with another in the place of a name, but not behind a dot.
    private func replacingWord(_ name: String, with value: String) -> String {
        var result = ""
        var word = ""
        func end() {
            result += word == name && result.last != "." ? value : word
            word = ""
        }
        for letter in self {
            if letter.isLetter || letter.isNumber || letter == "_" {
                word.append(letter)
            } else {
                end()
                result.append(letter)
            }
        }
        end()
        return result
    }

    /// Whether a condition asks if there is anything to do, which says nothing of a build. A `country` is no `count`.
    var asksForContents: Bool {
        words.contains { word in
            word.lowercased().hasSuffix("empty")
                || ["length", "Length", "size", "count", "Count", "undefined"].contains(word)
        } || contains(".Any()")
    }
}
