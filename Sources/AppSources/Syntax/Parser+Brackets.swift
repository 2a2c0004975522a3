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
            if at("...") || at("..") && language == .cSharp {
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
            // The elements of an array.
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
}
