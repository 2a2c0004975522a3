package import Foundation
package import TLSCore

/// Everything that a client knows when it decides about a server.
package struct Situation: Sendable {
    /// As presented, leaf first.
    package var chain: [Certificate]
    /// What the device trusts.
    package var store: TrustStore
    /// The name that the client asked for.
    package var host: String
    package var instant: Date
    /// The version of TLS that is spoken.
    package var version: TLSVersion

    package init(
        chain: [Certificate],
        store: TrustStore,
        host: String,
        at instant: Date,
        version: TLSVersion = .tls1_3
    ) {
        self.chain = chain
        self.store = store
        self.host = host
        self.instant = instant
        self.version = version
    }

    /// The same on a device with another TLS library.
    package func on(_ stack: TrustStack) -> Situation {
        var situation = self
        situation.store = store.on(stack)
        return situation
    }

    /// What is demanded where an app may run on one of several TLS libraries: what all of them do.
    func decide(on stacks: [TrustStack], _ decide: (Situation) -> Decision) -> Decision {
        // There is one at least.
        let decisions = stacks.map { decide(on($0)) }
        guard Set(decisions.map(\.demand)).count > 1 else { return decisions[0] }
        let names = stacks.map(\.rawValue).joined(separator: " and ")
        return decisions.first { $0.demand == .either }
            ?? Decision(.either, .systemRule("\(names), on which it may run, differ about this chain"))
    }

    func decide(_ policy: PinPolicy, on stacks: [TrustStack]) -> Decision {
        decide(on: stacks) { $0.decide(policy) }
    }

    /// What a policy for this host demands here.
    package func decide(_ policy: PinPolicy) -> Decision {
        policy.evaluate(chain, in: store, host: host, at: instant)
    }
}
