import Foundation
import Pinning
import TLSCore
import TestSupport

/// A configuration of each dialect in which an audit finds nothing, to be spoilt in one place.
enum AuditSamples {
    static let pins = AppleSamples.pins.map(\.base64)
    static let now = Sample.now

    static let ats = AppleSamples.pinning(
        """
        <dict>
        <key>api.example.org</key>
        <dict>
        <key>NSPinnedLeafIdentities</key>
        <array>
        <dict><key>SPKI-SHA256-BASE64</key><string>\(pins[0])</string></dict>
        <dict><key>SPKI-SHA256-BASE64</key><string>\(pins[1])</string></dict>
        </array>
        </dict>
        </dict>
        """
    )

    static let trustKit = """
        {
            "TSKPinnedDomains": {
                "api.example.com": {
                    "TSKDisableDefaultReportUri": true,
                    "TSKPublicKeyHashes": ["\(pins[0])", "\(pins[1])"]
                }
            }
        }
        """

    static let android = """
        <network-security-config>
            <domain-config>
                <domain>api.example.com</domain>
                <pin-set>
                    <pin digest="SHA-256">\(pins[0])</pin>
                    <pin digest="SHA-256">\(pins[1])</pin>
                </pin-set>
            </domain-config>
        </network-security-config>
        """

    static let trustKitAndroid = android.changing(
        "</pin-set>",
        to: "</pin-set><trustkit-config enforcePinning=\"true\" disableDefaultReportUri=\"true\"/>"
    )

    static let okHttp = """
        CertificatePinner.Builder()
            .add("api.example.com", "sha256/\(pins[0])", "sha256/\(pins[1])")
            .build()
        """

    static let alamofire = """
        alamofire:
          hosts:
            api.example.com: { evaluator: public-keys, keys: [\(pins[0]), \(pins[1])] }
        """

    static let publicKeyPinning = "public-key-pinning-ios:\n  keys: [\(pins[0]), \(pins[1])]\n"
    static let curl = "sha256//\(pins[0]);sha256//\(pins[1])\n"
    static let callback = "callback:\n  form: go-verify-connection\n  keys: [\(pins[0]), \(pins[1])]\n"
    static let hpkp =
        "Public-Key-Pins: pin-sha256=\"\(pins[0])\"; pin-sha256=\"\(pins[1])\"; max-age=5184000; includeSubDomains\n"
    static let chromium = """
        chromium:
          built: 2026-09-20
          hosts:
            api.example.com: { static_spki_hashes: [\(pins[0]), \(pins[1])] }
        """

    static let all = [
        ats, trustKit, android, trustKitAndroid, okHttp, alamofire, publicKeyPinning, curl, callback, hpkp, chromium,
    ]

    static func load(_ text: String) throws -> any PinConfiguration { try PolicyFile.load(Data(text.utf8), file: "p") }

    /// As in `breach not-pinned`, in the order reported.
    static func findings(_ text: String, knownChain: [Certificate] = [], host: String? = nil) throws -> [String] {
        try load(text).findings(at: now, knownChain: knownChain, host: host).map {
            "\($0.severity) \($0.rule.rawValue)"
        }
    }
}
