package import Foundation

/// Path after path.
extension TrustStore {
    /// A whole path, of which a root may stand below a cross-signature of its own name and key: OpenSSL passes over such a
    /// one, other libraries verify it as any other certificate.
    func verifyAll(
        _ question: Question,
        _ path: [Certificate],
        asKey: Bool = false,
        at instant: Date?
    ) -> TrustResult {
        let doubles = path.doubles
        for double in doubles {
            let below = path.indices.filter { $0 <= double && ($0 == double || !doubles.contains($0)) }.map { path[$0] }
            let result = verify(question, below, trusting: path[double], at: instant)
            guard result.isTrusted else { return result }
        }
        let single = path.indices.filter { !doubles.contains($0) }.map { path[$0] }
        return verify(question, single, trusting: path.last, asKey: asKey, at: instant)
    }

    /// Every path that is trusted, as far as the limits allow: Go hands them all to its callbacks.
    package func paths(of chain: [Certificate], host: String?, at instant: Date?) -> [[Certificate]] {
        let question = Question(
            chain: chain,
            host: host,
            isDated: instant != nil,
            toleratesWeakness: false,
            isLenient: false,
            isClients: false
        )
        var paths: [[Certificate]] = []
        _ = walk(question, at: instant) { result in
            if case .trusted(let path) = result { paths.append(path) }
            return false
        }
        return paths
    }

    /// Puts path after path to OpenSSL, each by itself, until one is taken.
    ///
    /// - Returns: whether a limit ended it.
    func walk(_ question: Question, at instant: Date?, _ take: (TrustResult) -> Bool) -> Bool {
        let asKey = stack.takesAnchorsAsKeys
        let leaf = question.chain.first
        let certificates = anchors.map(\.certificate)
        var search = PathSearch(question.chain, anchors: certificates, anchorsAreKeys: asKey) { certificate, isAnchor in
            // Java looks at the dates of anchors as well, but for those right above the leaf.
            let isDated = !isAnchor || !asKey || stack == .java && leaf?.isNamed(by: certificate) != true
            guard let instant, isDated else { return false }
            return certificate.failure(host: nil, at: instant) != nil
        }
        search.walk { path in
            let result = verify(question, path, trusting: path.last, asKey: asKey, at: instant)
            // No other path mends a fault of the leaf's own.
            if take(result) { return true }
            if case .refused(let failure) = result { return failure.isOfLeaf }
            return false
        }
        return search.isCutShort
    }
}
