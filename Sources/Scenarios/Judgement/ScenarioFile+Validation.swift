package import Foundation
import Pinning
import TLSCore

extension ScenarioFile {
    /// Holds the file's own statements against the oracle: claims that it contradicts, and policies that no server of
    /// the owner's could satisfy. The two checks that need certificates; empty when all is well.
    ///
    /// - Parameter instant: the real one, at which the chains would be shown.
    package func contradictions(_ oracle: Oracle, instant: Date) throws -> [ScenarioProblem] {
        var file = self
        return try file.leaveOutForeign(oracle, instant: instant).problems
    }

    /// Takes out the scenarios of the shipped catalogue whose claims do not hold for the host that this file includes it
    /// for: they are about how a name is built, and `localhost` has no parts.
    ///
    /// - Parameter trials: what is played. Where the shipped catalogue itself is, no more than that is looked at: the tests of
    ///   this project hold all of it to the oracle, and to decide it takes longer than to play a trial. `nil`: everything
    ///   is looked at.
    /// - Returns: what else the oracle contradicts, and the names of what is left out.
    package mutating func leaveOutForeign(
        _ oracle: Oracle,
        instant: Date,
        playing trials: [Trial]? = nil
    ) throws -> (problems: [ScenarioProblem], leftOut: [String]) {
        let played = trials.map { (Set($0.map(\.scenario.base)), Set($0.map(\.policy.name))) }
        let policies = policies.filter { !isShipped($0.location) || played?.1.contains($0.name) ?? true }
        var problems = try unsatisfiable(policies, oracle, instant: instant)
        var leftOut: Set<String> = []
        for scenario in scenarios where !isShipped(scenario.location) || played?.0.contains(scenario.name) ?? true {
            // What kept roots cannot play is skipped by name, and claims nothing of them.
            guard oracle.pki.keptRoots == nil || oracle.pki.obstacle(to: scenario) == nil else { continue }
            let wrong = try wrongClaims(of: scenario, oracle, instant: instant)
            if !wrong.isEmpty, borrows(scenario.location) { leftOut.insert(scenario.name) } else { problems += wrong }
        }
        let names = scenarios.map(\.name).filter(leftOut.contains)
        scenarios.removeAll { leftOut.contains($0.name) }
        return (problems, names)
    }

    /// Whether a place is in the shipped catalogue, and this is a file of somebody's own that only includes it. Its clients
    /// are never borrowed.
    func borrows(_ place: SourceLocation) -> Bool {
        ScenarioSource.isCarried(place.file) && !clients.contains { ScenarioSource.isCarried($0.location.file) }
    }

    /// Whether a place is in the shipped catalogue, and that itself is what is played.
    private func isShipped(_ place: SourceLocation) -> Bool { shippedFiles.contains(place.file) }

    /// Whether the shipped catalogue itself is played, as it is.
    package var isShipped: Bool {
        let places = scenarios.map(\.location) + policies.map(\.location) + clients.map(\.location)
        return places.allSatisfy(isShipped)
    }

    private func wrongClaims(of scenario: Scenario, _ oracle: Oracle, instant: Date) throws -> [ScenarioProblem] {
        // What the shipped catalogue claims was written without the policies of others.
        let known = borrows(scenario.location) ? policies.filter { borrows($0.location) } : policies
        return try scenario.steps.flatMap { step in
            guard step.locksOut != nil || step.intercepts != nil else { return [ScenarioProblem]() }
            let played = known.filter { scenario.policies?.contains($0.name) ?? true && !$0.isUnclaimed }
            let outcomes = try played.map { policy -> (PolicyDeclaration, [ShownChain]) in
                let elsewhere = try oracle.decideElsewhere(policy, step: step, instant: instant)
                return (policy, try oracle.decide(policy, step: step, instant: instant) + elsewhere)
            }
            return (step.locksOut.map { wrong($0, .lockedOut, outcomes) } ?? [])
                + (step.intercepts.map { wrong($0, .intercepted, outcomes) } ?? [])
        }
    }

    private func wrong(
        _ claim: Claim,
        _ consequence: Consequence,
        _ outcomes: [(policy: PolicyDeclaration, shownChains: [ShownChain])]
    ) -> [ScenarioProblem] {
        let right = outcomes.filter { policy, shownChains in
            shownChains.contains { $0.decision.demand == .either }
                ? claim.covers(policy: policy.name) : shownChains.contains { $0.consequence == consequence }
        }.map(\.policy.name)
        let line = "\(consequence.claim(of: .policies([]))): [\(right.joined(separator: ", "))]"
        return outcomes.compactMap { policy, shownChains in
            // Where the TLS stack decides, the author may know better than the policy.
            guard shownChains.allSatisfy({ $0.decision.demand != .either }) else { return nil }
            let culprits = shownChains.filter { $0.consequence == consequence }
            guard culprits.isEmpty == claim.covers(policy: policy.name) else { return nil }
            let verb = culprits.isEmpty ? claim.extent == .all ? "includes" : "names" : "leaves out"
            let demands = (culprits.isEmpty ? shownChains : culprits).map { shown in
                "\(shown.decision.demand) the \(shown.holder)'s '\(shown.chain)' (\(shown.decision))"
            }
            return ScenarioProblem(
                "'\(consequence.claim(of: claim.extent))' \(verb) the policy '\(policy.name)', but here "
                    + "\(consequence.sentence(isTrue: !culprits.isEmpty)): it must "
                    + "\(demands.joined(separator: " and ")); write \(line)",
                at: claim.location
            )
        }
    }

    private func unsatisfiable(
        _ policies: [PolicyDeclaration],
        _ oracle: Oracle,
        instant: Date
    ) throws -> [ScenarioProblem] {
        try policies.filter { try !isSatisfiable($0, oracle, instant: instant) }.map { policy in
            if case .imported(let imported) = policy.source { return unsatisfiable(policy, imported, oracle) }
            return ScenarioProblem(
                "the policy '\(policy.name)' accepts none of the owner's chains, whatever the store: "
                    + "a client that obeys it can talk to nobody",
                at: policy.location
            )
        }
    }

    /// Names the pins that no key of the file stands for: without a stand-in the test would be a long green nothing.
    private func unsatisfiable(_ policy: PolicyDeclaration, _ imported: ImportedPolicy, _ oracle: Oracle)
        -> ScenarioProblem
    {
        let strangers = oracle.pki.strangers(of: imported).map { "\($0)" }
        let culprits =
            strangers.isEmpty
            ? ""
            : "; no key of the file stands for \(strangers.joined(separator: ", ")); say which does by 'stands-for'"
        return ScenarioProblem(
            "the policy '\(policy.name)' from \(imported.file) accepts none of the owner's chains for \(mainHost(of: policy))"
                + culprits,
            at: policy.location
        )
    }

    /// The host that a policy is about.
    private func mainHost(of policy: PolicyDeclaration) -> String {
        let played = scenarios.filter { $0.policies?.contains(policy.name) ?? true }.flatMap(\.steps).map(\.host)
        return played.contains(host) ? host : played.first ?? host
    }

    private func isSatisfiable(_ policy: PolicyDeclaration, _ oracle: Oracle, instant: Date) throws -> Bool {
        let places = try places(for: policy, oracle)
        let chains = blueprint.chains.filter { blueprint.holder(of: $0) == .owner }
        // The genuine server's is taken to be accepted until it is asked, and saves all other questions.
        for chain in chains.filter(\.isGenuine) + chains.filter({ !$0.isGenuine }) {
            for place in places {
                let decision = try oracle.decide(
                    policy,
                    shown: chain.name,
                    in: place.store,
                    host: place.host,
                    at: place.time,
                    instant: instant
                )
                if decision.demand != .reject { return true }
            }
        }
        return false
    }

    private struct Place: Hashable {
        var store: String
        var host: String
        var time: StoryTime
    }

    /// Where a client could be shown something: at the file's host in every store, and where steps are. Not each store at
    /// each host at each time, which nobody shows and which grow with the cube of a file.
    private func places(for policy: PolicyDeclaration, _ oracle: Oracle) throws -> [Place] {
        let usual = blueprint.stores.map { Place(store: $0.name, host: host, time: .zero) }
        let all = (usual + scenarios.flatMap(\.steps).map { Place(store: $0.store, host: $0.host, time: $0.at) })
            .uniqued
        // Hosts that it leaves alone would prove nothing of its pins.
        let hosts = Set(all.map(\.host)).filter { oracle.pki.hasPins(policy, host: $0) }
        return hosts.isEmpty ? all : all.filter { hosts.contains($0.host) }
    }
}

extension Consequence {
    /// The setting that claims it.
    fileprivate func claim(of extent: Claim.Extent) -> String {
        (self == .lockedOut ? "locks-out" : "intercepts") + (extent == .all ? ": all" : "")
    }

    /// What it means for the users of a policy, or what its absence means.
    fileprivate func sentence(isTrue: Bool) -> String {
        switch (self, isTrue) {
        case (.lockedOut, true): "its users are kept from their own server"
        case (.lockedOut, false): "its users are not kept from their own server"
        case (_, true): "an attacker gets its users' data"
        case (_, false): "no attacker gets its users' data"
        }
    }
}
