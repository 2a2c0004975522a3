/// Stores of Kotlin and Java that hold the client's own key.
extension SyntaxTree {
    /// Whether the file that is opened at a place is loaded into a store of which nothing but key managers are made:
    /// `keys.load(assets.open("client.p12"), password); factory.init(keys, password)`.
    func isKeyStoreAlone(from token: Int) -> Bool {
        guard language == .kotlin || language == .java, let store = storeLoaded(from: token) else { return false }
        let asked: Set<String> = ["load", "getKey", "aliases", "size", "containsAlias", "isKeyEntry"]
        var makesKeys = false
        for place in tokens.indices where tokens[place].isName(store) {
            if declares(store, at: place) || place + 1 < tokens.count && tokens[place + 1].isMark("=") { continue }
            if place + 2 < tokens.count, tokens[place + 1].isMark(".") || tokens[place + 1].isMark("?."),
                tokens[place + 2].name.map(asked.contains) ?? false
            {
                continue
            }
            guard isGivenToKeys(place) else { return false }
            makesKeys = true
        }
        return makesKeys
    }

    /// The name of the store that a file is loaded into, by itself or through the stream that holds it; `nil` where others may see it.
    private func storeLoaded(from token: Int) -> String? {
        let around = statements(around: token)
        // `val file = assets.open("client.p12")`, also as a resource of a `try`, or of what `use` hands on.
        let mark = (max(1, token - 12)..<token).last { tokens[$0].isMark("=") }
        let assigned = mark.flatMap { mark in
            ((mark + 1)...token).contains { tokens[$0].startsLine || tokens[$0].isMark(",") }
                ? nil : tokens[mark - 1].name
        }
        // One by the same name may be another's.
        let streams = Set([around.first?.valueDeclared, assigned].compactMap { $0 }).filter { name in
            tokens.indices.count { place in
                tokens[place].isName(name) && !(place + 2 < tokens.count && tokens[place + 2].isName("close"))
            } == 2
        }
        let given = tokens.indices.dropLast().filter { place in
            guard tokens[place].isName("load"), tokens[place + 1].isMark("("), place > 1 else { return false }
            let own = place + 2..<max(place + 2, GroupReading.closing(tokens, place + 1))
            if own.contains(token) || own.contains(where: { tokens[$0].name.map(streams.contains) ?? false }) {
                return true
            }
            // `assets.open("client.p12").use { keys.load(it, password) }`
            return own.contains { tokens[$0].isName("it") } && around.first?.tokens.contains(place) ?? false
                && (token..<place).contains { tokens[$0].isName("use") }
        }
        guard given.count == 1, tokens[given[0] - 1].isMark(".") || tokens[given[0] - 1].isMark("?."),
            let name = tokens[given[0] - 2].name, let inner = innermost(around: given[0])?.block,
            let block = block(declaring: name, from: inner)
        else { return nil }
        switch blocks[block].owner {
        case .function, .closure, .inner: return name
        case .type, .file:
            let isPrivate = blocks[block].statements.contains { statement in
                statement.valueDeclared == name
                    && tokens[statement.tokens.clamped(to: 0..<tokens.count)].contains { $0.isName("private") }
            }
            return isPrivate ? name : nil
        }
    }

    /// Whether a store is given to a factory of key managers at a place: `KeyManagerFactory.getInstance("X509").init(keys, password)`.
    private func isGivenToKeys(_ place: Int) -> Bool {
        guard let start = opening(around: place), start > 0, tokens[start].isMark("("),
            let callee = tokens[start - 1].name
        else { return false }
        if callee == "loadKeyMaterial" { return true }
        guard callee == "init" else { return false }
        func isOfKeys(_ range: Range<Int>) -> Bool {
            let names = tokens[range.clamped(to: 0..<tokens.count)].compactMap(\.name)
            return names.contains("KeyManagerFactory") && !names.contains("TrustManagerFactory")
        }
        if start > 2, tokens[start - 2].isMark("."), let factory = tokens[start - 3].name {
            guard let inner = innermost(around: place)?.block, let own = block(declaring: factory, from: inner) else {
                return false
            }
            return tokens.indices.contains { other in
                tokens[other].isName(factory) && declares(factory, at: other)
                    && innermost(around: other).map { $0.block == own && isOfKeys($0.statement.tokens) } ?? false
            }
        }
        return statements(around: place).first { $0.valueDeclared != nil || $0.tokens.contains(start - 2) }
            .map { isOfKeys($0.tokens) } ?? false
    }

    /// Where the innermost brackets of any kind around a place open.
    func opening(around place: Int) -> Int? {
        var depth = 0
        for next in (max(0, place - 60)..<place).reversed() {
            if [")", "]", "}"].contains(where: tokens[next].isMark) { depth += 1 }
            if ["(", "[", "{"].contains(where: tokens[next].isMark) {
                if depth == 0 { return next }
                depth -= 1
            }
        }
        return nil
    }

    /// Whether a place is in the statement that declares a value by a name, before it is given anything.
    private func declares(_ name: String, at place: Int) -> Bool {
        guard let statement = innermost(around: place)?.statement, statement.valueDeclared == name else { return false }
        return statement.tokens.first { tokens[$0].isName(name) } == place
    }

    /// The statements around a place, the innermost first.
    private func statements(around place: Int) -> [Statement] {
        blocks.compactMap { block in
            block.statements.first { statement in
                guard statement.tokens.contains(place) else { return false }
                if case .declaration(let declaration) = statement.kind { return declaration.kind == .value }
                return true
            }
        }.sorted { $0.tokens.count < $1.tokens.count }
    }
}

extension Statement {
    /// The name of the value that it declares.
    fileprivate var valueDeclared: String? {
        if case .declaration(let declaration) = kind, declaration.kind == .value { declaration.name } else { nil }
    }
}
