/// Pins that a table has for each host, from which code takes those of a request.
extension DescribedForms {
    /// `pins = PINS[host]`, `pinsOf(host)`: what the table has for each host.
    static func lookedUp(_ pins: Expression, _ evaluator: Evaluator) -> [FoundPins.Part] {
        var (expression, evaluator) = (pins, evaluator)
        for _ in 0..<6 {
            switch expression.kind {
            case .name(let name):
                let declared = evaluator.tree.blocks.flatMap { $0.declarations[name] ?? [] }
                guard declared.count == 1, let value = declared[0].value else { return [] }
                expression = value
            case .binary(_, let first, _): expression = first
            case .call(let callee, _):
                guard case .name(let name) = callee.kind, let answer = answer(of: name, evaluator) else { return [] }
                (expression, evaluator) = answer
            case .index(let table, _):
                guard case .table(let entries) = evaluator.value(of: table) else { return [] }
                return entries.compactMap { entry in
                    guard let host = entry.key.text, PinText.isHostOrEnd(host), !entry.value.texts.isEmpty else {
                        return nil
                    }
                    return .init(host: host, pins: entry.value.texts, line: entry.line)
                }
            default: return []
            }
        }
        return []
    }

    /// Tables of react-native-ssl-pinning's certificates by their hosts, where no call of this source gives the library any.
    static func handedOut(_ tree: SyntaxTree) -> [SourceReader.Site] {
        guard tree.tokens.contains(where: { $0.plainText == "react-native-ssl-pinning" }),
            !tree.tokens.contains(where: { $0.isName("sslPinning") })
        else { return [] }
        return tree.blocks.flatMap { $0.declarations.values.joined() }.compactMap { declaration in
            let word = declaration.name.lowercased()
            guard declaration.kind == .value, word.contains("cert") || word.contains("pin"),
                let table = declaration.value, case .table = table.kind
            else { return nil }
            let guards = tree.guards(givingOut: declaration.name)
            let begins = guards.map { tree.beginning(of: $0) }.joined()
            var site = SourceReader.Site(form: .reactNativeFetch, line: table.line, token: table.token) { evaluator in
                guard case .table(let entries) = evaluator.value(of: table) else {
                    evaluator.choices.isAbsent = true
                    return .described(hosts: [], pins: [], what: "")
                }
                let parts = entries.compactMap { entry -> FoundPins.Part? in
                    guard let host = entry.key.text, PinText.isHostOrEnd(host), !entry.value.texts.isEmpty else {
                        return nil
                    }
                    return .init(host: host, pins: entry.value.texts, line: entry.line)
                }
                // Digests are listed by themselves.
                let areNames = !parts.contains { $0.pins.contains(where: PinText.isDigest) }
                if parts.isEmpty || parts.count < entries.count || !areNames { evaluator.choices.isAbsent = true }
                return .described(
                    hosts: parts.compactMap(\.host),
                    pins: parts.flatMap(\.pins).uniqued,
                    what:
                        "names of certificates for each host; what gives them to the library is not told by this source"
                        + begins,
                    known: parts
                )
            }
            site.conditions = guards
            return site
        }
    }

    /// What the only function by a name answers, here or in another source of the module.
    private static func answer(of name: String, _ evaluator: Evaluator) -> (Expression, Evaluator)? {
        func functions(_ tree: SyntaxTree) -> [Declaration] {
            tree.blocks.flatMap { $0.declarations[name] ?? [] }
                .filter { declaration in
                    if case .closure? = declaration.value?.kind { return true }
                    return declaration.kind == .function
                }
        }
        var found = functions(evaluator.tree).map { ($0, evaluator) }
        if found.isEmpty {
            let (module, tree) = (evaluator.module, evaluator.tree)
            for file in module.others(mentioning: name, than: tree.path, in: tree.language).prefix(20) {
                let other = evaluator.within(module.tree(of: file))
                found += functions(other.tree).map { ($0, other) }
            }
        }
        guard found.count == 1, let (function, evaluator) = found.first else { return nil }
        let body: Int?
        if case .closure(let closure)? = function.value?.kind {
            body = closure.block
        } else if let value = function.value {
            return (value, evaluator)
        } else {
            body = function.body
        }
        guard let body, let last = evaluator.tree.blocks[body].statements.last else { return nil }
        switch last.kind {
        case .returning(let value?), .expression(let value): return (value, evaluator)
        default: return nil
        }
    }
}
