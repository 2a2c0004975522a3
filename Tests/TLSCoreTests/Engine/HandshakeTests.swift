import NIOCore
import TLSCore
import TestSupport
import Testing

@Suite struct `A handshake` {
    @Test(arguments: TLSVersion.allCases)
    func `ends in the one version that both speak`(version: TLSVersion) throws {
        let only = TLSSettings(versions: version...version)
        let pair = try EnginePair(.present(Sample.server), server: only, client: only)

        pair.shakeHands()

        #expect(pair.server.session?.version == version)
        #expect(pair.client.session == pair.server.session)
        #expect(pair.client.session?.applicationProtocol == "http/1.1")
        #expect(pair.client.engine.presentedChain == Sample.server.chain)
        #expect(pair.server.count(of: .presented) == 1)
    }

    /// A context comes to hold what it shows often; nothing else may differ from the first time.
    @Test(arguments: TLSVersion.allCases)
    func `shows two identities in turn, however often`(version: TLSVersion) throws {
        let server = try TLSContext(server: TLSSettings(versions: .tls1_0 ... .tls1_3))
        let client = try TLSContext(client: TLSSettings(versions: .tls1_0 ... .tls1_3), trust: nil)
        let other = try Sample.issuing.identity(Sample.leaf(), key: Sample.rsa2048)

        for turn in 0..<80 {
            let identity = turn % 2 == 0 ? Sample.server : other
            let pair = try EnginePair(
                .present(identity, offer: TLSOffer(version: version)),
                server: server,
                client: client
            )
            pair.shakeHands()

            #expect(pair.client.engine.presentedChain == identity.chain, "turn \(turn)")
            #expect(pair.server.session?.version == version)
            #expect(pair.server.session?.applicationProtocol == "http/1.1")
            #expect(pair.server.session?.isResumed == false)
            #expect(pair.server.count(of: .presented) == 1 && pair.server.choices.count == 1)
        }
    }

    @Test(arguments: [(TLSVersion.tls1_2, TLSVersion.tls1_3), (.tls1_3, .tls1_2), (.tls1_0, .tls1_2)])
    func `fails with alert 70 where no version is shared`(client: TLSVersion, server: TLSVersion) throws {
        let pair = try EnginePair(
            .present(Sample.server),
            server: TLSSettings(versions: server...server),
            client: TLSSettings(versions: client...client)
        )

        pair.shakeHands()

        #expect(pair.server.alerts(.outward) == [70])
        #expect(pair.client.alerts(.inward) == [70])
        #expect(pair.server.count(of: .presented) == 0)
        #expect(pair.server.closes == 1 && pair.client.closes == 1)
    }

    @Test(arguments: [TLSVersion.tls1_2, .tls1_3], KeyType.allCases.filter { $0 != .rsa3072 && $0 != .rsa4096 })
    func `shows a certificate with any kind of key`(version: TLSVersion, type: KeyType) throws {
        let identity = try Sample.issuing.identity(Sample.leaf(), key: Sample.key(type))
        let settings = TLSSettings(versions: version...version)
        let pair = try EnginePair(.present(identity), server: settings, client: settings)

        pair.shakeHands()

        #expect(pair.client.session != nil)
        #expect(pair.client.engine.presentedChain == identity.chain)
    }

    @Test(arguments: CertificateTemplate.Digest.allCases)
    func `shows a certificate signed with any digest`(digest: CertificateTemplate.Digest) throws {
        let issuer = try Authority(root: Sample.authority("RSA"), key: Sample.rsa2048)
        let identity = try issuer.identity(Sample.leaf { $0.digest = digest }, key: PrivateKey())
        let pair = try EnginePair(.present(identity))

        pair.shakeHands()

        #expect(pair.client.engine.presentedChain.first == identity.leaf)
    }

    @Test func `fails with alert 40 where no cipher suite fits the key`() throws {
        // TLS 1.1 has no signature that an Ed25519 key could make.
        let identity = try Sample.issuing.identity(Sample.leaf(), key: PrivateKey(.ed25519))
        let old = TLSSettings(versions: .tls1_1 ... .tls1_1)
        let pair = try EnginePair(.present(identity), server: old, client: old)

        pair.shakeHands()

        #expect(pair.server.alerts(.outward) == [40])
        #expect(pair.client.alerts(.inward) == [40])
        #expect(pair.server.count(of: .presented) == 0)
    }

    @Test(arguments: [TLSVersion.tls1_2, .tls1_3])
    func `fails with alert 120 where no application protocol is shared`(version: TLSVersion) throws {
        let pair = try EnginePair(
            .present(Sample.server),
            server: TLSSettings(versions: version...version, applicationProtocols: ["http/1.1"]),
            client: TLSSettings(versions: version...version, applicationProtocols: ["h2", "acme/1"])
        )

        pair.shakeHands()

        #expect(pair.server.alerts(.outward) == [120])
        #expect(pair.client.alerts(.inward) == [120])
        #expect(pair.server.count(of: .presented) == 0)
    }

    @Test(
        arguments: [
            (["http/1.1"], [], nil), ([], ["h2"], nil), (["h2", "http/1.1"], ["http/1.1", "h2"], "h2"),
        ] as [([String], [String], String?)]
    )
    func `agrees on an application protocol by the server's preference`(
        server: [String],
        client: [String],
        agreed: String?
    ) throws {
        let pair = try EnginePair(
            .present(Sample.server),
            server: TLSSettings(applicationProtocols: server),
            client: TLSSettings(applicationProtocols: client)
        )

        pair.shakeHands()

        #expect(pair.server.session != nil)
        #expect(pair.server.session?.applicationProtocol == agreed)
        #expect(pair.client.session?.applicationProtocol == agreed)
    }

    @Test(arguments: [TLSVersion.tls1_2, .tls1_3])
    func `never resumes an earlier one`(version: TLSVersion) throws {
        let settings = TLSSettings(versions: version...version)
        let server = try TLSContext(server: settings)
        let client = try TLSContext(client: settings, trust: nil)

        let resumed = try (0..<2).map { _ in
            let pair = try EnginePair(.present(Sample.server), server: server, client: client)
            pair.shakeHands()
            pair.send(Array("GET".utf8), from: pair.client)
            pair.pump()
            pair.close(pair.client)
            pair.pump()
            return (pair.server.session?.isResumed, pair.server.count(of: .presented))
        }

        #expect(resumed.allSatisfy { $0 == (false, 1) })
    }
}

@Suite struct `A hello retry request` {
    @Test func `asks for one identity and presents it once`() throws {
        let pair = try EnginePair(
            .present(Sample.server),
            server: TLSSettings(groups: "P-256"),
            client: TLSSettings(groups: "X25519:P-256"),
            trust: Sample.store
        )

        pair.shakeHands()

        let hello = try #require(pair.server.choices.first)
        #expect(pair.server.choices.count == 1)
        #expect(pair.server.count(of: .hello(hello)) == 1)
        #expect(pair.server.count(of: .presented) == 1)
        #expect(pair.client.session?.version == .tls1_3)
        // A server's hello with this "random" is a hello retry request (RFC 8446 section 4.1.3).
        #expect(pair.server.sent.contains([0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11]))
    }

    @Test func `is not needed where the first guess is right`() throws {
        let pair = try EnginePair(
            .present(Sample.server),
            server: TLSSettings(groups: "P-256"),
            client: TLSSettings(groups: "P-256:X25519")
        )

        pair.shakeHands()

        #expect(pair.client.session?.version == .tls1_3)
        #expect(!pair.server.sent.contains([0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11]))
    }

    @Test func `can be refused beforehand`() throws {
        let pair = try EnginePair(
            .refuse,
            server: TLSSettings(groups: "P-256"),
            client: TLSSettings(groups: "X25519:P-256")
        )

        pair.shakeHands()

        #expect(pair.server.alerts(.outward) == [80])
        #expect(pair.server.count(of: .presented) == 0)
    }

    @Test func `fails with alert 40 where no group is shared at all`() throws {
        let pair = try EnginePair(
            .present(Sample.server),
            server: TLSSettings(versions: .tls1_3 ... .tls1_3, groups: "P-256"),
            client: TLSSettings(versions: .tls1_3 ... .tls1_3, groups: "X25519")
        )

        pair.shakeHands()

        #expect(pair.server.alerts(.outward) == [40])
        #expect(pair.server.count(of: .presented) == 0)
    }
}

@Suite struct `The pause at the first hello` {
    @Test func `tells whom the client wants, and what it speaks`() throws {
        let pair = try EnginePair(
            .wait,
            client: TLSSettings(applicationProtocols: ["h2", "http/1.1"]),
            host: "API.Acme.Example"
        )

        pair.shakeHands()

        let hello = try #require(pair.server.choices.first)
        #expect(hello.serverName == "api.acme.example")
        #expect(hello.applicationProtocols == ["h2", "http/1.1"])
        #expect(hello.cipherSuites.contains(0x1301))
        #expect(pair.server.events == [.hello(hello)])
        #expect(pair.server.sent.isEmpty)
    }

    @Test(arguments: ["192.0.2.7", "2001:db8::7"])
    func `names no host where the client asks for an address`(address: String) throws {
        let pair = try EnginePair(.wait, host: address)

        pair.shakeHands()

        #expect(pair.server.choices.map(\.serverName) == [nil])
    }

    @Test(arguments: [TLSVersion.tls1_0, .tls1_2, .tls1_3])
    func `lasts until an identity is there`(version: TLSVersion) throws {
        let settings = TLSSettings(versions: version...version)
        let pair = try EnginePair(.wait, server: settings, client: settings)

        pair.shakeHands()
        let whileWaiting = pair.server.events
        pair.answer(.present(Sample.server))
        pair.pump()

        #expect(whileWaiting.count == 1)
        #expect(pair.server.session?.version == version)
        #expect(pair.client.session?.version == version)
    }

    @Test func `keeps the bytes that arrive meanwhile`() throws {
        // A client that knows it may send in one go: the hello, and an alert that ends the connection.
        let pair = try EnginePair(.wait)

        pair.shakeHands()
        pair.inject([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x30], into: pair.server)
        let whileWaiting = pair.server.events
        pair.answer(.present(Sample.server))

        #expect(whileWaiting.count == 1)
        #expect(pair.server.count(of: .presented) == 1)
        #expect(pair.server.alerts(.inward) == [48])
        #expect(pair.server.closes == 1)
    }

    @Test(arguments: [TLSVersion.tls1_0, .tls1_2, .tls1_3])
    func `ends with alert 80 where nobody is to be shown`(version: TLSVersion) throws {
        let settings = TLSSettings(versions: version...version)
        let pair = try EnginePair(.refuse, server: settings, client: settings)

        pair.shakeHands()

        #expect(pair.server.alerts(.outward) == [80])
        #expect(pair.client.alerts(.inward) == [80])
        #expect(pair.server.count(of: .presented) == 0)
        #expect(pair.server.closes == 1 && pair.client.closes == 1)
    }

    @Test(arguments: TLSVersion.allCases)
    func `can be answered with a version, which then is spoken`(version: TLSVersion) throws {
        let all = TLSSettings(versions: .tls1_0 ... .tls1_3)
        let pair = try EnginePair(
            .present(Sample.server, offer: TLSOffer(version: version)),
            client: all,
            trust: Sample.store
        )

        pair.shakeHands()

        #expect(pair.client.session?.version == version)
        #expect(pair.server.session?.version == version)
        #expect(pair.server.count(of: .presented) == 1)
    }

    @Test(arguments: [(TLSVersion.tls1_2, TLSVersion.tls1_3), (.tls1_3, .tls1_2), (.tls1_3, .tls1_0)])
    func `ends with alert 70 where the client lacks that version`(client: TLSVersion, server: TLSVersion) throws {
        let only = TLSSettings(versions: client...client)
        let pair = try EnginePair(.present(Sample.server, offer: TLSOffer(version: server)), client: only)

        pair.shakeHands()

        #expect(pair.server.alerts(.outward) == [70])
        #expect(pair.server.count(of: .presented) == 0)
        #expect(pair.server.closes == 1 && pair.client.closes == 1)
    }

    @Test func `is answered once`() throws {
        let other = try Sample.issuing.identity(Sample.leaf(), key: PrivateKey())
        let pair = try EnginePair(.present(Sample.server))

        pair.shakeHands()
        pair.answer(.present(other))
        pair.answer(.refuse)
        pair.pump()

        #expect(pair.client.engine.presentedChain == Sample.server.chain)
        #expect(pair.server.closes == 0)
    }

    @Test func `cannot be answered before it comes`() throws {
        let pair = try EnginePair(.wait)

        pair.answer(.present(Sample.server))
        pair.answer(.refuse)

        #expect(pair.server.events.isEmpty && pair.server.sent.isEmpty && pair.server.closes == 0)
    }

    @Test func `can be ended by closing`() throws {
        let pair = try EnginePair(.wait)

        pair.shakeHands()
        pair.close(pair.server)
        pair.answer(.present(Sample.server))

        #expect(pair.server.closes == 1)
        #expect(pair.server.count(of: .presented) == 0)
        #expect(pair.server.sent.isEmpty)
    }
}

@Suite struct `The certificate's presentation` {
    @Test(arguments: TLSVersion.allCases)
    func `is recorded with the bytes that carry it`(version: TLSVersion) throws {
        let settings = TLSSettings(versions: version...version)
        let pair = try EnginePair(.wait, server: settings, client: settings)

        pair.shakeHands()
        pair.answer(.present(Sample.server))

        let moment = try #require(pair.server.sentWhenPresented.first)
        #expect(pair.server.sentWhenPresented.count == 1)
        #expect(moment.after - moment.before > Sample.server.leaf.der.count)
        if version < .tls1_3 { #expect(pair.server.sent.contains(Sample.server.leaf.der)) }
    }

    @Test func `comes before the handshake's end`() throws {
        let pair = try EnginePair(.present(Sample.server))

        pair.shakeHands()

        let session = try #require(pair.server.session)
        #expect(pair.server.events.dropFirst() == [.presented, .established(session)])
    }

    @Test func `is what the chain says, in its order and with what does not belong`() throws {
        let stranger = try Identity(selfSigned: Sample.leaf(), key: PrivateKey())
        var stuffed = stranger
        stuffed.chain += Sample.server.chain.reversed()
        let pair = try EnginePair(.present(stuffed))

        pair.shakeHands()

        #expect(pair.client.engine.presentedChain == stuffed.chain)
        #expect(pair.client.engine.verifiedPath.isEmpty)
        #expect(pair.client.engine.verificationFailure == nil)
    }
}
