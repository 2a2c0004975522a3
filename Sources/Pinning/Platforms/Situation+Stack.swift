import TLSCore

/// What the TLS stack under a pinning system does before any pin is looked at.
extension Situation {
    /// The refusal of a stack that takes nothing older than a version; `nil` when the server speaks a newer one.
    func refusal(below oldest: TLSVersion, by stack: String) -> Decision? {
        guard version < oldest else { return nil }
        return Decision(.reject, .systemRule("\(stack) takes no \(version), only \(oldest) or later"))
    }

    /// The decision where the stack may or may not take an old version of TLS: no acceptance can be demanded then.
    func unlessOld(_ decision: Decision, oldest: TLSVersion = .tls1_2) -> Decision {
        version < oldest && decision.demand == .accept ? Decision(.either, .oldVersion(version)) : decision
    }

    /// The path that can be built when nobody asks whether it is trusted: each certificate is vouched for by the next,
    /// out of the store before what was sent, as far as that goes.
    var bestEffortPath: [Certificate] {
        guard let leaf = chain.first else { return [] }
        let anchors = store.anchors.map(\.certificate)
        var path = [leaf]
        while let last = path.last, !anchors.contains(last), !last.isSelfSigned, path.count < 10 {
            let next = (anchors + chain).first { !path.contains($0) && last.isIssued(by: $0) }
            guard let next else { break }
            path.append(next)
        }
        return path
    }
}
