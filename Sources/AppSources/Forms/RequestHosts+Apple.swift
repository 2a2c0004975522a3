/// Which host a session of Apple's is asked for whose delegate compares, where the source says nothing of others.
extension RequestHosts {
    static func ofApple(_ group: CodeGroup, _ evaluator: Evaluator) -> [String] {
        let tree = evaluator.tree
        if group.tokens.contains(where: { tree.tokens[$0].name?.hasPrefix("didReceiveTrust") ?? false }) {
            return ofSocket(evaluator)
        }
        let types = Set(group.ranges.compactMap { tree.type(around: $0.lowerBound)?.name })
        let sessions = tree.sessions(delegatingTo: types)
        guard sessions.count == 1, let session = tree.holder(ofSession: sessions[0].call),
            isOfThis(sessions[0].type, evaluator.module, tree), isOfThis(session, evaluator.module, tree)
        else { return [] }
        var hosts: [String] = []
        for address in tree.addresses(askedOf: session) ?? [] {
            guard let host = host(of: address, evaluator) else { return [] }
            hosts.append(host)
        }
        hosts = hosts.uniqued
        return hosts.count == 1 ? hosts : []
    }

    /// The only host that the sockets of a source are told to connect to: `[socket connectToHost:@"api.acme.example" onPort:443 error:nil]`.
    private static func ofSocket(_ evaluator: Evaluator) -> [String] {
        var hosts: [String?] = []
        evaluator.tree.visit { expression, _ in
            guard case .call(let callee, let arguments) = expression.kind, let first = arguments.first,
                callee.finalName?.hasPrefix("connectToHost:") ?? false || first.label == "toHost"
            else { return true }
            hosts.append(evaluator.value(of: first.value).text)
            return true
        }
        let known = hosts.compactMap { $0 }.filter { PinText.isHost($0) || PinText.isAddress($0) }
        return known.count == hosts.count && Set(known).count == 1 ? [known[0]] : []
    }

    /// Whether no other source makes a delegate of a type for a session.
    private static func isOfThis(_ type: String, _ module: SourceModule, _ tree: SyntaxTree) -> Bool {
        let others = module.others(mentioning: type, than: tree.path, in: tree.language)
        return others.count < 20 && others.allSatisfy { module.tree(of: $0).sessions(delegatingTo: [type]).isEmpty }
    }

    /// Whether no other source may ask a session.
    private static func isOfThis(_ session: SyntaxTree.Session, _ module: SourceModule, _ tree: SyntaxTree) -> Bool {
        session.isPrivate || module.others(mentioning: session.name, than: tree.path, in: tree.language).isEmpty
    }

    /// The host of a URL or a request, whatever else is set of it.
    private static func host(of address: Expression, _ evaluator: Evaluator, depth: Int = 0) -> String? {
        var evaluator = evaluator
        evaluator.keepsBeginnings = true
        let found = evaluator.value(of: address).texts.filter { $0.contains("://") }
        if found.count == 1 { return evaluator.host(of: found[0])?.text }
        guard found.isEmpty, depth < 4 else { return nil }
        switch address.kind {
        case .name(let name):
            let tree = evaluator.tree
            guard let block = tree.block(declaring: name, from: address.block),
                let declared = tree.blocks[block].declarations[name], declared.count == 1, declared[0].kind == .value,
                let value = declared[0].value, !tree.isGivenAnotherAddress(name)
            else { return nil }
            return host(of: value, evaluator, depth: depth + 1)
        case .call(_, let arguments):
            // `URLRequest(url: url)`, `[NSURLRequest requestWithURL:url]`, `URL(string: text)`
            guard let first = arguments.first else { return nil }
            return host(of: first.value, evaluator, depth: depth + 1)
        case .prefix(_, let value): return host(of: value, evaluator, depth: depth + 1)
        default: return nil
        }
    }
}

extension SyntaxTree {
    struct Session {
        var name: String
        var isPrivate: Bool
        /// Where its name is seen.
        var scope: [Range<Int>]
    }

    /// The type around a token, and all that the source says of it.
    fileprivate func type(around token: Int) -> (name: String, tokens: [Range<Int>])? {
        if language == .objectiveC {
            guard let start = tokens.indices.prefix(token).last(where: { tokens[$0].isName("implementation") }),
                start + 1 < tokens.count, let name = tokens[start + 1].name
            else { return nil }
            return (name, [start..<(tokens[start...].firstIndex { $0.isName("end") } ?? tokens.count)])
        }
        guard let name = typeName(atToken: token) else { return nil }
        let bodies = blocks.flatMap(\.statements).filter { statement in
            guard case .declaration(let declaration) = statement.kind else { return false }
            return declaration.kind == .type && declaration.name == name
        }
        return (name, bodies.map(\.tokens))
    }

    /// Where sessions are made whose delegate is an object of one of some types: itself, or one that is made for it.
    fileprivate func sessions(delegatingTo types: Set<String>) -> [(call: Expression, type: String)] {
        var found: [(Expression, String)] = []
        visit { expression, _ in
            guard case .call(let callee, let arguments) = expression.kind, let name = callee.finalName else {
                return true
            }
            let given: Expression?
            if name.hasPrefix("sessionWithConfiguration:delegate:"), arguments.count > 1 {
                given = arguments[1].value
            } else if name == "URLSession" {
                given = arguments.first { $0.label == "delegate" }?.value
            } else {
                return true
            }
            guard let given else { return true }
            var word = given.names("self") ? type(around: expression.token)?.name : typeMade(by: given)
            if word == nil, case .name(let name) = given.kind {
                let declared = blocks.flatMap { $0.declarations[name] ?? [] }.compactMap(\.value)
                word = declared.lazy.compactMap { self.typeMade(by: $0) }.first
            }
            if let word, types.contains(word) { found.append((expression, word)) }
            return true
        }
        return found
    }

    /// `Delegate()`, `[[Delegate alloc] init]`, `[Delegate new]`
    private func typeMade(by expression: Expression) -> String? {
        guard case .call(let callee, _) = expression.kind else { return nil }
        switch callee.kind {
        case .name(let name): return name
        case .member(let base, "new"): return base.finalName
        case .member(let base, let maker) where maker.hasPrefix("init"):
            guard case .call(let callee, _) = base.kind, case .member(let type, "alloc") = callee.kind else {
                return base.finalName
            }
            return type.finalName
        default: return nil
        }
    }

    /// The variable that a session is given to, and nothing else.
    fileprivate func holder(ofSession call: Expression) -> Session? {
        var best: (statement: Statement, block: Int)?
        for (number, block) in blocks.enumerated() {
            for statement in block.statements where statement.tokens.contains(call.token) {
                switch statement.kind {
                case .declaration(let declaration) where declaration.kind == .value: break
                case .assignment(_, "=", let value) where value.token == call.token: break
                default: continue
                }
                if statement.tokens.count < best?.statement.tokens.count ?? .max { best = (statement, number) }
            }
        }
        guard let best else { return nil }
        let isLocal = !blocks[best.block].isOutside
        let own = type(around: call.token)?.tokens ?? [0..<tokens.count]
        switch best.statement.kind {
        case .declaration(let declaration):
            let scope = isLocal ? function(around: call.token).map { [$0] } ?? own : own
            return Session(name: declaration.name, isPrivate: isLocal || isPrivate(best.statement), scope: scope)
        case .assignment(let target, _, _):
            guard var name = target.finalName else { return nil }
            if language == .objectiveC, name.hasPrefix("_") { name.removeFirst() }
            let isOwn = blocks.contains { block in
                block.statements.contains { statement in
                    guard case .declaration(let declaration) = statement.kind else { return false }
                    return declaration.name == name && (isPrivate(statement) || !block.isOutside)
                }
            }
            return Session(name: name, isPrivate: isOwn, scope: own)
        default: return nil
        }
    }

    private static let requests = [
        "dataTask", "downloadTask", "uploadTask", "webSocketTask", "data", "bytes", "download", "upload",
    ]
    private static let others = [
        "finishTasksAndInvalidate", "invalidateAndCancel", "getAllTasks", "getTasks", "flush", "reset",
        "configuration", "delegateQueue", "sessionDescription",
    ]

    /// What a session is asked for; `nil` where it is handed on.
    fileprivate func addresses(askedOf session: Session) -> [Expression]? {
        let names = [session.name, "_" + session.name]
        var found: [Expression] = []
        var known: Set<Int> = []
        visit { expression, _ in
            guard case .call(let callee, let arguments) = expression.kind,
                case .member(let base, let name) = callee.kind,
                let asked = base.finalName, names.contains(asked),
                session.scope.contains(where: { $0.contains(base.token) })
            else { return true }
            if Self.requests.contains(where: name.hasPrefix), let first = arguments.first {
                found.append(first.value)
                known.insert(tokenOfName(base))
            } else if Self.others.contains(where: name.hasPrefix) {
                known.insert(tokenOfName(base))
            }
            return true
        }
        // What a delegate is told which session asks.
        let ofDelegates = blocks.flatMap(\.statements).filter { statement in
            guard case .declaration(let declaration) = statement.kind, declaration.kind == .function else {
                return false
            }
            return declaration.parameters.contains { $0.name == session.name }
        }
        .map(\.tokens)
        let isHandedOn = session.scope.joined().contains { place in
            guard names.contains(where: tokens[place].isName), !known.contains(place),
                !ofDelegates.contains(where: { $0.contains(place) }), place + 1 < tokens.count
            else { return false }
            if place > 0,
                ["let", "var", "*", "nonnull", "strong"].contains(where: {
                    tokens[place - 1].isName($0) || tokens[place - 1].isMark($0)
                })
            {
                return false
            }
            return !["=", ":"].contains(where: tokens[place + 1].isMark)
        }
        return isHandedOn ? nil : found
    }

    /// The token of the last part of a name.
    private func tokenOfName(_ expression: Expression) -> Int {
        guard case .member(_, let name) = expression.kind else { return expression.token }
        return tokens[expression.token...].prefix(6).firstIndex { $0.isName(name) } ?? expression.token
    }

    /// `request.url = other`
    fileprivate func isGivenAnotherAddress(_ name: String) -> Bool {
        tokens.indices.dropLast(3).contains { place in
            tokens[place].isName(name) && tokens[place + 1].isMark(".")
                && ["url", "URL"].contains(where: tokens[place + 2].isName) && tokens[place + 3].isMark("=")
                || tokens[place].isName(name) && tokens[place + 1].isName("setURL")
        }
    }
}
