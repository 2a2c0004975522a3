extension SyntaxTree {
    /// The conditions under which a token's code is run, the outer ones first: those of the branches that it stands in.
    ///
    /// Whether something is `null` says nothing of a build, and is left out.
    func conditions(around token: Int) -> [Choices.Choice] {
        var found: [(start: Int, choices: [Choices.Choice])] = []
        for block in blocks {
            for statement in block.statements where statement.tokens.contains(token) {
                guard case .branches(let branches, _) = statement.kind else { continue }
                guard let index = branches.firstIndex(where: { holds($0.block, token) }) else { continue }
                var choices = branches[..<index].map { Choices.choice($0.condition, holds: false) }
                let own = branches[index].condition
                if !own.isEmpty, !own.hasSuffix(": else"), !own.hasSuffix(": default") {
                    choices.append(Choices.choice(own, holds: true))
                }
                found.append((statement.tokens.lowerBound, choices))
            }
        }
        visit { expression, _ in
            guard case .conditional(let condition, let first, let second) = expression.kind,
                case .opaque(let words) = condition.kind
            else { return true }
            if first.holds(token, in: self) {
                found.append((expression.token, [Choices.choice(words, holds: true)]))
            } else if second.holds(token, in: self) {
                found.append((expression.token, [Choices.choice(words, holds: false)]))
            }
            return true
        }
        var seen: Set<String> = []
        return found.sorted { $0.start < $1.start }.flatMap(\.choices).filter { choice in
            let isNull = ["null", "nil"].contains { choice.condition.contains($0) } || choice.condition.isEmpty
            return !isNull && choice.condition.utf8.count < 120 && seen.insert(choice.condition).inserted
        }
    }

    private func holds(_ block: Int, _ token: Int) -> Bool {
        blocks[block].statements.contains { $0.tokens.contains(token) }
    }
}

extension Expression {
    fileprivate func holds(_ token: Int, in tree: SyntaxTree) -> Bool {
        var found = false
        visit { part in
            if part.token == token { found = true }
            if case .closure(let closure) = part.kind,
                tree.blocks[closure.block].statements.contains(where: { $0.tokens.contains(token) })
            {
                found = true
            }
            return !found
        }
        return found
    }
}
