/// What an initialiser of Swift is given, by the places of the module where objects are made.
extension Evaluator {
    private static let mostCalls = 8

    /// The value of an initialiser's parameter, where all that make such an object give it the same; `nil` else.
    ///
    /// A flag is for whoever makes the next one.
    func initialised(_ parameter: Declaration) -> Value? {
        guard tree.language == .swift, depth < 14, choices.step(),
            case .function("init") = tree.blocks[parameter.block].owner,
            let parent = tree.blocks[parameter.block].parent, case .type(let type) = tree.blocks[parent].owner,
            let own = tree.blocks[parent].declarations["init"]?.first(where: { $0.body == parameter.block }),
            let declared = own.parameters.first(where: { $0.name == parameter.name }),
            let calls = calls(of: own, type), calls.count <= Self.mostCalls
        else { return nil }
        let values = calls.map { call -> Value? in
            var caller = within(call.tree)
            caller.bindings = [:]
            caller.depth += 1
            return caller.bind(call.arguments, to: own.parameters, call.expression.line, usual: self)[parameter.name]
        }
        let value = calls.isEmpty ? declared.usual.map { self.value(of: $0) } : values[0]
        guard let value, values.allSatisfy({ $0 == value }), value.firstUnknown == nil else { return nil }
        switch value {
        case .flag, .nothing: return nil
        default: return value
        }
    }

    /// The calls of one initialiser; `nil` where some may be of another, or a type is made from this one.
    private func calls(of own: Declaration, _ type: String) -> [SourceModule.Call]? {
        guard let found = module.calls(of: type, for: tree) else { return nil }
        let others = module.others(mentioning: type, than: tree.path, in: .swift).prefix(100).map(module.tree(of:))
        var calls = found.filter { own.fits($0.arguments) }
        for tree in [tree] + others {
            for block in tree.blocks {
                for declaration in block.declarations.values.joined() where declaration.kind == .type {
                    if declaration.name != type, declaration.supers.contains(type) { return nil }
                }
                guard block.owner == .type(type) else { continue }
                let fitting = (block.declarations["init"] ?? []).filter { other in
                    let isOwn = other.body == own.body && tree.path == self.tree.path
                    return !isOwn && calls.contains { other.fits($0.arguments) }
                }
                if !fitting.isEmpty { return nil }
            }
            for (call, _, arguments) in tree.calls(["init"]) where own.fits(arguments) {
                guard case .call(let callee, _) = call.kind, case .member(let base, _) = callee.kind,
                    let name = base.finalName
                else {
                    // `.init(pins: …)` may make one.
                    if arguments.contains(where: { $0.label != nil }) { return nil }
                    continue
                }
                guard name == type || name == "self" && tree.type(around: call.block) == type else { continue }
                calls.append(.init(tree: tree, expression: call, arguments: arguments))
            }
        }
        return calls
    }
}

extension Declaration {
    /// Whether a function gives it its value.
    var isComputed: Bool { if case .call? = value?.kind { true } else { body != nil } }

    /// Whether arguments are those of its parameters by their labels, in their order.
    fileprivate func fits(_ arguments: [Expression.Argument]) -> Bool {
        var rest = arguments[...]
        for parameter in parameters {
            let label = parameter.label == "_" ? nil : parameter.label ?? parameter.name
            if let next = rest.first, next.label == label {
                rest = rest.dropFirst()
                if parameter.isVariadic { rest = rest.drop { $0.label == nil } }
            } else if parameter.usual == nil {
                // What stands behind the brackets has no label.
                guard let next = rest.first, next.label == nil, case .closure = next.value.kind else { return false }
                rest = rest.dropFirst()
            }
        }
        return rest.isEmpty
    }
}

extension SyntaxTree {
    var isOfApple: Bool { language == .swift || language == .objectiveC }

    private func outer(_ block: Int) -> [Int] { Array(sequence(first: block) { self.blocks[$0].parent }) }

    /// The types in which a block stands.
    func types(around block: Int) -> [Block.Owner] {
        outer(block).map { blocks[$0].owner }.filter { if case .type = $0 { true } else { false } }
    }

    fileprivate func type(around block: Int) -> String? {
        types(around: block).lazy.compactMap { if case .type(let name) = $0 { name } else { nil } }.first
    }
}
