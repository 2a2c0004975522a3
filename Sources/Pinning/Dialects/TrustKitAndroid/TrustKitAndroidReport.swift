package import Foundation
import TLSCore

/// The report that TrustKit-Android posts as `application/json` when a server does not pass.
package struct TrustKitAndroidReport: Codable, Hashable, Sendable {
    /// What the app says of itself.
    package struct App: Hashable, Sendable {
        package var bundleID: String
        package var version: String
        package var vendorID: String
        package var trustKitVersion: String = "1.1.5"
    }

    /// The ordinals of TrustKit's `PinningValidationResult` that occur on Android.
    package enum Result: Int, Codable, Sendable {
        case noPinMatches = 1
        case untrustedChain = 2
    }

    package var appBundleID: String
    package var appVersion: String
    package var appVendorID: String
    package var appPlatform = "ANDROID"
    package var trustKitVersion: String
    package var hostname: String
    /// Always 0.
    package var port = 0
    /// The domain of the policy.
    package var notedHostname: String
    package var includeSubdomains: Bool
    package var enforcePinning: Bool
    package var validationResult: Result
    /// The device's local time, with a `Z` behind it that is not meant as one.
    package var dateTime: String
    /// The path that was built; from API level 24 on always what was served, because the system's error hides it.
    package var validatedCertificateChain: [String]
    package var servedCertificateChain: [String]
    /// As in `pin-sha256="…"`.
    package var knownPins: [String]

    enum CodingKeys: String, CodingKey {
        case appBundleID = "app-bundle-id"
        case appVersion = "app-version"
        case appVendorID = "app-vendor-id"
        case appPlatform = "app-platform"
        case trustKitVersion = "trustkit-version"
        case hostname, port
        case notedHostname = "noted-hostname"
        case includeSubdomains = "include-subdomains"
        case enforcePinning = "enforce-pinning"
        case validationResult = "validation-result"
        case dateTime = "date-time"
        case validatedCertificateChain = "validated-certificate-chain"
        case servedCertificateChain = "served-certificate-chain"
        case knownPins = "known-pins"
    }

    /// The body of the request, keys in alphabetical order.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(self)
    }
}

extension TrustKitAndroid {
    /// What would be sent, to each of the policy's `allReportURIs`; `nil` when nothing is.
    ///
    /// TrustKit sends the same report once a day at most.
    package func report(_ situation: Situation, from app: TrustKitAndroidReport.App) -> TrustKitAndroidReport? {
        guard apiLevel >= 17, !overridesPins, let policy = policy(for: situation.host) else { return nil }
        var path = situation.chain
        let result: TrustKitAndroidReport.Result
        switch decide(situation).reason {
        case .noPinMatches, .reportedOnly:
            result = .noPinMatches
            if apiLevel < 24,
                case .trusted(let built) = situation.on(stack).store.evaluate(
                    situation.chain,
                    host: situation.host,
                    at: situation.instant
                )
            {
                path = built
            }
        case .untrusted: result = .untrustedChain
        default: return nil
        }
        return TrustKitAndroidReport(
            appBundleID: app.bundleID,
            appVersion: app.version,
            appVendorID: app.vendorID,
            trustKitVersion: app.trustKitVersion,
            hostname: situation.host,
            notedHostname: policy.domain,
            includeSubdomains: policy.includesSubdomains,
            enforcePinning: policy.enforcesPinning,
            validationResult: result,
            dateTime: situation.instant.localTime(in: networkSecurity.device.timeZone) + "Z",
            validatedCertificateChain: path.map(\.androidPEM),
            servedCertificateChain: situation.chain.map(\.androidPEM),
            knownPins: policy.pins.map { "pin-sha256=\"\($0.text)\"" }
        )
    }
}

extension Certificate {
    /// PEM in lines of 76, as `android.util.Base64` breaks them.
    fileprivate var androidPEM: String {
        let body = Data(der).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----\n"
    }
}

extension Date {
    /// As in `2027-01-31T13:45:00`.
    fileprivate func localTime(in zone: TimeZone) -> String {
        formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day().time(includingFractionalSeconds: false))
    }
}
