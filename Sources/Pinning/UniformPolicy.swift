package import Foundation
package import TLSCore

/// One policy for every host: what a scenario file says of a client. TLS below 1.2 is left to the TLS stack.
package struct UniformPolicy: PinRules, Hashable {
    package var policy: PinPolicy

    package init(_ policy: PinPolicy) {
        self.policy = policy
    }

    package var uniformPolicy: PinPolicy? { policy }

    package var stack: TrustStack { .unknown }

    package func decide(_ situation: Situation) -> Decision {
        situation.unlessOld(situation.on(stack).decide(policy))
    }

    package var pins: [ConfiguredPin] {
        policy.requirements.flatMap { requirement in
            requirement.pins.map {
                ConfiguredPin(domain: nil, pin: $0, match: requirement.match, position: requirement.position)
            }
        }
    }

    package func mapPins(_ transform: (Pin) -> Pin) -> UniformPolicy {
        var copy = self
        for index in policy.requirements.indices {
            copy.policy.requirements[index].pins = policy.requirements[index].pins.map(transform)
        }
        return copy
    }

    package func pinning(
        _ chain: [Certificate],
        in store: TrustStore,
        host: String,
        at instant: Date
    ) -> UniformPolicy {
        UniformPolicy(policy.pinning(chain, in: store, host: host, at: instant))
    }

    package func rendered() -> String { "" }

    package var scopes: [PinScope] {
        let lists = policy.requirements.map { requirement in
            let digests = requirement.pins.map { PinnedDigest($0, of: requirement.match) }
            return PinScope.List(digests, position: requirement.position, search: requirement.search)
        }
        return [PinScope(written: lists, checks: policy.checks, failure: policy.failure)]
    }

    package func scope(for host: String) -> PinScope? { scopes.first }
}
