import COpenSSL
import Foundation

extension TrustStore {
    /// One path, and a second where the first ends in what is unknown or no longer valid.
    func gnuTLSAnswer(_ question: Question, at instant: Date?) -> TrustResult {
        var answer = TrustResult.refused(TrustFailure(.unknownAuthority))
        for path in gnuTLSPaths(question.chain, at: instant) {
            guard let path else { continue }
            // What OpenSSL takes for a root, of version 1 or without basic constraints, is no authority below a cross-signature.
            if let depth = path.doubles.first(where: { X509_check_ca(path[$0].x509.pointer) != 1 }) {
                return .refused(TrustFailure(.notAnAuthority, depth: depth))
            }
            answer = verifyAll(question, path, at: instant)
            if case .refused(let failure) = answer, [.unknownAuthority, .expired, .tooWeak].contains(failure.reason) {
                continue
            }
            return answer
        }
        return answer
    }

    /// The paths that GnuTLS makes of a chain, each with its anchor last, in the order in which it asks for them; `nil` stands
    /// for one that it cannot verify.
    ///
    /// Source: GnuTLS 3.7.9 as Debian 12 patches it, `gnutls_x509_trust_list_verify_crt2` and `shorten_clist` (`lib/x509/verify-high.c`),
    /// `_gnutls_sort_clist` (`common.c`), `_gnutls_verify_crt_status` and `find_issuer` (`verify.c`).
    private func gnuTLSPaths(_ chain: [Certificate], at instant: Date?) -> [[Certificate]?] {
        let anchors = anchors.map(\.certificate)
        var list = TrustStore.segmented(chain) { last in anchors.contains(where: last.names) }
        list.removeSelfIssuedEnd()
        if let end = list.indices.dropFirst().first(where: { anchors.contains(list[$0]) && list[$0].isSelfIssued }) {
            list = Array(list[...end])
        }
        guard let last = list.last else { return [] }
        // It looks in one place of its table: that of the last issuer's name, and then that of the last subject's.
        let issuers = anchors.filter(last.isNamed(by:))
        let twins = anchors.filter { $0.isNamed(as: X509_get_subject_name(last.x509.pointer)) }
        list.removeSelfIssuedEnd()
        let first = path(list, issuers, at: instant)
        return last.isSelfIssued ? [first] : [first, path(list, twins, at: instant)]
    }

    /// The first that is an anchor, or has the name and the key of one, ends a list. Of several issuers the last that is
    /// valid counts, else the first.
    private func path(_ list: [Certificate], _ anchors: [Certificate], at instant: Date?) -> [Certificate]? {
        func isValid(_ certificate: Certificate) -> Bool { certificate.failure(host: nil, at: instant) == nil }

        var list = list
        for (index, certificate) in list.enumerated() {
            guard let anchor = anchors.first(where: { index == 0 ? $0 == certificate : $0.isTwin(of: certificate) })
            else { continue }
            guard isValid(anchor) else { return nil }
            if index == 0 { return [certificate] }
            list = Array(list[..<index])
            break
        }
        let issuers = list.last.map { last in anchors.filter(last.names) } ?? []
        guard let issuer = issuers.dropFirst().last(where: isValid) ?? issuers.first,
            zip(list, list.dropFirst()).allSatisfy({ $0.names($1) })
        else { return nil }
        return list + [issuer]
    }

    /// The chain in segments, each sorted for itself, up to the first whose end has a known issuer.
    private static func segmented(_ chain: [Certificate], until hasKnownIssuer: (Certificate) -> Bool) -> [Certificate]
    {
        var list = chain
        var seen: Set<Certificate> = []
        var end = 0
        while end < list.count {
            let (sorted, count) = sorted(Array(list[end...]))
            list.replaceSubrange(end..., with: sorted)
            if let double = (end..<(end + count)).first(where: { seen.contains(list[$0]) }) {
                // It closes the gap with the next certificate alone, and forgets the last.
                if double + 1 < list.count { list[double] = list[double + 1] }
                list.removeLast()
                continue
            }
            seen.formUnion(list[end..<(end + count)])
            end += count
            if hasKnownIssuer(list[end - 1]) { return Array(list[..<end]) }
        }
        return list
    }

    /// `DEFAULT_MAX_VERIFY_DEPTH`: more are not sorted.
    private static let mostSorted = 16

    /// From the first certificate to the first that may be its issuer, and so on, and then the others; and how many of them
    /// hang together. Who vouches for itself ends such a row.
    private static func sorted(_ chain: [Certificate]) -> (list: [Certificate], count: Int) {
        guard chain.count <= TrustStore.mostSorted else { return (chain, 1) }
        let issuers = chain.indices.map { index in
            chain[index].names(chain[index])
                ? nil : chain.indices.dropFirst().first { $0 != index && chain[index].names(chain[$0]) }
        }
        var row = [0]
        while let last = row.last, let next = issuers[last], !row.contains(next) { row.append(next) }
        let rest = chain.indices.filter { !row.contains($0) }
        return ((row + rest).map { chain[$0] }, row.count)
    }
}

extension [Certificate] {
    /// Where roots stand below a cross-signature of their own name and key.
    var doubles: [Int] {
        indices.dropFirst().filter { $0 + 1 < count && self[$0].names(self[$0]) && self[$0 + 1].isTwin(of: self[$0]) }
    }

    fileprivate mutating func removeSelfIssuedEnd() {
        if count > 1, let last, last.names(last) { removeLast() }
    }
}

extension Certificate {
    /// Whether `issuer` is the one that it names: by name, and by key identifiers where both have one.
    fileprivate func names(_ issuer: Certificate) -> Bool {
        guard issuer.isNamed(as: X509_get_issuer_name(x509.pointer)) else { return false }
        guard let own = X509_get0_authority_key_id(x509.pointer),
            let other = X509_get0_subject_key_id(issuer.x509.pointer)
        else { return true }
        return ASN1_OCTET_STRING_cmp(own, other) == 0
    }

    /// Whether its issuer has the other's subject.
    func isNamed(by issuer: Certificate) -> Bool { issuer.isNamed(as: X509_get_issuer_name(x509.pointer)) }

    fileprivate var isSelfIssued: Bool { isNamed(by: self) }

    /// Whether this is its subject.
    fileprivate func isNamed(as name: OpaquePointer?) -> Bool {
        X509_NAME_cmp(name, X509_get_subject_name(x509.pointer)) == 0
    }

    /// Whether it has the other's subject and key.
    func isTwin(of other: Certificate) -> Bool {
        isNamed(as: X509_get_subject_name(other.x509.pointer)) && publicKey == other.publicKey
    }
}
