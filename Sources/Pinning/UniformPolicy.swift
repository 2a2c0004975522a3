public import Foundation
public import TLSCore

/// One policy for every host: what a scenario file says of a client. TLS below 1.2 is left to the TLS stack.
public struct UniformPolicy: PinRules, Hashable {
    public var policy: PinPolicy

    public init(_ policy: PinPolicy) {
        self.policy = policy
    }

    public var uniformPolicy: PinPolicy? { policy }

    public func decide(_ situation: Situation) -> Decision { situation.unlessOld(situation.decide(policy)) }

    public var pins: [ConfiguredPin] {
        policy.requirements.flatMap { requirement in
            requirement.pins.map {
                ConfiguredPin(domain: nil, pin: $0, match: requirement.match, position: requirement.position)
            }
        }
    }

    public func mapPins(_ transform: (Pin) -> Pin) -> UniformPolicy {
        var copy = self
        for index in policy.requirements.indices {
            copy.policy.requirements[index].pins = policy.requirements[index].pins.map(transform)
        }
        return copy
    }

    public func pinning(
        _ chain: [Certificate],
        in store: TrustStore,
        host: String,
        at instant: Date
    ) -> UniformPolicy {
        UniformPolicy(policy.pinning(chain, in: store, host: host, at: instant))
    }

    public func rendered() -> String { "" }

    public var scopes: [PinScope] {
        let lists = policy.requirements.map { requirement in
            let digests = requirement.pins.map { PinnedDigest($0, of: requirement.match) }
            return PinScope.List(digests, position: requirement.position, search: requirement.search)
        }
        return [PinScope(written: lists, checks: policy.checks, failure: policy.failure)]
    }

    public func scope(for host: String) -> PinScope? { scopes.first }
}
