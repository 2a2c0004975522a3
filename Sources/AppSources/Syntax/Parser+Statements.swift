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

    mutating func readStatement(until end: Int) {
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

    mutating func skipAnnotation() {
        index += 1
        while case .name? = current?.kind {
            index += 1
            if take(":") { continue }
            guard take(".") else { break }
        }
        if at("("), !(current?.startsLine ?? true) { index = behind(index) }
    }

    mutating func readNamed(_ name: String) {
        let start = index
        switch name {
        case "if", "guard": return readIf(start)
        case "for": return readFor(start)
        case "foreach" where language == .cSharp: return readFor(start)
        case "while":
            index += 1
            if readIterated(start) { return }
            skipCondition()
            return readRepeated(start)
        case "void" where language == .script && !isInType:
            // `void start()`: whatever it returns
            index += 1
            return readExpressionStatement()
        case "init" where language == .kotlin && isInType && (token(index + 1)?.isMark("{") ?? false):
            index += 1
            let body = openBlock(.inner)
            readBody(body)
            return add(.block(body), from: start)
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
            // `return@let`
            if language == .kotlin, at("@"), !isOnNewLine { index += 2 }
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
    mutating func readDirectiveStatement(_ name: String, _ start: Int) -> Bool {
        switch name {
        case "export":
            index += 1
            if takeName("default"), language == .script { readDefaultExport(start) }
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
            guard language == .cSharp, let next = token(index + 1), !next.isMark("("),
                token(index + 2)?.name == nil || next.isName("static")
            else {
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

    /// `export default { … }`, a value without a name of its own; functions and types have one, and are read as such.
    private mutating func readDefaultExport(_ start: Int) {
        let words = ["function", "class", "async", "abstract", "interface", "enum"]
        guard let token = current, !words.contains(where: token.isName) else { return }
        let value = readExpression()
        finish(Declaration(name: "default", kind: .value, value: value, line: token.line, block: block), start)
    }

    mutating func skipLine() -> Bool {
        index += 1
        while let token = current, !token.isMark(";") {
            if language.endsStatementsByLine, token.startsLine { break }
            if token.isMark("}") { break }
            index = token.isMark("{") || token.isMark("(") ? behind(index) : index + 1
        }
        return true
    }

    mutating func readBlockStatement(_ name: String, _ start: Int) -> Bool {
        var place = index + 1
        let hasHead = token(place)?.isMark("(") ?? false && name != "do"
        if hasHead { place = behind(place) }
        // `using (var client = …) using (var stream = …)`
        let isUsing = hasHead && name == "using" && language == .cSharp
        guard token(place)?.isMark("{") ?? false || isUsing, name != "init" else { return false }
        let body = openBlock(.inner)
        // What is closed behind the block is declared before it.
        if isUsing || hasHead && name == "try" && language == .java {
            index += 2
            readRest(of: body, until: place - 1)
        }
        index = place
        readInto(body)
        if name == "do", takeName("while") {
            skipCondition()
            add(.repeated(body), from: start)
        } else {
            add(name == "defer" ? .repeated(body) : .block(body), from: start)
        }
        return true
    }

    mutating func skipCondition() {
        if at("("), language != .swift {
            index = behind(index)
        } else {
            while let token = current, !token.isMark("{"), !token.isMark(";"), !token.isMark("}") {
                index = token.isMark("(") || token.isMark("[") ? behind(index) : index + 1
            }
        }
    }

    /// A block, or one statement, as a block of its own.
    mutating func readSubstatement() -> Int {
        let body = openBlock(.inner)
        readInto(body)
        return body
    }

    mutating func readRepeated(_ start: Int) {
        let body = readSubstatement()
        add(.repeated(body), from: start)
    }

    mutating func readExpressionStatement() {
        let start = index
        let value = readConditional()
        if readAssignment(to: value, from: start) { return }
        if language == .swift, case .call(let callee, _) = value.kind,
            case .member(let receiver, let method) = callee.kind,
            case .name(let name) = receiver.kind, !Self.fillers.contains(method), !Self.readers.contains(method),
            isVariable(name)
        {
            // A method of a value whose result nobody wants is there to change it.
            note(change: receiver, at: start, line: tokens[start].line)
        }
        add(.expression(value), from: start)
    }

    private static let readers: Set<String> = ["forEach", "map", "enumerated", "reserveCapacity"]

    /// Whether the function declares a list or a table by this name, to which it may assign again.
    private func isVariable(_ name: String) -> Bool {
        guard let place = tree.block(declaring: name, from: block),
            let found = tree.blocks[place].declarations[name]?.last
        else { return false }
        switch found.value?.kind {
        case .list?, .table?: return found.kind == .value && !found.isFixed
        default: return false
        }
    }

    /// The rest of a statement, where it assigns to what was read of it.
    mutating func readAssignment(to target: Expression, from start: Int) -> Bool {
        guard let token = current,
            ["=", "+=", "-="].contains(where: token.isMark) || Self.fillingMarks.contains(token.description)
        else { return false }
        index += 1
        let right = readExpression()
        note(change: target, at: start, line: token.line)
        add(.assignment(target, token.description, right), from: start)
        return true
    }

    /// What an assignment changes: a name, or what a name stands for.
    mutating func note(change target: Expression, at token: Int, line: Int) {
        switch target.kind {
        case .name(let name): tree.changes[name, default: []].append(.init(token: token, line: line, block: block))
        case .member(let base, let name):
            let isOwn = if case .name(let receiver) = base.kind { ["this", "self"].contains(receiver) } else { false }
            tree.changes[name, default: []].append(
                .init(token: token, line: line, block: block, isMember: true, isOwn: isOwn)
            )
            // `table["a"].pins = …`, `list.length = 0`
            if case .index = base.kind { note(change: base, at: token, line: line) }
            if name == "length", language == .script || language == .dart { note(change: base, at: token, line: line) }
        case .index(let base, _): note(change: base, at: token, line: line)
        case .list(let parts): for part in parts { note(change: part, at: token, line: line) }
        default: break
        }
    }
}
