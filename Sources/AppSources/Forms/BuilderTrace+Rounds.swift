/// Loops over a builder: each element is a round.
extension BuilderTrace {
    /// `list.fold(CertificatePinner.Builder()) { builder, element -> … }`
    mutating func runFold(over list: Expression, _ closure: Expression.Closure) {
        guard closure.parameters.count >= 2 else {
            return refuse("what the builder is handed to is not understood", list.line)
        }
        names = [closure.parameters[0]]
        let statement = Statement(kind: .expression(list), tokens: 0..<0, line: list.line)
        loop(over: evaluator.value(of: list), Array(closure.parameters.dropFirst()), closure.block, statement, false)
        for token in mentions(in: tokens(of: closure.block, from: 0)) where !accounted.contains(token) {
            refuse("the builder is used in a way that is not understood", tree.tokens[token].line)
        }
    }

    /// What a round of a loop adds whose elements are not known: its own hosts and pins count among those that are.
    private mutating func look(into body: Int, _ bound: [String], _ unknown: Value.Unknown, _ isImplicit: Bool) {
        defer { account(for: tokens(of: body, from: 0)) }
        let isPlain = tree.blocks[body].statements.allSatisfy { statement in
            switch statement.kind {
            case .branches, .returning: false
            default: true
            }
        }
        guard isPlain, !tree.isLeftEarly(body) else { return }
        let outer = gaps
        evaluator.bind(.unknown(unknown), to: bound, in: body)
        runBlock(body, isImplicit: isImplicit)
        evaluator.bindings[body] = nil
        gaps = outer
    }

    mutating func loop(
        over value: Value,
        _ bound: [String],
        _ body: Int,
        _ statement: Statement,
        _ isImplicit: Bool
    ) {
        let values: [Value]
        switch value {
        case .list(let list): values = list
        case .table(let entries): values = entries.map { .list([$0.key, $0.value]) }
        default:
            let unknown = value.firstUnknown ?? .init("it is no list", line: statement.line)
            look(into: body, bound, unknown, isImplicit)
            return refuse("what the loop goes over: \(unknown.reason)", statement.line)
        }
        let canGoOn = statement.isLoop
        guard !tree.isLeftEarly(body, butByContinue: canGoOn) else {
            account(for: tokens(of: body, from: 0))
            return refuse("the loop can be left early", statement.line)
        }
        account(for: statement.tokens, but: tokens(of: body, from: 0))
        let outer = (isLooping, skipsRest)
        let outerProvisos = provisos
        isLooping = canGoOn
        defer { (isLooping, skipsRest) = outer }
        if values.isEmpty { account(for: tokens(of: body, from: 0)) }
        for value in values {
            guard evaluator.choices.step(), entries.count < Evaluator.mostElements, gaps.count < 20 else {
                refuse("the loop has more rounds than can be read", statement.line)
                break
            }
            evaluator.bind(value, to: bound, in: body)
            skipsRest = false
            provisos = outerProvisos
            runBlock(body, isImplicit: isImplicit)
        }
        evaluator.bindings[body] = nil
        provisos = outerProvisos
    }
}
