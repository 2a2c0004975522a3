/// Loops over lists, and those that count.
extension Parser {
    mutating func readFor(_ start: Int) {
        index += 1
        _ = takeName("await")
        let closing = at("(") ? partners[index] ?? tokens.count : nil
        // Swift's `for (host, pins) in table` has a pattern there, and none around all.
        let isBracketed = closing.map { language != .swift || token($0 + 1)?.name != "in" } ?? false
        let end = isBracketed ? closing ?? tokens.count : tokens.count
        if isBracketed { index += 1 }
        let place = index
        // `a in list`, `(a, b) in map`, `String a : list`, `const a of list`.
        var names: [String] = []
        var separator: Int?
        scan: while index < end, index < place + 40 {
            switch tokens[index].kind {
            case .name("in"), .name("of"):
                separator = index
                break scan
            case .mark(":") where language == .java:
                separator = index
                break scan
            case .name(let name):
                if !["var", "val", "let", "const", "final", "case"].contains(name) { names.append(name) }
                index += 1
                _ = skipGenerics()
            case .mark(":") where language == .kotlin || language == .swift:
                index += 1
                skipType()
            case .mark("("), .mark(")"), .mark(","), .mark("."), .mark("*"), .mark("["), .mark("]"), .mark("?"),
                .mark("{"),
                .mark("}"), .mark("@"):
                index += 1
            default: break scan
            }
        }
        guard let separator else {
            index = place
            return readCountedLoop(start, end, isBracketed)
        }
        // Types stand before the name in Java and its kin.
        let hasTypes = ![.kotlin, .swift, .script].contains(language)
        let bound = hasTypes && !tokens[place..<separator].contains { $0.isMark("(") } ? Array(names.suffix(1)) : names
        index = separator + 1
        let outer = bodiesFollow
        bodiesFollow = !isBracketed
        let value = readExpression()
        bodiesFollow = outer
        if isBracketed { index = min(end + 1, tokens.count) }
        // Which elements it takes is decided for each.
        let isFiltered = language == .swift && atName("where")
        while language == .swift, let token = current, !token.isMark("{"), !token.isMark("}") { index += 1 }
        let body = openBlock(.inner)
        declare(parameters: bound, line: tokens[start].line, in: body)
        readInto(body)
        add(isFiltered ? .repeated(body) : .loop(bound, value, body), from: start)
    }

    /// `(int i = 0; i < pins.length; i++)`.
    mutating func readCountedLoop(_ start: Int, _ end: Int, _ isBracketed: Bool) {
        var counter: String?
        var limit: Expression?
        if isBracketed {
            let header = index..<min(end, tokens.count)
            let parts = tokens[header].indices.split { tokens[$0].isMark(";") }
            if parts.count == 3, let equals = parts[0].first(where: { tokens[$0].isMark("=") }),
                tokens[parts[0]].last?.kind == .number("0"), let name = token(equals - 1)?.name,
                tokens[parts[1]].count >= 3, tokens[parts[1].startIndex].isName(name),
                tokens[parts[1].startIndex + 1].isMark("<"),
                tokens[parts[2]].map(\.description).joined() == "\(name)++"
                    || tokens[parts[2]].map(\.description).joined() == "++\(name)"
            {
                index = parts[1].startIndex + 2
                let value = readExpression()
                if index == parts[1].endIndex {
                    counter = name
                    limit = value
                }
            }
            // `(Iterator<String> it = pins.iterator(); it.hasNext();)`
            if parts.count == 2, let equals = parts[0].first(where: { tokens[$0].isMark("=") }),
                let name = token(equals - 1)?.name,
                tokens[parts[1]].map(\.description).joined() == "\(name).hasNext()"
            {
                index = equals + 1
                let list = readExpression()
                index = min(end + 1, tokens.count)
                return readRounds(of: list, name, from: start)
            }
            index = min(end + 1, tokens.count)
        } else {
            skipCondition()
        }
        let body = openBlock(.inner)
        if let counter { declare(parameters: [counter], line: tokens[start].line, in: body) }
        readInto(body)
        if let counter, let limit {
            add(.count(counter, limit, body), from: start)
        } else {
            add(.repeated(body), from: start)
        }
    }

    /// `while (it.hasNext())`, whose body asks for the next element once: a loop over them. `false` for any other.
    mutating func readIterated(_ start: Int) -> Bool {
        guard at("("), let end = partners[index], case .name(let name)? = token(index + 1)?.kind,
            tokens[(index + 1)..<end].map(\.description).joined() == "\(name).hasNext()"
        else { return false }
        let list = expression(.name(name), at: index + 1)
        index = end + 1
        readRounds(of: list, name, from: start)
        return true
    }

    private mutating func readRounds(of list: Expression, _ name: String, from start: Int) {
        let body = openBlock(.inner)
        declare(parameters: [name], line: tokens[start].line, in: body)
        let place = index
        readInto(body)
        let inside = tokens[place..<min(index, tokens.count)]
        let uses = inside.indices.filter { tokens[$0].isName(name) }
        let isOnce =
            uses.count == 1 && token(uses[0] + 1)?.isMark(".") ?? false && token(uses[0] + 2)?.isName("next") ?? false
        // In a loop within it, that is another element each time.
        let isNested =
            isOnce
            && tokens[place..<uses[0]].contains { token in
                ["for", "while", "do", "forEach"].contains { token.isName($0) }
            }
        add(isOnce && !isNested ? .loop([name], list, body) : .repeated(body), from: start)
    }

    mutating func readInto(_ body: Int) {
        if at("{") { return readBody(body) }
        let outer = block
        block = body
        depth += 1
        if depth < Self.deepest { readStatement(until: tokens.count) } else { index += 1 }
        depth -= 1
        block = outer
    }
}
