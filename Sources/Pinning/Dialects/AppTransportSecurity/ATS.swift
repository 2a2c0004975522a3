import Foundation
package import TLSCore

/// Apple's identity pinning: `NSAppTransportSecurity` / `NSPinnedDomains` in an `Info.plist` (iOS 14, macOS 11).
///
/// Source: apple-oss-distributions/Security, `OSX/sec/Security/SecPolicy.c` (`parseNSPinnedDomains`,
/// `SecPolicyAddATSpinningIfInfoSpecified`) and `trust/trustd/SecPolicyServer.c`. Surprises: subdomains reach one label
/// deep; entries of a host and of its parent are united; leaf and CA lists are ANDed; a CA pin never matches the leaf;
/// an empty or undecodable list locks everybody out, while a domain without any list is not pinned at all.
package struct ATSConfiguration: PinConfiguration {
    package static let dialect = Dialect.ats

    package static let format = PolicyFormat("NSPinnedDomains in a property list") {
        file in
        // What makes a property list is not one.
        file.holds("NSPinnedDomains") && ![".json", ".yml", ".yaml"].contains(where: file.file.hasSuffix)
    } read: { contents, _ throws(PolicyFileError) in
        try ATSConfiguration(parsing: contents.data, file: contents.file)
    }

    /// One entry of `NSPinnedDomains`.
    package struct Domain: Hashable, Sendable {
        package var name: String
        package var includesSubdomains: Bool
        /// `NSPinnedLeafIdentities`; `nil` where the key is absent. What can never match is dropped, and the rest counts.
        package var leaf: [Pin]?
        /// `NSPinnedCAIdentities`; as `leaf`.
        package var authority: [Pin]?

        package init(_ name: String, includesSubdomains: Bool = false, leaf: [Pin]? = nil, authority: [Pin]? = nil) {
            self.name = name
            self.includesSubdomains = includesSubdomains
            self.leaf = leaf
            self.authority = authority
        }
    }

    /// What of `NSExceptionDomains` matters here: `NSExceptionMinimumTLSVersion`.
    package struct ExceptionDomain: Hashable, Sendable {
        package var name: String
        package var includesSubdomains: Bool
        package var oldestVersion: TLSVersion

        package init(_ name: String, includesSubdomains: Bool = false, oldestVersion: TLSVersion) {
            self.name = name
            self.includesSubdomains = includesSubdomains
            self.oldestVersion = oldestVersion
        }
    }

    /// In the order of their names: a dictionary has no other.
    package var domains: [Domain]
    /// In the order of their names.
    package var exceptions: [ExceptionDomain]
    /// What the system silently passes over, or takes and can never match.
    package internal(set) var warnings: [PolicyFinding] = []
    /// Where each domain stands in the file that it was read from.
    var domainLines = EntryLines()

    package init(_ domains: [Domain], exceptions: [ExceptionDomain] = []) {
        self.domains = domains.sorted { $0.name < $1.name }
        self.exceptions = exceptions.sorted { $0.name < $1.name }
    }

    package func decide(_ situation: Situation) -> Decision {
        switch ApplePlatform.trust(situation, oldest: oldestVersion(for: situation.host)) {
        case .refused(let decision): decision
        case .trusted(let path):
            policy(for: situation.host).judgePins(presented: situation.chain, verified: path, in: situation.store)
        }
    }

    /// The policy for a host: all entries that reach it, united within a kind and ANDed across kinds.
    package func policy(for host: String) -> PinPolicy {
        let reaching = domains(reaching: host)
        let leaf = reaching.compactMap(\.leaf)
        let authority = reaching.compactMap(\.authority)
        var requirements: [PinRequirement] = []
        if !leaf.isEmpty { requirements.append(PinRequirement(pins: leaf.flatMap { $0 }, position: .leaf)) }
        if !authority.isEmpty {
            requirements.append(PinRequirement(pins: authority.flatMap { $0 }, position: .authority))
        }
        return PinPolicy(requirements: requirements)
    }

    /// Those with the host's own name, regardless of case, or, where subdomains are included, with that of the host
    /// without its first label: one label, not more. A trailing dot of the host counts for nothing, one of a name does.
    func domains(reaching host: String) -> [Domain] {
        let host = SubjectName.relative(host).lowercased()
        let parent = host.firstIndex(of: ".").map { host[host.index(after: $0)...] } ?? ""
        return domains.filter { domain in
            let name = domain.name.lowercased()
            return name == host || domain.includesSubdomains && !parent.isEmpty && name == parent
        }
    }

    package var entryNames: [String] { domains.map(\.name) }

    package var pins: [ConfiguredPin] {
        domains.flatMap { domain in
            (domain.leaf ?? []).map { ConfiguredPin(domain: domain.name, pin: $0, position: .leaf) }
                + (domain.authority ?? []).map { ConfiguredPin(domain: domain.name, pin: $0, position: .authority) }
        }
    }

    package func mapPins(_ transform: (Pin) -> Pin) -> ATSConfiguration {
        var copy = self
        for index in copy.domains.indices {
            copy.domains[index].leaf = domains[index].leaf?.map(transform)
            copy.domains[index].authority = domains[index].authority?.map(transform)
        }
        return copy
    }

    private func oldestVersion(for host: String) -> TLSVersion {
        let host = host.lowercased()
        return exceptions.first { $0.name == host }?.oldestVersion
            ?? exceptions.filter { $0.includesSubdomains && host.hasSuffix("." + $0.name) }
            .max { $0.name.count < $1.name.count }?.oldestVersion
            ?? .tls1_2
    }
}

extension ATSConfiguration: Hashable {
    /// Warnings and lines are about a file, and do not count.
    package static func == (left: ATSConfiguration, right: ATSConfiguration) -> Bool {
        left.domains == right.domains && left.exceptions == right.exceptions
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(domains)
        hasher.combine(exceptions)
    }
}
