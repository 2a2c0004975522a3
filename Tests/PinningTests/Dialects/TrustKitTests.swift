import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

private let host = "api.example.com"
private let other = AppleSamples.pins[0]

@Suite struct `TrustKit` {
    @Test func `throws on a much copied configuration with one pin`() {
        let refusal = AppleSamples.refusal { _ = try AppleSamples.trustKit(AppleSamples.trustKit) }

        #expect(
            refusal == [
                "config.json:8: TSKPinnedDomains.www.github.com.TSKPublicKeyHashes: "
                    + "found 1, expected at least 2 pins: without a backup pin TrustKit throws"
            ]
        )
    }

    @Test func `takes that configuration with a second pin`() throws {
        let pin = "\"jSd+RbSAB3215SSioJKeyfdEFELVT/xz+Fwod2ypqtE=\""
        let text = AppleSamples.trustKit.replacingOccurrences(of: pin, with: "\(pin), \"\(other.base64)\"")

        let configuration = try AppleSamples.trustKit(text)

        #expect(configuration.pins.map(\.domain) == ["www.github.com", "www.github.com"])
        #expect(configuration.domain(for: "a.b.www.github.com")?.name == "www.github.com")
        #expect(configuration.domain(for: "github.com") == nil)
        #expect(try AppleSamples.trustKit(configuration.rendered()) == configuration)
    }

    @Test(
        arguments: [
            ("{}", "TSKPinnedDomains: found nothing, expected domains: TrustKit throws when it has no pinned domains"),
            ("[]", "found an array, expected a dictionary"),
            (of("localhost"), "'localhost' has no public suffix that is known"),
            (of("10.0.0.1"), "'10.0.0.1' has no public suffix that is known"),
            (of("printer.local"), "'printer.local' has no public suffix that is known"),
            (of("amazonaws.com.cn", "\"TSKIncludeSubdomains\": true"), nil),
            (of("co.uk", "\"TSKIncludeSubdomains\": true"), "found true for 'co.uk', a public suffix"),
            (of("github.io", "\"TSKIncludeSubdomains\": true"), "found true for 'github.io', a public suffix"),
            (
                of("googleapis.com", "\"TSKIncludeSubdomains\": true"),
                "found true for 'googleapis.com', a public suffix"
            ),
            (of("maps.googleapis.com", "\"TSKIncludeSubdomains\": true"), nil), (of("googleapis.com"), nil),
            // TrustKit's list is older than this company's.
            (of("onrender.com", "\"TSKIncludeSubdomains\": true"), nil),
            (of("co.uk"), nil),
            (
                of("a.com", pins: [other.base64, other.base64]),
                "found 1 distinct (2 written), expected at least 2 pins"
            ),
            (of("a.com", "\"TSKEnforcePinning\": false", pins: [other.base64]), nil),
            (of("a.com", "\"TSKEnforcePinning\": false", pins: []), "found 0, expected at least 1 pins"),
            (
                of("a.com", pins: ["AAAA", other.base64]),
                "[0]: found 3 bytes in 'AAAA', expected the Base64 of 32 bytes"
            ),
            (of("a.com", pins: [other.hex, other.base64]), "[0]: found hexadecimal"),
            (of("a.com", "\"TSKReportUris\": [\"\"]"), "TSKReportUris[0]: found '', expected an address"),
            (of("a.com", "\"TSKReportUris\": 1"), "TSKReportUris: found the number 1, expected an array of strings"),
            (
                of("a.com", "\"TSKIncludeSubdomains\": []"),
                "TSKIncludeSubdomains: found an array, expected true or false"
            ),
            (of("a.com", "\"kTSKPublicKeyHashes\": []"), "found both TSKPublicKeyHashes and kTSKPublicKeyHashes"),
            (of("a.com", "\"TSKExpirationDate\": 1"), "TSKExpirationDate: found the number 1, expected a day"),
            (
                "{\n\"TSKPinnedDomains\": {\n",
                "config.json:3: found the end of the file inside 2 open brackets, expected JSON"
            ),
        ] as [(String, String?)]
    )
    func `throws where its own reading does`(text: String, message: String?) {
        let refusal = AppleSamples.refusal { _ = try AppleSamples.trustKit(text) }

        #expect(refusal.isEmpty == (message == nil), "\(refusal)")
        if let message { #expect(refusal.first?.contains(message) == true, "\(refusal)") }
    }

    @Test(
        arguments: [
            (
                "\"TSKExpirationDate\": \"soon\"",
                "found 'soon', expected a day as in 2026-11-30; TrustKit takes it for no expiration at all"
            ),
            (
                "\"TSKIncludeSubdomains\": \"YES\"",
                "found the string 'YES', expected true or false; TrustKit takes it for true"
            ),
            ("\"TSKPinning\": true", "TrustKit knows no such key and ignores it"),
        ]
    )
    func `takes some mistakes without a word`(key: String, warning: String) throws {
        let configuration = try AppleSamples.trustKit(Self.of("a.com", key))

        #expect(configuration.warnings.map(\.message) == [warning])
    }

    @Test(
        arguments: [
            ("2026-09-20", false), ("2026-09-21", false), ("2026-09-22", true), ("2027-01-01", true),
        ]
    )
    func `forgets its pins when the day of expiration begins in UTC`(day: String, isPinned: Bool) throws {
        let configuration = try AppleSamples.trustKit(Self.of(host, "\"TSKExpirationDate\": \"\(day)\""))

        let decision = configuration.decide(try meet())

        #expect(decision.isRefusalByPin == isPinned)
        #expect(decision.demand == (isPinned ? .reject : .accept))
        #expect(try AppleSamples.trustKit(configuration.rendered()) == configuration)
    }

    @Test(
        arguments: [
            (.iOS, true, true, .reject), (.iOS, true, false, .accept), (.macOS, true, true, .accept),
            (.macOS, false, true, .reject), (.macOS, false, false, .reject),
        ] as [(TrustKitConfiguration.Platform, Bool, Bool, Decision.Demand)]
    )
    func `looks at a user's anchor on macOS only`(
        platform: TrustKitConfiguration.Platform,
        ignores: Bool,
        enforces: Bool,
        demand: Decision.Demand
    ) throws {
        let policy = TrustKitConfiguration.Policy(keys: AppleSamples.pins, enforcesPinning: enforces)
        let configuration = TrustKitConfiguration(
            [.init(host, .pinned(policy))],
            platform: platform,
            ignoresPinningForUserAnchors: ignores
        )

        let decision = configuration.decide(try meet(origin: .user))

        #expect(decision.demand == demand)
        #expect(try AppleSamples.trustKit(configuration.rendered(), platform: platform) == configuration)
    }

    @Test(
        arguments: [
            (.p256, nil), (.p384, nil), (.rsa2048, nil), (.rsa3072, nil),
            (.p521, "TrustKit cannot hash the key of CN=Root, EC 521"),
            // Which the system has refused already.
            (.ed25519, "Apple's platforms ask for RSA 2048 or EC 256 at least, and CN=Root has ED25519"),
        ] as [(KeyType, String?)]
    )
    func `stops at a root that it cannot hash`(type: KeyType, reason: String?) throws {
        let root = try Authority(root: Sample.authority("Root"), key: Sample.key(type))
        let identity = try root.identity(leaf, key: PrivateKey())
        let store = try TrustStore([TrustAnchor(root.certificate)])
        let configuration = TrustKitConfiguration([.init(host, .pinned(.init(keys: [identity.pin, other])))])

        let decision = configuration.decide(
            Situation(chain: identity.chain, store: store, host: host, at: Sample.now)
        )

        #expect(decision.demand == (reason == nil ? .accept : .reject))
        #expect(!decision.isRefusalByPin)
        if let reason { #expect(decision.description == reason) }
    }

    @Test(arguments: [KeyType.p256, .p384, .rsa2048, .rsa3072, .rsa4096])
    func `hashes these kinds of key as RFC 7469 does`(type: KeyType) throws {
        let root = try Authority(root: Sample.authority("Root"), key: Sample.key(type))
        let identity = try root.identity(leaf, key: PrivateKey())
        let store = try TrustStore([TrustAnchor(root.certificate)])
        let configuration = TrustKitConfiguration([.init(host, .pinned(.init(keys: [root.key.pin, other])))])

        let decision = configuration.decide(
            Situation(chain: identity.chain, store: store, host: host, at: Sample.now)
        )

        #expect(decision == Decision(.accept, .pinned(matched: [root.certificate])))
    }

    @Test func `refuses a broken chain although pinning is not enforced`() throws {
        let policy = TrustKitConfiguration.Policy(keys: AppleSamples.pins, enforcesPinning: false)
        let configuration = TrustKitConfiguration([.init(host, .pinned(policy))])
        var situation = try meet()
        let reported = configuration.decide(situation)
        situation.store = try TrustStore([])

        let broken = configuration.decide(situation)

        #expect(reported == Decision(.accept, .reportedOnly))
        #expect(broken.demand == .reject)
        #expect(!broken.isRefusalByPin)
    }

    static func of(_ domain: String, _ key: String? = nil, pins: [String]? = nil) -> String {
        let pins = (pins ?? AppleSamples.pins.map(\.base64)).map { "\"\($0)\"" }.joined(separator: ", ")
        let keys = [key, "\"TSKPublicKeyHashes\": [\(pins)]"].compactMap { $0 }.joined(separator: ", ")
        return "{\"TSKPinnedDomains\": {\"\(domain)\": {\(keys)}}}"
    }

    private var leaf: CertificateTemplate { Sample.leaf { $0.names = [.dns(host)] } }

    private func meet(origin: TrustAnchor.Origin = .system) throws -> Situation {
        let identity = try Sample.issuing.identity(leaf, key: PrivateKey())
        let store = try TrustStore([TrustAnchor(Sample.root.certificate, origin: origin)])
        return Situation(chain: identity.chain, store: store, host: host, at: Sample.now)
    }
}

@Suite struct `Public suffixes` {
    enum Kind: Sendable { case unknown, suffix, owned }

    /// From the list's own test data (https://github.com/publicsuffix/list, `tests/test_psl.txt`); a top-level domain
    /// without a rule is unknown, where the list's last resort would take it for a suffix.
    @Test(
        arguments: [
            ("com", .suffix), ("example.com", .owned), ("b.example.com", .owned), ("EXAMPLE.com", .owned),
            ("biz", .suffix), ("domain.biz", .owned), ("uk.com", .suffix), ("example.uk.com", .owned),
            ("jp", .suffix), ("test.jp", .owned), ("ac.jp", .suffix), ("kyoto.jp", .suffix), ("ide.kyoto.jp", .suffix),
            ("b.ide.kyoto.jp", .owned), ("c.kobe.jp", .suffix), ("b.c.kobe.jp", .owned), ("city.kobe.jp", .owned),
            ("ck", .unknown), ("test.ck", .suffix), ("b.test.ck", .owned), ("www.ck", .owned), ("www.www.ck", .owned),
            ("us", .suffix), ("ak.us", .suffix), ("k12.ak.us", .suffix), ("test.k12.ak.us", .owned),
            ("xn--55qx5d.cn", .suffix), ("xn--85x722f.xn--55qx5d.cn", .owned), ("xn--fiqs8s", .suffix),
            ("appspot.com", .suffix), ("github.io", .suffix), ("pin.github.io", .owned),
            ("test", .unknown), ("example.test", .unknown), ("localhost", .unknown), ("192.0.2.1", .unknown),
            ("bücher.de", .unknown), ("", .unknown), ("a..com", .unknown), ("com.", .suffix), (".com", .owned),
        ] as [(String, Kind)]
    )
    func `divide what TrustKit takes`(name: String, kind: Kind) {
        let text = `TrustKit`.of(name, "\"TSKIncludeSubdomains\": true")

        let refusal = AppleSamples.refusal { _ = try AppleSamples.trustKit(text) }

        switch kind {
        case .owned: #expect(refusal == [])
        case .suffix: #expect(refusal.count == 1 && refusal[0].contains("a public suffix"), "\(refusal)")
        case .unknown: #expect(refusal.count == 1 && refusal[0].contains("no public suffix"), "\(refusal)")
        }
    }
}
