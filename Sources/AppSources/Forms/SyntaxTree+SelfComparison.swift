/// Comparisons of Apple's code and of C# that cannot fail.
extension SyntaxTree {
    /// The line on which a function compares a name with what was just given to it: `key = hash`, and then `hash == key`.
    func selfComparison(around token: Int) -> Int? {
        guard [.swift, .objectiveC, .cSharp].contains(language), let function = function(around: token) else {
            return nil
        }
        let own = function.clamped(to: 2..<max(2, tokens.count - 2))
        for place in own where tokens[place].isMark("==") {
            guard let left = name(endingAt: place - 1), let right = name(startingAt: place + 1), left != right,
                let given = own.prefix(while: { $0 < place }).last(where: { gives(left, right, at: $0) }),
                // What is noted where nothing was before is trusted on first use.
                isAlways(given, before: place),
                !(given + 1..<place).contains(where: { next in
                    tokens[next].isMark("=") && [left, right].contains(tokens[next - 1].name ?? "")
                        && !gives(left, right, at: next)
                })
            else { continue }
            return tokens[place].line
        }
        return nil
    }

    /// Whether nothing else is compared in the function around a place.
    func comparesAlone(around token: Int) -> Bool {
        guard let function = function(around: token) else { return false }
        let own = function.clamped(to: 1..<max(1, tokens.count - 1))
        let count = own.count { place in
            if tokens[place].isMark("==") {
                let sides = [tokens[place - 1], tokens[place + 1]].compactMap { $0.name }
                return !sides.contains { side in
                    ["nil", "null", "errSecSuccess", "host"].contains(side) || side.hasPrefix("NSURLAuthentication")
                }
            }
            return [
                "contains", "isEqual", "elementsEqual", "isEqualToString", "isEqualToData", "containsObject",
                "Contains",
                "Equals", "SequenceEqual", "Any",
            ]
            .contains(where: tokens[place].isName)
        }
        return count == 1
    }

    /// Whether whatever comes to a place has come past one before it.
    private func isAlways(_ given: Int, before place: Int) -> Bool {
        let behind = tested(around: place, areAll: true)
        return tested(around: given, areAll: true).allSatisfy(behind.contains)
    }

    /// `left = right` or `right = left`.
    private func gives(_ left: String, _ right: String, at place: Int) -> Bool {
        guard tokens[place].isMark("="), let target = tokens[place - 1].name, let source = name(startingAt: place + 1)
        else { return false }
        return target == left && source == right || target == right && source == left
    }

    /// A name alone, or one of the object's own.
    private func name(startingAt place: Int) -> String? {
        var last = place
        if tokens[place].isName("self") || tokens[place].isName("this"), place + 2 < tokens.count,
            tokens[place + 1].isMark(".")
        {
            last = place + 2
        }
        guard let name = tokens[last].name, last + 1 < tokens.count else { return nil }
        let next = tokens[last + 1]
        return [".", "(", "[", "?.", "+", "??"].contains(where: next.isMark) ? nil : name
    }

    private func name(endingAt place: Int) -> String? {
        guard let name = tokens[place].name else { return nil }
        guard place > 1, tokens[place - 1].isMark(".") else { return name }
        return tokens[place - 2].isName("self") || tokens[place - 2].isName("this") ? name : nil
    }
}
