import Foundation
import TLSCore

extension TrustKitConfiguration {
    /// What TrustKit's validator makes of a server (`TSKTrustEvaluationResult`); raw values as reports hold them.
    package enum Result: Int, Codable, Sendable {
        case success
        case noMatchingPin
        case invalidCertificateChain
        case invalidParameters
        case userDefinedTrustAnchor
        case couldNotGenerateHash
    }

    /// A decision, and what TrustKit would say of it.
    struct Evaluation {
        var decision: Decision
        /// `nil` where the host is not pinned, or no longer.
        var result: Result?
        var domain: Domain?
        /// As validated; as presented where validation failed.
        var chain: [Certificate] = []
    }

    /// The entry that a host falls under: its own, or that of its nearest parent that includes subdomains.
    package func domain(for host: String) -> Domain? {
        if let exact = domains.first(where: { $0.name == host }) { return exact }
        return domains.filter { $0.includesSubdomains && host.isSubdomain(of: $0.name) }
            .max { $0.name.utf8.count < $1.name.utf8.count }
    }

    func evaluate(_ situation: Situation) -> Evaluation {
        guard let domain = domain(for: situation.host), case .pinned(let policy) = domain.rule,
            policy.expiration.map({ $0 >= situation.instant }) ?? true
        else { return Evaluation(decision: ApplePlatform.decideUnpinned(situation)) }
        switch ApplePlatform.trust(situation) {
        case .refused(let decision):
            return Evaluation(
                decision: decision,
                result: .invalidCertificateChain,
                domain: domain,
                chain: situation.chain
            )
        case .trusted(let path):
            let (decision, result) = judge(path, by: policy, in: situation.store)
            return Evaluation(decision: decision, result: result, domain: domain, chain: path)
        }
    }

    private func judge(_ path: [Certificate], by policy: Policy, in store: TrustStore) -> (Decision, Result) {
        for certificate in path.reversed() {
            guard let kind = AppleKeyHash(certificate) else {
                let rule = "TrustKit cannot hash the key of \(certificate.subject), \(certificate.keyDescription)"
                return (Decision(.reject, .systemRule(rule)), .couldNotGenerateHash)
            }
            if policy.keys.contains(kind.pin(of: certificate)) {
                return (Decision(.accept, .pinned(matched: [certificate])), .success)
            }
        }
        let installed = Set(store.anchors.filter { $0.origin == .user }.map(\.certificate))
        if platform == .macOS, path.contains(where: installed.contains) {
            if ignoresPinningForUserAnchors {
                return (Decision(.accept, .exempt(.user)), .userDefinedTrustAnchor)
            }
            // Only "no matching pin" asks whether pinning is enforced: this is another result, and always blocked.
            let requirement = PinRequirement(pins: policy.keys)
            return (Decision(.reject, .noPinMatches(requirement)), .userDefinedTrustAnchor)
        }
        if !policy.enforcesPinning { return (Decision(.accept, .reportedOnly), .noMatchingPin) }
        return (Decision(.reject, .noPinMatches(PinRequirement(pins: policy.keys))), .noMatchingPin)
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
