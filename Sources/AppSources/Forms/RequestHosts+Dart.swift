/// Which host a client of dart:io is asked for, where that is one alone.
extension RequestHosts {
    private static let asking: Set<String> = [
        "getUrl", "postUrl", "putUrl", "patchUrl", "deleteUrl", "headUrl", "get", "post", "put", "patch", "delete",
        "head",
        "read", "readBytes",
    ]

    /// The host of all requests that are made with what a group's code makes; none where one of them is not told.
    static func ofDart(_ group: CodeGroup, _ evaluator: Evaluator) -> [String] {
        let tree = evaluator.tree
        let names = tree.clients(madeAt: [group.evidence] + ComparisonForm.callbacks(of: group, tree), evaluator.module)
        guard !names.isEmpty else { return [] }
        var evaluator = evaluator
        evaluator.keepsBeginnings = true
        var hosts: [String] = []
        for (call, _, arguments) in tree.calls(asking) {
            guard case .call(let callee, _) = call.kind, case .member(let base, _) = callee.kind,
                tree.mentions(base, names), let address = arguments.first?.value
            else { continue }
            guard let host = host(of: address, evaluator, steps: 3) else { return [] }
            hosts.append(host)
        }
        hosts = hosts.uniqued
        return hosts.count == 1 ? hosts : []
    }

    /// The host that a group's code connects to, where that is one alone: `SecureSocket.connect(uri.host, 443)`.
    static func ofSockets(_ group: CodeGroup, _ evaluator: Evaluator) -> [String] {
        var hosts: [String] = []
        for (call, _, arguments) in evaluator.tree.calls(["connect", "startConnect"]) where group.holds(call.token) {
            guard call.calleePath.contains("SecureSocket"), let address = arguments.first?.value else { continue }
            guard let host = host(connectedTo: address, evaluator, steps: 3) else { return [] }
            hosts.append(host)
        }
        hosts = hosts.uniqued
        return hosts.count == 1 ? hosts : []
    }

    private static func host(connectedTo address: Expression, _ evaluator: Evaluator, steps: Int) -> String? {
        if case .member(let base, "host") = address.kind { return host(of: base, evaluator, steps: steps) }
        if let given = given(address, evaluator, steps: steps) {
            return host(connectedTo: given, evaluator, steps: steps - 1)
        }
        return evaluator.value(of: address).text.flatMap { PinText.isHost($0) ? $0 : nil }
    }

    /// What the only call of a function gives it for a parameter, where no other source calls it.
    private static func given(_ address: Expression, _ evaluator: Evaluator, steps: Int) -> Expression? {
        let (tree, module) = (evaluator.tree, evaluator.module)
        guard steps > 0, case .name(let name) = address.kind,
            let block = tree.block(declaring: name, from: address.block),
            tree.blocks[block].declarations[name]?.allSatisfy({ $0.kind == .parameter }) ?? false,
            let function = tree.blocks.flatMap({ $0.declarations.values.joined() }).first(where: { $0.body == block }),
            let position = function.parameters.firstIndex(where: { $0.name == name }),
            function.name.hasPrefix("_")
                || module.others(mentioning: function.name, than: tree.path, in: tree.language).isEmpty
        else { return nil }
        guard let arguments = tree.arguments(ofOnlyCall: function.name) else { return nil }
        if let named = arguments.first(where: { $0.label == name }) { return named.value }
        guard position < arguments.count, arguments[position].label == nil else { return nil }
        return arguments[position].value
    }

    /// `Uri.parse('https://…')`, `Uri.https('…', path)`, or a constant that is.
    private static func host(of address: Expression, _ evaluator: Evaluator, steps: Int) -> String? {
        switch address.kind {
        case .call(let callee, let arguments):
            guard case .member(let base, let name) = callee.kind, base.names("Uri"), let first = arguments.first?.value
            else { return nil }
            guard let text = evaluator.value(of: first).text else { return nil }
            switch name {
            case "parse": return evaluator.host(of: text)?.text.flatMap { PinText.isHost($0) ? $0 : nil }
            case "https":
                let host = String(text.prefix { $0 != ":" })
                return PinText.isHost(host) ? host : nil
            default: return nil
            }
        case .name(let name) where steps > 0:
            if let given = given(address, evaluator, steps: steps) {
                return host(of: given, evaluator, steps: steps - 1)
            }
            let tree = evaluator.tree
            guard let block = tree.block(declaring: name, from: address.block),
                let found = tree.blocks[block].declarations[name], found.count == 1, found[0].kind == .value,
                tree.changes[name] == nil, let value = found[0].value
            else { return nil }
            return host(of: value, evaluator, steps: steps - 1)
        default: return nil
        }
    }
}

extension SyntaxTree {
    /// What clients are called that are made of what stands at some places; none where others may ask them for more.
    fileprivate func clients(madeAt places: [Int], _ module: SourceModule) -> MadeNames {
        let names = names(madeAt: places)
        let isOpen = names.functions.contains { name in
            !name.hasPrefix("_") && !module.others(mentioning: name, than: path, in: language).isEmpty
        }
        return isOpen ? MadeNames() : names
    }

    /// What is called by which name that is made of what stands at some places, and where each name is that.
    func names(madeAt places: [Int]) -> MadeNames {
        var names = MadeNames()
        for round in 0..<4 {
            for (number, block) in blocks.enumerated() {
                for statement in block.statements {
                    let range = statement.tokens.clamped(to: 0..<tokens.count)
                    guard
                        round == 0
                            ? places.contains(where: range.contains)
                            : range.contains(where: { names.hold(tokens[$0], $0) })
                    else { continue }
                    switch statement.kind {
                    case .declaration(let declaration):
                        // A function that asks for something gives no client.
                        let isIt =
                            declaration.kind == .value || declaration.kind == .function && (round == 0 || gives(range))
                        guard isIt else { continue }
                        names.take(declaration.name, within: block.isOutside ? nil : self.range(of: number))
                        if declaration.kind == .function, block.isOutside { names.functions.insert(declaration.name) }
                    case .assignment(let target, "=", _):
                        if let name = target.finalName { names.take(name, within: nil) }
                    default: break
                    }
                }
            }
        }
        return names
    }

    /// Whether a function says that it gives a client.
    private func gives(_ range: Range<Int>) -> Bool {
        tokens[range].prefix { !$0.isMark("(") }.contains { $0.name?.hasSuffix("Client") ?? false }
    }

    /// What the only call of a function is given, which may be asked by a condition.
    fileprivate func arguments(ofOnlyCall name: String) -> [Expression.Argument]? {
        var found = calls([name]).map(\.arguments)
        for case .branches(let branches, _) in blocks.flatMap(\.statements).map(\.kind) {
            for test in branches.compactMap(\.test) {
                test.visit { part in
                    if case .call(let callee, let arguments) = part.kind, callee.finalName == name {
                        found.append(arguments)
                    }
                    return true
                }
            }
        }
        return found.count == 1 ? found[0] : nil
    }

    func mentions(_ expression: Expression, _ names: MadeNames) -> Bool {
        var found = false
        expression.visit { part in
            if let name = part.finalName, names.hold(name, part.token) { found = true }
            return !found
        }
        return found
    }
}

/// Names with the tokens among which each is meant.
struct MadeNames {
    private var places: [String: [Range<Int>]] = [:]
    /// Those that others can call.
    var functions: Set<String> = []

    var isEmpty: Bool { places.isEmpty }

    mutating func take(_ name: String, within range: Range<Int>?) {
        let range = range ?? 0..<Int.max
        if !places[name, default: []].contains(range) { places[name, default: []].append(range) }
    }

    func hold(_ name: String, _ place: Int) -> Bool { places[name]?.contains { $0.contains(place) } ?? false }

    func hold(_ token: Token, _ place: Int) -> Bool { token.name.map { hold($0, place) } ?? false }
}
