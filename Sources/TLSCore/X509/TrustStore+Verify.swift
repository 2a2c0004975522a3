import COpenSSL
import Foundation

/// One chain, put to OpenSSL, and what the stack says of the path that OpenSSL has built.
extension TrustStore {
    /// What OpenSSL makes of a chain, and then the stack.
    ///
    /// - Parameters:
    ///   - anchor: what the device trusts alone, the end of the path; `nil`: it trusts all of the store.
    ///   - asKey: whether nothing of the anchor counts but its name and its key.
    func verify(
        _ question: Question,
        _ chain: [Certificate],
        trusting anchor: Certificate?,
        asKey: Bool = false,
        at instant: Date?
    ) -> TrustResult {
        guard let anchor else {
            return judged(ask(question, chain, in: store.pointer, at: instant).map(cut), question)
        }
        let sent = chain.count > 1 ? Array(chain.dropLast()) : chain
        var built = ask(question, sent, trusting: anchor, at: instant)
        // If the anchor itself is at fault, its key may do better. Of version 1, OpenSSL takes roots alone.
        let isOld = stack.takesOldAnchors && anchor.isVersion1 && anchor.failure(host: nil, at: instant) == nil
        if asKey || isOld || stack.takesAnchorsAsTheyAre, case .failure = built,
            let key = anchor.asKey(limited: stack.takesAnchorsAsTheyAre)
        {
            built = ask(question, sent, trusting: key, at: instant).map { $0.map { $0 == key ? anchor : $0 } }
        }
        return judged(built, question)
    }

    private func ask(
        _ question: Question,
        _ sent: [Certificate],
        trusting anchor: Certificate,
        at instant: Date?
    ) -> Result<[Certificate], TrustFailure> {
        guard let store = X509_STORE_new() else { return .failure(TrustFailure(.other(Int(X509_V_ERR_OUT_OF_MEM)))) }
        defer { X509_STORE_free(store) }
        X509_STORE_add_cert(store, anchor.x509.pointer)
        return ask(question, sent, in: store, at: instant).map { built in
            built.firstIndex(of: anchor).map { Array(built[...$0]) } ?? built
        }
    }

    /// What the stack says of a path that OpenSSL has built.
    private func judged(_ built: Result<[Certificate], TrustFailure>, _ question: Question) -> TrustResult {
        switch built {
        case .failure(let failure): return .refused(failure)
        case .success(let path):
            if !question.isClients, let failure = fault(in: path, question) { return .refused(failure) }
            return .trusted(path: stack.goesOnAboveAnchors ? path + above(path) : path)
        }
    }

    /// What the stack refuses and OpenSSL was not asked about.
    private func fault(in path: [Certificate], _ question: Question) -> TrustFailure? {
        let held =
            switch stack.purposes {
            case nil, .some(.none): path.prefix(0)
            case .leaf: path.prefix(1)
            case .path: path[...]
            }
        if let depth = held.firstIndex(where: { !$0.isPerhapsForServers }) {
            return TrustFailure(.wrongPurpose, depth: depth)
        }
        if let depth = path.indices.dropFirst().first(where: { isUnfit(path[$0], isAnchor: $0 == path.count - 1) }) {
            return TrustFailure(.notAnAuthority, depth: depth)
        }
        if stack.countsSelfIssued, let depth = path.placeOfShortLimit {
            return TrustFailure(.pathTooLong, depth: depth)
        }
        if stack.constrainsCommonNames, let depth = path.placeWhereCommonNameIsConstrained {
            return TrustFailure(.nameNotPermitted, depth: depth)
        }
        if !stack.verifiesEdwardsKeys, !question.isLenient || stack.isSure(of: .unknownKey),
            let depth = path.indices.dropFirst().first(where: { !path[$0].hasClassicKey })
        {
            return TrustFailure(.unknownKey, depth: depth)
        }
        guard stack.refusesForgeableDigests, !question.isLenient, !question.toleratesWeakness else { return nil }
        return path.indices.first { depth in
            depth < path.count - 1 && path[depth].hasWeakSignature
                || path[depth].keyDescription.hasPrefix("RSA") && path[depth].keyBits < 1024
        }.map { TrustFailure(.tooWeak, depth: $0) }
    }

    /// Whether a certificate that vouches for another does not say that it may, where OpenSSL looks away.
    private func isUnfit(_ authority: Certificate, isAnchor: Bool) -> Bool {
        switch stack {
        case .go: authority.lacksAuthorityConstraint
        // `check_if_ca`: roots may be silent about it.
        case .gnuTLS: authority.lacksAuthorityConstraint && !(isAnchor && authority.isSilentRoot)
        default: false
        }
    }

    /// The anchors that vouch for the end of a path, one after the other.
    private func above(_ path: [Certificate]) -> [Certificate] {
        var path = path
        let count = path.count
        // Whether the last vouches for itself costs a signature, and is asked where it matters.
        while let last = path.last,
            let next = anchors.lazy.map(\.certificate).first(where: { !path.contains($0) && last.isIssued(by: $0) }),
            !last.isSelfSigned
        {
            path.append(next)
        }
        return Array(path.dropFirst(count))
    }

    private func ask(
        _ question: Question,
        _ chain: [Certificate],
        in store: OpaquePointer,
        at instant: Date?
    ) -> Result<[Certificate], TrustFailure> {
        ERR_clear_error()
        let isLenient = question.isLenient
        guard let leaf = chain.first else { return .failure(TrustFailure(.noCertificate)) }
        var host = isLenient && question.host.map { leaf.isPerhapsNamed($0, on: stack) } ?? false ? nil : question.host
        if stack.readsMappedAddresses { host = host.map(SubjectName.unmapped) }
        guard let context = X509_STORE_CTX_new(), let others = pd_x509_stack_new() else {
            return .failure(TrustFailure(.other(Int(X509_V_ERR_OUT_OF_MEM))))
        }
        defer {
            X509_STORE_CTX_free(context)
            pd_x509_stack_free(others)
        }
        for certificate in chain.dropFirst() { _ = pd_x509_stack_push(others, certificate.x509.pointer) }
        guard X509_STORE_CTX_init(context, store, leaf.x509.pointer, others) == 1,
            X509_STORE_CTX_set_default(context, question.isClients ? "ssl_client" : "ssl_server") == 1,
            let parameters = X509_STORE_CTX_get0_param(context),
            TrustStore.configure(parameters, host: host, at: instant)
        else {
            return .failure(TrustFailure(host == nil ? .other(Int(X509_V_ERR_UNSPECIFIED)) : .malformedHost))
        }
        if stack == .openSSLToRoots { X509_VERIFY_PARAM_clear_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN)) }
        let judgesStrength = stack.refusesForgeableDigests && !question.isClients
        X509_VERIFY_PARAM_set_auth_level(
            parameters,
            question.toleratesWeakness || isLenient || judgesStrength ? 0 : TrustStore.securityLevel
        )
        if isLenient && leaf.isPerhapsForServers || stack.purposes != nil && !question.isClients {
            _ = X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY)
        }
        let verified = X509_verify_cert(context) == 1
        let code = X509_STORE_CTX_get_error(context)
        guard verified, code == X509_V_OK else {
            let failure = TrustFailure(code: code, depth: Int(X509_STORE_CTX_get_error_depth(context)))
            return .failure(failure.explained(by: chain))
        }
        let known = [chain, anchors.map(\.certificate)].joined()
        return .success(TrustStore.certificates(X509_STORE_CTX_get0_chain(context), among: known))
    }
}
