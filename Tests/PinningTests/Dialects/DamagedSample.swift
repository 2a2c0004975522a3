import Foundation
import Pinning
import TLSCore
import TestSupport

/// A small policy file that somebody is going to break: one of every dialect, in every form that it has.
struct DamagedSample: CustomStringConvertible, Sendable {
    let name: String
    let dialect: Dialect
    let data: Data
    var description: String { name }

    /// Whether a problem of it can have a place: bytes have none, and curl tells none of its option.
    var hasLines: Bool { !name.hasSuffix("binary") && (dialect != .curl || name.hasSuffix("YAML")) }

    /// Every policy in one is accepted by its dialect.
    static let all: [DamagedSample] = [
        DamagedSample("ats, XML", .ats, transportSecurity),
        DamagedSample("ats, binary", .ats, binary(transportSecurity)),
        DamagedSample("trustkit, XML", .trustkit, trustKitList),
        DamagedSample("trustkit, binary", .trustkit, binary(trustKitList)),
        DamagedSample("trustkit, JSON", .trustkit, trustKitJSON),
        DamagedSample("android", .android, networkSecurity("")),
        DamagedSample(
            "trustkit-android",
            .trustkitAndroid,
            networkSecurity(
                "<trustkit-config enforcePinning=\"true\"><report-uri>https://r.acme.org/</report-uri></trustkit-config>"
            )
        ),
        DamagedSample("okhttp, Java", .okhttp, okHttpJava),
        DamagedSample(
            "okhttp, YAML",
            .okhttp,
            "okhttp:\n  pins:\n    \"*.acme.org\":\n      - sha256/\(pin)\n  targetSdk: 35\n"
        ),
        DamagedSample("hpkp", .hpkp, hpkp),
        DamagedSample("curl, list", .curl, "sha256//\(pin);sha256//\(backup)\n"),
        DamagedSample("curl, PEM", .curl, Curl(.publicKey(Sample.server.leaf.publicKey)).rendered()),
        DamagedSample("curl, DER", .curl, Data(Sample.server.leaf.publicKey)),
        DamagedSample("curl, a certificate", .curl, Data(Sample.server.leaf.der)),
        DamagedSample("curl, YAML", .curl, "curl:\n  pinnedpubkey: sha256//\(pin)\n  tool: wget\n  insecure: true\n"),
        DamagedSample("alamofire", .alamofire, alamofire),
        DamagedSample("delegate", .delegate, "delegate:\n  form: as-intended\n  certificates:\n    - \(pin)\n"),
        DamagedSample("public-key-pinning-ios", .publicKeyPinning, "public-key-pinning-ios:\n  keys: [\(pin)]\n"),
        DamagedSample("fingerprint", .fingerprint, "fingerprint:\n  assert_fingerprint: \(hex)\n  cert_reqs: none\n"),
        DamagedSample(
            "fingerprint of Flutter",
            .fingerprint,
            "fingerprint:\n  library: http_certificate_pinning\n  sha: sha256\n  fingerprints: ['\(hex)', aa]\n"
        ),
        DamagedSample(
            "fingerprint of .NET",
            .fingerprint,
            "fingerprint:\n  library: dotnet\n  ordinaryChecks: dropped\n  case: upper\n  fingerprints: ['\(hex)']\n"
        ),
        DamagedSample(
            "afnetworking",
            .afnetworking,
            "afnetworking:\n  SSLPinningMode: public-key\n  pinnedCertificates: [\(pin)]\n  validatesDomainName: false\n"
        ),
        DamagedSample(
            "electron",
            .electron,
            "electron:\n  rules:\n    - {domain: \"*.acme.org\", strict: true, fingerprints: [sha256/\(pin)]}\n"
        ),
        DamagedSample("callback", .callback, "callback:\n  form: go-leaf\n  keys: [\"sha256/\(pin)\", '\(backup)']\n"),
        DamagedSample("chromium", .chromium, chromium),
    ]

    private init(_ name: String, _ dialect: Dialect, _ data: Data) {
        (self.name, self.dialect, self.data) = (name, dialect, data)
    }

    private init(_ name: String, _ dialect: Dialect, _ text: String) { self.init(name, dialect, Data(text.utf8)) }

    private static let pin = AppleSamples.pins[0].base64
    private static let backup = AppleSamples.pins[1].base64
    private static let hex = "59:10:D7:38:ae6a45c52195881476062b8c32722898ec992f661f039e271aee5253"

    private static let transportSecurity = AppleSamples.pinning(
        """
        <dict><key>acme.org</key><dict>
        <key>NSIncludesSubdomains</key><true/>
        <key>NSPinnedLeafIdentities</key><array>
        <dict><key>SPKI-SHA256-BASE64</key><string>\(pin)</string></dict>
        </array></dict></dict>
        """
    )

    private static let trustKitList = AppleSamples.plist(
        """
        <key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict><key>acme.org</key><dict>
        <key>TSKIncludeSubdomains</key><true/><key>TSKExpirationDate</key><string>2030-01-31</string>
        <key>TSKPublicKeyHashes</key><array><string>\(pin)</string><string>\(backup)</string></array>
        </dict></dict></dict>
        """
    )

    private static let trustKitJSON = """
        {"TSKSwizzleNetworkDelegates": false, "TSKPinnedDomains": {"acme.org": {"TSKEnforcePinning": true,
        "TSKPublicKeyHashes": ["\(pin)", "\(backup)"], "TSKReportUris": ["https://r.acme.org/"]}}}
        """

    private static func networkSecurity(_ trustKit: String) -> String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <network-security-config><domain-config><domain includeSubdomains="true">acme.org</domain>
        <pin-set expiration="2030-01-01"><pin digest="SHA-256">\(pin)</pin><pin digest="SHA-256">\(backup)</pin>
        </pin-set>\(trustKit)<trust-anchors><certificates src="@raw/ca"/></trust-anchors></domain-config>
        </network-security-config>
        """
    }

    private static let okHttpJava = """
        new CertificatePinner.Builder() /* a */
            .add("*.acme.org", "sha256/\(pin)", "sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=") // b
            .build();
        """

    private static let hpkp = """
        Server: x\r
        Public-Key-Pins: pin-sha256="\(pin)"; pin-sha256="\(backup)"; max-age=5184000; report-uri="https://r.acme.org/"\r
        """

    private static let alamofire = """
        alamofire:
          hosts:
            acme.org: { evaluator: public-keys, keys: [sha256/\(pin)] }
            b.acme.org:
              evaluator: composite
              evaluators:
                - evaluator: revocation
                  requirePositiveResponse: true
                - evaluator: pinned-certificates
                  certificates: [\(backup)]
        """

    private static let chromium = """
        chromium:
          built: 2026-09-01
          hosts:
            acme.org: {include_subdomains: true, static_spki_hashes: [sha256/\(pin)], bad_static_spki_hashes: []}
        """

    private static func binary(_ list: String) -> Data {
        // Both lists are well formed.
        let value = try! PropertyListSerialization.propertyList(from: Data(list.utf8), format: nil)
        return try! PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
    }
}
