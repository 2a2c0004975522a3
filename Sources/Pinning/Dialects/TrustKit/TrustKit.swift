package import Foundation
package import TLSCore

/// TrustKit for iOS and macOS (3.x).
///
/// Source: datatheorem/TrustKit, `parse_configuration.m`, `configuration_utils.m`, `TSKPinningValidator.m`,
/// `ssl_pin_verifier.m` and `TSKSPKIHashCache.m`. Surprises: subdomains reach any depth; a host without a policy, or
/// whose policy has expired, is not pinned at all; a broken chain is refused although `TSKEnforcePinning` is off; the
/// root is hashed first, and a key that TrustKit cannot hash ends the search there; on macOS an anchor that the user
/// installed switches pins off unless the app says otherwise.
package struct TrustKitConfiguration: PinConfiguration {
    package static let dialect = Dialect.trustkit

    package static let format = PolicyFormat("TSKPinnedDomains in a property list or JSON", settings: [.mac]) {
        $0.holds("TSKPinnedDomains")
    } read: { contents, _ throws(PolicyFileError) in
        try TrustKitConfiguration(parsing: contents.data, file: contents.file, platform: contents.device.platform)
    }

    package enum Platform: String, CaseIterable, Sendable {
        case iOS
        case macOS
    }

    /// One entry of `TSKPinnedDomains`.
    package struct Domain: Hashable, Sendable {
        package var name: String
        package var rule: Rule

        package init(_ name: String, _ rule: Rule) {
            self.name = name
            self.rule = rule
        }
    }

    package enum Rule: Hashable, Sendable {
        case pinned(Policy)
        /// `TSKExcludeSubdomainFromParentPolicy`: left to ordinary trust.
        case excluded
    }

    package struct Policy: Hashable, Sendable {
        /// `TSKPublicKeyHashes` in the order written.
        package var keys: [Pin]
        package var includesSubdomains: Bool = false
        package var enforcesPinning: Bool = true
        /// The first instant at which the policy no longer holds: a day's beginning in UTC.
        package var expiration: Date?
        package var reportURIs: [String] = []
        package var disablesDefaultReportURI: Bool = false
    }

    /// Where the app runs: the file does not say.
    package var platform: Platform
    /// In the order of their names: a dictionary has no other.
    package var domains: [Domain]
    /// `TSKSwizzleNetworkDelegates`; it changes no decision.
    package var swizzlesNetworkDelegates: Bool
    /// `TSKIgnorePinningForUserDefinedTrustAnchors`; only macOS looks at it.
    package var ignoresPinningForUserAnchors: Bool
    /// What TrustKit silently passes over, or takes for something else.
    package internal(set) var warnings: [PolicyFinding] = []
    /// Where each domain stands in the file that it was read from.
    var domainLines = EntryLines()
    /// Of the dictionary with the domains, in that file.
    var keyPath = "TSKPinnedDomains"

    package init(
        _ domains: [Domain],
        platform: Platform = .iOS,
        swizzlesNetworkDelegates: Bool = false,
        ignoresPinningForUserAnchors: Bool = true
    ) {
        self.domains = domains.sorted { $0.name < $1.name }
        self.platform = platform
        self.swizzlesNetworkDelegates = swizzlesNetworkDelegates
        self.ignoresPinningForUserAnchors = ignoresPinningForUserAnchors
    }

    package func decide(_ situation: Situation) -> Decision { evaluate(situation).decision }

    package var entryNames: [String] { domains.map(\.name) }

    package var pins: [ConfiguredPin] {
        domains.flatMap { domain -> [ConfiguredPin] in
            guard case .pinned(let policy) = domain.rule else { return [] }
            return policy.keys.map { ConfiguredPin(domain: domain.name, pin: $0) }
        }
    }

    package func mapPins(_ transform: (Pin) -> Pin) -> TrustKitConfiguration {
        var copy = self
        for index in copy.domains.indices {
            guard case .pinned(var policy) = copy.domains[index].rule else { continue }
            policy.keys = policy.keys.map(transform)
            copy.domains[index].rule = .pinned(policy)
        }
        return copy
    }
}

extension TrustKitConfiguration: Hashable {
    /// Warnings and lines are about a file, and do not count.
    package static func == (left: TrustKitConfiguration, right: TrustKitConfiguration) -> Bool {
        left.platform == right.platform && left.domains == right.domains
            && left.swizzlesNetworkDelegates == right.swizzlesNetworkDelegates
            && left.ignoresPinningForUserAnchors == right.ignoresPinningForUserAnchors
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(platform)
        hasher.combine(domains)
        hasher.combine(swizzlesNetworkDelegates)
        hasher.combine(ignoresPinningForUserAnchors)
    }
}
