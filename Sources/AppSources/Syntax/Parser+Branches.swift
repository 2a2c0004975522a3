/// `if`, `guard` and `switch`: blocks of which one is run.
extension Parser {
    mutating func readIf(_ start: Int) {
        let isGuard = atName("guard")
        var branches: [Statement.Branch] = []
        var isExhaustive = false
        while takeName("if") || takeName("guard") {
            let place = index
            let test = readTest()
            index = place
            skipCondition()
            if isGuard { _ = takeName("else") }
            var condition = words(place..<max(index, place))
            if condition.hasPrefix("("), condition.hasSuffix(")") {
                condition = String(condition.dropFirst().dropLast())
            }
            if isGuard, let otherwise = condition.firstRange(of: " else") { condition.removeSubrange(otherwise) }
            // A pattern of C# is the comparison that it stands for.
            if language == .cSharp, condition.contains(" is "), let words = test?.words, !words.contains(" is "),
                !words.contains("…")
            {
                condition = words
            }
            declareBindings(place..<index)
            branches.append(.init(condition: condition, block: readSubstatement(), test: test))
            _ = at(";") && (token(index + 1)?.isName("else") ?? false) && take(";")
            guard !isGuard, takeName("else") else { break }
            guard atName("if") else {
                branches.append(.init(condition: "", block: readSubstatement()))
                isExhaustive = true
                break
            }
        }
        // What a guard does not let through leaves: the statements behind it are for the rest.
        if isGuard, let branch = branches.first { tree.guards[start] = branch.condition }
        let passed = Statement.Kind.expression(opaque(start..<min(start + 1, tokens.count)))
        add(isGuard ? passed : .branches(branches, isExhaustive: isExhaustive), from: start)
    }

    /// `if let name = value`.
    mutating func declareBindings(_ range: Range<Int>) {
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

    /// What a condition compares, from where it begins; `nil` where it is more than that. Whoever asks goes on from there.
    mutating func readTest() -> Expression? {
        let (place, outer, count) = (index, bodiesFollow, tree.blocks[block].statements.count)
        defer { bodiesFollow = outer }
        let value: Expression
        let end: Int
        if language == .swift {
            bodiesFollow = true
            value = readExpression()
            end = index
            guard at("{") || atName("else") else { return nil }
        } else {
            guard at("("), let partner = partners[index] else { return nil }
            bodiesFollow = false
            index += 1
            value = readExpression()
            end = partner
        }
        // A `when` within it is a statement of its own.
        guard index == end, end > place, tree.blocks[block].statements.count == count else { return nil }
        return value
    }

    mutating func readSwitch(_ start: Int) {
        index += 1
        let place = index
        let test = readTest()
        index = place
        while let token = current, !token.isMark("{"), !token.isMark(";"), !token.isMark("}") {
            index = token.isMark("(") ? behind(index) : index + 1
        }
        guard at("{") else { return }
        readArms(start, words(place..<index), test)
    }

    /// The cases of a switch, from its opening brace.
    mutating func readArms(_ start: Int, _ subject: String, _ test: Expression?) {
        guard let end = partners[index] else { return }
        index += 1
        var branches: [Statement.Branch] = []
        var isExhaustive = false
        // Cases without statements of their own run those of the next one.
        var open: (condition: String, test: Expression?)?
        while index < end {
            let place = index
            // Up to the arrow or the colon that ends the case.
            while index < end, !at("->"), !at("=>"), !at(":") {
                index = at("(") || at("[") || at("{") ? behind(index) : index + 1
            }
            guard index < end else { break }
            var condition = labels(place..<index)
            let isOther = ["else", "default", "_"].contains(condition)
            isExhaustive = isExhaustive || isOther
            let isArrow = !at(":")
            let behindCase = index
            var ownTest = isOther ? nil : test.flatMap { readLabels(place, behindCase, $0) }
            index = behindCase + 1
            if let before = open, !isOther {
                condition = "\(before.condition) or \(condition)"
                ownTest = before.test.flatMap { first in
                    ownTest.map { expression(.binary("||", first, $0), at: place) }
                }
            }
            open = nil
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
                if tree.blocks[body].statements.isEmpty, language != .swift, !isOther, index < end {
                    open = (condition, ownTest)
                    continue
                }
            }
            _ = take(",") || take(";")
            // `when { isLive -> … }` asks each condition by itself.
            let words = subject.isEmpty && !isOther ? condition : "\(subject): \(condition)"
            let fallsThrough = !isArrow && index < end && goesOn(behind: body)
            branches.append(.init(condition: words, block: body, test: ownTest, fallsThrough: fallsThrough))
        }
        index = end + 1
        // Swift's compiler sees to it that one of the cases holds.
        add(.branches(branches, isExhaustive: isExhaustive || language == .swift && !branches.isEmpty), from: start)
    }

    /// Whether a case of a switch has no end of its own, in a language whose cases need one.
    private func goesOn(behind body: Int) -> Bool {
        guard [.java, .objectiveC, .script].contains(language), var last = tree.blocks[body].statements.last else {
            return false
        }
        while case .block(let inner) = last.kind, let next = tree.blocks[inner].statements.last { last = next }
        switch last.kind {
        case .returning: return false
        case .expression(let value):
            if case .name(let name) = value.kind, ["break", "continue"].contains(name) { return false }
            return !value.isThrow
        // What is not understood may end it.
        case .branches, .loop, .count, .repeated, .block, .declaration: return false
        case .assignment: return true
        }
    }

    /// A case in words that are the same however it is written: `A or B`.
    private func labels(_ range: Range<Int>) -> String {
        let own = token(range.lowerBound)?.isName("case") ?? false ? range.dropFirst() : range
        var depth = 0
        let parts = own.split { place in
            if ["(", "[", "{"].contains(where: tokens[place].isMark) { depth += 1 }
            if [")", "]", "}"].contains(where: tokens[place].isMark) { depth -= 1 }
            return depth == 0 && tokens[place].isMark(",")
        }
        return parts.map { words($0.startIndex..<$0.endIndex) }.joined(separator: " or ")
    }

    /// `case A, B` and `"a", "b"`, each compared with what is switched over.
    private mutating func readLabels(_ place: Int, _ end: Int, _ subject: Expression) -> Expression? {
        index = place
        _ = takeName("case")
        var test: Expression?
        while index < end {
            guard !atName("is"), !atName("in"), !atName("let"), !atName("when"), !at("!") else { return nil }
            let label = readPostfix(readPrimary(), from: index)
            let equal = expression(.binary("==", subject, label), at: place)
            test = test.map { expression(.binary("||", $0, equal), at: place) } ?? equal
            guard index == end || take(",") || take("|") || take("||") else { return nil }
        }
        return index == end ? test : nil
    }
}
