import Foundation
import TestSupport
import Testing

/// Who asks TrustKit, and what is done with its answer.
extension ProjectAuditTests {
    @Test(arguments: [
        ("", "", true), ("kTSKSwizzleNetworkDelegates: false,", "", true),
        ("kTSKSwizzleNetworkDelegates: true,", "", false), ("kTSKSwizzleNetworkDelegates: Settings.isOn,", "", false),
        ("", "TrustKit.sharedInstance().pinningValidator.handle(challenge, completionHandler: done)", false),
        ("", "func ask() { print(1)\n_ = kit.pinningValidator.evaluateTrust(trust, forHostname: host) }", true),
        (
            "", "func ask() -> Any { print(1)\nreturn kit.pinningValidator.evaluateTrust(trust, forHostname: host) }",
            false
        ),
        // A word of a comment or a text asks nothing.
        ("", "// use the pinningValidator\nlet hint = \"pinningValidator\"", true),
    ])
    func `TrustKit that nothing asks is told of a folder`(field: String, asking: String, isTold: Bool) async throws {
        let source = """
            TrustKit.initSharedInstance(withConfiguration: [\(field) kTSKPinnedDomains: ["api.acme.com": [
                kTSKPublicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="],
            ]]])
            """
        let files = ["Pins.swift": source, "Session.swift": asking]

        let whole = try await audit(files, ".", "--fail-on", "warning")
        let alone = try await audit(files, "Pins.swift", "--fail-on", "warning")

        #expect(whole.output.contains("[unused-validator]") == isTold, "\(whole.output)")
        #expect(!alone.output.contains("[unused-validator]"), "\(alone.output)")
    }

    @Test(arguments: [
        ("TrustKit.initSharedInstance(withConfiguration: pins)", true), ("Library(pinningConfig: pins)", false),
    ])
    func `TrustKit that nothing asks is told where the project starts it`(start: String, isTold: Bool) async throws {
        let source = """
            let pins: [String: Any] = [kTSKPinnedDomains: ["api.acme.com": [
                kTSKPublicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="],
            ]]]
            let kit = \(start)
            """

        let whole = try await audit(["Pins.swift": source], ".", "--fail-on", "warning")

        #expect(whole.output.contains("[unused-validator]") == isTold, "\(whole.output)")
    }
}
