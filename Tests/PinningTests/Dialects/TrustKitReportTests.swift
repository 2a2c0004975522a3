import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

@Suite struct `A TrustKit report` {
    private let app = TrustKitReport.App(
        bundle: "com.example.app",
        version: "1.2",
        platformVersion: "18.0",
        vendor: "0F1E"
    )

    @Test func `holds every field, as JSON`() throws {
        let configuration = configuration {
            $0.expiration = Date(timeIntervalSince1970: 1_800_000_000)
            $0.reportURIs = ["https://report.example.com/"]
        }
        let situation = try meet()

        let (report, recipients) = try #require(configuration.report(situation, from: app))

        let body = Data(situation.chain[0].der).base64EncodedString(options: .lineLength64Characters)
        let root = Data(Sample.root.certificate.der).base64EncodedString(options: .lineLength64Characters)
        let issuing = Data(Sample.issuing.certificate.der).base64EncodedString(options: .lineLength64Characters)
        let chain = [body, issuing, root].map { "-----BEGIN CERTIFICATE-----\n\($0)\n-----END CERTIFICATE-----" }
        let expected: [String: any Hashable] = [
            "app-bundle-id": "com.example.app", "app-version": "1.2", "app-platform": "IOS",
            "app-platform-version": "18.0", "app-vendor-id": "0F1E", "trustkit-version": "3.0.7",
            "date-time": "2026-09-21T14:13:20Z", "hostname": "api.example.com", "port": 0,
            "noted-hostname": "example.com", "include-subdomains": true, "enforce-pinning": true,
            "validated-certificate-chain": chain,
            "known-pins": AppleSamples.pins.map { "pin-sha256=\"\($0.base64)\"" }.sorted(), "validation-result": 1,
            "known-pins-expiration-date": "2027-01-15",
        ]
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? NSDictionary
        #expect(json == expected as NSDictionary)
        #expect(recipients == ["https://report.example.com/", TrustKitConfiguration.defaultReportURI])
        #expect(try JSONDecoder().decode(TrustKitReport.self, from: JSONEncoder().encode(report)) == report)
    }

    @Test func `says null where nothing expires, and spares the default address`() throws {
        let configuration = configuration { $0.disablesDefaultReportURI = true }

        let (report, recipients) = try #require(configuration.report(try meet(), from: app))

        let text = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        #expect(text.contains("\"known-pins-expiration-date\":null"))
        #expect(recipients == [])
    }

    @Test func `is sent for what fails, and for nothing else`() throws {
        let situation = try meet()
        var untrusted = situation
        untrusted.store = try TrustStore([])
        var elsewhere = situation
        elsewhere.host = "example.org"
        let user = try meet(origin: .user)
        let matching = configuration { $0.keys = [Sample.issuing.key.pin, AppleSamples.pins[0]] }
        let mac = configuration(platform: .macOS)

        #expect(configuration().report(situation, from: app)?.report.validationResult == .noMatchingPin)
        #expect(configuration().report(untrusted, from: app)?.report.validationResult == .invalidCertificateChain)
        #expect(configuration { $0.enforcesPinning = false }.report(situation, from: app) != nil)
        #expect(mac.report(user, from: app) == nil)
        #expect(mac.report(situation, from: app)?.report.appPlatform == "MACOS")
        #expect(matching.report(situation, from: app) == nil)
        #expect(configuration().report(elsewhere, from: app) == nil)
        #expect(configuration { $0.expiration = Sample.now - 1 }.report(situation, from: app) == nil)
    }

    private func configuration(
        platform: TrustKitConfiguration.Platform = .iOS,
        _ change: (inout TrustKitConfiguration.Policy) -> Void = { _ in }
    ) -> TrustKitConfiguration {
        var policy = TrustKitConfiguration.Policy(keys: AppleSamples.pins, includesSubdomains: true)
        change(&policy)
        return TrustKitConfiguration([.init("example.com", .pinned(policy))], platform: platform)
    }

    private func meet(origin: TrustAnchor.Origin = .system) throws -> Situation {
        let template = Sample.leaf { $0.names = [.dns("api.example.com")] }
        let identity = try Sample.issuing.identity(template, key: PrivateKey())
        let store = try TrustStore([TrustAnchor(Sample.root.certificate, origin: origin)])
        return Situation(chain: identity.chain, store: store, host: "api.example.com", at: Sample.now)
    }
}
