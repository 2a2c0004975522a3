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
            return run(calls, isImplicit)
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
        if runHelper(callee, arguments) || runFunction(callee, arguments) { return }
        if case .name("with") = callee.kind, arguments.count == 2, isBuilder(arguments[0].value) {
            accounted.insert(arguments[0].value.token)
            return runClosure(arguments[1].value, isImplicit: true)
        }
        // `add("a", …).add("b", …)` without the receiver.
        if isImplicit, isOfReceiver(expression.firstCall), let calls = expression.implicitCalls {
            return run(calls, true)
        }
        if case .member(let list, let name) = callee.kind, ["forEachIndexed", "mapIndexed"].contains(name),
            arguments.count == 1, case .closure(let closure) = arguments[0].value.kind, closure.parameters.count == 2
        {
            let statement = Statement(kind: .expression(expression), tokens: 0..<0, line: expression.line)
            let value = evaluator.indexed(evaluator.value(of: list))
            return loop(over: value, closure.parameters, closure.block, statement, isImplicit)
        }
        if case .name("repeat") = callee.kind, arguments.count == 2,
            case .closure(let closure) = arguments[1].value.kind,
            case .number(let count) = evaluator.value(of: arguments[0].value), 0...Evaluator.mostElements ~= count
        {
            let statement = Statement(kind: .expression(expression), tokens: 0..<0, line: expression.line)
            let names = closure.parameters.isEmpty ? ["it"] : closure.parameters
            return loop(over: .list((0..<count).map(Value.number)), names, closure.block, statement, isImplicit)
        }
        if case .member(let receiver, let name) = callee.kind, ["let", "also"].contains(name), arguments.count == 1,
            case .closure(let closure) = arguments[0].value.kind
        {
            return runOnce(closure, with: evaluator.value(of: receiver), isImplicit, expression.line)
        }
        if case .name(let name) = callee.kind, ["run", "runCatching", "synchronized"].contains(name),
            let last = arguments.last, case .closure(let closure) = last.value.kind
        {
            for argument in arguments.dropLast() where contains(argument.value, false) {
                use(argument.value, isImplicit)
            }
            return runOnce(closure, with: nil, isImplicit, expression.line)
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

    /// Whether a call without a receiver is one of the builder; the app's own `build(name)` is none.
    private func isOfReceiver(_ call: Expression) -> Bool {
        guard case .call(let callee, let arguments) = call.kind, case .name(let name) = callee.kind else {
            return false
        }
        switch name {
        case "add", "apply", "also": return true
        case "build": return arguments.isEmpty
        default: return isExtension(name, from: call.block)
        }
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

    /// What a function runs once: with a value of its own, which may be missing.
    private mutating func runOnce(
        _ closure: Expression.Closure,
        with value: Value?,
        _ isImplicit: Bool,
        _ line: Int
    ) {
        let range = tokens(of: closure.block, from: 0)
        if value == .nothing { return account(for: range) }
        guard !tree.isLeftEarly(closure.block, butAtEnd: true), depth < 12 else {
            account(for: range)
            return refuse("the closure that fills the builder can be left early", line)
        }
        if let value {
            let names = closure.parameters.isEmpty ? ["it"] : closure.parameters
            evaluator.bind(value, to: names, in: closure.block)
        }
        runBlock(closure.block, isImplicit: isImplicit)
        evaluator.bindings[closure.block] = nil
    }

    mutating func useParts(of expression: Expression, _ isImplicit: Bool) {
        if case .closure(let closure) = expression.kind {
            account(for: tokens(of: closure.block, from: 0))
            return refuse("the builder is used in a closure that is handed to another function", expression.line)
        }
        for part in expression.children where contains(part, isImplicit) { use(part, isImplicit) }
    }

    func contains(_ expression: Expression, _ isImplicit: Bool) -> Bool {
        var found = false
        expression.visit { part in
            if isBuilder(part) { found = true }
            if isImplicit, isOfReceiver(part) { found = true }
            if case .closure(let closure) = part.kind, isConcerned(tokens(of: closure.block, from: 0), isImplicit) {
                found = true
            }
            return !found
        }
        return found
    }
}

extension Expression {
    /// The call that a chain begins with.
    fileprivate var firstCall: Expression {
        switch kind {
        case .call(let callee, _):
            if case .name = callee.kind { self } else { callee.firstCall }
        case .member(let base, _): base.firstCall
        default: self
        }
    }

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
