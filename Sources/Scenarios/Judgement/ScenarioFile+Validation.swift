public import Foundation
import Pinning

extension ScenarioFile {
    /// Holds the file's own statements against the oracle: claims that it contradicts, and policies that no server of
    /// the owner's could satisfy. The two checks that need certificates; empty when all is well.
    ///
    /// - Parameter instant: the real one, at which the chains would be shown.
    public func contradictions(_ oracle: Oracle, instant: Date) throws -> [Problem] {
        try unsatisfiablePolicies(oracle, instant: instant) + wrongClaims(oracle, instant: instant)
    }

    private func wrongClaims(_ oracle: Oracle, instant: Date) throws -> [Problem] {
        try scenarios.flatMap { scenario in
            try scenario.steps.flatMap { step in
                guard step.locksOut != nil || step.intercepts != nil else { return [Problem]() }
                let played = policies.filter { scenario.policies?.contains($0.name) ?? true }
                let outcomes = try played.map { policy in
                    (policy, try oracle.decide(policy, step: step, instant: instant))
                }
                return [
                    step.locksOut.flatMap { wrong($0, .lockedOut, outcomes) },
                    step.intercepts.flatMap { wrong($0, .intercepted, outcomes) },
                ].compactMap { $0 }
            }
        }
    }

    private func wrong(
        _ claim: Claim,
        _ consequence: Consequence,
        _ outcomes: [(policy: PolicyDeclaration, showings: [Showing])]
    ) -> Problem? {
        for (policy, showings) in outcomes {
            // Where the TLS stack decides, the author may know better than the policy.
            guard showings.allSatisfy({ $0.decision.demand != .either }) else { continue }
            let culprit = showings.first { $0.consequence == consequence }
            guard (culprit != nil) != claim.covers(policy: policy.name) else { continue }
            let key = consequence == .lockedOut ? "locks-out" : "intercepts"
            if let culprit {
                return Problem(
                    "'\(key)' leaves out '\(policy.name)', which must \(culprit.decision.demand) '\(culprit.chain)': "
                        + "\(culprit.decision)",
                    at: claim.location
                )
            }
            guard let shown = showings.first else { continue }
            return Problem(
                "'\(key)' names '\(policy.name)', which must \(shown.decision.demand) '\(shown.chain)': "
                    + "\(shown.decision)",
                at: claim.location
            )
        }
        return nil
    }

    private func unsatisfiablePolicies(_ oracle: Oracle, instant: Date) throws -> [Problem] {
        try policies.filter { try !isSatisfiable($0, oracle, instant: instant) }.map { policy in
            Problem(
                "no chain of the owner satisfies the policy '\(policy.name)' in any store: "
                    + "a client that obeys it could talk to nobody",
                at: policy.location
            )
        }
    }

    private func isSatisfiable(_ policy: PolicyDeclaration, _ oracle: Oracle, instant: Date) throws -> Bool {
        let steps = scenarios.flatMap(\.steps)
        let times = Set(steps.map(\.at)).union([.zero]).sorted()
        let hosts = ([host] + steps.map(\.host)).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        for chain in blueprint.chains where blueprint.holder(of: chain) == .owner {
            for store in blueprint.stores {
                for host in hosts {
                    for time in times {
                        let decision = try oracle.decide(
                            policy,
                            shown: chain.name,
                            in: store.name,
                            host: host,
                            at: time,
                            instant: instant
                        )
                        if decision.demand != .reject { return true }
                    }
                }
            }
        }
        return false
    }
}
