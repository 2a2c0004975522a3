/// Parameters of Kotlin and Java: what the calls in the module give them.
extension Evaluator {
    /// More calls than these are not told apart.
    private static let mostCalls = 8
    /// A name that more sources have says little, and they would all be read.
    private static let mostFiles = 100
    /// Methods of so many types that a call by such a name says little.
    private static let common: Set<String> = [
        "create", "get", "build", "add", "set", "init", "invoke", "of", "from", "load", "put", "start", "run", "open",
        "connect", "send", "execute", "check", "verify", "apply", "provide", "newInstance", "call", "request",
    ]

    /// What is called with a parameter: a function, or what makes an object of a type.
    private struct Callable {
        var name: String
        var type: String?
        var parameters: [Parameter]
        var body: Int
        var isConstructor = false

        /// Whether arguments give every parameter a value that has none of its own, and nothing is left of them.
        func takes(_ arguments: [Expression.Argument]) -> Bool {
            var rest = arguments[...]
            for parameter in parameters {
                if let named = rest.firstIndex(where: { $0.label == parameter.name }) {
                    rest.remove(at: named)
                    rest = ArraySlice(Array(rest))
                } else if parameter.isVariadic {
                    rest = rest.drop { $0.label == nil }
                } else if let next = rest.first, next.label == nil {
                    rest = rest.dropFirst()
                } else if parameter.usual == nil {
                    return false
                }
            }
            return rest.isEmpty
        }
    }

    /// The value of a parameter by the calls of its function, each of them a way of its own; by what it usually is where
    /// nothing calls it. `nil` where the module does not tell.
    func given(_ declaration: Declaration) -> Value? {
        guard tree.language == .kotlin || tree.language == .java, !isGathering, depth < 14,
            let callable = callable(around: declaration.block),
            let parameter = callable.parameters.first(where: { $0.name == declaration.name }),
            changes(of: declaration).isEmpty, isOnly(callable), let calls = calls(of: callable)
        else { return nil }
        if calls.isEmpty {
            guard let usual = parameter.usual else { return nil }
            var inner = self
            inner.isDeciding = false
            // A switch that nobody sets is one for whoever will.
            if case .flag = inner.value(of: usual) { return nil }
            return value(of: usual)
        }
        var ways: [(bound: [String: Value], call: SourceModule.Call)] = []
        for call in ofOneType(calls, callable) {
            var caller = within(call.tree)
            caller.bindings = [:]
            caller.depth += 1
            let bound = caller.bind(call.arguments, to: callable.parameters, call.expression.line, usual: self)
            if !ways.contains(where: { $0.bound == bound }) { ways.append((bound, call)) }
        }
        guard ways.count <= Self.mostCalls else { return nil }
        // A switch that other constructors of the type alone set is one for whoever makes its objects.
        let areOwn = calls.allSatisfy { call in
            if case .call(let callee, _) = call.expression.kind { callee.finalName == "this" } else { false }
        }
        let isSwitch = ways.contains { way in
            if case .flag? = way.bound[declaration.name] { true } else { false }
        }
        if areOwn, isSwitch { return nil }
        let conditions = ways.map { way in
            way.call.tree.conditions(around: way.call.expression.token).map(\.words).joined(separator: " and ")
        }
        let names = zip(ways, conditions).map { way, condition in
            if !condition.isEmpty, conditions.count(where: { $0 == condition }) == 1 { return condition }
            let place = way.call.tree.path == tree.path ? "" : "\(way.call.tree.path):"
            return "\(callable.name)() on line \(place)\(way.call.expression.line)"
        }
        let chosen =
            ways.count == 1
            ? 0
            : choices.choose(
                "the call of \(callable.name)() for line \(tree.blocks[callable.body].statements.first?.line ?? 0)",
                names
            )
        return ways[chosen].bound[declaration.name]
    }

    /// The value of a field that a constructor of Dart or of a script is given, by the calls in the module; `nil` where these do
    /// not tell.
    func made(_ field: Declaration) -> Value? {
        guard tree.language == .dart || tree.language == .script, !isGathering, depth < 14,
            case .type(let type) = tree.blocks[field.block].owner
        else { return nil }
        let name = tree.language == .dart ? type : "constructor"
        let constructors = (tree.blocks[field.block].declarations[name] ?? []).filter { $0.kind == .function }
        guard constructors.count == 1,
            constructors[0].parameters.contains(where: { $0.isField && $0.name == field.name }),
            changes(of: field).isEmpty, !hasNamedConstructor(type, in: field.block),
            heirs(ofTypeAt: field.block).isEmpty
        else { return nil }
        let callable = Callable(
            name: type,
            type: type,
            parameters: constructors[0].parameters,
            body: field.block,
            isConstructor: true
        )
        guard let calls = calls(of: callable), !calls.isEmpty else { return nil }
        var ways: [(bound: [String: Value], call: SourceModule.Call)] = []
        for call in calls {
            var caller = within(call.tree)
            caller.bindings = [:]
            caller.depth += 1
            let bound = caller.bind(call.arguments, to: callable.parameters, call.expression.line, usual: self)
            if !ways.contains(where: { $0.bound == bound }) { ways.append((bound, call)) }
        }
        guard ways.count <= Self.mostCalls else { return nil }
        let names = ways.map { way in
            let place = way.call.tree.path == tree.path ? "" : "\(way.call.tree.path):"
            return "\(type)() on line \(place)\(way.call.expression.line)"
        }
        let chosen = ways.count == 1 ? 0 : choices.choose("the call that makes \(type)", names)
        return ways[chosen].bound[field.name]
    }

    private func heirs(ofTypeAt block: Int) -> [OwnType] { type(of: block).map(heirs) ?? [] }

    /// `Type.named(…)`: other ways to make an object.
    private func hasNamedConstructor(_ type: String, in block: Int) -> Bool {
        guard tree.language == .dart,
            let statement = tree.blocks.flatMap(\.statements).first(where: { statement in
                guard case .declaration(let own) = statement.kind else { return false }
                return own.kind == .type && own.body == block
            })
        else { return false }
        return statement.tokens.clamped(to: 0..<tree.tokens.count - 1).contains {
            tree.tokens[$0].isName(type) && tree.tokens[$0 + 1].isMark(".") || tree.tokens[$0].isName("factory")
        }
    }

    /// The call by which the type at hand is made from a base, where all calls are such: `class Live : Base("api.acme.example")`.
    private func ofOneType(_ calls: [SourceModule.Call], _ callable: Callable) -> [SourceModule.Call] {
        guard callable.isConstructor, let own = type(of: callable.body), calls.count > 1,
            let object = objectType(of: own, heirs(of: own))
        else { return calls }
        var name = object.name
        for _ in calls {
            let found = calls.filter { $0.tree.blocks[$0.expression.block].owner == .type(name) }
            if found.count == 1 { return found }
            guard let next = heirs(of: own).first(where: { $0.name == name })?.declaration.supers.first else { break }
            name = next
        }
        return calls
    }

    /// What `let` and `also` hand to their closure.
    func handed(_ declaration: Declaration) -> Value? {
        guard tree.language == .kotlin, depth < 14, tree.blocks[declaration.block].owner == .closure,
            let receiver = module.receivers(in: tree)[declaration.block]
        else { return nil }
        let value = value(of: receiver)
        // Where there is none, the closure is not run.
        if value == .nothing { choices.isAbsent = true }
        return value
    }

    private func callable(around block: Int) -> Callable? {
        guard let parent = tree.blocks[block].parent else { return nil }
        switch tree.blocks[block].owner {
        case .function(let name):
            guard let function = tree.blocks[parent].declarations[name]?.first(where: { $0.body == block }),
                function.kind == .function, function.receiver == nil
            else { return nil }
            var type: String?
            if case .type(let own) = tree.blocks[parent].owner { type = own }
            // Of a companion, it is its type's.
            if type == "Companion", let outer = tree.blocks[parent].parent,
                case .type(let own) = tree.blocks[outer].owner
            {
                type = own
            }
            let isConstructor = tree.language == .java && type == name
            return Callable(
                name: name,
                type: type,
                parameters: function.parameters,
                body: block,
                isConstructor: isConstructor
            )
        case .type(let name):
            guard let type = tree.blocks[parent].declarations[name]?.first(where: { $0.body == block }),
                type.kind == .type
            else { return nil }
            return Callable(name: name, type: name, parameters: type.parameters, body: block, isConstructor: true)
        case .file, .closure, .inner: return nil
        }
    }

    /// Whether nothing else in the module can be meant by its name and as many arguments.
    private func isOnly(_ callable: Callable) -> Bool {
        func others(in tree: SyntaxTree, isOwn: Bool) -> Bool {
            tree.blocks.contains { block in
                (block.declarations[callable.name] ?? []).contains { other in
                    if isOwn, other.body == callable.body { return false }
                    switch other.kind {
                    case .function:
                        return other.body != nil && other.parameters.count == callable.parameters.count
                    case .type:
                        return callable.isConstructor && other.parameters.count == callable.parameters.count
                            && !other.parameters.isEmpty
                    case .value, .parameter, .entry: return false
                    }
                }
            }
        }
        guard !others(in: tree, isOwn: true) else { return false }
        let files = module.others(mentioning: callable.name, than: tree.path, in: tree.language)
        return files.count <= Self.mostFiles && !files.contains { others(in: module.tree(of: $0), isOwn: false) }
    }

    /// `nil` where one of them is not understood.
    private func calls(of callable: Callable) -> [SourceModule.Call]? {
        guard var found = module.calls(of: callable.name, for: tree) else { return nil }
        if tree.language == .java, callable.isConstructor {
            // One constructor calls the other: `this(DEFAULTS)`.
            found += tree.calls(["this"]).filter { function(around: $0.call.block) == callable.name }
                .map { SourceModule.Call(tree: tree, expression: $0.call, arguments: $0.arguments) }
        }
        var calls: [SourceModule.Call] = []
        let statements = tree.blocks[callable.body].statements
        let own = (statements.first?.tokens.lowerBound ?? 0)..<(statements.map(\.tokens.upperBound).max() ?? 0)
        var isOther = false
        for call in found {
            // What it calls itself with, it was given.
            if !callable.isConstructor, call.tree.path == tree.path, own.contains(call.expression.token) { continue }
            guard callable.takes(call.arguments) else {
                isOther = true
                continue
            }
            if isOfAnotherType(call, callable) { continue }
            guard isMeant(call, callable) else { return nil }
            calls.append(call)
        }
        // A call that is understood otherwise is no sign that there is none.
        return calls.isEmpty && isOther ? nil : calls
    }

    /// `Retrofit.create(…)`, `java.net.URI.create(…)`, where the function is another type's.
    private func isOfAnotherType(_ call: SourceModule.Call, _ callable: Callable) -> Bool {
        guard !callable.isConstructor, case .call(let callee, _) = call.expression.kind,
            case .member(let base, _) = callee.kind, let owner = base.finalName, let type = callable.type
        else { return false }
        return owner.first?.isUppercase ?? false && owner != type && !["Companion", "INSTANCE"].contains(owner)
    }

    private func isMeant(_ call: SourceModule.Call, _ callable: Callable) -> Bool {
        guard case .call(let callee, _) = call.expression.kind else { return false }
        switch callee.kind {
        case .name: return callable.isConstructor || callable.type == nil || call.tree.path == tree.path
        case .member(let base, _):
            guard let owner = base.finalName else {
                if case .call(let maker, _) = base.kind { return maker.finalName == callable.type }
                return false
            }
            if callable.isConstructor { return owner.first?.isLowercase ?? false || callable.type != owner }
            if [callable.type, "this", "super", "Companion", "INSTANCE"].contains(owner) { return true }
            return !(owner.first?.isUppercase ?? false) && !Self.common.contains(callable.name)
        default: return false
        }
    }
}
