import MitmProxy
import NIOCore
import NIOEmbedded
import TLSCore
import Testing
import Witness

/// What a connection's first bytes make of it, without sockets.
struct FirstBytesTests {
    /// A connection in memory.
    struct Wire {
        let intake: Intake
        let channel = EmbeddedChannel()

        init(
            _ configuration: ProxyConfiguration = ProxyConfiguration(),
            presenting presentation: Presentation = Presentation(Fixture.today),
            from remote: SocketAddress? = nil
        ) throws {
            intake = try Intake(configuration, presenting: presentation)
            channel.remoteAddress = remote
            try intake.accept(channel)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        func receive(_ bytes: some Sequence<UInt8>) { _ = try? channel.writeInbound(ByteBuffer(bytes: bytes)) }
        func receive(_ text: String) { receive(text.utf8) }

        /// What the proxy has written so far.
        func sent() throws -> [UInt8] {
            var bytes: [UInt8] = []
            while let more = try channel.readOutbound(as: ByteBuffer.self) { bytes += more.readableBytesView }
            return bytes
        }

        func sentText() throws -> String { String(decoding: try sent(), as: UTF8.self) }

        var seen: Observation? { intake.observations(in: intake.epoch).first }
    }

    static func clientHello() throws -> [UInt8] {
        let engine = try TLSEngine(client: TLSContext(client: TLSSettings(), trust: nil), host: Fixture.host, at: nil)
        return engine.start().flatMap {
            if case .send(let bytes) = $0 { Array(bytes.readableBytesView) } else { [UInt8]() }
        }
    }

    @Test func `a ClientHello is answered, wherever it is split`() throws {
        let hello = try FirstBytesTests.clientHello()
        for split in 1..<hello.count {
            let wire = try Wire()

            wire.receive(hello[..<split])
            #expect(try wire.sent() == [])
            wire.receive(hello[split...])

            #expect(try wire.sent().first == 0x16, "split at \(split)")
            #expect(wire.seen?.shown == ["today"], "split at \(split)")
        }
    }

    @Test func `a ClientHello is answered, byte by byte`() throws {
        let wire = try Wire()

        for byte in try FirstBytesTests.clientHello() { wire.receive([byte]) }

        #expect(wire.seen?.shown == ["today"])
        #expect(wire.seen?.target == Fixture.host)
    }

    static let established = "HTTP/1.1 200 Connection established\r\n\r\n"

    @Test func `a tunnel may be asked for and used in one packet`() throws {
        let wire = try Wire()

        wire.receive(Array("CONNECT a.example:443 HTTP/1.1\r\n\r\n".utf8) + (try FirstBytesTests.clientHello()))

        #expect(try wire.sent().starts(with: FirstBytesTests.established.utf8))
        #expect(wire.seen?.shown == ["today"])
        #expect(wire.seen?.target == "a.example")
    }

    @Test func `a CONNECT is read, wherever it is split`() throws {
        let head = Array("CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n".utf8)
        for split in 1..<head.count {
            let wire = try Wire()

            wire.receive(head[..<split])
            #expect(try wire.sent() == [])
            wire.receive(head[split...])

            #expect(try wire.sentText() == FirstBytesTests.established, "split at \(split)")
        }
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a.example:80\r\n\r\n", "a.example"),
        ("GET http://a.example/x HTTP/1.1\r\nHost: b.example\r\n\r\n", "a.example"),
        ("POST /?to=http://b.example/ HTTP/1.0\r\nhost: a.example\r\n\r\n", "a.example"),
        ("GET http://user:secret@a.example HTTP/1.1\r\n\r\n", "a.example"),
        ("GET / HTTP/1.0\r\n\r\n", nil),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", nil),
        ("GET /\r\n\r\n", nil),
        ("EHLO a.example\r\n\r\n", nil),
    ])
    func `a request in the clear is noted and answered with 400`(request: String, host: String?) throws {
        let wire = try Wire()

        wire.receive(request)

        #expect(try wire.sentText().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(wire.seen?.reaction == .cleartext)
        #expect(wire.seen?.target == host)
        #expect(wire.seen?.firstBytes == Array(request.utf8))
        #expect(!wire.channel.isActive)
    }

    @Test func `a request in the clear inside a tunnel is noted, and was for the tunnel's target`() throws {
        let wire = try Wire()

        wire.receive("CONNECT a.example:80 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: b.example\r\n\r\n")

        #expect(try wire.sentText().contains("HTTP/1.1 400 Bad Request\r\n"))
        #expect(wire.seen?.reaction == .cleartext)
        #expect(wire.seen?.target == "a.example")
    }

    @Test(arguments: [
        ("G", Reaction.cleartext),
        ("GET / HT", .cleartext),
        ("CONNECTED", .cleartext),
        ("", .inconclusive(.nothingPresented)),
        ("C", .inconclusive(.nothingPresented)),
        ("CONNECT a.exam", .inconclusive(.nothingPresented)),
    ])
    func `a head that is cut short is a request unless it may be a CONNECT`(start: String, reaction: Reaction) throws {
        let wire = try Wire()

        wire.receive(start)
        _ = try wire.channel.finish(acceptAlreadyClosed: true)

        #expect(wire.seen?.reaction == reaction)
        #expect(wire.seen?.end?.party == .client)
        #expect(wire.intake.openCount == 0)
    }

    @Test(arguments: [
        "CONNECT a.example HTTP/1.1\r\n\r\n",
        "CONNECT :443 HTTP/1.1\r\n\r\n",
        "CONNECT a.example:0 HTTP/1.1\r\n\r\n",
        "CONNECT a.example:443\r\n\r\n",
        "CONNECT  HTTP/1.1\r\n\r\n",
        "CONNECT a.example:443 HTTP/1.1\r\n\r\nCONNECT b.example:443 HTTP/1.1\r\n\r\n",
    ])
    func `a CONNECT that names no target, or stands in a tunnel, is answered with 400`(head: String) throws {
        let wire = try Wire()

        wire.receive(head)

        #expect(try wire.sentText().contains("HTTP/1.1 400 Bad Request\r\n"))
        #expect(wire.seen?.reaction == .inconclusive(.nothingPresented))
        #expect(wire.seen?.end?.party == .us)
        #expect(!wire.channel.isActive)
    }

    @Test(arguments: [("CONNECT a.example:443", Reaction.inconclusive(.nothingPresented)), ("GET /", .cleartext)])
    func `a head of more than 8 KiB is answered with 431`(line: String, reaction: Reaction) throws {
        let start = "\(line) HTTP/1.1\r\nX: "
        let padding = String(repeating: "x", count: 8192 - start.utf8.count - 4)

        let (fitting, whole, endless) = (try Wire(), try Wire(), try Wire())
        fitting.receive(start + padding + "\r\n\r\n")
        whole.receive(start + padding + "x\r\n\r\n")
        endless.receive(start + padding + padding)

        #expect(try !fitting.sentText().contains("431"))
        for wire in [whole, endless] {
            #expect(try wire.sentText().hasPrefix("HTTP/1.1 431 Request Header Fields Too Large\r\n"))
            #expect(wire.seen?.reaction == reaction)
            #expect(!wire.channel.isActive)
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nX: ", "CONNECT a.example:443 HTTP/1.1\r\nX: ", ""])
    func `a head of 8 KiB may come byte by byte`(start: String) throws {
        let wire = try Wire()

        for byte in (start + String(repeating: "x", count: 8192 - start.utf8.count)).utf8 { wire.receive([byte]) }
        #expect(wire.channel.isActive)
        wire.receive("x")

        #expect(try wire.sentText().hasPrefix("HTTP/1.1 431"))
    }

    static let garbage: [[UInt8]] = [
        [0], [0x80, 0x2E, 1], Array("\r\n".utf8), Array("SSH-2.0-Go\r\n".utf8), Array("é".utf8),
        [0x16], [0x16, 0x03, 0x01, 0, 0], [0x16, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3], Array(repeating: 0x16, count: 65536),
        Array(repeating: 0, count: 65536), Array((0..<65536).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 71) }),
        Array(repeating: UInt8(ascii: "A"), count: 65536),
    ]

    @Test(arguments: garbage)
    func `garbage never comes to see a certificate, and leaves nothing behind`(bytes: [UInt8]) throws {
        let wire = try Wire()

        wire.receive(bytes)
        _ = try wire.channel.finish(acceptAlreadyClosed: true)

        #expect(wire.seen?.shown == [])
        #expect(wire.seen?.isClosed == true)
        #expect(wire.intake.openCount == 0)
    }

    @Test func `a time limit counts from the last sign of life after the handshake, and from the first before`() throws
    {
        let wire = try Wire(ProxyConfiguration(handshakeTimeout: .seconds(3)))
        let hello = try FirstBytesTests.clientHello()

        wire.receive(hello.prefix(10))
        wire.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        wire.receive(hello.dropFirst(10).prefix(10))
        #expect(wire.channel.isActive)
        wire.channel.embeddedEventLoop.advanceTime(by: .seconds(1))

        #expect(!wire.channel.isActive)
        #expect(wire.seen?.end?.how == .timedOut)
    }

    /// Counts how often the socket would be read.
    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    @Test func `a client that does not take its answers is not read from until it does`() throws {
        let wire = try Wire()
        let counter = ReadCounter()
        try wire.channel.pipeline.syncOperations.addHandler(counter, position: .first)

        wire.channel.isWritable = false
        wire.channel.pipeline.fireChannelWritabilityChanged()
        wire.channel.pipeline.read()
        #expect(counter.count == 0)
        wire.channel.isWritable = true
        wire.channel.pipeline.fireChannelWritabilityChanged()

        #expect(counter.count == 1)
    }

    @Test func `nothing is noted after the end`() throws {
        let wire = try Wire()

        wire.receive("GET / HTTP/1.1\r\n\r\n")
        let events = wire.seen?.events
        wire.receive("GET / HTTP/1.1\r\n\r\n")
        wire.channel.embeddedEventLoop.advanceTime(by: .hours(1))

        #expect(wire.seen?.events == events)
        #expect(wire.intake.openCount == 0)
    }
}
