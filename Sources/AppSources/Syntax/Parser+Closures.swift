extension Parser {
    /// `{ a, b -> … }` of Kotlin, `{ a, b in … }` of Swift.
    mutating func readClosure() -> Expression {
        let start = index
        guard let end = partners[index] else {
            index = tokens.count
            return opaque(start..<tokens.count)
        }
        let names = closureParameters(end) ?? .none
        let usual = language == .swift ? ["$0", "$1"] : ["it"]
        let closure = readClosureBody(
            names.isEmpty ? usual : names.names,
            start,
            from: names.isEmpty ? nil : names.behind
        )
        return expression(.closure(closure), at: start)
    }

    private struct Header {
        var names: [String] = []
        var behind: Int?
        var isEmpty: Bool { behind == nil }

        static var none: Header { Header() }
    }

    /// The names before `->` or `in`, and where the body begins.
    private func closureParameters(_ end: Int) -> Header? {
        let mark = language == .swift ? Token.Kind.name("in") : .mark("->")
        var place = index + 1
        var names: [String] = []
        var isType = false
        while place < min(end, index + 40) {
            let token = tokens[place]
            if token.kind == mark { return Header(names: names, behind: place + 1) }
            switch token.kind {
            case .name(let name):
                if !isType, !["async", "throws", "weak", "unowned"].contains(name) { names.append(name) }
            case .mark(":"): isType = true
            case .mark(","): isType = false
            case .mark("("), .mark(")"), .mark("<"), .mark(">"), .mark("?"), .mark("."), .mark("_"), .mark("@"): break
            case .mark("->") where language == .swift: isType = true
            case .mark("[") where language == .swift:
                place = behind(place)
                continue
            default: return nil
            }
            place += 1
        }
        return nil
    }

    /// The body of a closure, whose opening brace is the current token.
    mutating func readClosureBody(_ names: [String], _ start: Int, from place: Int? = nil) -> Expression.Closure {
        let body = openBlock(.closure)
        declare(parameters: names, line: token(start)?.line ?? 1, in: body)
        guard let place else {
            readBody(body)
            return .init(parameters: names, block: body)
        }
        let end = partners[index] ?? tokens.count
        let outer = (block, bodiesFollow)
        block = body
        bodiesFollow = false
        index = place
        depth += 1
        while index < end, depth < Self.deepest {
            readStatements(until: end)
            if index < end { index += 1 }
        }
        depth -= 1
        (block, bodiesFollow) = outer
        index = min(end + 1, tokens.count)
        return .init(parameters: names, block: body)
    }

    /// Behind `=>`: a block, or one expression.
    mutating func readArrowBody(_ names: [String], _ start: Int) -> Expression.Closure {
        let isBlock = at("{")
        guard !isBlock else { return readClosureBody(names, start) }
        let body = openBlock(.closure)
        declare(parameters: names, line: token(start)?.line ?? 1, in: body)
        let outer = block
        block = body
        let place = index
        let value = readExpression()
        if !readAssignment(to: value, from: place) { add(.expression(value), from: place) }
        block = outer
        return .init(parameters: names, block: body)
    }

    /// The names in a list of parameters, which is gone past.
    mutating func readParameterNames() -> [String] {
        let end = partners[index] ?? tokens.count
        var names: [String] = []
        var place = index + 1
        while place < end {
            var last: String?
            var isDone = false
            while place < end, !tokens[place].isMark(",") {
                let token = tokens[place]
                if token.isMark("(") || token.isMark("[") || token.isMark("{") {
                    // What is taken apart has names, too.
                    if !isDone, last == nil { names += tokens[place..<behind(place)].compactMap(\.name) }
                    place = behind(place)
                    continue
                }
                if token.isMark(":") || token.isMark("=") { isDone = true }
                if !isDone, let name = token.name { last = name }
                place += 1
            }
            if let last { names.append(last) }
            place += 1
        }
        index = min(end + 1, tokens.count)
        return names
    }

    /// `: Promise<void>` of TypeScript.
    mutating func skipReturnType() {
        guard take(":") else { return }
        skipType()
        while take("|") { skipType() }
    }
}
