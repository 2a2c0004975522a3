/// Conditions: which way they go, or that both are configurations of their own.
extension Evaluator {
    /// Where branches lead.
    enum Way {
        case block(Int)
        case none
        /// By a condition that is another one for each element or call.
        case undecided(String)
        /// Into a case of a switch that goes on with the next one.
        case onward(String)
    }

    /// The branch that is taken. A way to one that throws makes no configuration.
    func way(through branches: [Statement.Branch], _ isExhaustive: Bool) -> Way {
        let way = taken(of: branches, isExhaustive)
        if case .block(let block) = way {
            if isThrowing(block) { choices.isImpossible = true }
            if let branch = branches.first(where: { $0.block == block }), branch.fallsThrough {
                return .onward(branch.condition)
            }
        }
        return way
    }

    private func taken(of branches: [Statement.Branch], _ isExhaustive: Bool) -> Way {
        for (index, branch) in branches.enumerated() {
            if index == branches.count - 1, isExhaustive || branch.condition.isEmpty { return .block(branch.block) }
            if branch.isRest { continue }
            guard let holds = holds(branch.condition, branch.test) else { return .undecided(branch.condition) }
            if holds { return .block(branch.block) }
        }
        return branches.first(where: \.isRest).map { .block($0.block) } ?? .none
    }

    /// `nil` where it is another one for each element or call.
    func holds(_ condition: Expression) -> Bool? {
        if case .tested(let words, let test) = condition.kind { return holds(words, test) }
        return holds(condition.words, condition)
    }

    private func holds(_ condition: String, _ test: Expression?) -> Bool? {
        if let known = choices.known(condition) { return known }
        if let test {
            var inner = self
            inner.isDeciding = true
            inner.keepsBeginnings = false
            switch inner.value(of: test) {
            case .flag(let flag): return flag
            case .text("true"): return true
            case .text("false"): return false
            default: break
            }
        }
        return mentionsBinding(condition) ? nil : choices.holds(condition)
    }

    private func isThrowing(_ block: Int) -> Bool {
        guard case .expression(let value)? = tree.blocks[block].statements.last?.kind else { return false }
        return value.isThrow || doesNotReturn(value)
    }

    /// Whether it calls a function of the language's own that never returns. A logger has an `error`, too, and goes on; so may
    /// a function of the module's own.
    private func doesNotReturn(_ expression: Expression) -> Bool {
        guard case .call(let callee, let arguments) = expression.kind, case .name(let name) = callee.kind,
            arguments.count <= 1
        else { return false }
        // What these throw may be caught: the app goes on, but nothing is made.
        let throwing: Set<String> = tree.language == .kotlin ? ["error", "TODO"] : []
        return throwing.union(tree.language.endings).contains(name) && !module.hasFunction(name, in: tree.language)
    }

    /// Whether a condition is about what a parameter or an element stands for.
    private func mentionsBinding(_ condition: String) -> Bool {
        let words = Set(condition.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }.map(String.init))
        if bindings.values.contains(where: { names in names.keys.contains { words.contains($0) } }) { return true }
        // What a round of a loop computes is another one in each.
        return bindings.keys.contains { block in
            guard tree.blocks.indices.contains(block), case .inner = tree.blocks[block].owner else { return false }
            return tree.blocks[block].declarations.contains { name, declared in
                words.contains(name) && declared.contains { $0.kind == .value }
            }
        }
    }
}
