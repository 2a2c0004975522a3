import NIOCore
import TLSCore
import TestSupport
import Testing

@Suite struct `Plaintext` {
    @Test(arguments: [TLSVersion.tls1_0, .tls1_2, .tls1_3])
    func `of a mebibyte arrives whole, both ways`(version: TLSVersion) throws {
        let settings = TLSSettings(versions: version...version)
        let pair = try EnginePair(.present(Sample.server), server: settings, client: settings)
        var random = SplitMix64(seed: 1)
        let block = random.bytes(1 << 12)
        let payload = Array(repeatElement(block, count: 1 << 8).joined())

        pair.shakeHands()
        pair.send(payload, from: pair.client)
        pair.send(payload.reversed(), from: pair.server)
        pair.pump(chunk: 100_000)

        #expect(pair.server.delivered == payload)
        #expect(pair.client.delivered == payload.reversed())
    }

    @Test func `is not sent before the handshake is over, nor after the end`() throws {
        let pair = try EnginePair(.wait)

        pair.shakeHands()
        pair.send([1], from: pair.server)
        pair.send([1], from: pair.client)
        pair.pump()
        pair.answer(.present(Sample.server))
        pair.pump()
        pair.close(pair.client)
        pair.send([2], from: pair.client)
        pair.pump()

        #expect(pair.server.delivered.isEmpty)
        #expect(pair.client.delivered.isEmpty)
    }

    @Test func `and a goodbye in one read are both seen, in order`() throws {
        let pair = try EnginePair(.present(Sample.server))

        pair.shakeHands()
        pair.send(Array("GET / HTTP/1.1\r\n".utf8), from: pair.client)
        pair.close(pair.client)
        pair.pump()

        #expect(pair.server.delivered == Array("GET / HTTP/1.1\r\n".utf8))
        #expect(pair.server.alerts(.inward) == [0])
        #expect(pair.server.alerts(.outward) == [0])
        #expect(pair.server.closes == 1)
    }
}

@Suite struct `The end of a connection` {
    @Test(arguments: [TLSVersion.tls1_2, .tls1_3])
    func `is said once, and answered`(version: TLSVersion) throws {
        let settings = TLSSettings(versions: version...version)
        let pair = try EnginePair(.present(Sample.server), server: settings, client: settings)

        pair.shakeHands()
        pair.close(pair.server)
        pair.pump()
        pair.close(pair.server)
        pair.pump()

        #expect(pair.client.events.last == .alert(.outward, .closeNotify))
        #expect(pair.client.alerts(.inward) == [0])
        #expect(pair.server.closes == 1 && pair.client.closes == 1)
    }

    @Test func `is final: what comes afterwards is not read`() throws {
        let pair = try EnginePair(.present(Sample.server))
        pair.shakeHands()
        pair.send([1, 2, 3], from: pair.client)
        let late = pair.takeUnread(by: pair.server)

        pair.close(pair.server)
        let before = pair.server.events
        pair.inject(late, into: pair.server)
        pair.inject([0xFF, 0xFF], into: pair.server)

        #expect(pair.server.events == before)
        #expect(pair.server.delivered.isEmpty)
        #expect(pair.server.closes == 1)
    }
}

@Suite struct `A server that is sent nonsense` {
    @Test(
        arguments: [
            ("an HTTP request", Array("GET / HTTP/1.1\r\nHost: api.acme.example\r\n\r\n".utf8)),
            ("a CONNECT", Array("CONNECT api.acme.example:443 HTTP/1.1\r\n\r\n".utf8)),
            ("zeros", [UInt8](repeating: 0, count: 1 << 16)),
            ("a record that is too long", [0x16, 0x03, 0x01, 0xFF, 0xFF] + [UInt8](repeating: 1, count: 1 << 16)),
            ("data first", [0x17, 0x03, 0x03, 0x00, 0x01, 0x00]),
            ("a handshake message of no kind", [0x16, 0x03, 0x01, 0x00, 0x04, 0xEE, 0x00, 0x00, 0x00]),
            ("an empty hello", [0x16, 0x03, 0x01, 0x00, 0x04, 0x01, 0x00, 0x00, 0x00]),
        ]
    )
    func `fails and closes`(name: String, bytes: [UInt8]) throws {
        let pair = try EnginePair(.present(Sample.server))

        pair.inject(bytes, into: pair.server)

        #expect(pair.server.closes == 1, "\(name)")
        #expect(pair.server.events.contains { if case .failed = $0 { true } else { false } })
        #expect(pair.server.count(of: .presented) == 0)
        #expect(pair.server.choices.isEmpty)
    }

    @Test func `fails and closes on 64 KiB of random bytes, whatever their seed`() throws {
        let context = try TLSContext()

        for seed in 0..<100 {
            var random = SplitMix64(seed: UInt64(seed))
            let engine = try TLSEngine(server: context)
            // Half of them begin like a record, or nothing past the header would ever be read.
            let start: [UInt8] =
                seed % 2 == 0 ? [] : [0x16, 0x03, 0x01, 0x3F, 0x00, 0x01, 0x00, 0x3E, 0xFC, 0x03, 0x03]
            let actions = engine.receive(ByteBuffer(bytes: start + random.bytes(1 << 16)))

            #expect(actions.contains { if case .close = $0 { true } else { false } }, "seed \(seed)")
        }
    }

    @Test(arguments: [TLSVersion.tls1_2, .tls1_3])
    func `survives a hello with any one byte changed`(version: TLSVersion) throws {
        let settings = TLSSettings(versions: version...version)
        let pair = try EnginePair(.wait, client: settings)
        pair.shakeHands()
        let hello = pair.client.sent
        let context = try TLSContext()
        var random = SplitMix64(seed: 2)

        for index in hello.indices {
            var bytes = hello
            bytes[index] ^= UInt8.random(in: 1...255, using: &random)
            let engine = try TLSEngine(server: context)
            let actions = engine.receive(ByteBuffer(bytes: bytes)) + engine.present(Sample.server)

            #expect(actions.count < 20)
        }
    }

    @Test(arguments: [TLSVersion.tls1_2, .tls1_3])
    func `survives a client's last flight with any one byte changed`(version: TLSVersion) throws {
        let settings = TLSSettings(versions: version...version)
        let server = try TLSContext(server: settings)
        let client = try TLSContext(client: settings, trust: nil)
        var reactions = Set<Bool>()

        for index in 0..<64 {
            let pair = try EnginePair(.wait, server: server, client: client)
            pair.shakeHands()
            pair.answer(.present(Sample.server))
            let flight = pair.takeUnread(by: pair.client)
            pair.inject(flight, into: pair.client)
            var answer = pair.takeUnread(by: pair.server)
            guard index < answer.count else { break }
            answer[index] ^= 0x55
            pair.inject(answer, into: pair.server)

            reactions.insert(pair.server.session == nil)
        }

        #expect(reactions.contains(true))
    }
}

@Suite struct `A slow client` {
    @Test(arguments: [TLSVersion.tls1_2, .tls1_3])
    func `may cut its hello anywhere`(version: TLSVersion) throws {
        let settings = TLSSettings(versions: version...version)
        let whole = try EnginePair(.wait, client: settings)
        whole.shakeHands()
        let hello = whole.client.sent
        let context = try TLSContext()

        for cut in 1..<hello.count {
            let engine = try TLSEngine(server: context)
            let first = engine.receive(ByteBuffer(bytes: hello[..<cut]))
            let second = engine.receive(ByteBuffer(bytes: hello[cut...]))

            #expect(first.isEmpty, "cut at \(cut)")
            guard case .chooseIdentity(let seen)? = second.last else {
                Issue.record("no question after a cut at \(cut)")
                continue
            }
            #expect(seen == whole.server.choices.first)
        }
    }

    @Test(arguments: [TLSVersion.tls1_2, .tls1_3])
    func `may send byte by byte`(version: TLSVersion) throws {
        let settings = TLSSettings(versions: version...version)
        let pair = try EnginePair(.wait, server: settings, client: settings)

        pair.shakeHands()
        pair.answer(.present(Sample.server))
        pair.pump(chunk: 1)

        #expect(pair.server.session != nil)
        #expect(pair.server.count(of: .presented) == 1)
    }

    @Test func `may stop anywhere, and nothing is made up`() throws {
        let whole = try EnginePair(.wait)
        whole.shakeHands()
        let hello = whole.client.sent
        let context = try TLSContext()

        for end in 0..<hello.count {
            let engine = try TLSEngine(server: context)
            let actions = engine.receive(ByteBuffer(bytes: hello[..<end]))

            #expect(actions.isEmpty, "after \(end) bytes")
        }
    }

    @Test func `that never answers the flight has seen the certificate`() throws {
        let pair = try EnginePair(.present(Sample.server))

        pair.inject(try hello(), into: pair.server)

        #expect(pair.server.count(of: .presented) == 1)
        #expect(pair.server.session == nil)
        #expect(pair.server.closes == 0)
    }

    private func hello() throws -> [UInt8] {
        let pair = try EnginePair(.wait)
        pair.shakeHands()
        return pair.client.sent
    }
}
