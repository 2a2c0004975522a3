import Foundation
import TLSCore

/// One `domain-config` as TrustKit-Android understands it.
package struct TrustKitAndroidPolicy: Hashable, Sendable {
    /// Where reports go besides, unless `disableDefaultReportUri` says no.
    package static let defaultReportURI = "https://overmind.datatheorem.com/trustkit/report"

    package var domain: String
    package var includesSubdomains: Bool
    package var pins: [AndroidPin]
    package var expiration: AndroidExpiration?
    package var enforcesPinning: Bool
    /// Without the default one.
    package var reportURIs: [String]
    package var disablesDefaultReportURI: Bool

    /// Everywhere a report is sent to.
    package var allReportURIs: [String] {
        reportURIs + (disablesDefaultReportURI ? [] : [TrustKitAndroidPolicy.defaultReportURI])
    }

    func mapPins(_ transform: (Pin) -> Pin) -> TrustKitAndroidPolicy {
        var policy = self
        policy.pins = pins.map { pin in
            let mapped = transform(pin.pin)
            return mapped == pin.pin ? pin : AndroidPin(mapped)
        }
        return policy
    }
}

extension TrustKitAndroidPolicy {
    /// Every policy of a file, or why TrustKit throws when the app starts.
    static func policies(
        of networkSecurity: AndroidNetworkSecurity,
        file: String
    ) throws(PolicyFileError) -> [TrustKitAndroidPolicy] {
        var policies: [TrustKitAndroidPolicy] = []
        var problems: [PolicyFileError.Problem] = []
        for config in networkSecurity.domainConfigs { add(config, to: &policies, inheriting: nil) }
        for config in networkSecurity.domainConfigs.flatMap(\.withNested) {
            for pin in config.pinSet?.pins ?? [] where pin.digestName != AndroidPin.usualDigestName {
                let found = "Unexpected digest value: \(pin.digestName), expected \(AndroidPin.usualDigestName)"
                problems.append(.init(keyPath: config.name, found))
            }
        }
        if let debug = networkSecurity.debugOverrides, debug.trustAnchors == nil {
            problems.append(
                .init(
                    keyPath: "debug-overrides",
                    "found no trust-anchors, in search of which TrustKit reads beyond the end"
                )
            )
        }
        var domains: Set<String> = []
        for policy in policies {
            problems += policy.problems
            if !domains.insert(policy.domain).inserted {
                problems.append(.init("Policy contains the same domain defined twice: \(policy.domain)"))
            }
        }
        guard problems.isEmpty else {
            for index in problems.indices { problems[index].refusal = .throwsAtStart }
            throw PolicyFileError(file: file, problems)
        }
        return policies
    }

    /// Only the last `domain` of a `domain-config` counts, and only an enclosing `domain-config` is inherited from.
    /// Without any pin-set there is no policy (since 1.1.1: `DomainPinningPolicy.Builder.build`, and
    /// `testIgnoreDomainWithNoPins` of `TrustKitConfigurationTest`).
    private static func add(
        _ config: AndroidNetworkSecurity.DomainConfig,
        to policies: inout [TrustKitAndroidPolicy],
        inheriting parent: (AndroidNetworkSecurity.DomainConfig, Bool?)?
    ) {
        var effective = config
        let includes = config.domains.last?.includesSubdomains ?? parent?.1
        effective.pinSet = config.pinSet ?? parent?.0.pinSet
        if effective.pinSet?.expiration == nil { effective.pinSet?.expiration = parent?.0.pinSet?.expiration }
        var own = config.trustKit ?? parent?.0.trustKit
        // A tag that does not say is false, and inherits nothing (`TrustKitConfigurationParser.TrustkitConfigTag`).
        if own?.enforcesPinning == nil { own?.enforcesPinning = false }
        own?.disablesDefaultReportURI =
            config.trustKit?.disablesDefaultReportURI ?? parent?.0.trustKit?.disablesDefaultReportURI
        effective.trustKit = own
        if let pinSet = effective.pinSet {
            policies.append(
                TrustKitAndroidPolicy(
                    domain: config.domains.last.map { $0.spelling ?? $0.name } ?? "",
                    includesSubdomains: includes ?? false,
                    pins: pinSet.pins,
                    expiration: pinSet.expiration,
                    enforcesPinning: own?.enforcesPinning ?? false,
                    reportURIs: own?.reportURIs ?? [],
                    disablesDefaultReportURI: own?.disablesDefaultReportURI ?? false
                )
            )
        }
        for nested in config.nested { add(nested, to: &policies, inheriting: (effective, includes)) }
    }

    private var problems: [PolicyFileError.Problem] {
        var found: [PolicyFileError.Problem] = []
        func refuse(_ message: String, fix: String? = nil) {
            found.append(.init(keyPath: "domain-config(\(javaTrimmed(domain).lowercased()))", message, fix: fix))
        }
        if !TrustKitAndroidPolicy.isValidDomain(domain, allowsLocal: false) {
            let name = javaTrimmed(domain)
            refuse("Tried to pin an invalid domain: " + (name == domain ? name : "found white space around '\(name)'"))
        }
        if enforcesPinning, pins.isEmpty {
            refuse("An empty pin-set was supplied with enforcePinning set to true: expected at least two pins")
        } else if enforcesPinning, Set(pins.map(\.text)).count < 2 {
            refuse(
                "Less than two pins were supplied for domain \(domain): found 1, expected a backup pin too",
                fix: PinScope.backup
            )
        }
        for uri in reportURIs where !TrustKitAndroidPolicy.isURL(uri) {
            refuse("found the report-uri '\(uri)', expected a URL as in https://reports.example.org/pins")
        }
        return found
    }

    /// After Apache's `DomainValidator`, which wants a top-level domain that exists: one of the public suffix list.
    ///
    /// - Parameter allowsLocal: whether a single label is taken too, and what ends in `localhost` or `localdomain`: so a
    ///   host that is asked for, and not one that is to be pinned.
    static func isValidDomain(_ host: String, allowsLocal: Bool) -> Bool {
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isSingle = labels.count == 1
        if labels.last?.isEmpty == true { labels.removeLast() }
        guard labels.count >= 2 || allowsLocal && isSingle, host.utf8.count <= 253,
            let top = labels.last?.lowercased()
        else { return false }
        let isWellFormed = labels.allSatisfy { label in
            1...63 ~= label.utf8.count && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 >= 0x80 }
        }
        let isKnown = allowsLocal && (isSingle || ["localhost", "localdomain"].contains(top))
        return isWellFormed && (isKnown || PublicSuffixList.shared.registryLength("x." + top) > 0)
    }

    /// What `java.net.URL` of Android has a handler for.
    private static func isURL(_ text: String) -> Bool {
        ["http:", "https:", "file:", "ftp:", "jar:"].contains { javaTrimmed(text).lowercased().hasPrefix($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
