/// Functions of the module that add to a builder: those that are given it, and those that are its extensions.
extension BuilderTrace {
    /// `false` where it is none.
    mutating func runFunction(_ callee: Expression, _ arguments: [Expression.Argument]) -> Bool {
        guard let name = callee.finalName, depth < 10,
            let position = arguments.firstIndex(where: { isBuilder($0.value) }),
            arguments.count(where: { isBuilder($0.value) }) == 1, let (other, function) = function(name, callee)
        else { return false }
        let label = arguments[position].label
        let parameter =
            label.flatMap { label in function.parameters.first { $0.name == label || $0.label == label } }
            ?? (function.parameters.indices.contains(position) ? function.parameters[position] : nil)
        guard let parameter, !parameter.isVariadic, let body = function.body,
            !other.tree.isLeftEarly(body, butAtEnd: true)
        else { return false }
        accounted.insert(arguments[position].value.token)
        let bound = evaluator.bind(arguments, to: function.parameters, callee.line, usual: other)
        run(body, of: other, bound, as: parameter.name, isImplicit: false, callee.line)
        return true
    }

    /// Whether a function within the function adds to the builder, and can be followed where it is called.
    func isHelper(_ declaration: Declaration) -> Bool {
        guard declaration.kind == .function, let body = declaration.body, !names.contains("this"),
            evaluator.ownFunction(declaration.name, from: body)?.body == body
        else { return false }
        return !tree.isLeftEarly(body, butAtEnd: true)
    }

    /// Where such functions are named, but for what declares them.
    func mentions(ofHelpersIn range: Range<Int>) -> [Int] {
        guard !helpers.isEmpty else { return [] }
        return range.clamped(to: 0..<tree.tokens.count).filter { place in
            guard let name = tree.tokens[place].name, helpers.contains(name) else { return false }
            return place == 0 || !tree.tokens[place - 1].isMark(".") && !tree.tokens[place - 1].isName("fun")
        }
    }

    /// `pin("api.acme.example")`, where `fun pin(host: String) { builder.add(host, PIN) }` stands before it.
    mutating func runHelper(_ callee: Expression, _ arguments: [Expression.Argument]) -> Bool {
        guard case .name(let name) = callee.kind, helpers.contains(name), depth < 10,
            let function = evaluator.ownFunction(name, from: callee.block), let body = function.body
        else { return false }
        accounted.insert(callee.token)
        let outer = (evaluator, hasLeft)
        evaluator.bindings[body] = evaluator.bind(arguments, to: function.parameters, callee.line, usual: evaluator)
        isInFunction += 1
        runBlock(body, isImplicit: false)
        isInFunction -= 1
        (evaluator, hasLeft) = outer
        return true
    }

    /// `fun CertificatePinner.Builder.addPins() = apply { … }`; `false` where there is none.
    mutating func runExtension(_ call: Expression.Call) -> Bool {
        guard depth < 10 else { return false }
        let found = extensions(call.name, from: call.expression.block)
        guard found.count == 1, let body = found[0].declaration.body,
            !found[0].evaluator.tree.isLeftEarly(body, butAtEnd: true)
        else { return false }
        let bound = evaluator.bind(
            call.arguments,
            to: found[0].declaration.parameters,
            call.expression.line,
            usual: found[0].evaluator
        )
        run(body, of: found[0].evaluator, bound, as: "this", isImplicit: true, call.expression.line)
        return true
    }

    /// Whether it is the name of functions that builders have in this module.
    func isExtension(_ name: String, from block: Int) -> Bool { !extensions(name, from: block).isEmpty }

    private func extensions(_ name: String, from block: Int) -> [(evaluator: Evaluator, declaration: Declaration)] {
        evaluator.functions(name, from: block).filter { $0.declaration.receiver == "Builder" }
    }

    private func function(_ name: String, _ callee: Expression) -> (Evaluator, Declaration)? {
        if let own = evaluator.ownFunction(name, from: callee.block),
            evaluator.overriding(name, in: own.block) == nil
        {
            return (evaluator, own)
        }
        let found: [(evaluator: Evaluator, declaration: Declaration)]
        if case .member(let base, _) = callee.kind {
            guard let type = base.finalName, type.first?.isUppercase ?? false else { return nil }
            found = evaluator.functions(name, ofType: type, from: callee.block)
        } else {
            found = evaluator.functions(name, from: callee.block)
        }
        return found.count == 1 ? (found[0].evaluator, found[0].declaration) : nil
    }

    /// What it finds in another source stands on the line of the call.
    private mutating func run(
        _ body: Int,
        of other: Evaluator,
        _ bound: [String: Value],
        as name: String,
        isImplicit: Bool,
        _ line: Int
    ) {
        let outer = (evaluator, names, hasLeft, accounted)
        let isElsewhere = other.tree.path != tree.path
        let (entryCount, partCount, gapCount) = (entries.count, parts.count, gaps.count)
        if isElsewhere {
            evaluator = other
            accounted = []
        }
        evaluator.bindings[body] = bound
        names = [name]
        isInFunction += 1
        runBlock(body, isImplicit: isImplicit)
        isInFunction -= 1
        for token in mentions(in: tokens(of: body, from: 0)) where !accounted.contains(token) && !isImplicit {
            refuse("the builder '\(name)' is used in a way that is not understood", tree.tokens[token].line)
        }
        if isElsewhere {
            for index in entries.indices.dropFirst(entryCount) { entries[index].line = line }
            for index in parts.indices.dropFirst(partCount) { parts[index].line = line }
            for index in gaps.indices.dropFirst(gapCount) {
                gaps[index].reason += " (\(other.tree.path):\(gaps[index].line))"
                gaps[index].line = line
            }
            accounted = outer.3
        }
        (evaluator, names, hasLeft) = (outer.0, outer.1, outer.2)
    }
}
