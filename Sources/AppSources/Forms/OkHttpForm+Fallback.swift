/// Requests of OkHttp that are sent again over a client without pins where one with pins refuses the server.
extension SyntaxTree {
    /// `catch (refused: SSLPeerUnverifiedException) { return OkHttpClient().newCall(chain.request()).execute() }`
    var unpinnedRetries: [FoundPins.Question] {
        guard language == .kotlin || language == .java else { return [] }
        let calls = calls(["newCall"])
        guard !calls.isEmpty else { return [] }
        return tokens.indices.compactMap { place -> FoundPins.Question? in
            guard tokens[place].isName("catch"), let caught = braces(behind: place), asks(before: place),
                tokens[place..<caught.lowerBound].contains(where: { $0.name.map(Self.isOfRefusal) ?? false }),
                let call = calls.first(where: { call, _, _ in
                    guard caught.contains(call.token), case .call(let callee, _) = call.kind,
                        case .member(let base, _) = callee.kind
                    else { return false }
                    return isWithoutPins(base)
                })?
                .call
            else { return nil }
            return .init(line: call.line, condition: "what is tried fails, and the request is sent again without pins")
        }
    }

    /// What a client throws where no pin matches, and what that is made from.
    private static func isOfRefusal(_ type: String) -> Bool {
        [
            "SSLPeerUnverifiedException", "SSLException", "SSLHandshakeException", "IOException", "Exception",
            "Throwable",
        ]
        .contains(type)
    }

    /// What stands in the braces behind a place.
    private func braces(behind place: Int) -> Range<Int>? {
        guard let open = tokens[place...].prefix(24).firstIndex(where: { $0.isMark("{") }) else { return nil }
        var depth = 0
        for next in open..<tokens.count {
            if tokens[next].isMark("{") { depth += 1 }
            if tokens[next].isMark("}") { depth -= 1 }
            if depth == 0 { return open..<next }
        }
        return nil
    }

    /// Whether a request is sent in what is tried before a `catch`.
    private func asks(before place: Int) -> Bool {
        guard place > 1, tokens[place - 1].isMark("}") else { return false }
        var depth = 0
        for next in stride(from: place - 1, through: 0, by: -1) {
            if tokens[next].isMark("}") { depth += 1 }
            if tokens[next].isMark("{") { depth -= 1 }
            if depth == 0 {
                return tokens[next..<place].contains { ["proceed", "newCall"].contains(where: $0.isName) }
            }
        }
        return false
    }

    /// Whether a client is made with no pinner: `OkHttpClient()`, `plain` of `val plain = OkHttpClient.Builder().build()`.
    private func isWithoutPins(_ client: Expression, depth: Int = 0) -> Bool {
        guard depth < 4 else { return false }
        switch client.kind {
        case .name(let name):
            guard let block = block(declaring: name, from: client.block),
                let declared = blocks[block].declarations[name], declared.count == 1, changes[name] == nil,
                let value = declared[0].value
            else { return false }
            return isWithoutPins(value, depth: depth + 1)
        case .call(let callee, _):
            let words = client.words
            guard !words.contains("ertificatePinner"), !words.contains("newBuilder") else { return false }
            if callee.finalName == "build", case .member(let base, _) = callee.kind { return base.isOfClient }
            return client.isOfClient
        default: return false
        }
    }
}

extension SourceReader {
    /// Those of interceptors in other sources that a client of this one is given, with the lines where it is.
    func retriesElsewhere(in tree: SyntaxTree) -> [FoundPins.Question] {
        var found: [FoundPins.Question] = []
        for (_, _, arguments) in tree.calls(["addInterceptor", "addNetworkInterceptor"]) {
            guard let given = arguments.first?.value, case .call(let type, _) = given.kind, let name = type.finalName,
                !tree.declaresItself(name)
            else { continue }
            for file in module.others(mentioning: name, than: tree.path, in: tree.language).prefix(20) {
                let other = module.tree(of: file)
                guard other.declaresItself(name) else { continue }
                found += other.unpinnedRetries.map { .init(line: given.line, condition: $0.condition) }
            }
        }
        return found.uniqued
    }
}

extension Expression {
    /// `OkHttpClient()`, `new OkHttpClient()`, `OkHttpClient.Builder().readTimeout(…)`
    fileprivate var isOfClient: Bool {
        switch kind {
        case .name(let name): name == "OkHttpClient"
        case .member(let base, _): base.isOfClient
        case .call(let callee, _): callee.isOfClient
        default: false
        }
    }
}
