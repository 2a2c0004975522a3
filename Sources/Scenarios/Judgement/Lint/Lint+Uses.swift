import Pinning
import TLSCore

/// `never-used`: what is declared and plays no part.
extension Lint {
    func unusedDeclarations() -> [LintFinding] {
        unusedKeys() + unusedAuthorities() + unusedStores() + unusedChains() + unplayedPolicies() + unplayedClients()
            + emptyScenarios() + unaskedHosts()
    }

    /// Pinned keys that are never put to use; a backup that was never tried may be the wrong one.
    func unshownPins() -> [LintFinding] {
        file.policies.flatMap { policy in
            let plays = plays.filter { $0.policy.name == policy.name }
            let steps = plays.flatMap(\.steps)
            let shown = Set(steps.flatMap(\.step.present).flatMap(chains).flatMap(keys))
            let unshown = oracle.pki.pinnedKeys(of: policy).uniqued.filter { !shown.contains(owner(of: $0)) }
            return (plays.isEmpty ? [] : unshown).map {
                finding(
                    Subject(.policy, policy.name),
                    at: policy.location,
                    "policy '\(policy.name)' pins '\($0)', and no step shows that key: whether the pin works is not known",
                    fix: "add a step that shows a chain with it"
                )
            }
        }
    }

    /// The keys that a chain shows or leads to, each by the name that it was made by.
    private func keys(of chain: ChainDeclaration) -> [String] {
        var authorities = (chain.send ?? []).map { blueprint.chain(named: $0)?.key ?? $0 }
        if case .authority(let name) = chain.issuer { authorities += path(from: name) }
        return [chain.key] + authorities.map(owner)
    }

    private func unusedKeys() -> [LintFinding] {
        let chains = blueprint.chains.map(\.key)
        let used = Set(chains + blueprint.authorities.compactMap(\.key) + pinnedNames)
        return blueprint.keys.filter { !used.contains($0.name) && $0.standsFor.isEmpty }.map {
            finding(
                Subject(.key, $0.name),
                at: $0.location,
                "no chain, authority or policy has the key '\($0.name)'",
                fix: "use it or take it out"
            )
        }
    }

    private func unusedAuthorities() -> [LintFinding] {
        let copied = blueprint.authorities.compactMap { authority in
            if case .copied(let name) = authority.subject { name } else { nil }
        }
        let issuers = blueprint.chains.compactMap { chain in
            if case .authority(let name) = chain.issuer { name } else { nil }
        }
        let above =
            blueprint.authorities.compactMap(\.issuer) + blueprint.authorities.compactMap(\.key)
            + blueprint.authorities.compactMap(\.traits.keyIdentifierOf)
        let anchors = blueprint.stores.flatMap { $0.anchors.map(\.authority) }
        let sent = blueprint.chains.flatMap { $0.send ?? [] }
        let used = Set(copied + issuers + above + anchors + sent + pinnedNames)
        return blueprint.authorities.filter { !used.contains($0.name) && $0.standsFor.isEmpty }.map {
            finding(
                Subject(.authority, $0.name),
                at: $0.location,
                "the authority '\($0.name)' vouches for nothing, and nobody trusts or pins it",
                fix: "use it or take it out"
            )
        }
    }

    private func unusedStores() -> [LintFinding] {
        let used = Set(file.scenarios.flatMap { $0.steps.map(\.store) })
        return blueprint.stores.filter { !used.contains($0.name) }.map {
            finding(
                Subject(.store, $0.name),
                at: $0.location,
                "no step has the store '\($0.name)'",
                fix: "name it in a scenario or a step, or take it out"
            )
        }
    }

    private func unusedChains() -> [LintFinding] {
        // A control is a step as well, and file order decides which chain it shows.
        let shown =
            file.scenarios.flatMap { $0.steps.flatMap { $0.present + $0.also.map(\.chain) } }
            + plays.flatMap { $0.steps.flatMap(\.step.present) }
        let certificates = file.policies.flatMap(\.requirements).flatMap(\.pins).compactMap { source in
            if case .leafCertificate(let name) = source { name } else { nil }
        }
        let parts = blueprint.chains.flatMap(blueprint.sources)
        let used = Set(shown + certificates + parts)
        // Nobody declares the genuine one: a relay leads to it as well.
        return blueprint.chains.filter { !$0.isGenuine && !used.contains($0.name) }.map {
            finding(
                Subject(.chain, $0.name),
                at: $0.location,
                "no step shows the chain '\($0.name)'",
                fix: "add a step that does, or take it out"
            )
        }
    }

    private func unplayedPolicies() -> [LintFinding] {
        let played = Set(trials.map(\.policy.name))
        return file.policies.filter { !played.contains($0.name) }.map {
            finding(
                Subject(.policy, $0.name),
                at: $0.location,
                "policy '\($0.name)' is never played: every scenario or client leaves it out",
                fix: "name it where it belongs, or take it out"
            )
        }
    }

    /// Hosts that a policy is for and that no step asks for.
    private func unaskedHosts() -> [LintFinding] {
        file.policies.flatMap { policy in
            let asked = plays.filter { $0.policy.name == policy.name }.flatMap(\.steps).map(\.step.host)
            let hosts = asked.isEmpty ? [] : policy.rules?.hosts ?? []
            return hosts.filter { host in
                !asked.contains { PolicyRules(hosts: [host], includesSubdomains: true).covers($0) }
            }
            .map {
                finding(
                    Subject(.policy, policy.name),
                    at: policy.location,
                    "policy '\(policy.name)' pins the host '\($0)', and no step asks for it",
                    fix: "add a step with 'host: \($0)', or take it out"
                )
            }
        }
    }

    private func unplayedClients() -> [LintFinding] {
        let played = Set(trials.map(\.client.name))
        return file.clients.filter { !played.contains($0.name) }.map {
            finding(
                Subject(.client, $0.name),
                at: $0.location,
                "client '\($0.name)' is never tried: every scenario leaves it or its policies out",
                fix: "name it or its policies in a scenario, or take it out"
            )
        }
    }

    private var pinnedNames: [String] {
        file.policies.flatMap(\.requirements).flatMap(\.pins).compactMap { source in
            switch source {
            case .key(let name), .authorityCertificate(let name): name
            case .leafCertificate, .literal: nil
            }
        }
    }

    private func finding(_ subject: Subject, at location: SourceLocation, _ message: String, fix: String) -> LintFinding
    {
        LintFinding(.neverUsed, subject, at: location, message, fix: fix)
    }
}
