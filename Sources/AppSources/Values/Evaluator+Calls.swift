extension Evaluator {
    func call(_ callee: Expression, _ arguments: [Expression.Argument], _ expression: Expression) -> Value {
        switch callee.kind {
        case .name(let name):
            if let value = closureCall(name, arguments, expression) { return value }
            if let value = ownCall(name, receiver: nil, arguments, expression) { return value }
            if name == "get", let value = provided(byNameOf: arguments, expression.line) { return value }
            return libraryFunction(name, arguments, expression)
        case .member(let base, let name):
            return method(name, of: base, arguments, expression)
        case .closure(let closure) where arguments.isEmpty:
            return result(of: closure.block, line: expression.line)
        case .closure(let closure) where arguments.count == 1 && arguments[0].label == "catch":
            return attempted(closure, else: arguments[0].value, expression.line)
        // `[String: [String]]()`
        case .table where arguments.isEmpty && tree.language == .swift: return .table([])
        case .list where arguments.isEmpty && tree.language == .swift: return .list([])
        case .call:
            // A closure behind a call that has its brackets already.
            return unknown("'\(callee.words)' is computed when the app runs", expression.line)
        default: return unknown("'\(callee.words)' is computed when the app runs", expression.line)
        }
    }

    /// A call of a closure that a name holds.
    private func closureCall(
        _ name: String,
        _ arguments: [Expression.Argument],
        _ expression: Expression
    ) -> Value? {
        guard let found = declarations(of: name, block: expression.block), found.count == 1, found[0].isFixed,
            case .closure(let closure)? = found[0].value?.kind, depth < 16
        else { return nil }
        let values = values(of: arguments)
        let names = closure.parameters.isEmpty && !values.isEmpty ? ["it"] : closure.parameters
        guard names.count == values.count else { return nil }
        var inner = self
        inner.depth += 1
        inner.bindings[closure.block] = Dictionary(zip(names, values)) { $1 }
        return inner.result(of: closure.block, line: expression.line)
    }

    func values(of arguments: [Expression.Argument]) -> [Value] {
        arguments.flatMap { argument -> [Value] in
            let value = value(of: argument.value)
            guard argument.isSpread else { return [value] }
            if case .list(let values) = value { return values }
            return [.unknown(value.firstUnknown ?? .init("what is spread is no list", line: argument.value.line))]
        }
    }

    func made(_ name: String, _ path: String, _ arguments: [Expression.Argument], _ line: Int) -> Value {
        .made(
            .init(
                name: name,
                path: path,
                arguments: arguments.map { .init(label: $0.label, value: value(of: $0.value)) },
                line: line
            )
        )
    }

    // MARK: Functions of the app's own

    /// `nil` where the app declares no such function or type.
    func ownCall(
        _ name: String,
        receiver: Value?,
        _ arguments: [Expression.Argument],
        _ expression: Expression
    ) -> Value? {
        if receiver == nil, let block = tree.block(declaring: name, from: expression.block),
            let value = overriddenSomewhere("\(name)", in: block, expression.line)
        {
            return value
        }
        // A method of a value is none of the enclosing type's: it must be declared for such values.
        let found = functions(name, from: expression.block)
            .filter { receiver == nil || $0.declaration.receiver != nil }
        if found.count == 1 || found.count > 1 && found.allSatisfy({ $0.declaration.parameters.isEmpty }) {
            let (evaluator, declaration) = found[0]
            return evaluator.run(declaration, self, arguments, receiver: receiver, expression)
        }
        if found.count > 1 { return unknown("\(name)() is declared \(found.count) times", expression.line) }
        return receiver == nil ? construct(name, arguments, expression) : nil
    }

    /// The only function by a name in this source.
    func ownFunction(_ name: String, from block: Int) -> Declaration? {
        let found = tree.blocks.flatMap {
            $0.declarations[name]?.filter { $0.kind == .function && $0.body != nil } ?? []
        }
        return found.count == 1 ? found[0] : nil
    }

    func functions(_ name: String, from block: Int) -> [(evaluator: Evaluator, declaration: Declaration)] {
        var place: Int? = block
        while let current = place {
            if let found = overriding(name, in: current) ?? inheriting(name, in: current) {
                let own = found.members(name).compactMap { $0.function(in: found.evaluator.tree.language) }
                if !own.isEmpty { return own.map { (found.evaluator, $0) } }
            }
            let own = tree.blocks[current].declarations[name]?.compactMap { $0.function(in: tree.language) } ?? []
            if !own.isEmpty { return own.map { (self, $0) } }
            for companion in tree.blocks[current].declarations.values.joined() where companion.typeName == "companion" {
                let own =
                    companion.body.flatMap { tree.blocks[$0].declarations[name] }?.filter { $0.kind == .function } ?? []
                if !own.isEmpty { return own.map { (self, $0) } }
            }
            place = tree.blocks[current].parent
        }
        guard name.count > 1, !Self.libraryNames.contains(name) else { return [] }
        return module.declaring(name, for: tree, among: 50).flatMap { other in
            var evaluator = Evaluator(module, other.tree, choices)
            evaluator.depth = depth
            evaluator.isDeciding = isDeciding
            evaluator.isGathering = isGathering
            evaluator.keepsBeginnings = keepsBeginnings
            evaluator.ownType = nil
            return other.inFile.compactMap { $0.function(in: other.tree.language) }.map { (evaluator, $0) }
        }
    }

    func run(
        _ declaration: Declaration,
        _ caller: Evaluator,
        _ arguments: [Expression.Argument],
        receiver: Value?,
        _ expression: Expression
    ) -> Value {
        guard let body = declaration.body, depth < 16 else {
            return unknown("\(declaration.name)() leads too far", expression.line)
        }
        var inner = self
        inner.depth = depth + 1
        inner.bindings[body] = caller.bind(arguments, to: declaration.parameters, expression.line, usual: self)
        if let receiver { inner.bindings[body]?["this"] = receiver }
        return inner.result(of: body, line: expression.line)
    }

    /// - Parameter declaring: what reads the source of the function, where that is another one.
    func bind(
        _ arguments: [Expression.Argument],
        to parameters: [Parameter],
        _ line: Int,
        usual declaring: Evaluator? = nil
    ) -> [String: Value] {
        var bound: [String: Value] = [:]
        var rest = arguments[...]
        for parameter in parameters {
            if let index = rest.firstIndex(where: {
                $0.label != nil && ($0.label == parameter.name || $0.label == parameter.label)
            }) {
                bound[parameter.name] = value(of: rest[index].value)
                rest.remove(at: index)
                rest = ArraySlice(Array(rest))
            } else if parameter.isVariadic {
                let given = values(of: Array(rest.prefix { $0.label == nil }))
                // In Java an array may stand for them.
                if tree.language == .java, given.count == 1, case .list = given[0] {
                    bound[parameter.name] = given[0]
                } else {
                    bound[parameter.name] = .list(given)
                }
                rest = rest.drop { $0.label == nil }
            } else if let next = rest.first, next.label == nil || tree.language == .objectiveC {
                bound[parameter.name] = value(of: next.value)
                rest = rest.dropFirst()
            } else if let usual = parameter.usual {
                bound[parameter.name] = (declaring ?? self).value(of: usual)
            } else {
                bound[parameter.name] = unknown("'\(parameter.name)' is not given on line \(line)", line)
            }
        }
        return bound
    }

    /// `HostPins("host", listOf(…))`: an object with the fields that its type declares in brackets.
    func construct(_ name: String, _ arguments: [Expression.Argument], _ expression: Expression) -> Value? {
        guard name.first?.isUppercase ?? false else { return nil }
        let types = bodies(ofType: name, from: expression.block)
        guard types.count == 1, let type = types.first else { return nil }
        let declarations = type.evaluator.tree.blocks.flatMap { $0.declarations[name] ?? [] }
        guard let declaration = declarations.first(where: { $0.kind == .type && $0.body == type.body }) else {
            return nil
        }
        if !declaration.parameters.isEmpty {
            return .object(
                name,
                bind(arguments, to: declaration.parameters, expression.line, usual: type.evaluator)
            )
        }
        if tree.language == .java || tree.language == .dart {
            return constructed(name, arguments, type, expression.line)
        }
        // A struct of Swift is made with the names of its values.
        guard tree.language == .swift, arguments.allSatisfy({ $0.label != nil }),
            type.evaluator.tree.blocks[type.body].declarations["init"] == nil
        else { return nil }
        var fields = Dictionary(arguments.map { ($0.label ?? "", value(of: $0.value)) }) { $1 }
        // What it is not given begins as it is declared.
        for statement in type.evaluator.tree.blocks[type.body].statements {
            guard case .declaration(let field) = statement.kind, field.kind == .value, fields[field.name] == nil,
                field.value != nil
            else { continue }
            fields[field.name] = type.evaluator.value(of: field)
        }
        return .object(name, fields)
    }

    /// An object of Java: its fields as its constructor leaves them; `nil` where that does more than assign.
    func constructed(
        _ name: String,
        _ arguments: [Expression.Argument],
        _ type: (evaluator: Evaluator, body: Int),
        _ line: Int
    ) -> Value? {
        let tree = type.evaluator.tree
        if tree.language == .dart { return constructedInDart(name, arguments, type, line) }
        let constructors = (tree.blocks[type.body].declarations[name] ?? []).filter {
            $0.kind == .function
                && ($0.parameters.last?.isVariadic ?? false
                    ? arguments.count >= $0.parameters.count - 1 : arguments.count == $0.parameters.count)
        }
        guard constructors.count == 1, let body = constructors[0].body else { return nil }
        var inner = type.evaluator
        inner.depth += 1
        inner.bindings[body] = bind(arguments, to: constructors[0].parameters, line, usual: type.evaluator)
        var fields: [String: Value] = [:]
        for statement in tree.blocks[body].statements {
            guard case .assignment(let target, "=", let value) = statement.kind, let field = target.finalName else {
                return nil
            }
            fields[field] = inner.value(of: value)
        }
        // A setter may change it later.
        for (field, _) in fields where (tree.changes[field] ?? []).contains(where: { $0.block != body }) {
            fields[field] = unknown("'\(field)' of \(name) can be assigned to", line)
        }
        return fields.isEmpty ? nil : .object(name, fields)
    }

    /// An object of Dart: the fields that its constructor names, `Environment({required this.host})`, and those that begin with a
    /// value and are assigned to nowhere.
    private func constructedInDart(
        _ name: String,
        _ arguments: [Expression.Argument],
        _ type: (evaluator: Evaluator, body: Int),
        _ line: Int
    ) -> Value? {
        let tree = type.evaluator.tree
        let constructors = (tree.blocks[type.body].declarations[name] ?? []).filter { $0.kind == .function }
        guard constructors.count == 1, constructors[0].parameters.contains(where: \.isField) else { return nil }
        let parameters = constructors[0].parameters
        let bound = bind(arguments, to: parameters, line, usual: type.evaluator)
        var fields: [String: Value] = [:]
        for parameter in parameters where parameter.isField { fields[parameter.name] = bound[parameter.name] }
        for (field, _) in fields where !(tree.changes[field] ?? []).isEmpty {
            fields[field] = unknown("'\(field)' of \(name) can be assigned to", line)
        }
        return .object(name, fields)
    }

    /// What a body returns.
    func result(of block: Int, line: Int) -> Value {
        if let value = returned(by: block) { return value }
        // A switch without a case for the rest has one for all that there is.
        if [.dart, .swift, .java, .cSharp].contains(tree.language), let last = tree.blocks[block].statements.last,
            case .branches(let branches, _) = last.kind, branches.count > 1,
            branches.allSatisfy({ $0.condition.contains(": ") && returns($0.block) })
        {
            choices.isImpossible = true
        }
        return unknown("what is returned is computed when the app runs", line)
    }

    /// `nil` where the block is left without a value.
    func returned(by block: Int) -> Value? {
        guard depth < 20 else { return unknown("its value leads too far", 0) }
        var inner = self
        inner.depth += 1
        let statements = tree.blocks[block].statements
        for (index, statement) in statements.enumerated() {
            switch statement.kind {
            case .returning(let value): return value.map { inner.value(of: $0) } ?? .nothing
            case .expression(let value) where index == statements.count - 1 && implicitReturn(block):
                return inner.value(of: value)
            case .branches(let branches, let isExhaustive):
                let isLast = index == statements.count - 1
                guard branches.contains(where: { inner.returns($0.block) }) || isLast else { continue }
                switch inner.way(through: branches, isExhaustive) {
                case .undecided(let condition):
                    return unknown("'\(condition)' is decided for each element or call", statement.line)
                case .onward(let condition):
                    return unknown("the case '\(condition)' goes on with the next one", statement.line)
                case .block(let chosen): if let value = inner.returned(by: chosen) { return value }
                case .none: break
                }
            case .block(let body):
                if inner.returns(body), let value = inner.returned(by: body) { return value }
            case .loop(_, _, let body), .count(_, _, let body), .repeated(let body):
                if inner.returns(body) {
                    return unknown("what is returned is decided in a loop or a guard", statement.line)
                }
            case .declaration, .expression, .assignment: continue
            }
        }
        return nil
    }

    func implicitReturn(_ block: Int) -> Bool {
        switch tree.language {
        case .kotlin, .swift, .groovy: true
        case .script, .dart, .java, .cSharp, .objectiveC:
            tree.blocks[block].owner == .closure && tree.blocks[block].statements.count == 1
        }
    }

    func returns(_ block: Int) -> Bool {
        tree.blocks[block].statements.contains { statement in
            switch statement.kind {
            case .returning: true
            case .branches(let branches, _): branches.contains { returns($0.block) }
            case .block(let body), .loop(_, _, let body), .count(_, _, let body), .repeated(let body): returns(body)
            case .declaration, .expression, .assignment: false
            }
        }
    }
}

extension Declaration {
    /// Itself, if it is a function with a body; in scripts and Dart a value that is one, too. `nil`: it is none.
    func function(in language: SourceLanguage) -> Declaration? {
        if kind == .function { return body == nil ? nil : self }
        guard kind == .value, language == .script || language == .dart, case .closure(let closure)? = value?.kind else {
            return nil
        }
        var function = self
        function.kind = .function
        function.body = closure.block
        function.parameters = closure.parameters.map { Parameter(name: $0) }
        return function
    }
}
