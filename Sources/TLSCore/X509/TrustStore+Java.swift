import Foundation

extension TrustStore {
    /// The paths that JSSE makes of a chain whose certificates stand in order, each vouched for by the next; `nil` where it
    /// searches instead.
    ///
    /// Source: OpenJDK 17, `sun.security.validator.PKIXValidator.engineValidate`. In order, nothing of an anchor counts but its
    /// key; where it searches (`SunCertPathBuilder`), the anchor's dates count as well.
    func javaPaths(_ chain: [Certificate], at instant: Date?) -> [[Certificate]]? {
        let anchors = anchors.map(\.certificate)
        var end = chain.count
        for (index, certificate) in chain.enumerated() {
            guard index == 0 || chain[index - 1].issuer == certificate.subject else { return nil }
            if anchors.contains(where: certificate.isTwin) {
                end = index
                break
            }
        }
        guard end > 0 else { return [[chain[0]]] }
        let issuers = anchors.filter(chain[end - 1].isSigned)
        // It ended before an anchor's twin, and then that anchor is asked alone.
        if issuers.isEmpty, end == chain.count { return nil }
        let list = Array(chain[..<end]).withoutDoubles(at: instant)
        return issuers.compactMap { issuer in list.map { $0 + [issuer] } }
    }
}
