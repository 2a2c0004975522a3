extension [Token] {
    /// The callback of Node that an object of a script has as a method, `{ checkServerIdentity(host, cert) { … } }`, as it has it
    /// as a value: `{ checkServerIdentity: function(host, cert) { … } }`, which is the same there.
    var withMethodsAsValues: Self {
        guard contains(where: { $0.isName("checkServerIdentity") }) else { return self }
        var tokens: Self = []
        for place in indices {
            // Of an `async` method the function is, and not its name.
            if self[place].isName("async"), place > 1, place + 2 < count, self[place + 2].isMark("("),
                isMethodOfObject(place + 1)
            {
                continue
            }
            if place > 1, self[place].isMark("("), isMethodOfObject(place - 1) {
                let line = self[place].line
                tokens.append(Token(kind: .mark(":"), line: line, startsLine: false))
                if self[place - 2].isName("async") {
                    tokens.append(Token(kind: .name("async"), line: line, startsLine: false))
                }
                tokens.append(Token(kind: .name("function"), line: line, startsLine: false))
            }
            tokens.append(self[place])
        }
        return tokens
    }

    private func isMethodOfObject(_ place: Int) -> Bool {
        guard self[place].isName("checkServerIdentity"), isInObject(place) else { return false }
        var depth = 0
        // Its parameters may have types, and are never many.
        let close = self[(place + 1)...].prefix(100).firstIndex { token in
            if token.isMark("(") { depth += 1 } else if token.isMark(")") { depth -= 1 }
            return depth == 0
        }
        guard let close, close + 1 < count else { return false }
        return self[close + 1].isMark("{") || self[close + 1].isMark(":")
    }

    /// Whether a name stands where an object has one: behind a comma, or first in braces that are no body.
    private func isInObject(_ place: Int) -> Bool {
        let place = place > 2 && self[place - 1].isName("async") ? place - 1 : place
        if self[place - 1].isMark(",") { return true }
        guard place > 1, self[place - 1].isMark("{") else { return false }
        let before = self[place - 2]
        let marks = ["(", ",", "=", ":", "[", "?", "||", "&&", "??"]
        return before.isName("return") || marks.contains(where: before.isMark)
    }
}
