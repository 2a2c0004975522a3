package import Foundation
package import TLSCore

/// The report that TrustKit posts as JSON when a pinned server fails (`TSKPinFailureReport.m`).
package struct TrustKitReport: Codable, Hashable, Sendable {
    /// The app, as it describes itself.
    package struct App: Hashable, Sendable {
        package var bundle: String
        package var version: String
        package var platformVersion: String
        package var vendor: String
        package var trustKitVersion: String = "3.0.7"

        package init(bundle: String, version: String, platformVersion: String, vendor: String) {
            self.bundle = bundle
            self.version = version
            self.platformVersion = platformVersion
            self.vendor = vendor
        }
    }

    package var appBundleID: String
    package var appVersion: String
    package var appPlatform: String
    package var appPlatformVersion: String
    package var appVendorID: String
    package var trustKitVersion: String
    /// As in `2026-11-30T12:00:00Z`.
    package var dateTime: String
    package var hostname: String
    /// TrustKit does not know it and sends 0.
    package var port: Int
    /// The configured domain under which the host fell.
    package var notedHostname: String
    package var includeSubdomains: Bool
    package var enforcePinning: Bool
    /// In PEM, leaf first, with the line ends of Foundation's Base64: CR LF.
    package var validatedCertificateChain: [String]
    /// As in `pin-sha256="…"`; TrustKit keeps a set, so the order says nothing.
    package var knownPins: [String]
    package var validationResult: TrustKitConfiguration.Result
    /// As in `2026-11-30`; `null` where the policy does not expire.
    package var knownPinsExpirationDate: String?

    enum CodingKeys: String, CodingKey {
        case appBundleID = "app-bundle-id"
        case appVersion = "app-version"
        case appPlatform = "app-platform"
        case appPlatformVersion = "app-platform-version"
        case appVendorID = "app-vendor-id"
        case trustKitVersion = "trustkit-version"
        case dateTime = "date-time"
        case hostname
        case port
        case notedHostname = "noted-hostname"
        case includeSubdomains = "include-subdomains"
        case enforcePinning = "enforce-pinning"
        case validatedCertificateChain = "validated-certificate-chain"
        case knownPins = "known-pins"
        case validationResult = "validation-result"
        case knownPinsExpirationDate = "known-pins-expiration-date"
    }

    /// That none of some pins matches a chain.
    package init(
        _ chain: [Certificate],
        from host: String,
        pins: [Pin],
        enforces: Bool,
        by app: App,
        on platform: String,
        at instant: Date
    ) {
        appBundleID = app.bundle
        appVersion = app.version
        appPlatform = platform
        appPlatformVersion = app.platformVersion
        appVendorID = app.vendor
        trustKitVersion = app.trustKitVersion
        dateTime = instant.formatted(.iso8601)
        hostname = host
        port = 0
        notedHostname = host
        includeSubdomains = false
        enforcePinning = enforces
        validatedCertificateChain = chain.map(\.foundationPEM)
        knownPins = Set(pins).map { "pin-sha256=\"\($0.base64)\"" }.sorted()
        validationResult = .noMatchingPin
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(appBundleID, forKey: .appBundleID)
        try container.encode(appVersion, forKey: .appVersion)
        try container.encode(appPlatform, forKey: .appPlatform)
        try container.encode(appPlatformVersion, forKey: .appPlatformVersion)
        try container.encode(appVendorID, forKey: .appVendorID)
        try container.encode(trustKitVersion, forKey: .trustKitVersion)
        try container.encode(dateTime, forKey: .dateTime)
        try container.encode(hostname, forKey: .hostname)
        try container.encode(port, forKey: .port)
        try container.encode(notedHostname, forKey: .notedHostname)
        try container.encode(includeSubdomains, forKey: .includeSubdomains)
        try container.encode(enforcePinning, forKey: .enforcePinning)
        try container.encode(validatedCertificateChain, forKey: .validatedCertificateChain)
        try container.encode(knownPins, forKey: .knownPins)
        try container.encode(validationResult, forKey: .validationResult)
        // A missing date is sent as null, which the synthesized encoding would leave out.
        try container.encode(knownPinsExpirationDate, forKey: .knownPinsExpirationDate)
    }
}

extension TrustKitConfiguration {
    /// Where reports go unless `TSKDisableDefaultReportUri` is set.
    package static let defaultReportURI = "https://overmind.datatheorem.com/trustkit/report"

    /// What TrustKit would report of this server, and to whom; `nil` where it reports nothing: the host is not pinned,
    /// a pin matched, or the anchor is exempt.
    package func report(
        _ situation: Situation,
        from app: TrustKitReport.App
    ) -> (report: TrustKitReport, recipients: [String])? {
        let evaluation = evaluate(situation)
        guard let result = evaluation.result, result != .success, let domain = evaluation.domain,
            case .pinned(let policy) = domain.rule
        else { return nil }
        if case .exempt = evaluation.decision.reason { return nil }
        var report = TrustKitReport(
            evaluation.chain,
            from: situation.host,
            pins: policy.keys,
            enforces: policy.enforcesPinning,
            by: app,
            on: platform == .iOS ? "IOS" : "MACOS",
            at: situation.instant
        )
        report.notedHostname = domain.name
        report.includeSubdomains = policy.includesSubdomains
        report.validationResult = result
        report.knownPinsExpirationDate = policy.expiration.map(\.trustKitDay)
        let usual = policy.disablesDefaultReportURI ? [] : [TrustKitConfiguration.defaultReportURI]
        return (report, policy.reportURIs + usual)
    }
}

extension Certificate {
    fileprivate var foundationPEM: String {
        let body = Data(der).base64EncodedString(options: .lineLength64Characters)
        return "-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----"
    }
}

extension Date {
    /// As `TSKExpirationDate` writes a day, in UTC.
    var trustKitDay: String { formatted(.iso8601.year().month().day()) }
}
