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
        case .name("this") where language == .kotlin && (self.token(index + 1)?.isMark("@") ?? false):
            // `this@apply` is the receiver of the closure, and `this@Module` that of a type around it.
            let label = self.token(index + 2)?.name ?? ""
            index += 3
            return expression(.name(label.first?.isUppercase ?? true ? label : "this"), at: start)
        case .name(let name): return readName(name, start)
        case .directive: return skipExpression(from: start)
        case .mark("("): return readParenthesis(start)
        case .mark("["): return language == .objectiveC ? readMessage(start) : readBracket(start)
        case .mark("{"): return readBrace(start)
        case .mark("<") where language == .dart:
            // `<String>[…]`, `<String, int>{…}`
            guard skipGenerics(), at("[") || at("{") else {
                index = start
                return skipExpression(from: start)
            }
            return at("[") ? readBracket(start) : readBrace(start)
        case .mark("<") where isMarkup(at: start): return readMarkup(start)
        case .mark("@"): return readBoxed(start)
        case .mark("^") where language == .objectiveC: return readBlockOfObjectiveC(start)
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

    mutating func readPiece(_ piece: Token.Piece) -> Expression.TextPiece {
        switch piece {
        case .plain(let text): return .plain(text)
        case .code(let code):
            guard depth < Self.deepest, !code.isEmpty else { return .value(expression(.opaque("…"), at: index)) }
            return .value(readInner(code))
        }
    }

    /// What is put into a text. Its names are looked for where the text stands.
    mutating func readInner(_ code: [Token]) -> Expression {
        guard code.count < 200 else { return expression(.opaque("…"), at: index) }
        let place = max(0, index - 1)
        var inner = Parser.fragment(code, of: self)
        let value = inner.readExpression()
        let isWhole = inner.index >= code.count
        let blocks = inner.tree.blocks[tree.blocks.count...]
        guard isWhole, blocks.allSatisfy(\.isSimple) else {
            return expression(.opaque(inner.words(0..<code.count)), at: place)
        }
        // Its tokens are none of the source: what it makes stands where the text does.
        tree.blocks += blocks.map { $0.moved(to: place) }
        return value.moved(to: place)
    }

    private static func fragment(_ tokens: [Token], of parser: Parser) -> Parser {
        var inner = Parser(fragment: tokens, language: parser.language)
        inner.tree.blocks = parser.tree.blocks
        inner.block = parser.block
        inner.depth = parser.depth
        return inner
    }

    mutating func readName(_ name: String, _ start: Int) -> Expression {
        switch name {
        case "if" where language == .kotlin || language == .swift: return readConditional(start)
        case "when" where language == .kotlin:
            readSwitch(start)
            return switchValue(start)
        case "switch" where language == .swift || language == .dart || language == .java:
            readSwitch(start)
            return switchValue(start)
        case "try" where language == .kotlin: return readTry(start)
        case "try", "do", "while", "for":
            return skipControl(start)
        case "function" where language == .script:
            index += 1
            // A generator.
            if at("*") { index += 1 }
            if case .name? = current?.kind { index += 1 }
            guard at("(") else { return skipExpression(from: start) }
            let names = readParameterNames()
            if at(":") { skipReturnType() }
            guard at("{") else { return skipExpression(from: start) }
            return expression(.closure(readClosureBody(names, start)), at: start)
        case "async" where language == .script || language == .dart || language == .cSharp,
            "static" where language == .cSharp:
            let words = language == .cSharp ? ["async", "static"] : []
            let isOfCSharp = words.contains { token(index + 1)?.isName($0) ?? false }
            if let next = token(index + 1),
                next.isMark("(") || next.isName("function") || isArrow(at: index + 2) || isOfCSharp
            {
                index += 1
                return readPrimary()
            }
        case "delegate" where language == .cSharp:
            guard let next = token(index + 1), next.isMark("(") || next.isMark("{") else { break }
            index += 1
            let names = at("(") ? readParameterNames() : []
            guard at("{") else { return skipExpression(from: start) }
            return expression(.closure(readClosureBody(names, start)), at: start)
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

    /// `try { value } catch (e: Exception) { other }`: the value, and what stands in for it where that fails.
    private mutating func readTry(_ start: Int) -> Expression {
        index += 1
        guard at("{") else { return skipExpression(from: start) }
        var bodies = [readInnerBody()]
        while takeName("catch") {
            if at("(") { index = behind(index) }
            guard at("{") else { break }
            bodies.append(readInnerBody())
        }
        while atName("finally") { _ = skipControl(index) }
        let closures = bodies.map { expression(.closure(.init(parameters: [], block: $0)), at: start) }
        // Of several ways to fail, none is the one.
        let others = closures.count == 2 ? [Expression.Argument(label: "catch", value: closures[1])] : []
        return expression(.call(closures[0], others), at: start)
    }

    private mutating func readInnerBody() -> Int {
        let body = openBlock(.inner)
        readBody(body)
        return body
    }

    func isArrow(at place: Int) -> Bool {
        guard let token = token(place) else { return false }
        return token.isMark("=>") && language != .swift || token.isMark("->") && language == .java
    }

    /// Kotlin's and Swift's `if` as a value; its branches must be single values.
    mutating func readConditional(_ start: Int) -> Expression {
        index += 1
        let place = index
        let test = readTest()
        index = place
        let range: Range<Int>
        if language == .kotlin {
            guard at("(") else { return skipExpression(from: start) }
            let end = partners[index] ?? tokens.count
            range = (index + 1)..<max(index + 1, end)
            index = min(end + 1, tokens.count)
        } else {
            while let token = current, !token.isMark("{"), !token.isMark(";") {
                index = token.isMark("(") ? behind(index) : index + 1
            }
            range = place..<max(index, place + 1)
        }
        let condition = condition(words(range), test, at: range.lowerBound)
        let first = readBranchValue()
        let before = index
        guard takeName("else") else {
            index = before
            return opaque(start..<index)
        }
        let second = atName("if") ? readPrimary() : readBranchValue()
        return expression(.conditional(condition, first, second), at: start)
    }

    func condition(_ words: String, _ test: Expression?, at place: Int) -> Expression {
        expression(test.map { .tested(words, $0) } ?? .opaque(words), at: place)
    }

    /// The value of a `when` or a `switch` whose branches are single values, as conditions within each other.
    mutating func switchValue(_ start: Int) -> Expression {
        let whole = opaque(start..<max(index, start + 1))
        guard case .branches(let branches, _)? = tree.blocks[block].statements.last?.kind, branches.count < 40,
            tree.blocks[block].statements.last?.tokens.lowerBound == start
        else {
            return whole
        }
        var results: [(branch: Statement.Branch, value: Expression)] = []
        for branch in branches {
            let statements = tree.blocks[branch.block].statements
            guard statements.count == 1 else { return whole }
            switch statements[0].kind {
            case .expression(let value): results.append((branch, value))
            default: return whole
            }
        }
        // As a value it has an answer for everything: the last one is for the rest.
        let rest = results.lastIndex { $0.branch.isRest } ?? results.count - 1
        guard results.indices.contains(rest) else { return whole }
        var value = results.remove(at: rest).value
        for (branch, result) in results.reversed() {
            let condition = condition(branch.condition, branch.test, at: start)
            value = expression(.conditional(condition, result, value), at: start)
        }
        tree.blocks[block].statements.removeLast()
        return value
    }

    mutating func readBranchValue() -> Expression {
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
    mutating func skipControl(_ start: Int) -> Expression {
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
}
