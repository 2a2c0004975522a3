/// What is made for a client, and is given to none.
extension SyntaxTree {
    /// Whether what stands at a token is held by a variable of a function that nothing reads, by a private field that nothing
    /// reads, or is returned to one by a private function: step by step, as `CertificatePinner`, client, field.
    ///
    /// Kotlin and Java alone.
    func goesNowhere(whatHolds token: Int, depth: Int = 0) -> Bool {
        guard language == .kotlin || language == .java, depth < 5 else { return false }
        let around = statements(around: token)
        for (block, statement) in around {
            switch statement.kind {
            case .declaration(let declaration) where declaration.kind == .value:
                return !asks(statement) && goesNowhere(declaration, statement, in: block, depth)
            case .returning:
                guard let function = functions(around: token).last, isPrivate(function) else { return false }
                let calls = tokens.indices.filter { place in
                    tokens[place].names.contains(function.name) && !function.tokens.contains(place)
                }
                return !calls.isEmpty && calls.count < 6
                    && calls.allSatisfy { goesNowhere(whatHolds: $0, depth: depth + 1) }
            // `context.init(null, managers, random)`: what the context becomes.
            case .expression(let value):
                guard case .call(let callee, _) = value.kind, case .member(let base, "init") = callee.kind,
                    case .name(let name) = base.kind, base.token != token,
                    let own = self.block(declaring: name, from: value.block), !blocks[own].owner.isShared,
                    let declared = blocks[own].statements.first(where: { one in
                        if case .declaration(let other) = one.kind { other.name == name } else { false }
                    }), case .declaration(let declaration) = declared.kind,
                    declaration.typeName == "SSLContext" || declaration.value?.words.hasPrefix("SSLContext") ?? false
                else { return false }
                return goesNowhere(declaration, declared, in: own, depth)
            case .assignment, .branches, .loop, .count, .repeated: return false
            case .declaration, .block: continue
            }
        }
        return false
    }

    /// What sends something, whoever reads the answer: `val socket = client.newWebSocket(request, listener)`.
    private static let asking: Set<String> = [
        "newCall", "newWebSocket", "execute", "enqueue", "submit", "send", "sendAsync", "start", "connect", "load",
        "post",
        "get", "put", "delete", "request", "create", "join", "run", "call", "await", "awaitResponse", "fetch", "launch",
    ]

    private func asks(_ statement: Statement) -> Bool {
        let own = statement.tokens.clamped(to: 0..<tokens.count)
        return own.dropLast().contains { place in
            tokens[place + 1].isMark("(") && tokens[place].name.map(Self.asking.contains) ?? false
        }
    }

    /// Lombok gives a class what reads its private fields.
    private var hasGetters: Bool {
        tokens.indices.dropLast().contains { place in
            tokens[place].isMark("@") && ["Getter", "Data", "Value"].contains(where: tokens[place + 1].isName)
        }
    }

    /// The statements around a token, the innermost first, up to its function: those of an object that is made in one are none.
    private func statements(around token: Int) -> [(block: Int, statement: Statement)] {
        blocks.indices.compactMap { block in
            blocks[block].statements.first { $0.tokens.contains(token) }.map { (block, $0) }
        }
        .filter { _, statement in
            // A function or a type around it is no statement about it.
            if case .declaration(let declaration) = statement.kind { declaration.kind == .value } else { true }
        }
        .sorted { $0.statement.tokens.count < $1.statement.tokens.count }
    }

    private func goesNowhere(_ declaration: Declaration, _ statement: Statement, in block: Int, _ depth: Int) -> Bool {
        let isField = blocks[block].owner.isShared
        guard declaration.value != nil, !isField || isPrivate(statement) && !hasGetters else { return false }
        let uses = tokens.indices.filter { place in
            tokens[place].names.contains(declaration.name) && !statement.tokens.contains(place)
        }
        // What a field has, a container or another object may ask for where any word has its name.
        guard !isField else { return uses.isEmpty && !isAnnotated(statement.tokens.lowerBound) }
        guard let own = function(around: statement.tokens.lowerBound) else { return false }
        return uses.filter(own.contains).allSatisfy { use in
            // `context.init(…)` itself makes nothing of it.
            if use + 2 < tokens.count, tokens[use + 1].isMark("."), tokens[use + 2].isName("init") { return true }
            return goesNowhere(whatHolds: use, depth: depth + 1)
        }
    }
}
