/// What Node is answered by a callback that looks at a certificate.
extension SyntaxTree {
    /// Functions that compute, ask or tell, and end no connection.
    private static let computing = [
        "sha", "hash", "digest", "hex", "base64", "pubkey", "publickey", "spki", "fingerprint", "normali", "format",
        "createhash", "update", "tostring", "export", "buffer", "from", "trim", "replace", "lower", "upper", "split",
        "join", "slice", "includes", "has", "some", "every", "indexof", "find", "equals", "log", "warn", "error",
        "info",
        "debug", "reject", "string", "x509certificate", "checkserveridentity", "write", "map", "filter", "keys",
        "match", "concat", "encode", "decode",
    ]
    private static let words: Set<String> = ["if", "for", "while", "switch", "catch", "function", "return", "typeof"]

    /// Whether a place stands in a `checkServerIdentity` that refuses none: Node goes on unless it is answered an error, or one
    /// is thrown. What it answers of the name, by Node's own function, says nothing of the pins.
    func answersNothing(around place: Int) -> Bool {
        guard let block = identityCheck(around: place), let body = range(of: block), body.contains(place) else {
            return false
        }
        let own = blocks.indices.filter { $0 == block || isInside($0, block) }.filter { inner in
            // What a closure within it answers is none of Node's.
            !isInClosure(inner, of: block)
        }
        let statements = own.flatMap { blocks[$0].statements }
        let asks = statements.contains { if case .branches = $0.kind { true } else { false } }
        return asks
            && statements.allSatisfy { statement in
                switch statement.kind {
                case .returning(let value): value.map { isNothing($0) || isOfName($0, statements) } ?? true
                case .expression(let value): !value.isThrow || isCaught(value.token)
                default: true
                }
            }
            && body.dropLast().allSatisfy { next in
                guard let name = tokens[next].name, tokens[next + 1].isMark("(") else { return true }
                let word = name.lowercased()
                return Self.words.contains(name) || Self.computing.contains(where: word.contains)
            }
    }

    /// Whether what is thrown at a place is caught around it: what the `catch` does is looked at by itself.
    private func isCaught(_ place: Int) -> Bool {
        tries(around: place).contains { _, caught in
            caught.first.map { tokens[$0.tokens.lowerBound].isName("catch") } ?? false
        }
    }

    private func isNothing(_ value: Expression) -> Bool { ["undefined", "null"].contains(value.words) }

    /// `tls.checkServerIdentity(host, cert)`, or a constant for what that answers.
    private func isOfName(_ value: Expression, _ statements: [Statement]) -> Bool {
        switch value.kind {
        case .call(let callee, _): return callee.finalName == "checkServerIdentity"
        case .name(let name):
            return statements.contains { statement in
                guard case .declaration(let declaration) = statement.kind, declaration.name == name,
                    let answer = declaration.value
                else { return false }
                return isOfName(answer, [])
            }
        default: return false
        }
    }

    /// The body of the `checkServerIdentity` that a place stands in, given as it is or by its name.
    private func identityCheck(around place: Int) -> Int? {
        var found: Int?
        visit { expression, _ in
            guard found == nil, case .table(let pairs) = expression.kind,
                let given = pairs.last(where: { $0.key.names("checkServerIdentity") })?.value
            else { return found == nil }
            let body: Int?
            switch given.kind {
            case .closure(let closure):
                // What an arrow gives without braces is its answer: `(host, cert) => this.check(host, cert)`.
                body = hasBraces(closure.block) ? closure.block : bodyOfCall(in: closure.block)
            case .member(let base, let name): body = isOwnObject(base) ? bodyOfMethod(name) : nil
            case .name(let name):
                let declared = block(declaring: name, from: given.block).flatMap { blocks[$0].declarations[name] } ?? []
                if case .closure(let closure)? = declared.first?.value?.kind, declared.count == 1 {
                    body = hasBraces(closure.block) ? closure.block : nil
                } else {
                    body = declared.count == 1 && declared[0].kind == .function ? declared[0].body : nil
                }
            default: body = nil
            }
            if let body, range(of: body)?.contains(place) ?? false { found = body }
            return found == nil
        }
        return found
    }

    /// That of the function or method that an arrow without braces only calls.
    private func bodyOfCall(in arrow: Int) -> Int? {
        guard blocks[arrow].statements.count == 1 else { return nil }
        let answer: Expression
        switch blocks[arrow].statements[0].kind {
        case .returning(let value?), .expression(let value): answer = value
        default: return nil
        }
        guard case .call(let callee, _) = answer.kind else { return nil }
        switch callee.kind {
        case .name(let name): return bodyOfMethod(name)
        case .member(let base, let name): return isOwnObject(base) ? bodyOfMethod(name) : nil
        default: return nil
        }
    }

    /// `this`, or a class of this source.
    private func isOwnObject(_ base: Expression) -> Bool {
        guard case .name(let name) = base.kind else { return false }
        return name == "this" || blocks.contains { $0.declarations[name]?.contains { $0.kind == .type } ?? false }
    }

    /// That of the only function or method by a name.
    private func bodyOfMethod(_ name: String) -> Int? {
        let named = blocks.flatMap { $0.declarations[name] ?? [] }.filter { $0.kind == .function }
        guard named.count == 1, let body = named[0].body, hasBraces(body) else { return nil }
        return body
    }

    private func hasBraces(_ block: Int) -> Bool {
        guard let first = blocks[block].statements.first?.tokens.lowerBound, first > 0 else { return false }
        return tokens[first - 1].isMark("{")
    }

    private func isInClosure(_ inner: Int, of block: Int) -> Bool {
        var next: Int? = inner
        while let current = next, current != block {
            switch blocks[current].owner {
            case .closure, .function: return true
            default: next = blocks[current].parent
            }
        }
        return false
    }
}
