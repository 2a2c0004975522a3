package import Foundation
package import TLSCore

/// Trials that a device is given one after the other with the same roots installed.
package struct DrillPart: Sendable {
    /// The names of the authorities that it trusts meanwhile.
    package var roots: [String]
    package var trials: [Trial]
}

extension Oracle {
    /// The trials in as few parts as can be: nobody should install roots anew for each. Where it would be another matter
    /// to a trial that the device trusts the roots of the others as well, the trial comes later, with fewer of them.
    package func drillParts(of trials: [Trial], instant: Date) throws -> [DrillPart] {
        var parts: [DrillPart] = []
        var left = trials
        while let first = left.first {
            let all = left.flatMap(anchors).uniqued
            let trusting = Oracle(pki.trusting(all))
            var fitting = try left.filter { try isAlike($0, with: trusting, instant) }
            if fitting.isEmpty { fitting = left.filter { Set(anchors(of: $0)) == Set(anchors(of: first)) } }
            parts.append(DrillPart(roots: fitting.flatMap(anchors).map(\.authority).uniqued, trials: fitting))
            left.removeAll(where: fitting.contains)
        }
        return parts
    }

    private func anchors(of trial: Trial) -> [StoreDeclaration.Anchor] {
        trial.scenario.steps.map(\.store).uniqued.flatMap { pki.blueprint.store(named: $0)?.anchors ?? [] }.uniqued
    }

    private func isAlike(_ trial: Trial, with trusting: Oracle, _ instant: Date) throws -> Bool {
        let (own, trusting) = (try playing(trial.scenario), try trusting.playing(trial.scenario))
        return try trial.scenario.steps.allSatisfy { step in
            func decisions(_ oracle: Oracle) throws -> [ShownChain] {
                try oracle.decide(trial.policy, step: step, instant: instant)
                    + oracle.decideElsewhere(trial.policy, step: step, instant: instant)
            }
            return try zip(decisions(own), decisions(trusting)).allSatisfy { $0.isLike($1) }
        }
    }

    /// Hosts that check whether a device trusts these roots. Constraints to a host allow what lies below it (RFC 5280
    /// section 4.2.1.10). A host that is an address has nothing below it.
    package func rootChecks(_ roots: [String], host: String, at time: StoryTime) throws -> [(
        host: String, root: String, identity: Identity
    )] {
        guard case .dns = SubjectName(host) else { return [] }
        let key = try PrivateKey()
        return try roots.enumerated().map { index, root in
            let name = "trust-\(index + 1).\(SubjectName.relative(host.lowercased()))"
            let leaf = CertificateTemplate.leaf(names: [SubjectName(name)], now: pki.now)
            let identity = try pki.authority(named: root, at: time).identity(
                leaf,
                key: key,
                label: "a check of \(root)"
            )
            return (name, root, identity)
        }
    }
}
