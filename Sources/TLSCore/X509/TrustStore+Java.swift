import COpenSSL
import Foundation

extension TrustStore {
    /// The first path that is in order; and then its anchor must be fit, or there is no way back.
    func javaAnswer(_ question: Question, at instant: Date?) -> TrustResult {
        var results: [TrustResult] = []
        var isCutShort = false
        if let paths = javaPaths(question.chain) {
            results = paths.map { verifyAll(question, $0, asKey: true, at: instant) }
        } else {
            let isChoice = anchors.contains { $0.certificate.isUnfitForJava }
            isCutShort = walk(question, at: instant) { result in
                results.append(result)
                return result.isTrusted && !isChoice
            }
        }
        let paths = results.compactMap { if case .trusted(let path) = $0 { path } else { nil } }
        guard let first = paths.first else {
            if isCutShort { return .refused(TrustFailure(.tooManyPaths)) }
            // What OpenSSL says of the whole is the better word where no path is found.
            return results.first { !isSure(of: $0) } ?? results.first ?? untrusted(question, at: instant)
        }
        let unfit = paths.filter { $0.last?.isUnfitForJava == true }
        if unfit.isEmpty { return .trusted(path: first) }
        // A path that is refused by some versions only may be taken before.
        let isSettled = unfit.count == paths.count && results.allSatisfy(isSure)
        return .refused(isSettled ? TrustFailure(.notAnAuthority, depth: first.count - 1) : TrustFailure(.undecided))
    }

    /// What OpenSSL says of the whole, which is not trusted.
    func untrusted(_ question: Question, at instant: Date?) -> TrustResult {
        let result = verify(question, question.chain, trusting: nil, at: instant)
        return result.isTrusted ? .refused(TrustFailure(.unknownAuthority)) : result
    }

    /// The paths that JSSE makes of a chain whose certificates stand in order, each named by the one before; `nil` where it
    /// searches instead.
    ///
    /// Source: OpenJDK 17, `sun.security.validator.PKIXValidator.engineValidate`. In order, nothing of an anchor counts but its
    /// key; where it searches (`ForwardBuilder.getMatchingCACerts`), the anchor's dates count as well.
    private func javaPaths(_ chain: [Certificate]) -> [[Certificate]]? {
        let anchors = anchors.map(\.certificate)
        var end = chain.count
        for (index, certificate) in chain.enumerated().dropFirst() {
            guard chain[index - 1].isNamed(by: certificate) else { return nil }
            // The same name and key are as good as the anchor, whatever else is in the certificate.
            if anchors.contains(where: certificate.isTwin) {
                end = index
                break
            }
        }
        let named = anchors.filter(chain[end - 1].isNamed(by:))
        // It ended before an anchor's twin, and then that anchor is asked alone.
        if named.isEmpty, end == chain.count { return nil }
        return named.map { chain[..<end] + [$0] }
    }
}

extension Certificate {
    /// Whether JSSE refuses it as an anchor once it has found the path (`PKIXValidator.verifyTrustAnchor`).
    var isUnfitForJava: Bool {
        guard X509_get_version(x509.pointer) == X509_VERSION_3 else { return false }
        return lacksAuthorityConstraint || X509_get_key_usage(x509.pointer) & UInt32(KU_KEY_CERT_SIGN) == 0
    }
}

extension [Certificate] {
    /// The depth of the first authority whose constraints forbid the leaf's common name, which is held to them where there
    /// is no DNS name beside it and where it looks like one.
    var placeWhereCommonNameIsConstrained: Int? {
        guard let leaf = first, contains(where: \.hasNameConstraints),
            !leaf.names.contains(where: { if case .dns = $0 { true } else { false } })
        else { return nil }
        defer { ERR_clear_error() }
        return indices.dropFirst().first { depth in
            let raw = X509_get_ext_d2i(self[depth].x509.pointer, NID_name_constraints, nil, nil)
            guard let constraints = raw?.assumingMemoryBound(to: NAME_CONSTRAINTS.self) else { return false }
            defer { NAME_CONSTRAINTS_free(constraints) }
            return NAME_CONSTRAINTS_check_CN(leaf.x509.pointer, constraints) != X509_V_OK
        }
    }
}
