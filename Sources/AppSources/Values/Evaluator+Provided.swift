/// What a container gives by a name.
extension Evaluator {
    /// Koin's `get(named("host"))`: what `single(named("host")) { … }` makes, where there is one.
    func provided(byNameOf arguments: [Expression.Argument], _ line: Int) -> Value? {
        guard tree.language == .kotlin, arguments.count == 1, depth < 16, let name = qualifier(arguments[0].value)
        else { return nil }
        var found: [(evaluator: Evaluator, block: Int)] = []
        let others = module.others(mentioning: "named", than: tree.path, in: .kotlin).prefix(20).map(module.tree(of:))
        for other in [tree] + others {
            let reader = other.path == tree.path ? self : within(other)
            for (_, _, given) in other.calls(["single", "factory", "scoped"]) {
                guard given.count == 2, case .closure(let closure) = given[1].value.kind,
                    reader.qualifier(given[0].value) == name
                else { continue }
                found.append((reader, closure.block))
            }
        }
        guard found.count == 1 else { return nil }
        var inner = found[0].evaluator
        inner.depth = depth + 1
        return inner.result(of: found[0].block, line: line)
    }

    /// `named("host")`
    private func qualifier(_ expression: Expression) -> String? {
        guard case .call(let callee, let arguments) = expression.kind, callee.names("named"), arguments.count == 1
        else { return nil }
        return value(of: arguments[0].value).text
    }
}
