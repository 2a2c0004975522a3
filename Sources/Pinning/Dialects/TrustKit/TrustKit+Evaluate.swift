import Foundation
import TLSCore

extension TrustKitConfiguration {
    /// The entry that a host falls under: its own, or that of its nearest parent that includes subdomains.
    package func domain(for host: String) -> Domain? {
        if let exact = domains.first(where: { $0.name == host }) { return exact }
        return domains.filter { $0.includesSubdomains && host.isSubdomain(of: $0.name) }
            .max { $0.name.utf8.count < $1.name.utf8.count }
    }

    package func decide(_ situation: Situation) -> Decision {
        guard let domain = domain(for: situation.host), case .pinned(let policy) = domain.rule,
            policy.expiration.map({ $0 >= situation.instant }) ?? true
        else { return ApplePlatform.decideUnpinned(situation) }
        switch ApplePlatform.trust(situation) {
        case .refused(let decision): return decision
        case .trusted(let path): return judge(path, by: policy, in: situation.store)
        }
    }

    private func judge(_ path: [Certificate], by policy: Policy, in store: TrustStore) -> Decision {
        for certificate in path.reversed() {
            guard let kind = AppleKeyHash(certificate) else {
                let rule = "TrustKit cannot hash the key of \(certificate.subject), \(certificate.keyDescription)"
                return Decision(.reject, .systemRule(rule))
            }
            if policy.keys.contains(kind.pin(of: certificate)) {
                return Decision(.accept, .pinned(matched: [certificate]))
            }
        }
        let installed = Set(store.anchors.filter { $0.origin == .user }.map(\.certificate))
        if platform == .macOS, path.contains(where: installed.contains) {
            if ignoresPinningForUserAnchors { return Decision(.accept, .exempt(.user)) }
            // Only "no matching pin" asks whether pinning is enforced: this is another result, and always blocked.
            return Decision(.reject, .noPinMatches(PinRequirement(pins: policy.keys)))
        }
        if !policy.enforcesPinning { return Decision(.accept, .reportedOnly) }
        return Decision(.reject, .noPinMatches(PinRequirement(pins: policy.keys)))
    }
}

extension TrustKitConfiguration.Domain {
    var includesSubdomains: Bool {
        if case .pinned(let policy) = rule { policy.includesSubdomains } else { false }
    }
}

extension String {
    /// At any depth below a domain, and with a public suffix as long as the domain's.
    fileprivate func isSubdomain(of domain: String) -> Bool {
        hasSuffix("." + domain)
            && PublicSuffixList.shared.registryLength(self) == PublicSuffixList.shared.registryLength(domain)
    }
}
