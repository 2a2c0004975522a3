/// `if`, `guard` and `switch`: blocks of which one is run.
extension Parser {
    mutating func readIf(_ start: Int) {
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
}
