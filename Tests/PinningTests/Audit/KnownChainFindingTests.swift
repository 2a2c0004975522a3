import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

@Suite struct `With production's own chain, an audit` {
    private static let chain = Sample.server.chain + [Sample.root.certificate]
    private static let (leaf, intermediate, root) = (chain[0].pin, chain[1].pin, chain[2].pin)
    private static let backup = Pin(hashing: [1])
    private static let other = Pin(hashing: [2])

    @Test(
        arguments: [
            ([leaf, backup], nil, ["warning unverified-backup"]),
            ([backup, other], nil, ["outage refuses-known-chain"]),
            ([leaf, root], nil, ["outage wrong-position"]),
            (nil, [root, backup], ["warning unverified-backup"]),
            (nil, [root, leaf], ["outage wrong-position"]),
            (nil, [root, intermediate], ["outage no-way-out", "warning intermediate-pin"]),
            (nil, [intermediate, backup], ["warning intermediate-pin", "warning unverified-backup"]),
            ([leaf, backup], [backup, other], ["outage refuses-known-chain", "warning unverified-backup"]),
        ] as [([Pin]?, [Pin]?, [String])]
    )
    func `tells how the pins fit it`(leaf: [Pin]?, authority: [Pin]?, found: [String]) {
        let configuration = ATSConfiguration([.init(Sample.host, leaf: leaf, authority: authority)])

        #expect(configuration.findings(at: Sample.now).isEmpty)
        #expect(rules(configuration, Self.chain) == found)
    }

    @Test func `does not claim what only the missing root could tell`() {
        let configuration = ATSConfiguration([.init(Sample.host, authority: [Self.root, Self.backup])])

        #expect(rules(configuration, Sample.server.chain) == [])
        #expect(rules(configuration, Self.chain) == ["warning unverified-backup"])
    }

    @Test func `holds it against the entries of its names alone`() {
        let strangers = ATSConfiguration([.init("api.example.org", leaf: [Self.backup, Self.other])])

        #expect(rules(strangers, Self.chain) == ["breach not-pinned"])
        #expect(rules(strangers, Self.chain, host: "api.example.org") == ["outage refuses-known-chain"])
    }

    @Test(
        arguments: [
            (["*.acme.example"], []), (["api.acme.example", "www.acme.example"], ["warning scope-gap"]),
            (["www.acme.example"], ["breach not-pinned"]), (["*.example"], ["breach not-pinned"]),
        ] as [([String], [String])]
    )
    func `knows whom the server's certificate is for`(names: [String], found: [String]) throws {
        let leaf = try Identity(selfSigned: Sample.leaf { $0.names = names.map { .dns($0) } }, key: PrivateKey()).leaf
        let configuration = ATSConfiguration([.init(Sample.host, leaf: [leaf.pin, Self.backup])])

        let rules = rules(configuration, [leaf]).filter { $0 != "warning unverified-backup" }

        #expect(rules == found)
    }

    @Test func `lets the pins of a parent match too`() {
        let united = ATSConfiguration([
            .init("acme.example", includesSubdomains: true, leaf: [Self.backup, Self.other]),
            .init(Sample.host, leaf: [Self.leaf, Self.other]),
        ])
        let apart = ATSConfiguration([.init("acme.example", includesSubdomains: true, leaf: [Self.backup, Self.other])])

        #expect(!rules(united, Self.chain).contains("outage refuses-known-chain"))
        #expect(rules(apart, Self.chain).contains("outage refuses-known-chain"))
    }

    /// Every refusal that is found is one of `decide`, and the other way round.
    @Test(arguments: MatrixWorld.events)
    func `agrees with the decision about the same chain`(event: String) throws {
        let world = MatrixWorld.shared
        let situation = try #require(world.situation(event))
        // Without the root in it, a pin on one would be unknown.
        let chain = situation.chain + (situation.chain.last?.isSelfSigned == true ? [] : [world.root])
        let store = try TrustStore([TrustAnchor(chain[chain.count - 1])])
        let configurations: [any PinConfiguration] = [
            ATSConfiguration([.init(MatrixWorld.host, includesSubdomains: true, leaf: world.leafPins)]),
            ATSConfiguration([.init(MatrixWorld.host, includesSubdomains: true, authority: [world.rootPin])]),
            TrustKitConfiguration([
                .init(MatrixWorld.host, .pinned(.init(keys: world.leafPins, includesSubdomains: true)))
            ]),
            PublicKeyPinning(keys: world.leafPins), Callback(.goLeaf, keys: world.leafPins),
        ]
        for configuration in configurations {
            let decision = configuration.decide(
                Situation(chain: chain, store: store, host: situation.host, at: situation.instant)
            )
            let isRefused = configuration.findings(at: situation.instant, knownChain: chain, host: situation.host)
                .contains { [.refusesKnownChain, .unhashableKey].contains($0.rule) }

            // Where trust is lacking, or the host is not pinned, no pin is asked.
            guard decision.demand == .accept || decision.isRefusalByPin else { continue }
            #expect(isRefused == decision.isRefusalByPin, "\(event) \(type(of: configuration))")
        }
    }

    @Test(arguments: [
        (KeyType.rsa2048, false, false), (.p256, false, true), (.p521, true, true), (.ed25519, true, true),
    ])
    func `names keys that a library cannot hash`(type: KeyType, trustKitCannot: Bool, publicKeyPinningCannot: Bool)
        throws
    {
        let key = try Sample.key(type)
        let leaf = try Identity(selfSigned: Sample.leaf { $0.names = [.dns("api.example.com")] }, key: key).leaf
        let keys = [leaf.pin, Self.backup]
        let trustKit = TrustKitConfiguration([
            .init("api.example.com", .pinned(.init(keys: keys, disablesDefaultReportURI: true)))
        ])

        let cannot = ["outage unhashable-key", "warning unverified-backup"]
        let can = ["warning unverified-backup"]
        #expect(rules(trustKit, [leaf]) == (trustKitCannot ? cannot : can))
        #expect(rules(PublicKeyPinning(keys: keys), [leaf]) == (publicKeyPinningCannot ? cannot : can))
        let unpinned = PublicKeyPinning(keys: [Self.backup, Self.other])
        #expect(rules(unpinned, [leaf]) == [publicKeyPinningCannot ? cannot[0] : "outage refuses-known-chain"])
    }

    @Test func `knows one key in two forms`() throws {
        let sha1 = OkHttpPin.sha1(FingerprintDigest.sha1.hash(Self.chain[0].publicKey))
        let pattern = try OkHttpPattern(Sample.host)
        let once = OkHttp([.init(pattern, [OkHttpPin(Self.leaf), OkHttpPin(Self.backup)])])
        let twice = OkHttp([.init(pattern, [OkHttpPin(Self.leaf), sha1, OkHttpPin(Self.backup)])])

        #expect(rules(once, Self.chain) == ["warning unverified-backup"])
        #expect(
            rules(twice, Self.chain) == ["warning weak-digest", "warning duplicate-pin", "warning unverified-backup"]
        )
    }

    @Test(arguments: [(400.0, "outage"), (180.0, "warning"), (0.0, nil)] as [(Double, String?)])
    func `tells when a pinned certificate ends`(days: Double, severity: String?) throws {
        let leaf = Self.chain[0]
        let alamofire = Alamofire(hosts: [
            .init(Sample.host, .pinnedCertificates([.init(leaf), .init(Self.backup)]))
        ])
        let instant = Sample.now + days * Sample.day

        let own = alamofire.findings(at: instant).filter { $0.rule == .certificateExpires }
        let known = LeafDelegate(.asIntended, certificates: [leaf.fingerprint, Self.backup])
            .findings(at: instant, knownChain: Self.chain).filter { $0.rule == .certificateExpires }

        #expect(own.map(\.severity.rawValue) == (severity.map { [$0] } ?? []))
        #expect(known.map(\.severity.rawValue) == (severity.map { [$0] } ?? []))
    }

    @Test func `sees that browsers would not note a header without a backup outside it`() {
        let inside = HPKP(host: Sample.host, keys: [Self.leaf, Self.intermediate])
        let outside = HPKP(host: Sample.host, keys: [Self.leaf, Self.backup])

        #expect(rules(inside, Self.chain) == ["breach not-pinned", "warning intermediate-pin"])
        #expect(rules(outside, Self.chain) == ["warning unverified-backup"])
    }

    private func rules(_ configuration: some PinConfiguration, _ chain: [Certificate], host: String? = nil) -> [String]
    {
        configuration.findings(at: Sample.now, knownChain: chain, host: host)
            .map { "\($0.severity) \($0.rule.rawValue)" }
    }
}
