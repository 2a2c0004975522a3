extension Parser {
    /// What operators and calls are put behind.
    mutating func readPrimary() -> Expression {
        let start = index
        guard let token = current, depth < Self.deepest else { return skipExpression(from: start) }
        depth += 1
        defer { depth -= 1 }
        switch token.kind {
        case .text(let pieces):
            index += 1
            var parts: [Expression.TextPiece] = []
            for piece in pieces { parts.append(readPiece(piece)) }
            return expression(.text(parts), at: start)
        case .number(let text):
            index += 1
            return expression(.number(text), at: start)
        case .name(let name): return readName(name, start)
        case .directive: return skipExpression(from: start)
        case .mark("("): return readParenthesis(start)
        case .mark("["): return language == .objectiveC ? readMessage(start) : readBracket(start)
        case .mark("{"): return readBrace(start)
        case .mark("@"): return readBoxed(start)
        case .mark("."):
            // Swift's `.case`, whose type the place tells.
            guard language == .swift || language == .dart, case .name(let name)? = self.token(index + 1)?.kind else {
                return skipExpression(from: start)
            }
            index += 2
            return expression(.member(expression(.name(""), at: start), name), at: start)
        default: return skipExpression(from: start)
        }
    }

    private mutating func readPiece(_ piece: Token.Piece) -> Expression.TextPiece {
        switch piece {
        case .plain(let text): return .plain(text)
        case .code(let code):
            guard depth < Self.deepest, !code.isEmpty else { return .value(expression(.opaque("…"), at: index)) }
            return .value(readInner(code))
        }
    }

    /// What is put into a text. Its names are looked for where the text stands.
    private mutating func readInner(_ code: [Token]) -> Expression {
        guard code.count < 200 else { return expression(.opaque("…"), at: index) }
        let place = max(0, index - 1)
        var inner = Parser.fragment(code, of: self)
        let value = inner.readExpression()
        let isWhole = inner.index >= code.count
        // Blocks of the fragment would be numbered otherwise: closures in texts are not read.
        let isSimple = inner.tree.blocks.count == tree.blocks.count
        return isWhole && isSimple
            ? value.moved(to: place) : expression(.opaque(inner.words(0..<code.count)), at: place)
    }

    private static func fragment(_ tokens: [Token], of parser: Parser) -> Parser {
        var inner = Parser(fragment: tokens, language: parser.language)
        inner.tree.blocks = parser.tree.blocks
        inner.block = parser.block
        inner.depth = parser.depth
        return inner
    }

    private mutating func readName(_ name: String, _ start: Int) -> Expression {
        switch name {
        case "if" where language == .kotlin || language == .swift: return readConditional(start)
        case "when" where language == .kotlin:
            readSwitch(start)
            return switchValue(start)
        case "switch" where language == .swift || language == .dart || language == .java: return skipControl(start)
        case "try", "do", "while", "for":
            return skipControl(start)
        case "function" where language == .script:
            index += 1
            if case .name? = current?.kind { index += 1 }
            guard at("(") else { return skipExpression(from: start) }
            let names = readParameterNames()
            if at(":") { skipReturnType() }
            guard at("{") else { return skipExpression(from: start) }
            return expression(.closure(readClosureBody(names, start)), at: start)
        case "async" where language == .script || language == .dart || language == .cSharp:
            if let next = token(index + 1), next.isMark("(") || next.isName("function") || isArrow(at: index + 2) {
                index += 1
                return readPrimary()
            }
        case "object" where language == .kotlin:
            if let next = token(index + 1), next.isMark(":") || next.isMark("{") { return skipControl(start) }
        case "fun" where language == .kotlin: return skipControl(start)
        default: break
        }
        index += 1
        if isArrow(at: index) {
            index += 1
            return expression(.closure(readArrowBody([name], start)), at: start)
        }
        // `listOf<String>(…)`: the brackets are gone past with what is behind.
        return expression(.name(name), at: start)
    }

    private func isArrow(at place: Int) -> Bool {
        guard let token = token(place) else { return false }
        return token.isMark("=>") && language != .swift || token.isMark("->") && language == .java
    }

    /// Kotlin's and Swift's `if` as a value; its branches must be single values.
    private mutating func readConditional(_ start: Int) -> Expression {
        index += 1
        let condition: Expression
        if language == .kotlin {
            guard at("(") else { return skipExpression(from: start) }
            let end = partners[index] ?? tokens.count
            condition = opaque((index + 1)..<max(index + 1, end))
            index = min(end + 1, tokens.count)
        } else {
            let place = index
            while let token = current, !token.isMark("{"), !token.isMark(";") {
                index = token.isMark("(") ? behind(index) : index + 1
            }
            condition = opaque(place..<max(index, place + 1))
        }
        let first = readBranchValue()
        let before = index
        guard takeName("else") else {
            index = before
            return opaque(start..<index)
        }
        let second = atName("if") ? readPrimary() : readBranchValue()
        return expression(.conditional(condition, first, second), at: start)
    }

    /// The value of a `when` whose branches are single values, as conditions within each other.
    private mutating func switchValue(_ start: Int) -> Expression {
        let whole = opaque(start..<max(index, start + 1))
        guard case .branches(let branches, true)? = tree.blocks[block].statements.last?.kind, branches.count < 40 else {
            return whole
        }
        var value: Expression?
        for branch in branches.reversed() {
            let statements = tree.blocks[branch.block].statements
            guard statements.count == 1, case .expression(let result) = statements[0].kind else { return whole }
            guard let rest = value else {
                guard branch.condition.hasSuffix(": else") else { return whole }
                value = result
                continue
            }
            let condition = expression(.opaque(branch.condition), at: start)
            value = expression(.conditional(condition, result, rest), at: start)
        }
        guard let value else { return whole }
        tree.blocks[block].statements.removeLast()
        return value
    }

    private mutating func readBranchValue() -> Expression {
        guard at("{"), let end = partners[index] else { return readExpression() }
        let body = openBlock(.inner)
        let place = index
        readBody(body)
        let statements = tree.blocks[body].statements
        if statements.count == 1, case .expression(let value) = statements[0].kind { return value }
        // Several statements: a closure that is called.
        let closure = expression(.closure(.init(parameters: [], block: body)), at: place)
        return statements.isEmpty ? opaque(place..<end) : expression(.call(closure, []), at: place)
    }

    /// `when (…) {…}` and the like, as a value: its body is read, so that what stands in it is found.
    private mutating func skipControl(_ start: Int) -> Expression {
        index += 1
        while let token = current {
            if token.isMark("(") || token.isMark("[") {
                index = behind(index)
            } else if token.isMark("{") {
                readBody(openBlock(.inner))
                guard let next = current, ["else", "catch", "finally", "while"].contains(where: next.isName) else {
                    break
                }
            } else if token.isMark(";") || token.isMark(",") || token.isMark(")") || token.isMark("}")
                || token.isMark("]")
            {
                break
            } else {
                index += 1
            }
        }
        return opaque(start..<max(index, start + 1))
    }

    // MARK: Brackets

    private mutating func readParenthesis(_ start: Int) -> Expression {
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
    private func arrowBehindType(_ place: Int) -> Int? {
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
    private mutating func readBracket(_ start: Int) -> Expression {
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

    private mutating func readBrace(_ start: Int) -> Expression {
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
    private mutating func readObject(_ start: Int) -> Expression {
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

    // MARK: Objective-C

    /// `@[…]`, `@{…}`, `@(…)`, `@YES`, `@1`.
    private mutating func readBoxed(_ start: Int) -> Expression {
        index += 1
        if at("["), let end = partners[index] {
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

    /// `[receiver name:a other:b]`: a call of `name:other:`.
    private mutating func readMessage(_ start: Int) -> Expression {
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
            note(change: receiver, line: tokens[start].line)
        }
        return expression(.call(expression(.member(receiver, selector), at: start), arguments), at: start)
    }
}

extension Expression {
    /// With another first token, all the way down.
    fileprivate func moved(to place: Int) -> Expression {
        var copy = self
        copy.token = place
        func moved(_ value: Expression) -> Expression { value.moved(to: place) }
        switch kind {
        case .member(let base, let name): copy.kind = .member(moved(base), name)
        case .call(let callee, let arguments):
            copy.kind = .call(
                moved(callee),
                arguments.map { Argument(label: $0.label, isSpread: $0.isSpread, value: moved($0.value)) }
            )
        case .index(let base, let key): copy.kind = .index(moved(base), moved(key))
        case .list(let values): copy.kind = .list(values.map(moved))
        case .binary(let mark, let left, let right): copy.kind = .binary(mark, moved(left), moved(right))
        case .prefix(let mark, let value): copy.kind = .prefix(mark, moved(value))
        case .conditional(let condition, let first, let second):
            copy.kind = .conditional(moved(condition), moved(first), moved(second))
        case .text, .number, .name, .table, .closure, .opaque: break
        }
        return copy
    }
}
