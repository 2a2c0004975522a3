import COpenSSL
import Foundation

extension TrustStore {
    /// The one path that GnuTLS makes of a chain, its anchor last; `nil` where it makes none that it could verify.
    ///
    /// Source: GnuTLS 3.6, `_gnutls_sort_clist` (`lib/x509/common.c`), `shorten_clist` and `gnutls_x509_trust_list_verify_crt2`
    /// (`verify-high.c`), `_gnutls_verify_crt_status` and `find_issuer` (`verify.c`), and runs of 3.7.9, which goes on with what
    /// was not sorted in.
    func gnuTLSPath(_ chain: [Certificate], at instant: Date?) -> [Certificate]? {
        let anchors = anchors.map(\.certificate)
        var list: [Certificate] = []
        var pending = chain.uniqued
        while !pending.isEmpty, list.last.map({ last in anchors.contains(where: last.names) }) != true {
            let part = chain.count <= TrustStore.mostSorted ? TrustStore.sorted(pending) : pending
            list += part
            pending.removeAll(where: part.contains)
        }
        list.removeSelfIssuedEnd()
        let end = list.indices.dropFirst().first { anchors.contains(list[$0]) && list[$0].names(list[$0]) }
        if let end { list = Array(list[...end]) }
        list.removeSelfIssuedEnd()
        guard let last = list.last else { return nil }
        // It looks in one place of its table: that of the last issuer's name, and then that of the last subject's.
        let issuers = anchors.filter { $0.isNamed(as: X509_get_issuer_name(last.x509.pointer)) }
        let twins = anchors.filter { $0.isNamed(as: X509_get_subject_name(last.x509.pointer)) }
        return path(list, issuers, at: instant) ?? (last.names(last) ? nil : path(list, twins, at: instant))
    }

    /// `DEFAULT_MAX_VERIFY_DEPTH`.
    private static let mostSorted = 16

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
        return list.withoutDoubles(at: instant).map { $0 + [issuer] }
    }

    /// From the first certificate to the first that may be its issuer, and so on.
    private static func sorted(_ chain: [Certificate]) -> [Certificate] {
        var sorted = [0]
        while sorted.count < chain.count, let last = sorted.last,
            let next = chain.indices.dropFirst().first(where: { $0 != last && chain[last].names(chain[$0]) })
        {
            sorted.append(next)
        }
        return sorted.map { chain[$0] }
    }
}

extension [Certificate] {
    /// The same without roots that stand below a cross-signature of their own name and key, which OpenSSL would pass over;
    /// `nil` if the dates of one are not in order.
    func withoutDoubles(at instant: Date?) -> [Certificate]? {
        let doubles = indices.dropFirst().filter { index in
            index + 1 < count && self[index].names(self[index]) && self[index + 1].isTwin(of: self[index])
        }
        guard doubles.allSatisfy({ self[$0].failure(host: nil, at: instant) == nil }) else { return nil }
        return indices.filter { !doubles.contains($0) }.map { self[$0] }
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

    /// Whether this is its subject.
    fileprivate func isNamed(as name: OpaquePointer?) -> Bool {
        X509_NAME_cmp(name, X509_get_subject_name(x509.pointer)) == 0
    }

    /// Whether it has the other's subject and key.
    func isTwin(of other: Certificate) -> Bool {
        isNamed(as: X509_get_subject_name(other.x509.pointer)) && publicKey == other.publicKey
    }

    /// Whether the subject is the name of its issuer, and the key made its signature; nothing else counts.
    func isSigned(by issuer: Certificate) -> Bool {
        defer { ERR_clear_error() }
        guard issuer.isNamed(as: X509_get_issuer_name(x509.pointer)), let key = X509_get0_pubkey(issuer.x509.pointer)
        else { return false }
        return X509_verify(x509.pointer, key) == 1
    }
}
