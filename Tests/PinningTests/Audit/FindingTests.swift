import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

@Suite struct `An audit` {
    typealias Spoilt = (text: String, old: String, new: String, found: [String])

    @Test(arguments: AuditSamples.all)
    func `finds nothing where nothing is wrong`(text: String) throws {
        #expect(try AuditSamples.load(text).findings(at: AuditSamples.now) == [])
        #expect(try AuditSamples.load(text).findings(at: AuditSamples.now, host: "api.example.com").count <= 1)
    }

    private static let (first, second) = (AuditSamples.pins[0], AuditSamples.pins[1])
    private static let secondIdentity =
        "<dict><key>SPKI-SHA256-BASE64</key><string>\(second)</string></dict>"

    @Test(
        arguments: [
            (AuditSamples.ats, secondIdentity, "", ["outage single-pin"]),
            (AuditSamples.ats, second, first, ["outage single-pin", "warning duplicate-pin"]),
            (AuditSamples.ats, second, "sha256/" + second, ["outage single-pin", "outage unusable-pin"]),
            (AuditSamples.ats, second, "", ["outage single-pin", "outage unusable-pin"]),
            (AuditSamples.ats, "<array>", "<array/>\n<key>x</key>\n<array>", ["outage locks-out"]),
            (AuditSamples.ats, "NSPinnedLeafIdentities", "NSPinnedLeaf", ["breach not-pinned"]),
            (AuditSamples.ats, ">api.example.org<", ">api.example.org.<", ["breach dead-entry"]),
            (AuditSamples.ats, ">api.example.org<", ">*.example.org<", ["breach dead-entry"]),
            (AuditSamples.ats, ">api.example.org<", ">https://api.example.org<", ["breach dead-entry"]),
            (AuditSamples.ats, ">api.example.org<", ">API.example.org<", []),
            (AuditSamples.ats, ">api.example.org<", ">10.0.0.1<", []),
            (AuditSamples.ats, ">api.example.org<", ">api.example.orgg<", ["warning public-suffix"]),
            (AuditSamples.ats, ">api.example.org<", ">co.uk<", ["warning public-suffix"]),
            (AuditSamples.ats, ">api.example.org<", ">api.acme.example<", []),
            (
                AuditSamples.ats, "<key>NSPinnedLeaf",
                "<key>NSIncludesSubdomains</key><string>YES</string><key>NSPinnedLeaf",
                ["breach misread-value"]
            ),
            (
                AuditSamples.ats, "<key>NSPinnedLeaf",
                "<key>NSIncludesSubdomains</key><string>NO</string><key>NSPinnedLeaf",
                ["warning misread-value"]
            ),
            (AuditSamples.ats, "<dict>\n<key>api", "<string/><key>x</key><dict>\n<key>api", ["breach not-pinned"]),
        ] as [Spoilt]
    )
    func `of Apple's pinned domains finds what is spoilt`(spoilt: Spoilt) throws { try expect(spoilt) }

    @Test(
        arguments: [
            (
                AuditSamples.trustKit, "\"TSKPublic", "\"TSKEnforcePinning\": false, \"TSKPublic",
                ["breach report-only"]
            ),
            (AuditSamples.trustKit, "\"TSKDisableDefaultReportUri\": true,", "", ["warning foreign-reports"]),
            (AuditSamples.trustKit, "\"TSKPublic", "\"TSKPinning\": true, \"TSKPublic", ["warning ignored-entry"]),
            (
                AuditSamples.trustKit, "\"TSKPublic", "\"TSKExpirationDate\": \"soon\", \"TSKPublic",
                ["warning misread-value"]
            ),
            (
                AuditSamples.trustKit, "\"TSKPublic", "\"TSKExpirationDate\": \"2026-02-30\", \"TSKPublic",
                ["warning misread-value"]
            ),
            (
                AuditSamples.trustKit, "\"TSKPublic", "\"TSKExpirationDate\": \"2026-09-21\", \"TSKPublic",
                ["breach expired"]
            ),
            (
                AuditSamples.trustKit, "\"TSKPublic", "\"TSKExpirationDate\": \"2026-09-22\", \"TSKPublic",
                ["warning expires-soon"]
            ),
            (AuditSamples.trustKit, "\"TSKPublic", "\"TSKExpirationDate\": \"2026-12-01\", \"TSKPublic", []),
            (AuditSamples.trustKit, "api.example.com", "API.example.com", ["warning dead-entry"]),
            (AuditSamples.trustKit, "api.example.com", "*.example.com", ["breach dead-entry"]),
            (AuditSamples.trustKit, "api.example.com", "api.example.com.", ["breach dead-entry"]),
            (AuditSamples.trustKit, "api.example.com", "example.com", ["warning scope-gap"]),
            (AuditSamples.trustKit, "\"api.example.com\": {", "\"example.com\": { \"TSKIncludeSubdomains\": true,", []),
            (
                AuditSamples.trustKit, "\"api.example.com\": {",
                "\"www.example.com\": { \"TSKIncludeSubdomains\": true,",
                ["warning scope-gap"]
            ),
        ] as [Spoilt]
    )
    func `of TrustKit finds what is spoilt`(spoilt: Spoilt) throws { try expect(spoilt) }

    @Test(
        arguments: [
            (
                AuditSamples.android, "SHA-256\">\(second)", "SHA-256\">\(first)",
                ["outage single-pin", "warning duplicate-pin"]
            ),
            (AuditSamples.android, "<pin-set>", "<pin-set expiration=\"2026-09-21\">", ["breach expired"]),
            (AuditSamples.android, "<pin-set>", "<pin-set expiration=\"2026-09-30\">", ["warning expires-soon"]),
            (AuditSamples.android, "<pin-set>", "<pin-set expiration=\"2027-09-30\">", []),
            (AuditSamples.android, "<pin-set>", "<pin-set expiration=\"2027-9-30\">", ["warning misread-value"]),
            (
                AuditSamples.android, "<domain-config>", "<domain-config cleartextTrafficPermitted=\"true\">",
                ["warning cleartext"]
            ),
            (AuditSamples.android, "<domain-config>", "<domain-config cleartextTrafficPermitted=\"false\">", []),
            (AuditSamples.android, "<domain-config>", cleartext("localhost", "127.0.0.1", "10.0.2.2"), []),
            (AuditSamples.android, "<domain-config>", cleartext("localhost", "10.0.2.3"), ["warning cleartext"]),
            (AuditSamples.android, "<domain>api", "<domain>*", ["breach dead-entry"]),
            (AuditSamples.android, ".com<", ".com.<", ["breach dead-entry"]),
            (AuditSamples.android, "<domain>api.", "<domain>", ["warning scope-gap"]),
            // Who has an entry for `www.` thought of the hosts below.
            (AuditSamples.android, "<domain>api.", "<domain>www.example.com</domain><domain>", []),
            (AuditSamples.android, "<domain>api.", "<domain includeSubdomains=\"true\">", []),
            (AuditSamples.android, "<pin-set>", trust("user"), ["warning user-anchors"]),
            (AuditSamples.android, "<pin-set>", trust("user\" overridePins=\"true"), ["breach exempt-anchors"]),
            (AuditSamples.android, "<pin-set>", trust("system\" overridePins=\"true"), ["breach exempt-anchors"]),
            (AuditSamples.android, "<pin-set>", trust("@raw/ca\" overridePins=\"true"), ["warning exempt-anchors"]),
            (AuditSamples.android, "<pin-set>", trust("@raw/ca"), []),
            (AuditSamples.android, "SHA-256\">\(second)", "SHA-256\">'\(second)'", ["warning odd-pin"]),
            (AuditSamples.android, "<pin-set>", "<pinset/><pin-set>", ["warning ignored-entry"]),
            (
                AuditSamples.android, "<domain-config>",
                "<base-config cleartextTrafficPermitted=\"true\"/><domain-config>",
                ["warning cleartext"]
            ),
            (
                AuditSamples.android, "<domain-config>",
                "<debug-overrides>\(anchors("user"))</debug-overrides><domain-config>", []
            ),
            (
                AuditSamples.trustKitAndroid, "enforcePinning=\"true\"", "enforcePinning=\"false\"",
                ["breach report-only"]
            ),
            (AuditSamples.trustKitAndroid, "</domain-config>", nested(""), ["breach report-only"]),
            (AuditSamples.trustKitAndroid, "</domain-config>", nested("enforcePinning=\"true\""), []),
            (
                AuditSamples.trustKitAndroid, "disableDefaultReportUri=\"true\"", "", ["warning foreign-reports"]
            ),
        ] as [Spoilt]
    )
    func `of Android finds what is spoilt`(spoilt: Spoilt) throws { try expect(spoilt) }

    /// An entry that inherits the pins, and has a `trustkit-config` of its own.
    private static func nested(_ attribute: String) -> String {
        "<domain-config><domain>www.api.example.com</domain>"
            + "<trustkit-config \(attribute) disableDefaultReportUri=\"true\"/></domain-config></domain-config>"
    }

    private static func anchors(_ source: String) -> String {
        "<trust-anchors><certificates src=\"\(source)\"/></trust-anchors>"
    }

    private static func trust(_ source: String) -> String { anchors(source) + "<pin-set>" }

    /// An entry before the one that is there.
    private static func cleartext(_ hosts: String...) -> String {
        let domains = hosts.map { "<domain>\($0)</domain>" }.joined()
        return "<domain-config cleartextTrafficPermitted=\"true\">\(domains)</domain-config><domain-config>"
    }

    @Test(
        arguments: [
            (AuditSamples.okHttp, ", \"sha256/\(second)\"", "", ["outage single-pin"]),
            (AuditSamples.okHttp, ", \"sha256/\(first)\", \"sha256/\(second)\"", "", ["breach not-pinned"]),
            (AuditSamples.okHttp, "sha256/\(second)", "sha256/AQ==", ["outage unusable-pin"]),
            (AuditSamples.okHttp, "sha256/\(second)", "sha1/uBzOlpjfHRiPMZ7tcAYCCZh69qs=", ["warning weak-digest"]),
            (AuditSamples.okHttp, "api.example", "*.example", ["warning scope-gap"]),
            (AuditSamples.okHttp, ".com\"", ".com.\"", ["breach dead-entry"]),
            (AuditSamples.okHttp, "api.example", "**.example", []),
            (AuditSamples.okHttp, "api.example", "bücher.example", []),
            (
                AuditSamples.okHttp, "CertificatePinner.Builder()",
                "// release: before CVE-2016-2402\nCertificatePinner.Builder()", ["breach presented-chain"]
            ),
        ] as [Spoilt]
    )
    func `of OkHttp finds what is spoilt`(spoilt: Spoilt) throws { try expect(spoilt) }

    @Test(
        arguments: [
            (AuditSamples.alamofire, "\(first), \(second)", "", ["outage locks-out"]),
            (AuditSamples.alamofire, ", \(second)", "", ["outage single-pin"]),
            (
                AuditSamples.alamofire, "evaluator: public-keys, keys: [\(first), \(second)]", "evaluator: disabled",
                ["breach not-pinned", "breach skipped-check"]
            ),
            (
                AuditSamples.alamofire, "evaluator: public-keys, keys: [\(first), \(second)]", "evaluator: default",
                ["breach not-pinned"]
            ),
            (AuditSamples.alamofire, "keys:", "validateHost: false, keys:", ["breach skipped-check"]),
            (
                AuditSamples.alamofire, "keys:", "validateHost: false, performDefaultValidation: false, keys:",
                ["breach skipped-check"]
            ),
            (AuditSamples.alamofire, "keys:", "performDefaultValidation: false, keys:", []),
            (
                AuditSamples.alamofire, "public-keys, keys", "pinned-certificates, certificates",
                ["warning certificate-pin"]
            ),
            (AuditSamples.alamofire, "api.example.com", "API.example.com", ["warning dead-entry"]),
            (AuditSamples.alamofire, "api.example.com", "'*.example.com'", ["outage dead-entry"]),
            (AuditSamples.alamofire, "api.example.com", "api.example.com.", ["outage dead-entry"]),
            (AuditSamples.alamofire, "api.example.com", "example.com", []),
            (
                AuditSamples.alamofire, "  hosts:\n    api.", "  allHostsMustBeEvaluated: false\n  hosts:\n    ",
                ["warning scope-gap"]
            ),
            (AuditSamples.alamofire, "  hosts:\n", "  allHostsMustBeEvaluated: false\n  hosts:\n", []),
        ] as [Spoilt]
    )
    func `of Alamofire finds what is spoilt`(spoilt: Spoilt) throws { try expect(spoilt) }

    private static let fingerprint = "fingerprint:\n  assert_fingerprint: \(AppleSamples.pins[0].hex)\n"
    private static let delegate =
        "delegate:\n  form: as-intended\n  certificates: [\(AuditSamples.pins[0]), \(AuditSamples.pins[1])]\n"

    @Test(
        arguments: [
            (AuditSamples.curl, ";sha256//\(second)", "", ["outage single-pin"]),
            (
                AuditSamples.curl, ";sha256//\(second)", ";sha256//\(second)=",
                ["outage unusable-pin", "outage single-pin"]
            ),
            (
                AuditSamples.curl, "sha256//\(first);sha256//\(second)",
                "curl:\n  insecure: true\n  pinnedpubkey: sha256//\(first);sha256//\(second)", ["warning skipped-check"]
            ),
            (AuditSamples.callback, "go-verify-connection", "go-leaf", ["warning resumption"]),
            (
                AuditSamples.callback, "go-verify-connection", "go-raw-any",
                ["breach presented-chain", "warning resumption"]
            ),
            (
                AuditSamples.callback, "go-verify-connection", "go-raw-any-skip",
                ["breach presented-chain", "breach skipped-check", "warning resumption"]
            ),
            (
                AuditSamples.callback, "go-verify-connection", "go-leaf-skip",
                ["warning resumption", "warning skipped-check"]
            ),
            (AuditSamples.callback, "go-verify-connection", "node-pin", ["warning resumption"]),
            (
                AuditSamples.callback, "go-verify-connection", "node-pin-unauthorized",
                ["breach report-only", "breach skipped-check"]
            ),
            (
                AuditSamples.callback, "go-verify-connection", "node-pin-no-host",
                ["warning resumption", "warning skipped-check"]
            ),
            (fingerprint, "", "", ["outage single-pin", "outage certificate-pin", "warning skipped-check"]),
            (
                fingerprint, AppleSamples.pins[0].hex, String(AppleSamples.pins[0].hex.prefix(32)),
                ["outage single-pin", "outage certificate-pin", "warning weak-digest", "warning skipped-check"]
            ),
            (delegate, "", "", ["outage certificate-pin", "warning skipped-check"]),
            (
                delegate, "as-intended", "as-printed", ["outage locks-out"]
            ),
            (
                delegate, "as-intended", "any-presented",
                ["breach presented-chain", "breach skipped-check", "warning certificate-pin"]
            ),
            (AuditSamples.hpkp, "; pin-sha256=\"\(second)\"", "", ["breach not-pinned"]),
            (AuditSamples.hpkp, "max-age=5184000", "max-age=0", ["breach not-pinned"]),
            (AuditSamples.hpkp, "max-age=5184000", "max-age=3600", ["warning expires-soon"]),
            (AuditSamples.hpkp, "; includeSubDomains", "", ["warning scope-gap"]),
            (
                AuditSamples.hpkp, "; includeSubDomains", "; includeSubDomain",
                ["warning ignored-entry", "warning scope-gap"]
            ),
            (AuditSamples.hpkp, "Public-Key-Pins:", "Public-Key-Pins-Report-Only:", ["breach report-only"]),
            (AuditSamples.chromium, "2026-09-20", "2026-07-01", ["breach expired"]),
            (AuditSamples.chromium, "2026-09-20", "2026-07-20", ["warning expires-soon"]),
            (AuditSamples.chromium, "api.example", "example", ["warning scope-gap"]),
        ] as [Spoilt]
    )
    func `of the others finds what is spoilt`(spoilt: Spoilt) throws { try expect(spoilt) }

    @Test(arguments: [
        (AuditSamples.ats, second, first, 7), (AuditSamples.trustKit, "api.", "", 3),
        (AuditSamples.android, second, first, 2), (AuditSamples.okHttp, "api.", "*.", 2),
        (AuditSamples.alamofire, second, first, 3), (AuditSamples.chromium, second, first, 4),
        ("okhttp:\n  pins:\n    \"api.example.com\": [sha256/\(first), sha256/\(second)]\n", second, first, 3),
    ])
    func `names the line of the entry`(text: String, old: String, new: String, line: Int) throws {
        let configuration = try AuditSamples.load(text.changing(old, to: new))

        let lines = configuration.findings(at: AuditSamples.now).map(\.line)

        #expect(!lines.isEmpty && lines.allSatisfy { $0 == line }, "\(lines)")
    }

    private func expect(_ spoilt: Spoilt) throws {
        #expect(spoilt.old.isEmpty || spoilt.text.contains(spoilt.old), "the sample has another text")
        let text = spoilt.old.isEmpty ? spoilt.text : spoilt.text.replacingOccurrences(of: spoilt.old, with: spoilt.new)

        #expect(try AuditSamples.findings(text) == spoilt.found)
    }
}
