package import TLSCore

/// A pin that would have let a client in.
package struct NeededPin: Hashable, Sendable {
    package var pin: Pin
    /// What it is the digest of.
    package var match: PinRequirement.Match
    /// The one of the chain that it would match.
    package var certificate: Certificate
}

extension PinRules {
    /// What a configuration lacks that turns a chain away for its pins: one element for each list of pins that nothing
    /// matches, with the pins of which one would do, that of the leaf first. Empty where pins are not what is wrong, or
    /// more than pins.
    ///
    /// Each was tried: the configuration with it in the place of one of its own does not refuse the chain.
    package func neededPins(for situation: Situation) -> [[NeededPin]] {
        var lists: [[NeededPin]] = []
        var rules = self
        // A configuration has at most one list for leaves and one for authorities, and a few entries for one host.
        for _ in 0..<4 {
            let decision = rules.decide(situation)
            guard case .noPinMatches(let requirement) = decision.reason else {
                return decision.demand == .reject ? [] : lists
            }
            guard let own = requirement.pins.first else { return [] }
            let found = candidates(of: requirement, for: situation).compactMap { needed -> (NeededPin, Self)? in
                let mended = rules.mapPins { $0 == own ? needed.pin : $0 }
                let decision = mended.decide(situation)
                if case .noPinMatches(let next) = decision.reason, next.pins != requirement.mapped(own, to: needed.pin)
                {
                    return (needed, mended)
                }
                return decision.demand == .reject ? nil : (needed, mended)
            }
            guard let first = found.first else { return [] }
            lists.append(found.map(\.0))
            rules = first.1
        }
        return []
    }

    private func candidates(of requirement: PinRequirement, for situation: Situation) -> [NeededPin] {
        let path = situation.store.on(stack).path(of: situation.chain, host: situation.host, at: situation.instant)
        let searched = requirement.search == .presentedChain ? situation.chain : path
        return requirement.candidates(in: searched).map { certificate in
            NeededPin(
                pin: requirement.match == .key ? certificate.pin : certificate.fingerprint,
                match: requirement.match,
                certificate: certificate
            )
        }
    }
}

extension PinRequirement {
    fileprivate func mapped(_ old: Pin, to new: Pin) -> [Pin] { pins.map { $0 == old ? new : $0 } }
}
