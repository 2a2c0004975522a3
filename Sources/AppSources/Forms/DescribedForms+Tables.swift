/// Pins that a table has for each host, from which code takes those of a request.
extension DescribedForms {
    /// `pins = PINS[host]`, `pinsOf(host)`: what the table has for each host.
    static func lookedUp(_ pins: Expression, _ evaluator: Evaluator) -> [FoundPins.Part] {
        var (expression, evaluator) = (pins, evaluator)
        for _ in 0..<6 {
            switch expression.kind {
            case .name(let name):
                let declared = evaluator.tree.blocks.flatMap { $0.declarations[name] ?? [] }
                guard declared.count == 1, let value = declared[0].value else { return [] }
                expression = value
            case .binary(_, let first, _): expression = first
            case .call(let callee, _):
                guard case .name(let name) = callee.kind, let answer = answer(of: name, evaluator) else { return [] }
                (expression, evaluator) = answer
            case .index(let table, _):
                guard case .table(let entries) = evaluator.value(of: table) else { return [] }
                return entries.compactMap { entry in
                    guard let host = entry.key.text, PinText.isHostOrEnd(host), !entry.value.texts.isEmpty else {
                        return nil
                    }
                    return .init(host: host, pins: entry.value.texts, line: entry.line)
                }
            default: return []
            }
        }
        return []
    }

    /// What the only function by a name answers, here or in another source of the module.
    private static func answer(of name: String, _ evaluator: Evaluator) -> (Expression, Evaluator)? {
        func functions(_ tree: SyntaxTree) -> [Declaration] {
            tree.blocks.flatMap { $0.declarations[name] ?? [] }
                .filter { declaration in
                    if case .closure? = declaration.value?.kind { return true }
                    return declaration.kind == .function
                }
        }
        var found = functions(evaluator.tree).map { ($0, evaluator) }
        if found.isEmpty {
            let (module, tree) = (evaluator.module, evaluator.tree)
            for file in module.others(mentioning: name, than: tree.path, in: tree.language).prefix(20) {
                let other = evaluator.within(module.tree(of: file))
                found += functions(other.tree).map { ($0, other) }
            }
        }
        guard found.count == 1, let (function, evaluator) = found.first else { return nil }
        let body: Int?
        if case .closure(let closure)? = function.value?.kind {
            body = closure.block
        } else if let value = function.value {
            return (value, evaluator)
        } else {
            body = function.body
        }
        guard let body, let last = evaluator.tree.blocks[body].statements.last else { return nil }
        switch last.kind {
        case .returning(let value?), .expression(let value): return (value, evaluator)
        default: return nil
        }
    }
}
