import NIOCore
import NIOEmbedded
import TLSCore
import TestSupport
import Testing
import Witness

@testable import MitmProxy

/// What a client of HTTP/2 sends, as bytes (RFC 9113 section 4.1, RFC 7541).
enum H2 {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    static let settings = frame(4)
    static let ping = frame(6, payload: Array("pindrill".utf8))
    static let opening = preface + settings + frame(8, payload: [0, 0x0F, 0, 0]) + ping

    static func frame(_ type: UInt8, flags: UInt8 = 0, on stream: UInt32 = 0, payload: [UInt8] = []) -> [UInt8] {
        let length = UInt32(payload.count)
        let id = (0..<4).map { UInt8(truncatingIfNeeded: stream >> (24 - 8 * $0)) }
        return (1..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + [type, flags] + id + payload
    }

    /// Without Huffman's code and without the table.
    static func field(_ name: String, _ value: String) -> [UInt8] {
        [0] + [UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
    }

    static func head(
        method: String = "GET",
        path: String = "/",
        authority: String = Fixture.host,
        _ more: [UInt8] = []
    ) -> [UInt8] {
        field(":method", method) + field(":scheme", "https") + field(":path", path) + field(":authority", authority)
            + more
    }

    static func request(
        _ stream: UInt32 = 1,
        method: String = "GET",
        path: String = "/",
        authority: String = Fixture.host,
        _ more: [UInt8] = [],
        ends: Bool = true
    ) -> [UInt8] {
        let head = head(method: method, path: path, authority: authority, more)
        return frame(1, flags: ends ? 5 : 4, on: stream, payload: head)
    }

    struct Frame: Equatable {
        var type: UInt8
        var flags: UInt8
        var stream: UInt32
        var payload: [UInt8]
    }

    /// The whole frames of some bytes.
    static func frames(_ bytes: [UInt8]) -> [Frame] {
        var frames: [Frame] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 9 + length else { break }
            let stream = head[5...].reduce(0) { $0 << 8 | UInt32($1) }
            let payload = Array(rest.dropFirst(9).prefix(length))
            frames.append(Frame(type: head[3], flags: head[4], stream: stream, payload: payload))
            rest = rest.dropFirst(9 + length)
        }
        return frames
    }
}

extension [H2.Frame] {
    func first(_ type: UInt8, on stream: UInt32? = nil) -> H2.Frame? {
        first { $0.type == type && (stream == nil || $0.stream == stream) }
    }

    /// The body of an answer.
    func body(on stream: UInt32 = 1) -> String {
        String(decoding: filter { $0.type == 0 && $0.stream == stream }.flatMap(\.payload), as: UTF8.self)
    }

    /// Whether an answer is whole.
    func isWhole(on stream: UInt32 = 1) -> Bool {
        contains { $0.stream == stream && $0.type < 2 && $0.flags & 1 == 1 }
    }
}

/// A client of HTTP/2 in TLS.
private func connect(
    _ proxy: InterceptingProxy,
    host: String = Fixture.host,
    offering protocols: [String] = ["h2"],
    tunnel: String? = nil
) throws -> TLSClient {
    let settings = TLSSettings(applicationProtocols: protocols)
    let client = try TLSClient(proxy.port, host: host, settings: settings, tunnel: tunnel)
    client.shakeHands()
    return client
}

extension TLSClient {
    /// Sends, and reads until all these streams are answered, or the connection ends.
    fileprivate func exchange(_ bytes: [UInt8], on streams: [UInt32] = [1]) -> [H2.Frame] {
        send(bytes)
        return read { bytes in
            let frames = H2.frames(bytes)
            return streams.allSatisfy { frames.isWhole(on: $0) || frames.first(3, on: $0) != nil }
        }
    }

    fileprivate func read(until isEnough: ([UInt8]) -> Bool) -> [H2.Frame] {
        readBytes(until: isEnough)
        return H2.frames(received)
    }
}

@Suite struct `F: HTTP/2` {
    @Test func `a request is answered as in HTTP/1.1, and is a request`() async throws {
        let seen = try await Fixture.withProxy { proxy in
            let client = try connect(proxy)
            let frames = client.exchange(H2.opening + H2.request())
            client.close()

            #expect(frames.first(1)?.payload.first == 0x88, "status 200 in HPACK's table")
            #expect(frames.body() == Fixture.bodyEnd)
            #expect(frames.first { $0.type == 6 }?.flags == 1, "the ping is answered")
            return try await proxy.settle()
        }

        #expect(seen.map(\.reaction) == [.accepted])
        #expect(seen.first?.requestLine == "GET / HTTP/2")
        #expect(seen.first?.requests == [AnsweredRequest(method: "GET", path: "/", status: 200)])
        #expect(seen.first?.authorities == [Fixture.host])
    }

    @Test func `what opens a connection is no request, and one that its client then closes was withheld`() async throws
    {
        let seen = try await Fixture.withProxy(presenting: Presentation(Fixture.forged)) { proxy in
            let careful = try connect(proxy)
            _ = careful.exchange(H2.opening + H2.frame(4, flags: 1), on: [])
            _ = careful.read { H2.frames($0).first(6) != nil }
            careful.close()
            let careless = try connect(proxy)
            _ = careless.exchange(H2.opening + H2.request())
            careless.close()
            return try await proxy.settle()
        }

        #expect(seen.map(\.reaction) == [.rejected(.withheldRequest), .accepted])
        #expect(seen.first?.bytesReceived == 0)
    }

    @Test func `one that we close while it is idle proves nothing`() async throws {
        let seen = try await Fixture.withProxy { proxy in
            let before = proxy.epoch
            let client = try connect(proxy)
            client.send(H2.opening)
            _ = client.read { H2.frames($0).first(6) != nil }
            _ = proxy.present(Presentation(Fixture.next))

            let frames = H2.frames(client.readToEnd())
            #expect(frames.first(7)?.payload == [0, 0, 0, 0, 0, 0, 0, 0], "a polite GOAWAY")
            _ = try await proxy.settle()
            return proxy.observations(in: before)
        }

        #expect(seen.map(\.reaction) == [.inconclusive(.closedByUs(.superseded))])
    }

    @Test func `bytes that are no frames of a request, and no upkeep either, prove nothing`() async throws {
        let seen = try await Fixture.withProxy { proxy in
            let client = try connect(proxy)
            client.send(H2.opening + H2.frame(0xB0, payload: Array("secret".utf8)))
            _ = client.read { H2.frames($0).first(6) != nil }
            client.close()
            return try await proxy.settle()
        }

        #expect(seen.map(\.reaction) == [.inconclusive(.unknownData)])
    }

    @Test(
        arguments: [
            (["h2", "http/1.1"], "http/1.1"), (["h2"], "h2"), (["http/1.1"], "http/1.1"), ([], nil),
        ] as [([String], String?)]
    )
    func `who speaks both is served in HTTP/1.1, and who speaks one in that`(offered: [String], chosen: String?)
        async throws
    {
        let seen = try await Fixture.withProxy { proxy in
            try connect(proxy, offering: offered).close()
            return try await proxy.settle()
        }

        #expect(seen.first?.session?.applicationProtocol == chosen)
    }

    @Test func `a presentation may want HTTP/2 first`() async throws {
        let offer = TLSOffer(applicationProtocols: ["h2", "http/1.1"])
        let seen = try await Fixture.withProxy(
            presenting: Presentation(.always(.identity(Fixture.today)), offer: offer)
        ) {
            proxy in
            try connect(proxy, offering: ["http/1.1", "h2"]).close()
            try connect(proxy, offering: ["http/1.1"]).close()
            return try await proxy.settle()
        }

        #expect(seen.map(\.session?.applicationProtocol) == ["h2", "http/1.1"])
    }

    @Test func `a request belongs to its authority, and another host's is turned away`() async throws {
        let seen = try await Fixture.withProxy { proxy in
            let client = try connect(proxy, host: "cdn.acme.example")
            let frames = client.exchange(
                H2.opening + H2.request(authority: "cdn.acme.example")
                    + H2.request(3, authority: "\(Fixture.host):443"),
                on: [1, 3]
            )
            client.close()

            #expect(frames.first(1, on: 1)?.payload.first == 0x88)
            #expect(frames.body(on: 3) == "This connection was made for another host.\n")
            return try await proxy.settle()
        }

        #expect(seen.first?.requests.map(\.status) == [200, 421])
        #expect(seen.first?.requests.map(\.isTrouble) == [false, true])
        #expect(seen.first?.counts(for: Fixture.host) == true)
        #expect(seen.first?.names(Fixture.host) == false)
        #expect(seen.first?.counts(for: "other.acme.example") == false)
    }

    @Test(
        arguments: [
            ("127.0.0.1", nil), ("localhost", nil), (Fixture.host, "127.0.0.1:443"),
            (Fixture.host, "\(Fixture.host):443"),
        ] as [(String, String?)]
    )
    func `no authority is foreign to who asked for this machine, or for that host`(host: String, tunnel: String?)
        async throws
    {
        let seen = try await Fixture.withProxy { proxy in
            let client = try connect(proxy, host: host, tunnel: tunnel)
            _ = client.exchange(H2.opening + H2.request() + H2.request(3, authority: "127.0.0.1:8443"), on: [1, 3])
            client.close()
            return try await proxy.settle()
        }

        #expect(seen.first?.requests.map(\.status) == [200, 200])
    }

    @Test func `what follows a request and is no other keeps the connection only`() async throws {
        let seen = try await Fixture.withProxy { proxy in
            let client = try connect(proxy)
            _ = client.exchange(H2.opening + H2.request())
            let epoch = proxy.epoch
            let before = proxy.observations(in: epoch)
            client.send(H2.frame(4, flags: 1) + H2.ping)
            _ = client.read { H2.frames($0).filter { $0.type == 6 }.count == 2 }
            let after = proxy.observations(in: epoch)
            client.close()
            return (before, after)
        }

        #expect(seen.0 == seen.1)
    }

    @Test func `canaries and secrets are found in fields and bodies`() async throws {
        let canary = Canary()
        let (first, second, third, fourth) = (canary.token(), canary.token(), canary.token(), canary.token())
        var configuration = ProxyConfiguration()
        configuration.canary = canary
        let seen = try await Fixture.withProxy(configuration) { proxy in
            let client = try connect(proxy)
            let half = third.utf8.count / 2
            let bytes = H2.request(
                method: "POST",
                path: "/\(first)",
                H2.field("authorization", "Bearer \(second)") + H2.field("cookie", "a"),
                ends: false
            )
            let body = Array(third.utf8)
            _ = client.exchange(
                H2.opening + bytes + H2.frame(0, on: 1, payload: Array(body[..<half]))
                    + H2.frame(0, on: 1, payload: Array(body[half...]))
                    + H2.frame(1, flags: 5, on: 1, payload: H2.field("checksum", fourth))
            )
            client.close()
            return try await proxy.settle()
        }

        #expect(
            seen.first?.leaks.map(\.place)
                == [.requestLine, .header("authorization"), .body, .header("checksum")]
        )
        #expect(seen.first?.secretHeaders == ["authorization", "cookie"])
        #expect(seen.first.map { String(decoding: $0.firstBytes, as: UTF8.self).hasPrefix("POST /") } == true)
    }

    @Test func `routes answer as in HTTP/1.1`() async throws {
        var origin = Origin()
        origin.hasOnlyRoutes = true
        origin.routes = [
            Route(path: "/old", status: 302, headers: [("Location", "/new"), ("Connection", "x"), ("Upgrade", "y")]),
            Route(path: "/slow", body: Array("at last".utf8), delay: .milliseconds(1)),
            Route(path: "/empty", status: 204),
        ]
        let seen = try await Fixture.withProxy(ProxyConfiguration(origin: origin)) { proxy in
            let client = try connect(proxy)
            let paths = ["/old", "/slow", "/empty", "/nowhere", "/"]
            let requests = paths.enumerated().flatMap { H2.request(UInt32(2 * $0 + 1), path: $1) }
            let head = H2.request(11, method: "HEAD", path: "/slow")
            let frames = client.exchange(H2.opening + requests + head, on: [1, 3, 5, 7, 9, 11])
            client.close()
            #expect(frames.body(on: 3) == "at last")
            #expect(frames.body(on: 7).contains("declare it in 'origin:'"))
            #expect(frames.body(on: 11) == "")
            return try await proxy.settle()
        }

        let statuses = Dictionary((seen.first?.requests ?? []).map { ($0.description, $0.status ?? 0) }) { $1 }
        #expect(
            statuses == [
                "GET /old": 302, "GET /slow": 200, "GET /empty": 204, "GET /nowhere": 404, "GET /": 200,
                "HEAD /slow": 200,
            ]
        )
        #expect(seen.first?.requests.filter(\.isMissing).map(\.path) == ["/nowhere"])
    }

    @Test(arguments: [(Route.Failure.silence, false, ""), (.head, true, ""), (.truncated, true, "hal")])
    func `an answer fails as in HTTP/1.1`(failure: Route.Failure, hasHead: Bool, body: String) async throws {
        var origin = Origin()
        origin.routes = [Route(path: "/", body: Array("halved".utf8), failure: failure)]
        let seen = try await Fixture.withProxy(ProxyConfiguration(origin: origin)) { proxy in
            let client = try connect(proxy)
            client.send(H2.opening + H2.request())
            let frames = H2.frames(client.readToEnd())
            #expect((frames.first(1) != nil) == hasHead)
            #expect(frames.body() == body)
            #expect(!frames.isWhole())
            #expect(frames.first(7) != nil)
            return try await proxy.settle()
        }

        #expect(seen.map(\.reaction) == [.accepted])
        #expect(seen.first?.requests.map(\.isTrouble) == [true])
    }

    @Test func `a body is taken in, however long it is, and a client that waits is told to go on`() async throws {
        try await Fixture.withProxy { proxy in
            let client = try connect(proxy)
            let head = H2.request(method: "POST", H2.field("expect", "100-continue"), ends: false)
            client.send(H2.opening + head)
            _ = client.read { H2.frames($0).first(1) != nil }
            // More than the first window.
            for _ in 0..<8 { client.send(H2.frame(0, on: 1, payload: Array(repeating: 0x61, count: 16_000))) }
            let frames = client.exchange(H2.frame(0, flags: 1, on: 1))
            client.close()

            #expect(frames.filter { $0.type == 1 }.count == 2)
            let updates = frames.filter { $0.type == 8 && $0.stream == 0 }
            let windows = updates.map { update in update.payload.reduce(0) { $0 << 8 | Int($1) } }
            #expect(windows.reduce(0, +) == 128_000)
            #expect(frames.body() == Fixture.bodyEnd)
        }
    }
}

extension Observation {
    fileprivate var session: TLSSession? {
        events.lazy.compactMap { if case .established(let session) = $0 { session } else { nil } }.first
    }
}

/// One conversation without TLS.
struct Codec {
    let channel = EmbeddedChannel()
    let journal = Journal(limit: 8, keptBytes: 64)

    init(_ handlers: (MitmProxy.Connection) -> [any ChannelHandler] = HTTP2Origin.handlers) throws {
        let presenter = Presenter(Presentation(Fixture.today), origin: Origin())
        let connection = MitmProxy.Connection(
            channel,
            journal: journal,
            presenter: presenter,
            configuration: ProxyConfiguration()
        )
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.pipeline.syncOperations.addHandlers([Ending(connection)] + handlers(connection))
    }

    /// What TLS does at the end.
    private final class Ending: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let connection: MitmProxy.Connection

        init(_ connection: MitmProxy.Connection) { self.connection = connection }

        func channelInactive(context: ChannelHandlerContext) {
            context.fireChannelInactive()
            connection.ended()
        }
    }

    /// The frames that come back.
    func receive(_ bytes: [UInt8]) throws -> [H2.Frame] {
        if channel.isActive { try channel.writeInbound(ByteBuffer(bytes: bytes)) }
        var sent: [UInt8] = []
        while let data = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let bytes) = data { sent += bytes.readableBytesView }
        }
        return H2.frames(sent)
    }

    var ends: [ConnectionEvent] {
        journal.observations(in: Epoch(0)).flatMap(\.events).filter { if case .closed = $0 { true } else { false } }
    }
}

/// Cases of h2spec (github.com/summerwind/h2spec) by what they are about, and floods.
@Suite struct `F: Malformed HTTP/2` {
    /// The error codes of RFC 9113 section 7.
    private static let (protocolError, flowControl, frameSize, calm): (UInt8, UInt8, UInt8, UInt8) = (1, 3, 6, 11)

    typealias Case = (name: String, bytes: [UInt8], code: UInt8)

    private static func repeated(_ count: UInt32, _ bytes: (UInt32) -> [UInt8]) -> [UInt8] {
        (0..<count).flatMap(bytes)
    }

    static let floods: [Case] = {
        let continued = H2.field("a", "b")
        let endless = repeated(2000) { _ in H2.frame(9, on: 1, payload: continued) }
        let reset = repeated(1000) { turn in
            let stream = 2 * turn + 1
            return H2.request(stream, ends: false) + H2.frame(3, on: stream, payload: [0, 0, 0, 8])
        }
        let empty = repeated(100) { _ in H2.frame(0, on: 1) }
        return [
            ("CONTINUATION without end", H2.frame(1, flags: 1, on: 1, payload: continued) + endless, calm),
            ("streams that are begun only to be reset", reset, calm),
            ("PING without end", repeated(1000) { _ in H2.ping }, calm),
            ("SETTINGS without end", repeated(1000) { _ in H2.settings }, calm),
            ("empty DATA without end", H2.request(ends: false) + empty, calm),
        ]
    }()

    private static let between: [UInt8] = H2.frame(1, flags: 1, on: 1, payload: [0x82]) + H2.ping
    private static let pushed: [UInt8] = H2.request() + H2.frame(5, flags: 4, on: 1, payload: [0, 0, 0, 2, 0x82])
    private static let older: [UInt8] = H2.request(5) + H2.request(3)

    static let errors: [Case] = [
        ("SETTINGS with a stream", H2.frame(4, on: 1), protocolError),
        ("SETTINGS whose length is no multiple of 6", H2.frame(4, payload: [0, 3, 0]), frameSize),
        ("SETTINGS with an answer and a payload", H2.frame(4, flags: 1, payload: [0, 3, 0, 0, 0, 1]), frameSize),
        ("a window larger than 2^31-1", H2.frame(4, payload: [0, 4, 0x80, 0, 0, 0]), flowControl),
        ("a frame size below 16,384", H2.frame(4, payload: [0, 5, 0, 0, 0, 1]), protocolError),
        ("PING of 6 bytes", H2.frame(6, payload: [1, 2, 3, 4, 5, 6]), frameSize),
        ("PING with a stream", H2.frame(6, on: 1, payload: Array("pindrill".utf8)), protocolError),
        ("GOAWAY with a stream", H2.frame(7, on: 1, payload: [0, 0, 0, 0, 0, 0, 0, 0]), protocolError),
        ("WINDOW_UPDATE of 0", H2.frame(8, payload: [0, 0, 0, 0]), protocolError),
        ("WINDOW_UPDATE of 3 bytes", H2.frame(8, payload: [0, 0, 1]), frameSize),
        ("a window beyond 2^31-1", H2.frame(8, payload: [0x7F, 0xFF, 0xFF, 0xFF]), flowControl),
        ("DATA without a stream", H2.frame(0, payload: [1]), protocolError),
        ("DATA before HEADERS", H2.frame(0, on: 1, payload: [1]), protocolError),
        ("HEADERS without a stream", H2.frame(1, flags: 5, payload: H2.head()), protocolError),
        ("HEADERS on a server's stream", H2.request(2), protocolError),
        ("HEADERS on an older stream", older, protocolError),
        ("HEADERS with more padding than payload", H2.frame(1, flags: 0xD, on: 1, payload: [9, 0x82]), protocolError),
        ("HPACK that cannot be read", H2.frame(1, flags: 5, on: 1, payload: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), 9),
        ("CONTINUATION without HEADERS", H2.frame(9, flags: 4, on: 1, payload: H2.head()), protocolError),
        ("PING between HEADERS and CONTINUATION", between, protocolError),
        ("a client's PUSH_PROMISE", pushed, protocolError),
        ("a frame beyond our frame size", H2.frame(0, on: 1, payload: Array(repeating: 0, count: 16_385)), frameSize),
        ("RST_STREAM without a stream", H2.frame(3, payload: [0, 0, 0, 8]), protocolError),
    ]

    static let ending = errors + floods

    @Test(arguments: ending.indices)
    func `ends the connection with one event, and says why`(index: Int) throws {
        let (name, bytes, code) = Self.ending[index]
        let codec = try Codec()

        let frames = try codec.receive(H2.preface + H2.settings + bytes)

        #expect(frames.first(7).map { $0.payload[7] } == code, "\(name): \(frames.map(\.type))")
        #expect(!codec.channel.isActive, "\(name)")
        guard case .closed(by: .us, .protocolError(let reason))? = codec.ends.first else {
            Issue.record("\(name): \(codec.ends)")
            return
        }
        #expect(codec.ends.count == 1 && reason.hasPrefix("HTTP/2: "), "\(name): \(reason)")
        _ = try? codec.channel.finish(acceptAlreadyClosed: true)
    }

    static let harmless: [(name: String, bytes: [UInt8])] = {
        let loop = H2.frame(2, on: 7, payload: [0, 0, 0, 9, 1]) + H2.frame(2, on: 9, payload: [0, 0, 0, 7, 1])
        let short =
            H2.request(1, H2.field("content-length", "2"), ends: false) + H2.frame(0, flags: 1, on: 1, payload: [1])
        return [
            ("an unknown frame", H2.frame(0xB0, payload: [1, 2, 3])),
            ("an unknown setting", H2.frame(4, payload: [0x0F, 0xFF, 0, 0, 0, 1])),
            ("priorities that depend on each other", loop),
            ("a field in upper case", H2.request(1, H2.field("Upper", "x"))),
            ("a field of connections", H2.request(1, H2.field("connection", "close"))),
            ("a request without a path", H2.frame(1, flags: 5, on: 1, payload: H2.field(":method", "GET"))),
            ("a body of another length", short),
            ("more than a hundred streams", repeated(200) { H2.request(2 * $0 + 1, ends: false) }),
        ]
    }()

    @Test(arguments: harmless.indices)
    func `of one stream or of none leaves the others be`(index: Int) throws {
        let (name, bytes) = Self.harmless[index]
        let codec = try Codec()

        let frames = try codec.receive(H2.preface + H2.settings + bytes) + codec.receive(H2.request(999) + H2.ping)

        if name.hasPrefix("more") {
            #expect(frames.contains { $0.type == 3 || $0.type == 7 }, "\(name)")
        } else {
            #expect(codec.channel.isActive, "\(name)")
            #expect(frames.isWhole(on: 999), "\(name): \(frames.map(\.type))")
        }
        _ = try? codec.channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `a head without end is not kept`() throws {
        let codec = try Codec()
        let fields = (0..<200).flatMap { _ in H2.field("a", String(repeating: "b", count: 120)) }
        let pieces = (0..<60).map {
            H2.frame($0 == 0 ? 1 : 9, flags: $0 == 59 ? 4 : 0, on: 1, payload: Array(fields.prefix(16_000)))
        }

        let frames = try codec.receive(H2.preface + H2.settings + pieces.flatMap { $0 })

        #expect(frames.first(7) != nil || frames.first(3) != nil)
        #expect(frames.first(1) == nil)
        _ = try? codec.channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `whatever is damaged, there is one end and no crash`() throws {
        let head = H2.head()
        var good = H2.opening + H2.request()
        good += H2.request(3, method: "POST", H2.field("content-length", "3"), ends: false)
        good += H2.frame(0, flags: 1, on: 3, payload: [1, 2, 3]) + H2.frame(2, on: 5, payload: [0, 0, 0, 1, 9])
        good += H2.frame(1, flags: 1, on: 5, payload: Array(head.prefix(20)))
        good += H2.frame(9, flags: 4, on: 5, payload: Array(head.dropFirst(20)))
        good += H2.frame(3, on: 5, payload: [0, 0, 0, 8]) + H2.frame(7, payload: [0, 0, 0, 5, 0, 0, 0, 0])
        var random = SplitMix64(seed: 9113)
        for round in 0..<DamagedInputs.count(of: 100_000) {
            var bytes = good
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: H2.preface.count..<max(bytes.count, H2.preface.count + 1), using: &random)
                guard place < bytes.count else { continue }
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                case 2: bytes.removeSubrange(place...)
                default: bytes.insert(contentsOf: random.bytes(3), at: place)
                }
            }
            let codec = try Codec()
            let cut = Int.random(in: 0...bytes.count, using: &random)

            _ = try codec.receive(Array(bytes[..<cut]))
            _ = try codec.receive(Array(bytes[cut...]))
            _ = try? codec.channel.finish(acceptAlreadyClosed: true)

            #expect(codec.ends.count == 1, "round \(round): \(bytes)")
        }
    }
}
