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
    /// What clients are called that are made of what stands at some places, and where each name is one.
    fileprivate func clients(madeAt places: [Int], _ module: SourceModule) -> Names {
        var names = Names()
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
        // Others may ask it for other hosts.
        let isOpen = names.functions.contains { name in
            !name.hasPrefix("_") && !module.others(mentioning: name, than: path, in: language).isEmpty
        }
        return isOpen ? Names() : names
    }

    /// Whether a function says that it gives a client.
    private func gives(_ range: Range<Int>) -> Bool {
        tokens[range].prefix { !$0.isMark("(") }.contains { $0.name?.hasSuffix("Client") ?? false }
    }

    fileprivate func mentions(_ expression: Expression, _ names: Names) -> Bool {
        var found = false
        expression.visit { part in
            if let name = part.finalName, names.hold(name, part.token) { found = true }
            return !found
        }
        return found
    }
}

/// Names with the tokens among which each is meant.
private struct Names {
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
