/// Which host code connects to that looks at a server's certificate, where it names one host alone.
enum RequestHosts {
    private static let requests: Set<String> = [
        "get", "request", "connect", "fetch", "post", "put", "create", "extend", "axios", "got", "WebSocket",
    ]
    private static let keys: Set<String> = ["host", "hostname", "servername", "baseURL", "prefixUrl", "url"]

    static func named(in group: CodeGroup, _ evaluator: Evaluator) -> [String] {
        let tree = evaluator.tree
        if tree.language == .dart {
            let connected = ofSockets(group, evaluator)
            if !connected.isEmpty { return connected }
            guard let address = tree.address(ofClientAt: group.evidence) else { return ofDart(group, evaluator) }
            var evaluator = evaluator
            evaluator.keepsBeginnings = true
            return evaluator.value(of: address).text.flatMap { evaluator.host(of: $0)?.text }.map { [$0] } ?? []
        }
        if tree.language == .cSharp { return ofDotNet(group, evaluator) }
        if tree.language == .kotlin || tree.language == .java { return ofJava(group, evaluator) }
        if tree.isOfApple { return ofApple(group, evaluator) }
        guard tree.language == .script else { return [] }
        var evaluator = evaluator
        evaluator.keepsBeginnings = true
        // What the build may give in the place of a host is told beside it.
        evaluator.isGathering = true
        var hosts: [String] = []
        func take(_ value: Value) {
            guard let text = value.text else { return }
            let host = evaluator.host(of: text)?.text ?? text
            if PinText.isHost(host) || PinText.isAddress(host) || host == "localhost" { hosts.append(host) }
        }
        let made = requests(named: Set(group.tokens.compactMap { tree.tokens[$0].name }), in: tree)
            .union(requests(given: group, in: tree))
        for (call, name, arguments) in tree.calls(requests)
        where group.holds(call.token) || made.contains(call.token) {
            // `request(url, …)`, `request({ hostname: … }, …)`, `connect(443, host)`
            for argument in arguments.prefix(name == "connect" ? 3 : 1) {
                switch evaluator.value(of: argument.value) {
                case .table(let entries):
                    for entry in entries where entry.key.text.map(keys.contains) ?? false { take(entry.value) }
                case .object(_, let fields):
                    for field in fields.sorted(by: { $0.key < $1.key }) where keys.contains(field.key) {
                        take(field.value)
                    }
                case .text(let text) where text.contains("://") || name == "connect": take(.text(text))
                default: break
                }
            }
        }
        hosts = hosts.uniqued
        return hosts.count == 1 ? hosts : []
    }

    /// What is said of hosts of scripts in whose place the build may give another: `process.env.HOST || 'api.acme.example'`.
    static func replaced(_ hosts: [String], _ evaluator: Evaluator) -> String {
        guard evaluator.tree.language == .script else { return "" }
        var gathering = evaluator
        gathering.isGathering = true
        return evaluator.tree.blocks.flatMap { $0.declarations.values.joined() }.sorted { $0.line < $1.line }
            .compactMap { declaration in
                guard declaration.kind == .value, let text = gathering.value(of: declaration).text,
                    let host = gathering.host(of: text)?.text ?? (PinText.isHostOrEnd(text) ? text : nil),
                    hosts.contains(host), let given = evaluator.replacement(of: declaration)
                else { return nil }
                return "; where the build gives '\(given)', that stands in the place of \(host)"
            }
            .joined()
    }

    /// Where calls stand that are given a client made of what the code is a part of:
    /// `get(url, { httpsAgent: agent })`, where the agent is made of options with it.
    private static func requests(given group: CodeGroup, in tree: SyntaxTree) -> Set<Int> {
        let statements = tree.blocks.flatMap(\.statements)
        func mentions(_ range: Range<Int>, _ names: Set<String>) -> Bool {
            range.clamped(to: 0..<tree.tokens.count).contains { tree.tokens[$0].name.map(names.contains) ?? false }
        }
        var names: Set<String> = []
        for round in 0..<3 {
            for statement in statements {
                guard case .declaration(let declaration) = statement.kind else { continue }
                if declaration.kind == .type {
                    // `class PinnedAgent extends https.Agent`, of which a client is given one.
                    let isAgent = declaration.supers.contains { $0.hasSuffix("Agent") }
                    let isIt =
                        round == 0
                        ? statement.tokens.contains(group.evidence) : mentions(statement.tokens, names)
                    if isAgent, isIt { names.insert(declaration.name) }
                    continue
                }
                // The function that compares, by the name that a client is given.
                let isFunction = declaration.value.map { if case .closure = $0.kind { true } else { false } } ?? true
                if isFunction, round > 0 { continue }
                let isIt = round == 0 ? statement.tokens.contains(group.evidence) : mentions(statement.tokens, names)
                if isIt { names.insert(declaration.name) }
            }
        }
        guard !names.isEmpty else { return [] }
        var places: Set<Int> = []
        for (call, _, arguments) in tree.calls(requests.union(["delete", "patch"])) {
            var isGiven = false
            for argument in arguments {
                argument.value.visit { part in
                    if case .name(let name) = part.kind, names.contains(name) { isGiven = true }
                    return !isGiven
                }
            }
            if isGiven { places.insert(call.token) }
        }
        return places
    }

    /// Where calls stand that constants of these names are made by.
    private static func requests(named names: Set<String>, in tree: SyntaxTree) -> Set<Int> {
        var places: Set<Int> = []
        for block in tree.blocks {
            for (name, declarations) in block.declarations where names.contains(name) {
                for declaration in declarations where declaration.kind == .value {
                    if let value = declaration.value, case .call = value.kind { places.insert(value.token) }
                }
            }
        }
        return places
    }
}

extension SyntaxTree {
    /// The `baseUrl` that dio is given whose interceptor or adapter stands at a place: that of the same statement, that of the
    /// variable by the same name, or the only one of the source; `nil` where there is none, or another is possible.
    func address(ofClientAt token: Int) -> Expression? {
        guard language == .dart else { return nil }
        var found: [Expression] = calls(["BaseOptions"]).compactMap { _, _, arguments in
            arguments.first { $0.label == "baseUrl" }?.value
        }
        for block in blocks {
            for statement in block.statements {
                guard case .assignment(let target, "=", let value) = statement.kind,
                    case .member(let base, "baseUrl") = target.kind, base.finalName == "options"
                else { continue }
                found.append(value)
            }
        }
        let statements = blocks.flatMap(\.statements)
        let around = statements.filter { $0.tokens.contains(token) && !$0.isFunctionOrType }
            .min { $0.tokens.count < $1.tokens.count }
        let beside = found.filter { around?.tokens.contains($0.token) ?? false }
        if beside.count == 1 { return beside[0] }
        let places =
            tokens[max(0, token - 12)..<token].indices.filter { tokens[$0].isName("interceptors") }
            + statements.compactMap { statement in
                // What an adapter is set to.
                guard statement.tokens.contains(token), case .assignment = statement.kind else { return nil }
                return statement.tokens.prefix(12).first { tokens[$0].isName("httpClientAdapter") }
            }
        guard let place = places.last, place > 1, tokens[place - 1].isMark("."), let name = tokens[place - 2].name
        else { return found.count == 1 ? found[0] : nil }
        // `dio.options.baseUrl = …` in the same block or around it
        let assigned = blocks.flatMap { block -> [Expression] in
            guard block.statements.contains(where: { $0.tokens.contains(token) }) else { return [] }
            return block.statements.compactMap { statement in
                guard case .assignment(let target, "=", let value) = statement.kind,
                    case .member(let base, "baseUrl") = target.kind, case .member(let client, "options") = base.kind,
                    client.finalName == name
                else { return nil }
                return value
            }
        }
        if assigned.count == 1, addresses(of: name) == 1 { return assigned[0] }
        let named = statements.filter { statement in
            switch statement.kind {
            case .declaration(let declaration): declaration.kind == .value && declaration.name == name
            case .assignment(let target, "=", _): target.finalName == name
            default: false
            }
        }
        let own = found.filter { address in named.contains { $0.tokens.contains(address.token) } }
        // Set again later, or a parameter that hides the variable.
        guard addresses(of: name) <= own.count || own.isEmpty, own.isEmpty || handing(name, at: token).isEmpty else {
            return nil
        }
        if own.count == 1 || found.count != 1 { return own.count == 1 ? own[0] : nil }
        // The only one, unless a function is given another by other sources.
        return handing(name, at: token).allSatisfy(isCalled) ? found[0] : nil
    }
}

extension SyntaxTree {
    /// The line on which a client of dio is rid of its interceptors, behind the place where it is given one.
    func clearing(behind token: Int) -> Int? {
        let around = blocks.flatMap(\.statements).filter { statement in
            guard statement.tokens.contains(token), case .declaration(let declaration) = statement.kind else {
                return false
            }
            return declaration.kind == .function
        }
        .map(\.tokens).min { $0.count < $1.count }
        guard let around else { return nil }
        let place = (token..<around.upperBound).first { place in
            place + 2 < tokens.count && tokens[place].isName("interceptors") && tokens[place + 1].isMark(".")
                && ["clear", "removeWhere", "removeLast", "removeRange"].contains(where: tokens[place + 2].isName)
        }
        return place.map { tokens[$0].line }
    }

    /// The functions around a place that have a parameter of this name.
    private func handing(_ name: String, at token: Int) -> [Declaration] {
        blocks.flatMap(\.statements).compactMap { statement in
            guard statement.tokens.contains(token), case .declaration(let declaration) = statement.kind,
                declaration.kind == .function, declaration.parameters.contains(where: { $0.name == name })
            else { return nil }
            return declaration
        }
    }

    /// How often a client's address is said: where it is made, and by `name.options.baseUrl = …`.
    private func addresses(of name: String) -> Int {
        let again = tokens.indices.dropFirst(2).count { place in
            tokens[place].isName("options") && tokens[place - 1].isMark(".") && tokens[place - 2].isName(name)
                && place + 1 < tokens.count
                && (tokens[place + 1].isMark("=")
                    || place + 3 < tokens.count && tokens[place + 2].isName("baseUrl") && tokens[place + 3].isMark("="))
        }
        return again
            + calls(["BaseOptions"]).count { call, _, arguments in
                arguments.contains { $0.label == "baseUrl" }
                    && blocks.flatMap(\.statements).contains { statement in
                        guard statement.tokens.contains(call.token), !statement.isFunctionOrType else { return false }
                        switch statement.kind {
                        case .declaration(let declaration):
                            return declaration.kind == .value && declaration.name == name
                        case .assignment(let target, "=", _): return target.finalName == name
                        default: return false
                        }
                    }
            }
    }

    private func isCalled(_ declaration: Declaration) -> Bool {
        !calls([declaration.name]).isEmpty
    }
}

extension Statement {
    var isFunctionOrType: Bool {
        guard case .declaration(let declaration) = kind else { return false }
        return declaration.kind == .function || declaration.kind == .type
    }
}
