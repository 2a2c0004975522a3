/// Builders and clients of OkHttp that are given a pinner, and that no request is made with.
extension SyntaxTree {
    /// `client.newBuilder().certificatePinner(other)`, of the client.
    func isGivenAnother(_ place: Int) -> Bool {
        guard place + 2 < tokens.count, tokens[place + 1].isMark("."), tokens[place + 2].isName("newBuilder") else {
            return false
        }
        return calls(["certificatePinner"]).contains { call, _, arguments in
            call.base.token == place && !arguments.isEmpty
        }
    }

    /// Whether a builder that nothing holds is given something, and is not built: `client.newBuilder().certificatePinner(pinner)`.
    func isDiscarded(_ place: Int) -> Bool {
        guard language == .kotlin || language == .java,
            case .expression(let value)? = innermost(around: place)?.statement.kind,
            case .call(let callee, _) = value.kind, let last = callee.finalName, last != "build"
        else { return false }
        // What the chain begins with.
        var links: [String] = []
        var next: Expression = callee
        while true {
            switch next.kind {
            case .member(let base, let name):
                links.append(name)
                next = base
            case .call(let inner, _): next = inner
            case .name(let name) where isNeverBuilt(name, value): return true
            default: return links.dropFirst().contains("newBuilder") && !links.contains("build")
            }
        }
    }

    /// Whether a function's own variable holds a builder of clients that it gives things to, and never builds or hands on.
    private func isNeverBuilt(_ name: String, _ use: Expression) -> Bool {
        guard let number = block(declaring: name, from: use.block), !blocks[number].owner.isShared,
            let declarations = blocks[number].declarations[name], declarations.count == 1,
            declarations[0].kind == .value, let value = declarations[0].value?.words,
            value.hasSuffix("OkHttpClient.Builder()") || value.hasSuffix(".newBuilder()"),
            let scope = range(of: number)?.clamped(to: 0..<tokens.count)
        else { return false }
        return scope.allSatisfy { place in
            guard tokens[place].names.contains(name), let around = innermost(around: place)?.statement else {
                return true
            }
            switch around.kind {
            case .declaration(let declaration): return declaration.name == name
            // `builder.callTimeout(10)`, whose answer nothing takes.
            case .expression(let call):
                guard call.base.token == place, !call.chainedNames.contains("build") else { return false }
                return tokens[around.tokens.clamped(to: 0..<tokens.count)].count { $0.names.contains(name) } == 1
                    && !isAnswerOfClosure(around)
            default: return false
            }
        }
    }

    private func isAnswerOfClosure(_ statement: Statement) -> Bool {
        blocks.contains { block in
            block.owner == .closure && block.statements.last?.tokens == statement.tokens
        }
    }
}

extension Expression {
    /// The names of a chain of calls, the last one first.
    fileprivate var chainedNames: [String] {
        switch kind {
        case .member(let base, let name): [name] + base.chainedNames
        case .call(let callee, _): callee.chainedNames
        default: []
        }
    }
}
