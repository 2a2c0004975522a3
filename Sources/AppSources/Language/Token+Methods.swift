extension [Token] {
    /// The callback of Node that an object of a script has as a method, `{ checkServerIdentity(host, cert) { … } }`, as it has it
    /// as a value: `{ checkServerIdentity: function(host, cert) { … } }`, which is the same there.
    var withMethodsAsValues: Self {
        var places: [Int] = []
        for place in indices.dropFirst().dropLast(2)
        where self[place].isName("checkServerIdentity") && self[place + 1].isMark("(") && isInObject(place) {
            var depth = 0
            let close = self[(place + 1)...].firstIndex { token in
                if token.isMark("(") { depth += 1 } else if token.isMark(")") { depth -= 1 }
                return depth == 0
            }
            if let close, close + 1 < count, self[close + 1].isMark("{") || self[close + 1].isMark(":") {
                places.append(place + 1)
            }
        }
        var tokens = self
        for place in places.reversed() {
            let line = tokens[place].line
            tokens.insert(
                contentsOf: [
                    Token(kind: .mark(":"), line: line, startsLine: false),
                    Token(kind: .name("function"), line: line, startsLine: false),
                ],
                at: place
            )
        }
        return tokens
    }

    /// Whether a name stands where an object has one: behind a comma, or first in braces that are no body of a class or a function.
    private func isInObject(_ place: Int) -> Bool {
        if self[place - 1].isMark(",") { return true }
        guard place > 1, self[place - 1].isMark("{") else { return false }
        let before = self[place - 2]
        return before.isName("return")
            || ["(", ",", "=", ":", "[", "?", "||", "&&", "??"].contains(where: before.isMark)
    }
}
