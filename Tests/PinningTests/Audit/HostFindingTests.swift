import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

@Suite struct `An audit for one host` {
    private let pins = AppleSamples.pins

    @Test(arguments: [
        (AuditSamples.ats, "www.example.org", ["breach not-pinned"]), (AuditSamples.ats, "api.example.org", []),
        (AuditSamples.trustKit, "example.com", ["breach not-pinned"]), (AuditSamples.trustKit, "api.example.com", []),
        (AuditSamples.android, "example.com", ["breach not-pinned"]), (AuditSamples.android, "API.example.com.", []),
        (AuditSamples.okHttp, "example.com", ["breach not-pinned"]), (AuditSamples.okHttp, "api.example.com", []),
        (AuditSamples.alamofire, "example.com", ["outage locks-out"]), (AuditSamples.alamofire, "api.example.com", []),
        (AuditSamples.ats.changing("NSPinnedLeafIdentities", to: "x"), "api.example.org", ["breach not-pinned"]),
        (
            AuditSamples.android.changing("<pin-set>", to: "<pin-set/>").changing("</pin-set>", to: "")
                .changing("<pin digest", to: "<x digest").changing("</pin>", to: "</x>")
                .changing("<x digest=\"SHA-256\">", to: "<x>"),
            "example.com", ["breach not-pinned", "warning ignored-entry", "warning ignored-entry"]
        ),
        (AuditSamples.chromium, "example.com", ["breach not-pinned"]), (AuditSamples.curl, "example.com", []),
    ])
    func `says whether it is pinned`(text: String, host: String, found: [String]) throws {
        #expect(try AuditSamples.findings(text, host: host) == found)
    }

    @Test func `leaves out what is about others`() throws {
        let configuration = try AppleSamples.ats(AppleSamples.plist(AppleSamples.transportSecurity))

        // Apple's example pins a root that Mozilla's list no longer has.
        let own = configuration.findings(at: Sample.now, host: "math.example.org").map(\.rule)
        #expect(own == [.singlePin, .distrustedAuthority])
        #expect(configuration.findings(at: Sample.now, host: "example.net").map(\.rule) == [.singlePin, .duplicatePin])
    }

    @Test func `leaves out what a reader noted of others`() throws {
        let spoilt = AuditSamples.trustKit.changing(
            "\"TSKPinnedDomains\": {",
            to:
                "\"TSKPinnedDomains\": { \"a.example.com\": { \"TSKPinning\": 1, \"TSKDisableDefaultReportUri\": true, "
                + "\"TSKPublicKeyHashes\": [\"\(pins[0].base64)\", \"\(pins[1].base64)\"] },"
        )

        #expect(try AuditSamples.findings(spoilt, host: "a.example.com") == ["warning ignored-entry"])
        #expect(try AuditSamples.findings(spoilt, host: "api.example.com") == [])
    }

    @Test func `counts a domain that is left out on purpose as not pinned`() {
        let configuration = TrustKitConfiguration([
            .init(
                "example.com",
                .pinned(.init(keys: [pins[0], pins[1]], includesSubdomains: true, disablesDefaultReportURI: true))
            ),
            .init("open.example.com", .excluded),
        ])

        #expect(configuration.findings(at: Sample.now) == [])
        #expect(configuration.findings(at: Sample.now, host: "open.example.com").map(\.rule) == [.notPinned])
        #expect(configuration.findings(at: Sample.now, host: "api.example.com") == [])
    }

    @Test func `on a Mac tells of anchors that the user installed`() {
        let policy = TrustKitConfiguration.Policy(keys: [pins[0], pins[1]], disablesDefaultReportURI: true)
        func rules(_ platform: TrustKitConfiguration.Platform, ignores: Bool) -> [PolicyFinding.Rule] {
            TrustKitConfiguration(
                [.init("api.example.com", .pinned(policy))],
                platform: platform,
                ignoresPinningForUserAnchors: ignores
            )
            .findings(at: Sample.now).map(\.rule)
        }

        #expect(rules(.macOS, ignores: true) == [.exemptAnchors])
        #expect(rules(.macOS, ignores: false) == [])
        #expect(rules(.iOS, ignores: true) == [])
    }

    @Test(arguments: [true, false])
    func `of a build that can be debugged tells of its anchors`(isDebuggable: Bool) throws {
        let overrides = "<debug-overrides><trust-anchors><certificates src=\"user\"/></trust-anchors></debug-overrides>"
        let text = AuditSamples.android.changing("<domain-config>", to: overrides + "<domain-config>")

        let configuration = try AndroidNetworkSecurity(
            parsing: Data(text.utf8),
            file: "nsc.xml",
            device: .init(isDebuggable: isDebuggable)
        )

        let found = configuration.findings(at: Sample.now)
        #expect(found.map { "\($0.severity) \($0.rule.rawValue)" } == (isDebuggable ? ["breach exempt-anchors"] : []))
    }

    @Test func `gives every finding a place, a consequence and an order`() throws {
        for text in AuditSamples.all {
            let spoilt = text.changing(AuditSamples.pins[1], to: AuditSamples.pins[0])
            guard let configuration = try? AuditSamples.load(spoilt) else { continue }
            for finding in configuration.findings(at: Sample.now) {
                #expect(!finding.message.isEmpty && !finding.message.hasSuffix("."))
                #expect(!finding.fix.isEmpty && !finding.fix.hasSuffix("."))
            }
        }
    }
}
