/// What is made, and used by nothing.
extension SyntaxTree {
    /// Whether what is made at a token is the value of a variable that nothing uses, or stands in a function that nothing
    /// calls, and no other source sees it.
    func isUnused(whatHolds token: Int) -> Bool {
        if let function = functions(around: token).last, !function.isShared, isPrivate(function),
            !isAnnotated(function.tokens.lowerBound),
            tokens.indices.allSatisfy({ function.tokens.contains($0) || !tokens[$0].names.contains(function.name) })
        {
            return true
        }
        guard let place = innermost(around: token), let (block, statement, declaration) = variable(around: place),
            !blocks[block].owner.isShared || isPrivate(statement), let value = made(by: declaration),
            isMade(value, token)
        else { return false }
        let own = statement.tokens
        return tokens.indices.allSatisfy { place in
            own.contains(place) || !tokens[place].names.contains(declaration.name) || isAlone(place)
        }
    }

    /// The name of a property that holds what is made at a token and that nothing in the source uses, which makes clients of its
    /// own; `nil` of any other.
    func keptFromClients(whatHolds token: Int, _ takers: Set<String>) -> String? {
        guard language == .kotlin || language == .java, calls(takers).allSatisfy({ $0.name == "CertificatePinner" }),
            makesClients, let place = innermost(around: token),
            let (block, statement, declaration) = variable(around: place), blocks[block].owner.isShared,
            let value = made(by: declaration), isMade(value, token),
            !isAnnotated(statement.tokens.lowerBound),
            tokens.indices.allSatisfy({ place in
                statement.tokens.contains(place) || !tokens[place].names.contains(declaration.name) || isAlone(place)
            })
        else { return nil }
        return declaration.name
    }

    /// `Retrofit.Builder()`, `OkHttpClient.Builder()`, `OkHttpClient()`
    private var makesClients: Bool {
        calls(["Builder", "OkHttpClient"]).contains { call, name, _ in
            if name == "OkHttpClient" { return true }
            guard case .call(let callee, _) = call.kind, case .member(let base, _) = callee.kind else { return false }
            return base.finalName == "Retrofit" || base.finalName == "OkHttpClient"
        }
    }

    /// Whether a container gives what is made at a token by a name alone, for which nothing in this source asks, and its clients
    /// are given others.
    func isNamedInVain(_ token: Int, _ takers: Set<String>) -> Bool {
        guard calls(takers).contains(where: { $0.name != "CertificatePinner" && !$0.arguments.isEmpty }) else {
            return false
        }
        let named = calls(["named"]).compactMap { $0.arguments.first?.value.words }
        // Koin's `single(named("other")) { … }`
        for (_, _, given) in calls(["single", "factory", "scoped"]) {
            guard given.count == 2, case .closure(let closure) = given[1].value.kind,
                case .call(let callee, let names) = given[0].value.kind, callee.names("named"), names.count == 1,
                case .expression(let value)? = blocks[closure.block].statements.last?.kind, value.token == token
            else { continue }
            return named.count { $0 == names[0].value.words } == 1
        }
        // Dagger's `@Provides @Named("other")`
        guard let function = functions(around: token).last, let name = name(before: function.tokens.lowerBound) else {
            return false
        }
        return tokens.indices.count { self.name(at: $0) == name } == 1
    }

    /// The text of the `@Named("other")` before a function, among its other annotations.
    private func name(before place: Int) -> String? {
        for next in stride(from: min(place + 8, tokens.count - 1), through: max(0, place - 14), by: -1) {
            if next < place, ["{", "}", ";"].contains(where: tokens[next].isMark) { return nil }
            if let name = name(at: next) { return name }
        }
        return nil
    }

    private func name(at place: Int) -> String? {
        guard tokens[place].isName("Named"), place + 2 < tokens.count, tokens[place + 1].isMark("(") else { return nil }
        return tokens[place + 2].plainText ?? tokens[place + 2].name
    }

    func isPrivate(_ function: Holder) -> Bool {
        tokens[function.tokens.clamped(to: 0..<tokens.count)].prefix(6).contains { $0.isName("private") }
    }

    /// Whether a word with `@` stands before a declaration, by which others may call it.
    func isAnnotated(_ place: Int) -> Bool {
        for token in tokens[..<(min(place + 2, tokens.count))].suffix(14).reversed() {
            if token.isMark("{") || token.isMark("}") || token.isMark(";") { return false }
            if token.isMark("@") { return true }
        }
        return false
    }

    /// Whether a container's pinner is given to functions that do nothing with it, and to no client.
    func isInjectedInVain(_ takers: Set<String>) -> Bool {
        guard tokens.indices.count(where: { isProvider($0) }) == 1,
            calls(takers).allSatisfy({ $0.name == "CertificatePinner" })
        else { return false }
        return tokens.indices.contains { place in
            guard tokens[place].isName("CertificatePinner"), place > 1, place + 1 < tokens.count,
                let name = (tokens[place - 1].isMark(":") ? tokens[place - 2] : tokens[place + 1]).name,
                isParameter(place, name), let function = function(around: place)
            else { return false }
            return tokens[function].count { $0.names.contains(name) } == 1
        }
    }

    /// The variable around a statement of a closure that makes its value, or that the statement declares.
    private func variable(around place: Around) -> (block: Int, statement: Statement, declaration: Declaration)? {
        var best: (block: Int, statement: Statement, declaration: Declaration)?
        for (number, block) in blocks.enumerated() {
            for statement in block.statements
            where statement.tokens.contains(place.statement.tokens.lowerBound)
                && statement.tokens.count < best?.statement.tokens.count ?? .max
            {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .value else { continue }
                best = (number, statement, declaration)
            }
        }
        return best
    }

    /// The value of a variable, or what makes it `by lazy`.
    private func made(by declaration: Declaration) -> Expression? {
        if let value = declaration.value { return value }
        guard let body = declaration.body, case .expression(let made)? = blocks[body].statements.last?.kind else {
            return nil
        }
        return made
    }

    /// Whether a value is what a chain of calls makes that begins at a token, at once or in a closure of `lazy`.
    private func isMade(_ value: Expression, _ token: Int) -> Bool {
        if value.token == token { return true }
        guard case .call(let callee, let arguments) = value.kind, callee.names("lazy"),
            case .closure(let closure)? = arguments.last?.value.kind,
            case .expression(let made)? = blocks[closure.block].statements.last?.kind
        else { return false }
        return isMade(made, token)
    }

    /// A name that is a statement by itself, and whose value nothing takes.
    private func isAlone(_ place: Int) -> Bool {
        blocks.contains { block in
            block.statements.dropLast().contains { $0.tokens == place..<(place + 1) }
        }
    }
}

extension SyntaxTree.Condition {
    static let unused: Self = {
        var never = Choices.never
        never.words = "that nothing in this source uses"
        return Self(choice: never)
    }()
}
