extension TrustStore {
    /// What a refused chain lacks, or that it is not leaf first, in words; `nil` where that is not what is wrong.
    package func missing(above chain: [Certificate], _ failure: TrustFailure) -> String? {
        if let first = chain.first, first.isAuthority, let leaf = chain.dropFirst().first(where: { !$0.isAuthority }) {
            return "the chain is not leaf first: '\(first.subject)' is an authority, and "
                + "'\(leaf.subject)' comes after it"
        }
        guard [.unknownAuthority, .selfSigned].contains(failure.reason), var top = chain.first else { return nil }
        var rest = chain.dropFirst()
        while let index = rest.firstIndex(where: { $0.subject == top.issuer }), !top.isSelfSigned {
            top = rest.remove(at: index)
        }
        if top.isSelfSigned { return "'\(top.subject)' vouches for itself and is not in the store" }
        let isKnown = anchors.contains { $0.certificate.subject == top.issuer }
        return isKnown
            ? "the store has a '\(top.issuer)', which did not sign '\(top.subject)'"
            : (chain.contains(where: \.isAuthority) ? "neither the chain" : "the chain has no intermediate: neither it")
                + " nor the store has '\(top.issuer)', which signed '\(top.subject)'"
    }
}
