/// Lists without pins that Apple's code looks a certificate up in.
extension ComparisonForm {
    /// What is told where the only list that is asked is empty, and stays so; `nil` where there is none.
    static func emptyList(_ group: CodeGroup, _ evaluator: Evaluator) -> FoundPins.Content? {
        let tree = evaluator.tree
        guard tree.language == .swift else { return nil }
        let asked = group.tokens.filter { place in
            guard place + 2 < tree.tokens.count, tree.tokens[place].name != nil else { return false }
            if tree.tokens[place + 1].isMark("[") { return true }
            return tree.tokens[place + 1].isMark(".")
                && ["contains", "isEmpty", "first", "isDisjoint"].contains(where: tree.tokens[place + 2].isName)
        }
        for name in asked.compactMap({ tree.tokens[$0].name }).uniqued {
            let declared = tree.blocks.filter(\.isOutside).flatMap { $0.declarations[name] ?? [] }
            guard declared.count == 1, declared[0].kind == .value, tree.changes[name] == nil,
                declared[0].isFixed || tree.isPrivate(declared[0]), let value = declared[0].value,
                let keys = keys(ofEmpty: value)
            else { continue }
            let hosts = keys.compactMap { evaluator.value(of: $0).text }.filter(PinText.isKeyOfPins)
            let empty = hosts.isEmpty ? "'\(name)' is empty" : "'\(name)' has no pins"
            let end =
                switch tree.answerToNothing(in: group) {
                case .some(true): "nothing is compared, and every certificate is let through"
                case .some(false): "nothing is compared, and the system's own checks decide"
                case nil: "no certificate matches"
                }
            return .described(hosts: hosts, pins: [], what: "\(empty), so that \(end)")
        }
        return nil
    }

    /// The keys of a table whose lists are all empty; none for a list that is.
    private static func keys(ofEmpty value: Expression) -> [Expression]? {
        switch value.kind {
        case .list(let elements): elements.isEmpty ? [] : nil
        // `Set()`, `[String]()`
        case .call(let callee, let arguments):
            arguments.isEmpty && ["Set", "Array"].contains { callee.words.hasPrefix($0) } ? [] : nil
        case .table(let pairs):
            pairs.allSatisfy { keys(ofEmpty: $0.value)?.isEmpty ?? false } ? pairs.map(\.key) : nil
        default: nil
        }
    }
}

extension SyntaxTree {
    fileprivate func isPrivate(_ declaration: Declaration) -> Bool {
        blocks.flatMap(\.statements).contains { statement in
            guard case .declaration(let own) = statement.kind, own.name == declaration.name,
                own.line == declaration.line
            else { return false }
            return isPrivate(statement)
        }
    }

    /// What code does that asks whether there are pins, where there are none: let the server through, or leave it to the
    /// system; `nil` where it does neither.
    fileprivate func answerToNothing(in group: CodeGroup) -> Bool? {
        for place in group.tokens where tokens[place].isName("isEmpty") {
            guard let open = (place..<min(place + 60, tokens.count)).first(where: { tokens[$0].isMark("{") }) else {
                continue
            }
            guard
                let start = (max(0, place - 40)..<place).last(where: {
                    tokens[$0].isName("guard") || tokens[$0].isName("if")
                })
            else { continue }
            // `if !pins.isEmpty { … }` says nothing of an empty list.
            let isGuard = tokens[start].isName("guard") && tokens[open - 1].isName("else")
            let isNegated = tokens[max(start, place - 4)..<place].contains { $0.isMark("!") }
            guard isGuard == isNegated, isGuard || tokens[start].isName("if") else { continue }
            var depth = 0
            var inner: [String] = []
            for next in open..<tokens.count {
                if tokens[next].isMark("{") { depth += 1 } else if tokens[next].isMark("}") { depth -= 1 }
                if depth == 0 { break }
                if let name = tokens[next].name { inner.append(name) }
            }
            if inner.contains(where: { $0.hasSuffix("seCredential") || $0 == "true" }) { return true }
            if inner.contains(where: { $0.hasSuffix("erformDefaultHandling") }) { return false }
        }
        return nil
    }
}
