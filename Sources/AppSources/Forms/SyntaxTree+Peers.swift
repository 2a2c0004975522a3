/// Whose certificate code looks at that a server may run as well as a client.
extension SyntaxTree {
    /// What code compares that is not about a client's server, in words; `nil` where it may be.
    ///
    /// - Parameter evidence: where a certificate is taken apart.
    func readerOfOthers(_ evidence: [Int], in group: CodeGroup, _ module: SourceModule) -> String? {
        let ofClient = "compared by a server with the certificate of its client"
        if language == .script { return asksClients(in: group) ? ofClient : nil }
        let names = Set(group.tokens.compactMap { tokens[$0].name })
        let isOfServer = names.contains { $0 == "ServerTlsSettings" || $0.hasPrefix("AuthenticateAsServer") }
        if isOfServer, !names.contains(where: { $0.hasPrefix("AuthenticateAsClient") }) { return ofClient }
        if !evidence.isEmpty, evidence.allSatisfy(isOfClientCertificate) { return ofClient }
        if let name = judge(in: group) { return judged(by: name, module, ofClient) }
        // A validator of WCF is given to either side.
        guard group.context.contains(where: { tokens[$0].isName("X509CertificateValidator") }),
            let type = blocks.compactMap({ block -> String? in
                guard case .type(let name) = block.owner,
                    block.statements.contains(where: { $0.tokens.contains(group.evidence) })
                else { return nil }
                return name
            }).last
        else { return nil }
        let others = module.others(mentioning: type, than: path, in: language).prefix(20).map { module.tree(of: $0) }
        let all = ([self] + others).flatMap(\.tokens)
        if all.contains(where: { $0.isName("ServiceCertificate") }) { return nil }
        return all.contains { $0.isName("ClientCertificate") } ? ofClient : Self.ofEither
    }

    private static let ofEither =
        "compared with a certificate, and this source does not tell whether with a server's or with a client's"

    /// A function of C# that compares a certificate for others, where nothing beside it speaks of connections:
    /// `bool IsKnown(X509Certificate2 certificate)`.
    func judge(in group: CodeGroup) -> String? {
        let ofPrograms = ["Authenticode", "WinVerifyTrust", "CreateFromSignedFile", "SignedCms", "SignerCertificate"]
        guard language == .cSharp, !isOfClients(group),
            !ComparisonForm.clues(self).contains(where: { clue in
                group.context.contains { clue.isGate(tokens[$0]) }
            }),
            !tokens.contains(where: { token in
                token.name.map { name in ofPrograms.contains(where: name.contains) } ?? false
            }),
            let (name, range) = namedFunction(around: [group.evidence])
        else { return nil }
        let head = tokens[range.clamped(to: 0..<tokens.count)].prefix { !$0.isMark("{") && !$0.isMark("=>") }
        let isGiven = head.contains { $0.isName("X509Certificate") || $0.isName("X509Certificate2") }
        return isGiven && head.contains { $0.isName("bool") } ? name : nil
    }

    /// What such a function compares, by who calls it.
    private func judged(by name: String, _ module: SourceModule, _ ofClient: String) -> String {
        let clues = ComparisonForm.clues(self)
        let others = module.others(mentioning: name, than: path, in: language).prefix(20).map { module.tree(of: $0) }
        let callers = others.filter { other in
            other.tokens.contains { token in clues.contains { $0.isGate(token) } }
        }
        if let caller = callers.first {
            let what = "compared with a certificate in '\(name)', which \(caller.path) calls"
            guard callers.count == 1, let conditions = caller.conditions(ofAnswering: name) else {
                return "\(what): what else decides there is not told"
            }
            return what
                + (conditions.isEmpty ? "" : ", if \(conditions.map(\.choice.words).joined(separator: " and "))")
        }
        let all = ([self] + others).flatMap(\.tokens)
        let isOfClients = all.contains { $0.name?.contains("ClientCertificate") ?? false }
        return isOfClients ? ofClient : Self.ofEither
    }

    /// Whether a server of Node asks those that ask it for theirs: `(req, res) => req.socket.getPeerCertificate()`.
    private func asksClients(in group: CodeGroup) -> Bool {
        let asked = group.tokens.filter { tokens[$0].asksPeer }
        guard !asked.isEmpty, !group.tokens.contains(where: { tokens[$0].isName("checkServerIdentity") }) else {
            return false
        }
        let requests = namesOfRequests
        let areOfRequests = asked.allSatisfy { place in
            // `(req.socket as TLSSocket).getPeerCertificate()`
            (max(2, place - 8)..<max(2, place)).contains { next in
                ["socket", "connection"].contains(where: tokens[next].isName) && tokens[next - 1].isMark(".")
                    && tokens[next - 2].name.map(requests.contains) ?? false
            }
        }
        if areOfRequests { return true }
        // A source that makes a server which asks for them, and no client.
        let names = Set(tokens.compactMap(\.name))
        let isClient = tokens.indices.dropFirst(2).contains { place in
            tokens[place - 1].isMark(".") && ["https", "http2", "tls"].contains(where: tokens[place - 2].isName)
                && ["request", "get", "connect", "Agent"].contains(where: tokens[place].isName)
        }
        return names.isSuperset(of: ["requestCert", "createServer"]) && !isClient
            && names.isDisjoint(with: ["fetch", "axios", "checkServerIdentity"])
    }

    /// What handlers of requests call these: the first of their two or more parameters.
    private var namesOfRequests: Set<String> {
        var found: Set<String> = []
        visit { expression, _ in
            if case .closure(let closure) = expression.kind, closure.parameters.count > 1 {
                found.insert(closure.parameters[0])
            }
            return true
        }
        for case .declaration(let declaration) in blocks.flatMap(\.statements).map(\.kind)
        where declaration.kind == .function && declaration.parameters.count > 1 {
            found.insert(declaration.parameters[0].name)
        }
        return found
    }

    /// Whether all that some functions of C# take apart is what a server asks its clients for.
    func isOfClients(_ group: CodeGroup) -> Bool {
        guard language == .cSharp else { return false }
        let clues = ComparisonForm.clues(self)
        return group.tokens.allSatisfy { place in
            !clues.contains { $0.isEvidence(tokens, place) } || isNamedOfClient(place)
        }
    }

    /// `clientCertificate.Thumbprint`
    private func isNamedOfClient(_ token: Int) -> Bool {
        token > 1 && tokens[token - 2].name?.lowercased().hasSuffix("clientcertificate") ?? false
    }

    /// Whether a token takes apart what a server asks its clients for: `ClientCertificateValidation`, `ClientCertificate`.
    private func isOfClientCertificate(_ token: Int) -> Bool {
        if token > 1, tokens[token - 2].name?.lowercased().contains("clientcertificate") ?? false { return true }
        func isGiven(_ place: Int) -> Bool {
            place > 1 && (tokens[place - 1].isMark("=") || tokens[place - 1].isMark("+="))
                && tokens[place - 2].name?.contains("ClientCertificateValidation") ?? false
        }
        var isTold = false
        visit { expression, _ in
            guard case .closure(let closure) = expression.kind, isGiven(expression.token) else { return true }
            if blocks[closure.block].statements.contains(where: { $0.tokens.contains(token) }) { isTold = true }
            return true
        }
        if isTold { return true }
        let functions = blocks.flatMap(\.statements).compactMap { statement -> String? in
            guard case .declaration(let declaration) = statement.kind, declaration.kind == .function,
                statement.tokens.contains(token)
            else { return nil }
            return declaration.name
        }
        return tokens.indices.contains { place in isGiven(place) && functions.contains(where: tokens[place].isName) }
    }
}

extension Token {
    /// By which Node tells the certificate of the other side.
    var asksPeer: Bool { isName("getPeerCertificate") || isName("getPeerX509Certificate") }
}

extension [Token] {
    /// Whether a name takes a part out of a certificate: `const { fingerprint256 } = socket.getPeerCertificate()`,
    /// `(host, { fingerprint256 }) => …`.
    func takesOutOfCertificate(at place: Int) -> Bool {
        guard place > 1, self[place - 1].isMark("{") || self[place - 1].isMark(",") else { return false }
        func isPart(_ token: Token) -> Bool { token.name != nil || token.isMark(",") }
        guard let close = self[place...].firstIndex(where: { !isPart($0) }), self[close].isMark("}"),
            let open = self[..<place].lastIndex(where: { !isPart($0) }), self[open].isMark("{"), open > 0,
            close + 1 < count
        else { return false }
        if self[close + 1].isMark("=") {
            let value = self[(close + 2)...].prefix(14).prefix { !$0.isMark(";") }
            return value.contains { $0.asksPeer }
        }
        // A parameter of a closure or a method, behind that for the host.
        guard self[open - 1].isMark(","), open > 1, self[open - 2].name != nil || self[open - 2].isMark(")") else {
            return false
        }
        let end = self[(close + 1)...].prefix(10).firstIndex { $0.isMark(")") }
        guard let end, end + 1 < count else { return false }
        return self[end + 1].isMark("=>") || self[end + 1].isMark("{") || self[end + 1].isMark(":")
    }
}
