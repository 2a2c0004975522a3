extension Parser {
    /// Statements up to a place, or up to what begins none.
    mutating func readStatements(until end: Int? = nil) {
        let end = end ?? tokens.count
        while index < end {
            let start = index
            readStatement(until: end)
            if index == start { return }
        }
    }

    private mutating func readStatement(until end: Int) {
        guard let token = current else { return }
        let start = index
        switch token.kind {
        case .mark(";"), .mark(","), .directive: index += 1
        case .mark("}"), .mark(")"), .mark("]"): return
        case .mark("{"):
            let body = openBlock(.inner)
            readBody(body)
            add(.block(body), from: start)
        case .mark("@") where language != .objectiveC: skipAnnotation()
        case .mark("#"): index += 1
        case .mark("-"), .mark("+"):
            if language != .objectiveC || !readMethodOfObjectiveC() { readExpressionStatement() }
        case .mark("@") where isKeywordOfObjectiveC: readKeywordOfObjectiveC()
        case .name(let name): readNamed(name)
        default: readExpressionStatement()
        }
        if index == start { index += 1 }
    }

    private mutating func skipAnnotation() {
        index += 1
        while case .name? = current?.kind {
            index += 1
            if take(":") { continue }
            guard take(".") else { break }
        }
        if at("("), !(current?.startsLine ?? true) { index = behind(index) }
    }

    private mutating func readNamed(_ name: String) {
        let start = index
        switch name {
        case "if", "guard": return readIf(start)
        case "for": return readFor(start)
        case "foreach" where language == .cSharp: return readFor(start)
        case "while":
            index += 1
            skipCondition()
            return readRepeated(start)
        case "do", "try", "finally", "defer", "autoreleasepool", "synchronized", "unsafe", "lock", "init":
            if readBlockStatement(name, start) { return }
        case "catch":
            index += 1
            if at("(") { index = behind(index) }
            while let token = current, !token.isMark("{"), !token.isMark(";"), !token.startsLine { index += 1 }
            if at("{") { return readRepeated(start) }
            return
        case "when" where language == .kotlin, "switch": return readSwitch(start)
        case "return":
            index += 1
            guard !isOnNewLine, !at(";"), !at("}"), current != nil else { return add(.returning(nil), from: start) }
            let value = readExpression()
            return add(.returning(value), from: start)
        case "import", "package", "using", "typealias", "typedef", "export", "library", "part", "namespace":
            if readDirectiveStatement(name, start) { return }
        case "case" where language == .swift && isInType: return readSwiftCases(start)
        default: break
        }
        if readDeclaration(start) { return }
        readExpressionStatement()
    }

    var isInType: Bool { if case .type = tree.blocks[block].owner { true } else { false } }

    /// `false` where it is something else by the same name.
    private mutating func readDirectiveStatement(_ name: String, _ start: Int) -> Bool {
        switch name {
        case "export":
            index += 1
            _ = takeName("default")
            return true
        case "namespace" where language == .cSharp:
            index += 1
            while let token = current, !token.isMark("{"), !token.isMark(";") { index += 1 }
            if at("{") {
                let body = openBlock(.inner)
                readBody(body)
                add(.block(body), from: start)
            }
            return true
        case "using":
            guard language == .cSharp, let next = token(index + 1), !next.isMark("("), !next.isName("var") else {
                return readBlockStatement(name, start)
            }
        case "package", "import", "typealias", "typedef", "library", "part": break
        default: return false
        }
        guard case .name? = token(index + 1)?.kind ?? .name("") else {
            // `import "a.dart"`, `import { a } from "b"`, `import("c")`.
            if token(index + 1)?.isMark("(") ?? false { return false }
            return skipLine()
        }
        return skipLine()
    }

    private mutating func skipLine() -> Bool {
        index += 1
        while let token = current, !token.isMark(";") {
            if language.endsStatementsByLine, token.startsLine { break }
            if token.isMark("}") { break }
            index = token.isMark("{") || token.isMark("(") ? behind(index) : index + 1
        }
        return true
    }

    private mutating func readBlockStatement(_ name: String, _ start: Int) -> Bool {
        var place = index + 1
        if token(place)?.isMark("(") ?? false, name != "do" { place = behind(place) }
        guard token(place)?.isMark("{") ?? false, name != "init" else { return false }
        if name == "using" { index += 2 }
        index = place
        let body = openBlock(.inner)
        readBody(body)
        if name == "do", takeName("while") {
            skipCondition()
            add(.repeated(body), from: start)
        } else {
            add(name == "defer" ? .repeated(body) : .block(body), from: start)
        }
        return true
    }

    private mutating func skipCondition() {
        if at("("), language != .swift {
            index = behind(index)
        } else {
            while let token = current, !token.isMark("{"), !token.isMark(";"), !token.isMark("}") {
                index = token.isMark("(") || token.isMark("[") ? behind(index) : index + 1
            }
        }
    }

    /// A block, or one statement, as a block of its own.
    private mutating func readSubstatement() -> Int {
        let body = openBlock(.inner)
        if at("{") {
            readBody(body)
        } else {
            let outer = block
            block = body
            depth += 1
            if depth < Self.deepest { readStatement(until: tokens.count) } else { index += 1 }
            depth -= 1
            block = outer
        }
        return body
    }

    private mutating func readRepeated(_ start: Int) {
        let body = readSubstatement()
        add(.repeated(body), from: start)
    }

    private mutating func readIf(_ start: Int) {
        let isGuard = atName("guard")
        var branches: [Statement.Branch] = []
        var isExhaustive = false
        while takeName("if") || takeName("guard") {
            let place = index
            skipCondition()
            if isGuard { _ = takeName("else") }
            var condition = words(place..<max(index, place))
            if condition.hasPrefix("("), condition.hasSuffix(")") {
                condition = String(condition.dropFirst().dropLast())
            }
            if isGuard, let otherwise = condition.firstRange(of: " else") { condition.removeSubrange(otherwise) }
            declareBindings(place..<index)
            branches.append(.init(condition: condition, block: readSubstatement()))
            _ = at(";") && (token(index + 1)?.isName("else") ?? false) && take(";")
            guard !isGuard, takeName("else") else { break }
            guard atName("if") else {
                branches.append(.init(condition: "", block: readSubstatement()))
                isExhaustive = true
                break
            }
        }
        // What a guard does not let through leaves: the statements behind it are for the rest.
        let passed = Statement.Kind.expression(opaque(start..<min(start + 1, tokens.count)))
        add(isGuard ? passed : .branches(branches, isExhaustive: isExhaustive), from: start)
    }

    /// `if let name = value`.
    private mutating func declareBindings(_ range: Range<Int>) {
        guard language == .swift else { return }
        let outer = (index, bodiesFollow)
        bodiesFollow = true
        for place in range where tokens[place].isName("let") || tokens[place].isName("var") {
            guard let name = token(place + 1)?.name else { continue }
            var declaration = Declaration(name: name, kind: .parameter, line: tokens[place].line, block: block)
            if token(place + 2)?.isMark("=") ?? false {
                index = place + 3
                declaration.value = readExpression()
                declaration.kind = .value
            }
            declare(declaration)
        }
        (index, bodiesFollow) = outer
    }

    mutating func readSwitch(_ start: Int) {
        index += 1
        while let token = current, !token.isMark("{"), !token.isMark(";"), !token.isMark("}") {
            index = token.isMark("(") ? behind(index) : index + 1
        }
        guard at("{"), let end = partners[index] else { return }
        let subject = words((start + 1)..<index)
        index += 1
        var branches: [Statement.Branch] = []
        var isExhaustive = false
        while index < end {
            let place = index
            // Up to the arrow or the colon that ends the case.
            while index < end, !at("->"), !at("=>"), !at(":") {
                index = at("(") || at("[") || at("{") ? behind(index) : index + 1
            }
            guard index < end else { break }
            let condition = words(place..<index)
            let isOther = ["else", "default"].contains(condition)
            isExhaustive = isExhaustive || isOther
            let isArrow = !at(":")
            index += 1
            let body: Int
            if isArrow {
                body = readSubstatement()
                if branches.count > 10_000 { break }
            } else {
                body = openBlock(.inner)
                let outer = block
                block = body
                while index < end, !atName("case"), !atName("default") || !(token(index + 1)?.isMark(":") ?? false) {
                    let start = index
                    readStatement(until: end)
                    // A bracket that closes nothing begins no statement.
                    if index == start { break }
                }
                block = outer
            }
            _ = take(",") || take(";")
            branches.append(.init(condition: "\(subject): \(condition)", block: body))
        }
        index = end + 1
        add(.branches(branches, isExhaustive: isExhaustive), from: start)
    }

    private mutating func readFor(_ start: Int) {
        index += 1
        _ = takeName("await")
        let isBracketed = at("(")
        let end = isBracketed ? partners[index] ?? tokens.count : tokens.count
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
        while language == .swift, let token = current, !token.isMark("{"), !token.isMark("}") { index += 1 }
        let body = openBlock(.inner)
        declare(parameters: bound, line: tokens[start].line, in: body)
        readInto(body)
        add(.loop(bound, value, body), from: start)
    }

    /// `(int i = 0; i < pins.length; i++)`.
    private mutating func readCountedLoop(_ start: Int, _ end: Int, _ isBracketed: Bool) {
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

    private mutating func readInto(_ body: Int) {
        if at("{") { return readBody(body) }
        let outer = block
        block = body
        depth += 1
        if depth < Self.deepest { readStatement(until: tokens.count) } else { index += 1 }
        depth -= 1
        block = outer
    }

    mutating func readExpressionStatement() {
        let start = index
        let value = readExpression()
        if let token = current, token.isMark("=") || token.isMark("+=") || token.isMark("-=") {
            let mark = token.description
            index += 1
            let right = readExpression()
            note(change: value, line: token.line)
            add(.assignment(value, mark, right), from: start)
        } else {
            add(.expression(value), from: start)
        }
    }

    /// What an assignment changes: a name, or what a name stands for.
    mutating func note(change target: Expression, line: Int) {
        switch target.kind {
        case .name(let name): tree.changes[name, default: []].append(.init(line: line, block: block))
        case .member(let base, let name):
            let isOwn = if case .name(let receiver) = base.kind { ["this", "self"].contains(receiver) } else { false }
            tree.changes[name, default: []].append(.init(line: line, block: block, isMember: true, isOwn: isOwn))
        case .index(let base, _): note(change: base, line: line)
        default: break
        }
    }
}
