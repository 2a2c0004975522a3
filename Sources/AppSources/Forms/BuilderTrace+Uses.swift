/// Expressions in which a builder stands.
extension BuilderTrace {
    func isBuilder(_ expression: Expression) -> Bool {
        if case .name(let name) = expression.kind { names.contains(name) } else { false }
    }

    mutating func use(_ expression: Expression, _ isImplicit: Bool) {
        if isBuilder(expression.base), expression.base.token != expression.token || !isBuilder(expression),
            let calls = expression.calls(behind: isBuilder), !calls.isEmpty
        {
            accounted.insert(expression.base.token)
            return run(calls)
        }
        if isBuilder(expression) {
            accounted.insert(expression.token)
            return refuse("the builder is handed on", expression.line)
        }
        if case .conditional(let condition, let first, let second) = expression.kind {
            // One of the two is run, never both.
            guard contains(expression, isImplicit) else { return }
            account(for: condition)
            guard let holds = evaluator.holds(condition) else {
                return refuse("'\(condition.words)' is not the same for each element", expression.line)
            }
            let (taken, left) = holds ? (first, second) : (second, first)
            account(for: left)
            return use(taken, isImplicit)
        }
        guard case .call(let callee, let arguments) = expression.kind else {
            return useParts(of: expression, isImplicit)
        }
        if runFunction(callee, arguments) { return }
        if isImplicit {
            switch callee.kind {
            case .name("add"), .name("build"):
                return run([.init(name: callee.lastName, arguments: arguments, expression: expression)])
            case .name("apply"), .name("also"):
                return run([.init(name: callee.lastName, arguments: arguments, expression: expression)])
            case .member:
                // `add("a", …).add("b", …)` without the receiver.
                if case .name("add") = expression.base.kind, let calls = expression.implicitCalls { return run(calls) }
            default: break
            }
        }
        if case .member(let list, let name) = callee.kind, ["forEach", "onEach", "map"].contains(name),
            arguments.count == 1,
            case .closure(let closure) = arguments[0].value.kind
        {
            let statement = Statement(kind: .expression(expression), tokens: 0..<0, line: expression.line)
            let names = closure.parameters.isEmpty ? ["it"] : closure.parameters
            return loop(over: evaluator.value(of: list), names, closure.block, statement, isImplicit)
        }
        useParts(of: expression, isImplicit)
    }

    mutating func account(for expression: Expression) {
        var tokens: [Int] = []
        expression.visit { part in
            if isBuilder(part) { tokens.append(part.token) }
            if case .closure(let closure) = part.kind {
                tokens += mentions(in: self.tokens(of: closure.block, from: 0))
            }
            return true
        }
        accounted.formUnion(tokens)
    }

    mutating func useParts(of expression: Expression, _ isImplicit: Bool) {
        for part in expression.children where contains(part, isImplicit) { use(part, isImplicit) }
    }

    func contains(_ expression: Expression, _ isImplicit: Bool) -> Bool {
        var found = false
        expression.visit { part in
            if isBuilder(part) { found = true }
            if isImplicit, case .name(let name) = part.kind, name == "add" || name == "build" { found = true }
            if case .closure(let closure) = part.kind, isConcerned(tokens(of: closure.block, from: 0), isImplicit) {
                found = true
            }
            return !found
        }
        return found
    }
}

extension Expression {
    fileprivate var lastName: String { if case .name(let name) = kind { name } else { "" } }

    /// The calls of a chain that begins with a call of a name.
    fileprivate var implicitCalls: [Call]? {
        guard case .call(let callee, let arguments) = kind else { return nil }
        switch callee.kind {
        case .name(let name): return [Call(name: name, arguments: arguments, expression: self)]
        case .member(let inner, let name):
            return inner.implicitCalls.map { $0 + [Call(name: name, arguments: arguments, expression: self)] }
        default: return nil
        }
    }
}
