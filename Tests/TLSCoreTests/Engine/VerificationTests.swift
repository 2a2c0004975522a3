import Foundation
import TLSCore
import TestSupport
import Testing

@Suite struct `A client that verifies` {
    @Test(arguments: [TLSVersion.tls1_2, .tls1_3])
    func `lets the right server in, and knows the path`(version: TLSVersion) throws {
        let settings = TLSSettings(versions: version...version)
        let pair = try EnginePair(.present(Sample.server), client: settings, trust: Sample.store)

        pair.shakeHands()

        #expect(pair.client.session?.version == version)
        #expect(pair.client.engine.verifiedPath == Sample.server.chain + [Sample.root.certificate])
        #expect(pair.client.engine.verificationFailure == nil)
        #expect(pair.server.alerts(.inward).isEmpty)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let name: String
        let alert: UInt8
        let reason: TrustFailure.Reason
        let identity: @Sendable () throws -> Identity
        var testDescription: String { name }
    }

    static let refusals = [
        Refusal(name: "an unknown authority", alert: 48, reason: .unknownAuthority) {
            try Authority(rootNamed: "Mallory", now: Sample.now).identity(Sample.leaf(), key: PrivateKey())
        },
        Refusal(name: "a server that vouches for itself", alert: 48, reason: .selfSigned) {
            try Identity(selfSigned: Sample.leaf(), key: PrivateKey())
        },
        Refusal(name: "another host's server", alert: 42, reason: .wrongHost) {
            try Sample.issuing.identity(Sample.leaf { $0.names = [.dns("shop.acme.example")] }, key: PrivateKey())
        },
        Refusal(name: "an expired server", alert: 45, reason: .expired) {
            try Sample.issuing.identity(Sample.leaf { $0.notAfter = Sample.now - 60 }, key: PrivateKey())
        },
        Refusal(name: "a forged signature", alert: 51, reason: .badSignature) {
            try Sample.issuing.identity(Sample.leaf { $0.corruptsSignature = true }, key: PrivateKey())
        },
        Refusal(name: "a certificate not meant for servers", alert: 43, reason: .wrongPurpose) {
            try Sample.issuing.identity(
                Sample.leaf { $0.extendedKeyUsage = [CertificateTemplate.clientAuthentication] },
                key: PrivateKey()
            )
        },
    ]

    @Test(arguments: [TLSVersion.tls1_2, .tls1_3], refusals)
    func `refuses with the alert for it`(version: TLSVersion, refusal: Refusal) throws {
        let settings = TLSSettings(versions: version...version)
        let pair = try EnginePair(.present(refusal.identity()), client: settings, trust: Sample.store)

        pair.shakeHands()

        #expect(pair.client.alerts(.outward) == [refusal.alert])
        #expect(pair.server.alerts(.inward) == [refusal.alert])
        #expect(pair.client.engine.verificationFailure?.reason == refusal.reason)
        #expect(pair.server.count(of: .presented) == 1)
        #expect(pair.server.session == nil && pair.client.session == nil)
        #expect(pair.server.closes == 1 && pair.client.closes == 1)
    }

    @Test(arguments: refusals)
    func `agrees with the trust store`(refusal: Refusal) throws {
        let identity = try refusal.identity()
        let pair = try EnginePair(.present(identity), trust: Sample.store)

        pair.shakeHands()

        guard case .refused(let failure) = Sample.store.evaluate(identity.chain, host: Sample.host, at: Sample.now)
        else {
            Issue.record("the store trusts it")
            return
        }
        #expect(failure.reason == pair.client.engine.verificationFailure?.reason)
    }

    @Test func `marks a refusal as fatal`() throws {
        let pair = try EnginePair(.present(refusalOfHost()), trust: Sample.store)

        pair.shakeHands()

        #expect(pair.server.events.contains(.alert(.inward, Alert(42, isFatal: true))))
        #expect(pair.client.events.contains(.alert(.outward, Alert(42, isFatal: true))))
    }

    @Test func `may forget the host`() throws {
        let client = try TLSContext(client: TLSSettings(), trust: Sample.store)
        let engine = try TLSEngine(client: client, host: Sample.host, checksHost: false, at: Sample.now)
        let server = try TLSEngine(server: TLSContext())
        let identity = try refusalOfHost()

        let end = try talk(engine, server, identity)

        #expect(end.contains { if case .established = $0 { true } else { false } })
    }

    /// More of them than are kept: whichever is made anew, each client is to judge by its own store.
    @Test func `a shared context belongs to its store`() throws {
        let stores = try (0..<20).map { number in
            try TrustStore(number.isMultiple(of: 2) ? Sample.store.anchors : [])
        }

        let accepts = try (stores + stores).map { store in
            let client = try TLSContext.shared(.client, TLSSettings(), trust: store)
            let pair = try EnginePair(.present(Sample.server), server: .shared(.server, TLSSettings()), client: client)
            pair.shakeHands()
            return pair.client.session != nil
        }

        #expect(accepts == (0..<40).map { $0.isMultiple(of: 2) })
    }

    @Test func `judges at the instant it is given`() throws {
        let later = Sample.now + 300 * Sample.day

        let expired = try EnginePair(.present(Sample.server), trust: Sample.store, at: later)
        let timeless = try EnginePair(.present(Sample.server), trust: Sample.store, at: nil)
        expired.shakeHands()
        timeless.shakeHands()

        #expect(expired.client.alerts(.outward) == [45])
        #expect(timeless.client.session != nil)
    }

    @Test(arguments: [("192.0.2.7", true), ("192.0.2.8", false), ("2001:db8::7", true), ("2001:db8::8", false)])
    func `checks an address as an address`(address: String, isNamed: Bool) throws {
        let names = [SubjectName("192.0.2.7"), SubjectName("2001:db8::7")]
        let identity = try Sample.issuing.identity(Sample.leaf { $0.names = names }, key: PrivateKey())
        let pair = try EnginePair(.present(identity), trust: Sample.store, host: address)

        pair.shakeHands()

        #expect((pair.client.session != nil) == isNamed)
        #expect(pair.client.alerts(.outward) == (isNamed ? [] : [42]))
    }

    @Test(arguments: ["", "api.acme.example\u{0}.evil.example", "192.0.2.7\u{0}.evil.example", ".acme.example"])
    func `cannot be made for a host that is none`(host: String) throws {
        let context = try TLSContext(client: TLSSettings(), trust: Sample.store)

        #expect(throws: OpenSSLError.self) { try TLSEngine(client: context, host: host, at: Sample.now) }
    }

    @Test(arguments: [TLSVersion.tls1_0, .tls1_1])
    func `speaks an old version where it is told to`(version: TLSVersion) throws {
        let old = TLSSettings(versions: version...version)
        let pair = try EnginePair(.present(Sample.server), server: old, client: old, trust: Sample.store)

        pair.shakeHands()

        #expect(pair.client.session?.version == version)
        #expect(pair.client.engine.verifiedPath.last == Sample.root.certificate)
    }

    @Test func `knows which certificate of the path was wrong`() throws {
        let old = try Sample.root.authority(Sample.authority("Old") { $0.notAfter = Sample.now }, key: PrivateKey())
        let pair = try EnginePair(
            .present(old.identity(Sample.leaf(), key: PrivateKey())),
            trust: Sample.store
        )

        pair.shakeHands()

        #expect(pair.client.engine.verificationFailure == TrustFailure(.expired, depth: 1))
        #expect(pair.client.engine.verifiedPath.isEmpty)
    }

    @Test func `refuses a key that is too weak`() throws {
        let weak = try Sample.issuing.identity(Sample.leaf(), key: Sample.rsa1024)
        let pair = try EnginePair(.present(weak), trust: Sample.store)

        pair.shakeHands()

        #expect(pair.client.engine.verificationFailure == TrustFailure(.tooWeak))
        #expect(pair.client.session == nil)
        #expect(pair.server.alerts(.inward) == pair.client.alerts(.outward))
        #expect(pair.server.alerts(.inward).count == 1)
    }

    private func refusalOfHost() throws -> Identity {
        try Sample.issuing.identity(Sample.leaf { $0.names = [.dns("shop.acme.example")] }, key: PrivateKey())
    }

    /// Two engines without `EnginePair`, which always checks the host.
    private func talk(_ client: TLSEngine, _ server: TLSEngine, _ identity: Identity) throws -> [TLSEvent] {
        var events: [TLSEvent] = []
        var toServer = client.start()
        while !toServer.isEmpty {
            var toClient: [TLSAction] = []
            for case .send(let bytes) in toServer { toClient += server.receive(bytes) }
            if toClient.contains(where: { if case .chooseIdentity = $0 { true } else { false } }) {
                toClient += server.present(identity)
            }
            toServer = []
            for case .send(let bytes) in toClient { toServer += client.receive(bytes) }
            for case .record(let event) in toServer { events.append(event) }
        }
        return events
    }
}
