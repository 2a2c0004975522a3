import COpenSSL
import Foundation

extension TrustStore {
    /// One path, and no way back. A path ends in an anchor that vouches for itself, and of the anchors only dates, signatures
    /// and constraints on names are looked at.
    ///
    /// Source: BoringSSL as swift-nio-ssl 2.37 has it, `X509_verify_cert` and `check_chain_extensions`
    /// (`crypto/x509/x509_vfy.cc`).
    func boringSSLAnswer(_ question: Question, at instant: Date?) -> TrustResult {
        let answer = boringSSLPathAnswer(question, at: instant)
        return question.chain.first?.isReadOtherwise(answer, host: question.host) == true
            ? .refused(TrustFailure(.disputedName)) : answer
    }

    private func boringSSLPathAnswer(_ question: Question, at instant: Date?) -> TrustResult {
        guard let paths = boringSSLPaths(question.chain) else { return .refused(TrustFailure(.tooManyPaths)) }
        let results = paths.map { boringSSLAnswer(question, $0, at: instant) }
        // OpenSSL knows better what is missing.
        guard let first = results.first else { return untrusted(question, at: instant) }
        // Which of several issuers of one name and key is taken, the order inside its store decides.
        return results.allSatisfy { $0.isTrusted == first.isTrusted } ? first : .refused(TrustFailure(.undecided))
    }

    private func boringSSLAnswer(_ question: Question, _ path: Path, at instant: Date?) -> TrustResult {
        for (index, anchor) in path.anchors.enumerated() {
            if let failure = anchor.failure(host: nil, at: instant) {
                return .refused(TrustFailure(failure.reason, depth: path.sent.count + index))
            }
        }
        guard let anchor = path.anchors.first else {
            // A leaf that is trusted itself: nothing of it counts but its name.
            guard let leaf = question.chain.first else { return .refused(TrustFailure(.noCertificate)) }
            let isForgiven = question.isLenient && question.host.map { leaf.isPerhapsNamed($0, on: stack) } ?? false
            return leaf.failure(host: isForgiven ? nil : question.host, at: instant).map { .refused($0) }
                ?? .trusted(path: [leaf])
        }
        for (below, above) in zip(path.anchors, path.anchors.dropFirst()) where !below.isIssued(by: above) {
            return .refused(TrustFailure(.badSignature, depth: path.sent.count))
        }
        if let depth = (path.sent + path.anchors).placeOfAddressConstraints {
            return .refused(TrustFailure(.nameNotPermitted, depth: depth))
        }
        let result = verify(question, path.sent + [anchor], trusting: anchor, at: instant)
        return result.isTrusted ? .trusted(path: path.sent + path.anchors) : result
    }

    /// What was sent of a path, leaf first, and then what was found in the store, of which the last vouches for itself.
    private struct Path {
        /// Empty where the leaf itself is trusted.
        var sent: [Certificate]
        var anchors: [Certificate]
    }

    /// The default depth, the leaf and the anchor (`X509_VERIFY_PARAM_get_depth`).
    private static let longestBoringSSLPath = 102

    /// - Returns: `nil`: there are more ways through the store than are tried.
    private func boringSSLPaths(_ chain: [Certificate]) -> [Path]? {
        let anchors = anchors.map(\.certificate)
        var sent = Array(chain.prefix(1))
        var others = Array(chain.dropFirst())
        while let last = sent.last, sent.count < TrustStore.longestBoringSSLPath, !last.vouchesForItself,
            !anchors.contains(where: last.mayBeIssued),
            let next = others.firstIndex(where: last.mayBeIssued)
        {
            sent.append(others.remove(at: next))
        }
        if let last = sent.last, last.vouchesForItself {
            guard sent.count > 1 else {
                // By its own key usage, too, it must be its issuer.
                return anchors.contains(last) && last.mayBeIssued(by: last) ? [Path(sent: [], anchors: [])] : []
            }
            sent.removeLast()
        }
        guard let last = sent.last else { return [] }
        var found: [Path] = []
        var waiting = anchors.filter(last.mayBeIssued).map { [$0] }
        var steps = 0
        while let path = waiting.popLast(), let end = path.last {
            steps += 1
            guard steps <= PathSearch.mostPaths else { return nil }
            if end.vouchesForItself {
                found.append(Path(sent: sent, anchors: path))
            } else {
                waiting += anchors.filter { end.mayBeIssued(by: $0) && !path.contains($0) }.map { path + [$0] }
            }
        }
        return found
    }
}

extension [Certificate] {
    /// The depth of the first constraints on addresses above a leaf that has one: `nc_match_single` knows no such kind.
    fileprivate var placeOfAddressConstraints: Int? {
        func isAddress(_ name: SubjectName) -> Bool { if case .ip = name { true } else { false } }
        guard let leaf = first, leaf.names.contains(where: isAddress) else { return nil }
        return indices.dropFirst().first { depth in
            let constraints = self[depth].nameConstraints
            return constraints.map { ($0.permitted + $0.excluded).contains(where: isAddress) } ?? false
        }
    }
}

extension Certificate {
    /// Whether the client's own reading of names says something else, as was seen of swift-nio-ssl 2.37: a wildcard of its
    /// leaf stands for no IDN, and a dot at the end of a name is within constraints on the name without it.
    fileprivate func isReadOtherwise(_ answer: TrustResult, host: String?) -> Bool {
        let names = names.compactMap { if case .dns(let name) = $0 { name.lowercased() } else { nil } }
        switch answer {
        case .trusted:
            guard let host = host.map({ SubjectName.relative($0).lowercased() }) else { return false }
            return host.hasPrefix("xn--") && !names.contains(host)
        case .refused(let failure):
            return failure.reason == .nameNotPermitted && names.contains { $0.hasSuffix(".") }
        }
    }

    /// By name and key identifier.
    fileprivate var vouchesForItself: Bool {
        _ = X509_check_purpose(x509.pointer, -1, 0)
        return X509_get_extension_flags(x509.pointer) & UInt32(EXFLAG_SS) != 0
    }

    /// By name, key identifier and key usage.
    fileprivate func mayBeIssued(by issuer: Certificate) -> Bool {
        X509_check_issued(issuer.x509.pointer, x509.pointer) == X509_V_OK
    }
}
