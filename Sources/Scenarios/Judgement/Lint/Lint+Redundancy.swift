import Pinning
import TLSCore

/// `no-redundancy`.
extension Lint {
    /// Policies that one lost key, or one change of provider, turns into an outage.
    func redundancy() -> [LintFinding] {
        file.policies.compactMap { policy in
            // One finding is enough to make somebody look.
            policy.requirements.lazy.compactMap { weakness(of: $0, in: policy) }.first
        }
    }

    private func weakness(of requirement: RequirementDeclaration, in policy: PolicyDeclaration) -> LintFinding? {
        func finding(_ message: String, fix: String) -> LintFinding {
            LintFinding(.noRedundancy, Subject(.policy, policy.name), at: requirement.location, message, fix: fix)
        }
        let groups = Dictionary(grouping: requirement.pins, by: identity)
        for pin in requirement.pins {
            guard let same = groups[identity(of: pin)], same.count > 1 else { continue }
            let names = same.map(name).uniqued
            return finding(
                names.count > 1
                    ? "policy '\(policy.name)' pins one key by \(names.count) names, \(enumeration(of: names)): "
                        + "it has fewer backups than it seems"
                    : "policy '\(policy.name)' pins \(enumeration(of: names)) twice: it has fewer backups than it seems",
                fix: "pin another key instead, or leave the second one out"
            )
        }
        // Who only reports locks nobody out.
        guard policy.rules?.failure == .block, let only = requirement.pins.first else { return nil }
        if groups.count == 1 {
            switch requirement.match {
            case .key:
                return finding(
                    "policy '\(policy.name)' pins one key only, '\(name(of: only))': "
                        + "the day it is replaced, everybody is locked out",
                    fix: "pin a backup key as well"
                )
            case .certificate:
                return finding(
                    "policy '\(policy.name)' pins one certificate only, that of '\(name(of: only))': "
                        + "the day it is renewed, everybody is locked out",
                    fix: "pin keys, a backup among them"
                )
            }
        }
        let roots = requirement.pins.map(roots)
        guard let root = roots[0].first, roots.allSatisfy({ $0 == [root] }) else { return nil }
        return finding(
            "policy '\(policy.name)' pins authorities below one root only, '\(root)': "
                + "the day the provider is changed, everybody is locked out",
            fix: "pin an authority of another provider as well, or keys of your own"
        )
    }

    /// What makes two pins the same one.
    private func identity(of pin: RequirementDeclaration.PinSource) -> RequirementDeclaration.PinSource {
        switch pin {
        case .key(let name): return .key(of: owner(of: name))
        case .leafCertificate(let name):
            return .leafCertificate(ofChain: blueprint.chain(named: name)?.leafOf ?? name)
        case .authorityCertificate, .literal: return pin
        }
    }

    private func name(of pin: RequirementDeclaration.PinSource) -> String {
        switch pin {
        case .key(let name), .leafCertificate(let name), .authorityCertificate(let name): name
        case .literal(let pin): "\(pin)"
        }
    }

    /// The roots above a pinned authority, several where it is cross-signed; none for anything else.
    private func roots(above pin: RequirementDeclaration.PinSource) -> Set<String> {
        switch pin {
        case .key(let name):
            let same = blueprint.authorities.filter { owner(of: $0.name) == owner(of: name) }
            return Set(same.compactMap { path(from: $0.name).last })
        case .authorityCertificate(let name): return Set(path(from: name).suffix(1))
        case .leafCertificate, .literal: return []
        }
    }
}
