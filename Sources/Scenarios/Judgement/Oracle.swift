package import Foundation
package import Pinning
package import TLSCore

/// Says what a client that obeys its policy must do with a chain, from the policy, the chain, the store and the
/// instant. It never sees a client.
package struct Oracle: Sendable {
    package let pki: PKI

    package init(_ pki: PKI) {
        self.pki = pki
    }

    /// What must be done with a chain as a step shows it.
    ///
    /// - Parameters:
    ///   - instant: the real one; the chain's windows have been shifted to it already.
    package func decide(
        _ policy: PolicyDeclaration,
        shown chain: String,
        in store: String,
        host: String,
        at time: StoryTime,
        version: TLSVersion? = nil,
        instant: Date
    ) throws -> Decision {
        let situation = Situation(
            chain: try pki.identity(chain: chain, at: time, host: host).chain,
            store: try pki.store(named: store, at: time),
            host: host,
            at: instant,
            version: version ?? .tls1_3
        )
        return try pki.configuration(of: policy, at: time, host: host).decide(situation)
    }

    /// What must be done with each chain of a step, in the order shown.
    package func decide(_ policy: PolicyDeclaration, step: Step, instant: Date) throws -> [ShownChain] {
        try step.present.map { chain in
            let decision = try decide(
                policy,
                shown: chain,
                in: step.store,
                host: step.host,
                at: step.at,
                version: step.tls,
                instant: instant
            )
            let key = pki.blueprint.chain(named: chain).flatMap { pki.blueprint.key(named: $0.key) }
            return ShownChain(chain: chain, key: key?.name ?? "", holder: key?.holder ?? .attacker, decision: decision)
        }
    }
}

/// One chain of a step: whose it is, and what must be done with it.
package struct ShownChain: Hashable, Sendable {
    package var chain: String
    /// The name of the leaf's key.
    package var key: String
    /// Who holds that key.
    package var holder: Holder
    package var decision: Decision

    /// What a client that obeys would do to its users.
    package var consequence: Consequence {
        switch (holder, decision.demand) {
        case (.owner, .accept): .served
        case (.owner, .reject): .lockedOut
        case (.attacker, .accept): .intercepted
        case (.attacker, .reject): .protected
        case (_, .either): .unknown
        }
    }
}
