import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

@Suite struct `A file that is refused` {
    private static let (first, second) = (AuditSamples.pins[0], AuditSamples.pins[1])

    @Test(
        arguments: [
            (AppleSamples.trustKit, .throwsAtStart, .outage),
            (AuditSamples.trustKit.changing("api.example.com", to: "server.local"), .throwsAtStart, .outage),
            (AuditSamples.trustKit.changing(first, to: "sha256/" + first), .throwsAtStart, .outage),
            ("{\"TSKPinnedDomains\": {}}", .throwsAtStart, .outage),
            (AuditSamples.android.changing("SHA-256", to: "SHA-1"), .throwsAtStart, .outage),
            (AuditSamples.android.changing(first, to: "AAAA"), .throwsAtStart, .outage),
            (AuditSamples.android.changing("<domain>api.example.com</domain>", to: ""), .throwsAtStart, .outage),
            (AuditSamples.trustKitAndroid.changing(second, to: first), .throwsAtStart, .outage),
            (AuditSamples.okHttp.changing("sha256/" + first, to: first), .throwsAtStart, .outage),
            (AuditSamples.okHttp.changing("api.", to: "api.*."), .throwsAtStart, .outage),
            ("okhttp:\n  pins: { api.example.com: [\(first)] }\n", .throwsAtStart, .outage),
            (
                "fingerprint: { library: aiohttp, assert_fingerprint: 00112233445566778899aabbccddeeff }\n",
                .throwsAtStart,
                .outage
            ),
            ("fingerprint: { assert_fingerprint: 0011 }\n", .locksOut, .outage),
            (AuditSamples.hpkp.changing("max-age=5184000; ", to: ""), .notPinned, .breach),
            (AuditSamples.hpkp.changing(first, to: "AAAA"), .notPinned, .breach),
        ] as [(String, PolicyFinding.Rule, PolicyFinding.Severity)]
    )
    func `by the real system is a finding`(text: String, rule: PolicyFinding.Rule, severity: PolicyFinding.Severity)
        throws
    {
        let error = try #require(throws: PolicyFileError.self) { try AuditSamples.load(text) }

        let found = try #require(error.findings, "\(error)")

        #expect(found.count == error.problems.count)
        #expect(Set(found.map(\.rule)) == [rule])
        #expect(Set(found.map(\.severity)) == [severity])
        #expect(found[0].message.hasPrefix(error.problems[0].message))
        #expect(found[0].line == error.problems[0].line)
    }

    @Test(arguments: [
        "", "hello", "{\"TSKPinnedDomains\": {", "{\"TSKPinnedDomains\": 1", "<network-security-config>",
        "CertificatePinner.Builder().add(host, pin)", "callback:\n  form: go-lead\n  keys: []\n",
        "{\"TSKConfiguration\": 1, \"x\": \"TSKPinnedDomains\"}",
        "<plist><dict><key>NSAppTransportSecurity</key><true/><key>NSPinnedDomains</key><true/></dict></plist>",
        // One problem of each kind.
        "okhttp:\n  pin: {}\n  pins: { api.example.com: [\(first)] }\n",
    ])
    func `because nobody can read it stays bad input`(text: String) throws {
        let error = try #require(throws: PolicyFileError.self) { try AuditSamples.load(text) }

        #expect(error.findings == nil, "\(error)")
    }

    @Test(arguments: [AppleSamples.trustKit, AuditSamples.trustKitAndroid.changing(second, to: first)])
    func `for want of a backup says to make one`(text: String) throws {
        let error = try #require(throws: PolicyFileError.self) { try AuditSamples.load(text) }

        #expect(error.findings?.first?.fix.hasPrefix("pin a backup key") == true)
    }
}
