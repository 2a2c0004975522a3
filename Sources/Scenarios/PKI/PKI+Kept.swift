package import Foundation
import Pinning
import TLSCore

extension PKI {
    /// Why a scenario cannot be played with roots that are kept; `nil` where it can, or where none are.
    package func obstacle(to scenario: Scenario) -> String? {
        let shown = scenario.steps.flatMap { $0.present + $0.also.map(\.chain) }
        if let chain = shown.first(where: blueprint.lacksGenuine) {
            return "'\(chain)' copies the genuine server, and the file names none: 'upstream: { url: …, trust: … }'"
        }
        guard let keptRoots else { return nil }
        if case .attackerKeys(let type)? = scenario.variant {
            return "its attackers have \(type.rawValue) keys, which are not those of the keyring"
        }
        for step in scenario.steps {
            if step.clock != .zero { return "a root that is kept ends by its own date, to which no clock is moved" }
            let chains = (step.present + step.also.map(\.chain)).compactMap(blueprint.chain).flatMap(closure)
            let anchors = blueprint.store(named: step.store)?.anchors.map(\.authority) ?? []
            for name in anchors + chains.flatMap(roots) where keptRoots[name] == nil {
                let authority = blueprint.authority(named: name)
                if authority?.valid != nil {
                    return "'\(name)' has 'valid:', and a root that is kept is not moved in time"
                }
                return authority?.issuer == nil
                    ? "'\(name)' is not kept, for it cannot be constrained"
                    : "the store '\(step.store)' trusts '\(name)', and only roots are kept"
            }
            let constraints = blueprint.authorities.filter { !$0.isConstrainedByFile }
                .compactMap { keptRoots[$0.name]?.nameConstraints }
            if let chain = chains.first(where: { $0.mirrors != nil }) {
                return "'\(chain.name)' copies names, for which the roots of the keyring may not vouch"
            }
            let names = chains.flatMap { $0.signedNames(for: step.host) }
            if let name = names.first(where: { name in !constraints.allSatisfy { $0.allow(name) } }) {
                return "the roots of the keyring cannot vouch for '\(name)' without vouching for the names of strangers"
            }
        }
        return nil
    }

    /// A chain, and those that it sends or borrows.
    private func closure(_ chain: ChainDeclaration) -> [ChainDeclaration] {
        [chain] + blueprint.sources(of: chain).compactMap(blueprint.chain).flatMap(closure)
    }

    /// The root above a chain's leaf.
    private func roots(of chain: ChainDeclaration) -> [String] {
        guard case .authority(var name) = chain.issuer else { return [] }
        while let issuer = blueprint.authority(named: name)?.issuer { name = issuer }
        return [name]
    }
}

extension ScenarioFile {
    /// Where roots that are kept would have a chain refused for another reason than the file's author meant: the oracle is
    /// asked again without their constraints.
    package func changesByKeptRoots(_ oracle: Oracle, instant: Date) throws -> [ScenarioProblem] {
        guard oracle.pki.keptRoots != nil else { return [] }
        let free = Oracle(oracle.pki.free)
        var problems: [ScenarioProblem] = []
        for scenario in scenarios where oracle.pki.obstacle(to: scenario) == nil {
            for step in scenario.steps {
                for policy in policies where scenario.policies?.contains(policy.name) ?? true {
                    func decisions(_ oracle: Oracle) throws -> [ShownChain] {
                        try oracle.decide(policy, step: step, instant: instant)
                            + oracle.decideElsewhere(policy, step: step, instant: instant)
                    }
                    let pairs = zip(try decisions(oracle), try decisions(free))
                    guard let (kept, meant) = pairs.first(where: { !$0.isLike($1) }) else { continue }
                    problems.append(
                        ScenarioProblem(
                            "with the roots of the keyring '\(kept.chain)' must be another matter to the policy "
                                + "'\(policy.name)' (\(kept.decision)) than without (\(meant.decision)); "
                                + "'pindrill certs rotate --keep-key' makes roots for the file as it is now",
                            at: step.location
                        )
                    )
                    break
                }
            }
        }
        return problems
    }
}

extension ShownChain {
    /// Signatures differ from one minting to the next, and so do the certificates of a decision.
    func isLike(_ other: ShownChain) -> Bool {
        decision.demand == other.decision.demand && "\(decision)" == "\(other.decision)"
    }
}
