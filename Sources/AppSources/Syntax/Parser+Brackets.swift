/// What stands in brackets: tuples, lists, tables, closures with parameters.
extension Parser {
    mutating func readParenthesis(_ start: Int) -> Expression {
        guard let end = partners[index] else { return skipExpression(from: start) }
        // `(a, b) => …`, `(a, b) -> …`, and Dart's `(a) {…}`.
        var behind = end + 1
        if language == .script, token(behind)?.isMark(":") ?? false { behind = arrowBehindType(behind) ?? behind }
        if isArrow(at: behind) {
            let names = readParameterNames()
            index = behind + 1
            return expression(.closure(readArrowBody(names, start)), at: start)
        }
        if language == .dart {
            let body = token(behind)?.isName("async") ?? false ? behind + 1 : behind
            if token(body)?.isMark("{") ?? false {
                let names = readParameterNames()
                index = body
                return expression(.closure(readClosureBody(names, start)), at: start)
            }
            if token(body)?.isMark("=>") ?? false {
                let names = readParameterNames()
                index = body + 1
                return expression(.closure(readArrowBody(names, start)), at: start)
            }
        }
        if language == .objectiveC, token(index + 1)?.isMark("{") ?? false {
            // Statements as a value.
            index += 1
            let closure = expression(.closure(readClosureBody([], start)), at: start)
            index = end + 1
            return expression(.call(closure, []), at: start)
        }
        let outer = bodiesFollow
        bodiesFollow = false
        defer { bodiesFollow = outer }
        index += 1
        var values: [Expression] = []
        while index < end {
            if language == .swift, case .name? = current?.kind, token(index + 1)?.isMark(":") ?? false { index += 2 }
            values.append(readExpression())
            if index < end, !take(",") {
                values.append(opaque(index..<end))
                index = end
            }
        }
        index = end + 1
        if values.count == 1 { return values[0] }
        // `(0, digests.sha256)(key)`, as compilers write a call of what is imported.
        if language == .script, let last = values.last { return last }
        // A tuple.
        return expression(.list(values), at: start)
    }

    /// Where the arrow stands behind the type of what a function of TypeScript returns.
    func arrowBehindType(_ place: Int) -> Int? {
        var place = place + 1
        let limit = place + 40
        while let token = token(place), place < limit {
            if token.isMark("=>") { return place }
            if token.isMark(";") || token.isMark("=") || token.isMark(")") || token.isMark(",") { return nil }
            place = token.isMark("{") || token.isMark("(") || token.isMark("[") ? behind(place) : place + 1
        }
        return nil
    }

    /// `[a, b]`, and `[a: b]` for a table.
    mutating func readBracket(_ start: Int) -> Expression {
        guard let end = partners[index] else { return skipExpression(from: start) }
        let outer = bodiesFollow
        bodiesFollow = false
        defer { bodiesFollow = outer }
        index += 1
        if at(":"), index + 1 == end {
            index = end + 1
            return expression(.table([]), at: start)
        }
        var values: [Expression] = []
        var pairs: [Expression.Pair] = []
        while index < end {
            let place = index
            if let element = readCollectionElement() {
                values.append(element)
            } else if at("...") || at("..") && language == .cSharp {
                index += 1
                values.append(expression(.prefix("...", readExpression()), at: place))
            } else {
                let value = readExpression()
                if (language == .swift || language == .groovy), take(":") {
                    pairs.append(.init(key: value, value: readExpression()))
                } else {
                    values.append(value)
                }
            }
            if index < end, !take(",") {
                index = end
                values.append(opaque(place..<end))
            }
        }
        index = end + 1
        if !pairs.isEmpty, !values.isEmpty { return opaque(start..<index) }
        return expression(pairs.isEmpty ? .list(values) : .table(pairs), at: start)
    }

    mutating func readBrace(_ start: Int) -> Expression {
        switch language {
        case .kotlin, .swift, .groovy: return readClosure()
        case .script, .dart: return readObject(start)
        case .java, .cSharp, .objectiveC:
            guard let end = partners[index] else { return skipExpression(from: start) }
            return readElements(until: end, from: start)
        }
    }

    /// The elements of an array, from its opening bracket.
    mutating func readElements(until end: Int, from start: Int) -> Expression {
        index += 1
        var values: [Expression] = []
        while index < end {
            values.append(readExpression())
            if index < end, !take(",") {
                values.append(opaque(index..<end))
                index = end
            }
        }
        index = end + 1
        return expression(.list(values), at: start)
    }

    /// An object of JavaScript, a map or a set of Dart.
    mutating func readObject(_ start: Int) -> Expression {
        guard let end = partners[index] else { return skipExpression(from: start) }
        index += 1
        var pairs: [Expression.Pair] = []
        var values: [Expression] = []
        while index < end {
            let place = index
            if take("...") {
                // Its entries are those of another object.
                let spread = expression(.prefix("...", readExpression()), at: place)
                pairs.append(.init(key: spread, value: spread))
            } else if let entries = readCollectionElement() {
                pairs.append(.init(key: entries, value: entries))
            } else if at("["), language == .script, let close = partners[index], token(close + 1)?.isMark(":") ?? false
            {
                index += 1
                let key = readExpression()
                index = close + 2
                pairs.append(.init(key: key, value: readExpression()))
            } else if case .name(let name)? = current?.kind, language == .script {
                let key = expression(.text([.plain(name)]), at: index)
                index += 1
                if take(":") {
                    pairs.append(.init(key: key, value: readExpression()))
                } else if at("("), let close = partners[index] {
                    // A method.
                    index = close + 1
                    if at(":") { skipReturnType() }
                    if at("{") { readBody(openBlock(.function(name))) }
                    pairs.append(.init(key: key, value: opaque(place..<index)))
                } else {
                    pairs.append(.init(key: key, value: expression(.name(name), at: place)))
                }
            } else {
                let key = readExpression()
                if take(":") {
                    pairs.append(.init(key: key, value: readExpression()))
                } else {
                    values.append(key)
                }
            }
            if index < end, !take(",") {
                pairs.append(.init(key: opaque(place..<end), value: opaque(place..<end)))
                index = end
            }
        }
        index = end + 1
        if pairs.isEmpty, !values.isEmpty { return expression(.list(values), at: start) }
        return values.isEmpty ? expression(.table(pairs), at: start) : opaque(start..<index)
    }

    // MARK: Dart

    /// `if (a) b else c` and `for (final a in list) b` within a list: what is spread into it.
    private mutating func readCollectionElement() -> Expression? {
        guard language == .dart, token(index + 1)?.isMark("(") ?? false, let end = partners[index + 1] else {
            return nil
        }
        let start = index
        if takeName("if") {
            let test = readTest()
            let condition = condition(words((start + 2)..<end), test, at: start)
            index = end + 1
            let first = readSpread()
            let second = takeName("else") ? readSpread() : expression(.list([]), at: start)
            let chosen = expression(.conditional(condition, first, second), at: start)
            return expression(.prefix("...", chosen), at: start)
        }
        guard atName("for"), let place = ((start + 2)..<end).first(where: { tokens[$0].isName("in") }),
            let name = tokens[place - 1].name
        else { return nil }
        index = place + 1
        let list = readExpression()
        index = end + 1
        let body = openBlock(.closure)
        declare(parameters: [name], line: tokens[start].line, in: body)
        let outer = block
        block = body
        let value = readSpread()
        add(.expression(value), from: end + 1)
        block = outer
        let closure = expression(.closure(.init(parameters: [name], block: body)), at: start)
        let callee = expression(.member(list, "flatMap"), at: start)
        return expression(.prefix("...", expression(.call(callee, [.init(value: closure)]), at: start)), at: start)
    }

    /// An element, as a list of its own.
    private mutating func readSpread() -> Expression {
        let start = index
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.deepest else { return skipExpression(from: start) }
        if let inner = readCollectionElement() { return expression(.list([inner]), at: start) }
        if take("...") {
            _ = take("?")
            return readExpression()
        }
        let value = readExpression()
        // The entry of a map.
        guard take(":") else { return expression(.list([value]), at: start) }
        return expression(.table([.init(key: value, value: readExpression())]), at: start)
    }
}
