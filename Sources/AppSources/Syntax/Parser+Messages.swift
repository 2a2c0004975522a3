/// Literals and messages of Objective-C.
extension Parser {
    /// `@[…]`, `@{…}`, `@(…)`, `@YES`, `@1`.
    mutating func readBoxed(_ start: Int) -> Expression {
        index += 1
        if at("["), let end = partners[index] {
            return readElements(until: end, from: start)
        }
        if at("{"), let end = partners[index] {
            index += 1
            var pairs: [Expression.Pair] = []
            while index < end {
                let key = readExpression()
                if take(":") {
                    pairs.append(.init(key: key, value: readExpression()))
                } else {
                    pairs.append(.init(key: opaque(start..<end), value: opaque(start..<end)))
                }
                if index < end, !take(",") {
                    pairs.append(.init(key: opaque(start..<end), value: opaque(start..<end)))
                    index = end
                }
            }
            index = end + 1
            return expression(.table(pairs), at: start)
        }
        if at("(") { return readParenthesis(start) }
        return readPrimary()
    }

    /// `^{…}`, `^(Type *name) {…}`, `^Type (Type *name) {…}`.
    mutating func readBlockOfObjectiveC(_ start: Int) -> Expression {
        index += 1
        // What it gives back.
        while let token = current, token.name != nil || token.isMark("*") {
            index += 1
            _ = skipGenerics()
        }
        let names = at("(") ? readParameterNames() : []
        guard at("{") else { return skipExpression(from: start) }
        return expression(.closure(readClosureBody(names, start)), at: start)
    }

    /// `[receiver name:a other:b]`: a call of `name:other:`.
    mutating func readMessage(_ start: Int) -> Expression {
        guard let end = partners[index] else { return skipExpression(from: start) }
        index += 1
        let receiver = readExpression()
        var selector = ""
        var arguments: [Expression.Argument] = []
        while index < end {
            guard case .name(let name)? = current?.kind else {
                if take(",") {
                    arguments.append(.init(value: readExpression()))
                    continue
                }
                index = end + 1
                return opaque(start..<index)
            }
            index += 1
            if take(":") {
                selector += name + ":"
                arguments.append(.init(label: name, value: readExpression()))
            } else {
                selector += name
            }
        }
        index = end + 1
        if ["setObject:", "setValue:", "addObject", "addEntries", "insertObject:", "remove"].contains(
            where: selector.hasPrefix
        ) {
            note(change: receiver, at: start, line: tokens[start].line)
        }
        return expression(.call(expression(.member(receiver, selector), at: start), arguments), at: start)
    }
}
