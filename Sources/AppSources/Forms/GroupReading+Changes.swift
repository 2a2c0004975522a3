/// What code puts into pins that are named, or takes out of them, and this source does not tell.
extension GroupReading {
    /// Of each name that has pins, the first line that gives it more, and the first that takes some away.
    func untoldChanges(of name: String) -> [String] {
        guard !isUnderstood(name) else { return [] }
        let changes = linesChanging(name)
        let more = changes.filter(\.adds).map(\.line).min()
        let less = changes.filter { !$0.adds }.map(\.line).min()
        return [
            more.map { "'\(name)' is given more on line \($0), which this source does not tell" },
            less.map { "'\(name)' is changed on line \($0), where pins are taken out" },
        ].compactMap(\.self)
    }

    /// `pins.Add(pin)`, `pins[host] = others`, `pins[host]!.add(pin)`, `pins[host]?.remove(pin)`
    private func linesChanging(_ name: String) -> [(line: Int, adds: Bool)] {
        let tree = evaluator.tree
        let changes = tree.changes[name] ?? []
        guard !changes.isEmpty, !isConstant(name) else { return [] }
        let isShared = tree.blocks.allSatisfy { $0.isOutside || $0.declarations[name] == nil }
        return tree.blocks.flatMap(\.statements).compactMap { statement in
            guard changes.contains(where: { $0.token == statement.tokens.lowerBound }) else { return nil }
            switch statement.kind {
            case .assignment(let target, let mark, let value) where mark == "=" || mark == "??=":
                guard case .index(let base, _) = target.kind, base.isOwn(name) else { return nil }
                return evaluator.value(of: value).firstUnknown == nil ? nil : (statement.line, true)
            case .expression(let expression):
                guard case .call(let callee, let arguments) = expression.kind,
                    case .member(let base, let member) = callee.kind, base.isOwn(name) || base.isEntry(of: name)
                else { return nil }
                let word = member.lowercased()
                if ["remove", "except"].contains(where: word.hasPrefix), isShared, !isOfTest(statement) {
                    return (statement.line, false)
                }
                guard ["add", "append", "insert", "push", "put", "union"].contains(where: word.hasPrefix),
                    let last = arguments.last
                else { return nil }
                return evaluator.value(of: last.value).firstUnknown == nil ? nil : (statement.line, true)
            default: return nil
            }
        }
    }

    /// Whether the statements that change what a name stands for are all followed.
    private func isUnderstood(_ name: String) -> Bool {
        let declared = evaluator.tree.blocks.flatMap { $0.declarations[name] ?? [] }.filter { $0.kind == .value }
        guard declared.count == 1, let value = evaluator.assigned(declared[0], before: .max) else { return false }
        return value.firstUnknown == nil
    }

    /// Whether a name is a constant of Dart, which nothing can change: what tries to ends in an error.
    private func isConstant(_ name: String) -> Bool {
        let tree = evaluator.tree
        guard tree.language == .dart else { return false }
        let declared = tree.blocks.flatMap(\.statements).filter { statement in
            guard case .declaration(let declaration) = statement.kind else { return false }
            return declaration.name == name && declaration.kind == .value
        }
        return !declared.isEmpty
            && declared.allSatisfy { statement in
                let start = statement.tokens.lowerBound
                return tree.tokens[max(0, start - 2)..<min(start + 3, tree.tokens.count)].contains { token in
                    token.isName("const")
                }
            }
    }

    /// `removePinForTesting`: no app calls it.
    private func isOfTest(_ statement: Statement) -> Bool {
        let function = evaluator.tree.functions(around: statement.tokens.lowerBound).last
        return function?.name.lowercased().contains("fortest") ?? false
    }
}

extension Expression {
    /// `pins[host]`
    fileprivate func isEntry(of name: String) -> Bool {
        if case .index(let base, _) = kind { base.isOwn(name) } else { false }
    }
}
