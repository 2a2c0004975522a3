import TestSupport
import Testing

@testable import TLSCore

@Suite struct `H11: A server with session tickets` {
    private let server: TLSContext
    private let client: TLSContext
    private let owners: SessionTickets

    init() throws {
        server = try TLSContext(server: TLSSettings())
        client = try TLSContext(client: TLSSettings(), trust: Sample.store)
        owners = try SessionTickets()
    }

    private func connect(
        _ version: TLSVersion,
        _ tickets: SessionTickets?,
        showing identity: Identity = Sample.server,
        offering session: ResumableSession? = nil
    ) throws -> EnginePair {
        let answer = EnginePair.Answer.present(identity, offer: TLSOffer(version: version), tickets: tickets)
        let pair = try EnginePair(answer, server: server, client: client)
        pair.client.engine.keepSessions(offering: session)
        pair.shakeHands()
        return pair
    }

    private func origin(_ identity: Identity = Sample.server) -> TLSEvent {
        .resumed(
            SessionTickets.Origin(identity: identity.label, fingerprint: identity.leaf.fingerprint, epoch: 7)
        )
    }

    @Test(arguments: [TLSVersion.tls1_2, .tls1_3])
    func `resumes its own session, and says what that began with`(version: TLSVersion) throws {
        let first = try connect(version, owners)
        let session = try #require(first.client.engine.resumableSession)
        let renewed = try Sample.issuing.identity(Sample.leaf(), key: PrivateKey())
        let second = try connect(version, owners, showing: renewed, offering: session)

        #expect(first.server.session?.isResumed == false && first.server.count(of: .presented) == 1)
        #expect(second.server.session?.isResumed == true && second.client.session?.isResumed == true)
        #expect(second.server.count(of: .presented) == 0 && second.server.count(of: origin()) == 1)
    }

    @Test func `remembers the first handshake through a chain of sessions`() throws {
        let first = try connect(.tls1_3, owners)
        let renewed = try Sample.issuing.identity(Sample.leaf(), key: PrivateKey())
        let second = try connect(.tls1_3, owners, showing: renewed, offering: first.client.engine.resumableSession)
        let third = try connect(.tls1_3, owners, showing: renewed, offering: second.client.engine.resumableSession)

        #expect(third.server.count(of: origin()) == 1)
    }

    @Test(arguments: [TLSVersion.tls1_2, .tls1_3])
    func `cannot open the ticket of another holder, and shows its certificate`(version: TLSVersion) throws {
        let session = try connect(version, owners).client.engine.resumableSession
        let attacker = try Sample.issuing.identity(Sample.leaf(), key: PrivateKey())
        let pair = try connect(version, SessionTickets(), showing: attacker, offering: session)

        #expect(try connect(version, owners, offering: session).server.session?.isResumed == true)
        #expect(pair.server.session?.isResumed == false && pair.server.count(of: .presented) == 1)
        #expect(pair.client.engine.presentedChain == attacker.chain)
    }

    @Test(arguments: [TLSVersion.tls1_2, .tls1_3])
    func `neither gives nor takes a ticket where it is given none`(version: TLSVersion) throws {
        let session = try connect(version, owners).client.engine.resumableSession
        let without = try connect(version, nil, offering: session)

        #expect(try connect(version, owners, offering: session).server.session?.isResumed == true)
        #expect(without.server.session?.isResumed == false && without.server.count(of: .presented) == 1)
        #expect(without.client.engine.resumableSession == nil)
    }

    @Test(arguments: [TLSVersion.tls1_2, .tls1_3])
    func `resumes with an identity that is shown often`(version: TLSVersion) throws {
        for _ in 0..<20 { _ = try connect(version, owners) }
        let session = try connect(version, owners).client.engine.resumableSession
        let pair = try connect(version, owners, offering: session)

        #expect(server.holding(Sample.server) != nil)
        #expect(pair.server.session?.isResumed == true && pair.server.count(of: origin()) == 1)
        let stranger = try connect(version, SessionTickets(), offering: session)
        #expect(stranger.server.session?.isResumed == false)
    }
}
