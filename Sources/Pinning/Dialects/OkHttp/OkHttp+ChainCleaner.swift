import TLSCore

extension OkHttp {
    /// The chain that `BasicCertificateChainCleaner` makes of what was sent, on the JVM, before pins are compared: from each
    /// certificate to an anchor that signed it, else to the first that was sent and did, and never back. `nil` where it
    /// throws.
    ///
    /// Source: square/okhttp 5.4.0, `okhttp3.internal.tls.BasicCertificateChainCleaner`, and 3.13.1 as it runs.
    static func clean(_ chain: [Certificate], in store: TrustStore) -> [Certificate]? {
        let anchors = store.anchors.map(\.certificate)
        var queue = chain.dropFirst()
        var result = Array(chain.prefix(1))
        var hasFoundAnchor = false
        for _ in 0..<mostSigners {
            guard let last = result.last else { return nil }
            if let anchor = anchors.first(where: last.isSigned) {
                if result.count > 1 || last != anchor { result.append(anchor) }
                if anchor.isSelfSigned { return result }
                hasFoundAnchor = true
            } else if let index = queue.firstIndex(where: last.isSigned) {
                result.append(queue.remove(at: index))
            } else {
                return hasFoundAnchor ? result : nil
            }
        }
        return nil
    }

    /// `MAX_SIGNERS`.
    private static let mostSigners = 9
}
