/// Whose certificate code of .NET looks at, and for which of them it compares.
extension SyntaxTree {
    /// What code compares that is not about a client's server, in words; `nil` where it may be.
    ///
    /// - Parameter evidence: where a certificate is taken apart.
    func readerOfOthers(_ evidence: [Int], in group: CodeGroup, _ module: SourceModule) -> String? {
        let ofClient = "compared by a server with the certificate of its client"
        let names = Set(group.tokens.compactMap { tokens[$0].name })
        let isOfServer = names.contains { $0 == "ServerTlsSettings" || $0.hasPrefix("AuthenticateAsServer") }
        if isOfServer, !names.contains(where: { $0.hasPrefix("AuthenticateAsClient") }) { return ofClient }
        if !evidence.isEmpty, evidence.allSatisfy(isOfClientCertificate) { return ofClient }
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
        if all.contains(where: { $0.isName("ClientCertificate") }) { return ofClient }
        return "compared with a certificate, and this source does not tell whether with a server's or with a client's"
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
