package import Foundation
package import TLSCore

/// One policy for every host: what a scenario file says of a client. TLS below 1.2 is left to the TLS stack.
package struct UniformPolicy: PinRules, Hashable {
    package var policy: PinPolicy
    package var stack: TrustStack

    package init(_ policy: PinPolicy, on stack: TrustStack = .unknown) {
        self.policy = policy
        self.stack = stack
    }

    /// No handshake of OpenSSL says what another library does.
    package var uniformPolicy: PinPolicy? { stack == .unknown ? policy : nil }

    package func decide(_ situation: Situation) -> Decision {
        let situation = situation.on(stack)
        return situation.unlessOld(unlessApple(situation, situation.decide(policy)))
    }

    /// Apple asks more of a path than that it is one.
    private func unlessApple(_ situation: Situation, _ decision: Decision) -> Decision {
        guard stack == .apple, decision.demand == .accept, policy.checks.contains(.path),
            case .trusted(let path) = situation.store.evaluate(
                situation.chain,
                host: policy.checks.contains(.host) ? situation.host : nil,
                at: policy.checks.contains(.validity) ? situation.instant : nil
            ),
            let rule = ApplePlatform.brokenRule(path, in: situation.store)
        else { return decision }
        return Decision(.reject, .systemRule(rule))
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
        UniformPolicy(policy.pinning(chain, in: store.on(stack), host: host, at: instant), on: stack)
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
