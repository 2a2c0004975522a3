package import TLSCore

/// What a correct client must do with a chain, and why: computed from its policy, never from an author's opinion.
package struct Decision: Hashable, Sendable {
    package enum Demand: String, CaseIterable, Codable, Sendable {
        case accept
        case reject
        /// The TLS stack, fetching of missing certificates, or path building decides: the policy says nothing.
        case either
    }

    /// Why; each demand has its own reasons.
    package enum Reason: Hashable, Sendable {
        /// Accept: the chain is trusted and the client pins nothing.
        case trusted
        /// Accept: every requirement is met. `matched` are the certificates that met them.
        case pinned(matched: [Certificate])
        /// Accept: no pin matches, and the policy only reports that.
        case reportedOnly
        /// Accept: no pin matches, and the policy exempts this kind of anchor.
        case exempt(TrustAnchor.Origin)
        /// Reject: trust is lacking, whatever the pins say.
        case untrusted(TrustFailure)
        /// Reject: the chain is trusted, and this requirement is not met.
        case noPinMatches(PinRequirement)
        /// Either: stacks draw the line elsewhere.
        case stackDecides(TrustFailure)
        /// Either: some stacks still speak this version of TLS, and the policy says nothing of it.
        case oldVersion(TLSVersion)
        /// Either: the host is written with a dot at its end, which RFC 6066 section 3 takes off, and stacks differ.
        case hostWithADot
        /// Any: a rule of the pinning system or its platform that is about something else than pins, in words.
        case systemRule(String)
    }

    package let demand: Demand
    package let reason: Reason

    package init(_ demand: Demand, _ reason: Reason) {
        self.demand = demand
        self.reason = reason
    }

    /// Whether the pins, and not ordinary trust, make a client turn this chain away.
    package var isRefusalByPin: Bool { if case .noPinMatches = reason { true } else { false } }
}

extension Decision: CustomStringConvertible {
    /// A clause for people that completes "must accept: …".
    package var description: String {
        switch reason {
        case .trusted: "it is trusted, and nothing is pinned"
        case .pinned(let matched):
            "a pinned key is in it: "
                + matched.map(\.subject).uniqued.joined(separator: ", ")
        case .reportedOnly: "no pin matches, but the policy only reports"
        case .exempt(let origin): "no pin matches, but anchors of origin '\(origin.rawValue)' are exempt"
        case .untrusted(let failure): "\(failure)"
        case .noPinMatches(let requirement):
            requirement.pins.isEmpty ? "no pin in the list can match" : "no pin matches"
        case .stackDecides(let failure): "\(failure), where TLS stacks differ"
        case .hostWithADot: "the host is written with a dot at its end, where TLS stacks differ"
        case .systemRule(let rule): rule
        case .oldVersion(let version): "the server speaks \(version) only, which not every TLS stack does"
        }
    }
}
