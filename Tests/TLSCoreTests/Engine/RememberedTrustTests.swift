import Foundation
import TLSCore
import TestSupport
import Testing

/// A client that stands before the same server again and again need not verify the same chain each time.
@Suite struct `A client that may take its store's earlier answer` {
    @Test func `lets the same server in again, and knows no path`() throws {
        let context = try TLSContext(client: TLSSettings(), trust: TrustStore(Sample.store.anchors, remembers: true))

        let ends = try (0..<2).map { _ in try shakeHands(context, Sample.server) }

        #expect(ends.map { $0.session != nil } == [true, true])
        #expect(ends.map(\.engine.verifiedPath.isEmpty) == [true, true])
    }

    @Test(arguments: [true, false])
    func `refuses what differs in anything, as if it had no memory`(remembers: Bool) throws {
        let forged = try Sample.issuing.identity(Sample.leaf { $0.corruptsSignature = true }, key: PrivateKey())
        let alone = Identity(key: Sample.server.key, chain: [Sample.server.leaf], label: "no intermediate")
        let store = try TrustStore(Sample.store.anchors, remembers: remembers)
        let context = try TLSContext(client: TLSSettings(), trust: store)
        #expect(try shakeHands(context, Sample.server).session != nil)

        let otherHost = try shakeHands(context, Sample.server, host: "shop.acme.example")
        let later = try shakeHands(context, Sample.server, at: Sample.now + 300 * Sample.day)
        let otherChain = try shakeHands(context, forged)
        let shorter = try shakeHands(context, alone)

        #expect(otherHost.alerts(.outward) == [42])
        #expect(later.alerts(.outward) == [45])
        #expect(otherChain.alerts(.outward) == [51])
        #expect(shorter.alerts(.outward) == [48])
        #expect(shorter.engine.verificationFailure?.reason == .unknownAuthority)
        #expect(try shakeHands(context, Sample.server).session != nil)
    }

    @Test func `verifies for itself where it may not`() throws {
        let context = try TLSContext(client: TLSSettings(), trust: TrustStore(Sample.store.anchors, remembers: true))
        _ = try shakeHands(context, Sample.server)

        let end = try shakeHands(context, Sample.server, trustsMemory: false)

        #expect(end.engine.verifiedPath == Sample.server.chain + [Sample.root.certificate])
    }

    private func shakeHands(
        _ client: TLSContext,
        _ identity: Identity,
        host: String = Sample.host,
        at instant: Date = Sample.now,
        trustsMemory: Bool = true
    ) throws -> EnginePair.End {
        let server = try TLSContext(server: TLSSettings())
        let pair = try EnginePair(
            .present(identity),
            server: server,
            client: client,
            host: host,
            at: instant,
            trustsMemory: trustsMemory
        )
        pair.shakeHands()
        return pair.client
    }
}
