import Foundation
import NIOCore
import NIOEmbedded
import TLSCore
import Witness

@testable import MitmHarness
@testable import MitmProxy

extension FuzzTarget {
    /// What a client sends, or a server behind the proxy.
    static let wires: [FuzzTarget] =
        [
            FuzzTarget(name: "client-hello") { bytes in _ = JA4(message: bytes)?.text },
            FuzzTarget(name: "first-bytes") { bytes in connect(ProxyConfiguration(), bytes) },
            FuzzTarget(name: "proxy-protocol") { bytes in
                var configuration = ProxyConfiguration()
                configuration.forwarders = [AddressRange("127.0.0.0/8")].compactMap(\.self)
                connect(configuration, bytes)
            },
            FuzzTarget(name: "request", run: readRequests),
            FuzzTarget(name: "http2") { bytes in serve(HTTP2Origin.handlers, Self.preface + bytes) },
            FuzzTarget(name: "websocket") { bytes in serve(WebSocketEcho.handlers, bytes) },
            FuzzTarget(name: "response", run: filterResponse),
            FuzzTarget(name: "dns") { bytes in
                let answer = NameServer(socket: -1).answer(to: ByteBuffer(bytes: bytes))
                require((answer?.readableBytes ?? 0) <= bytes.count + 16, "an answer that amplifies")
            },
        ]
        + StartTLSDialect.allCases.map { dialect in
            FuzzTarget(name: "starttls-\(dialect)") { bytes in talk(dialect, bytes) }
        }

    private static let preface =
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

    // Minting with valid fields cannot fail.
    private static let identity: Identity = {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let root = try! Authority(rootNamed: "Fuzz Root", now: now)
        return try! root.identity(.leaf(names: [SubjectName("a.example")], now: now), key: PrivateKey(), label: "leaf")
    }()

    /// A connection to the proxy from its first byte on, in two pieces: one end, and nothing is left open.
    private static func connect(_ configuration: ProxyConfiguration, _ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        do {
            let intake = try Intake(configuration, presenting: Presentation(identity))
            let channel = EmbeddedChannel()
            channel.remoteAddress = try SocketAddress(ipAddress: "127.0.0.1", port: 2)
            try intake.accept(channel)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            let rest = bytes.dropFirst()
            for piece in [rest.prefix(Int(first)), rest.dropFirst(Int(first))] where channel.isActive {
                _ = try? channel.writeInbound(ByteBuffer(bytes: piece))
                while let _ = try channel.readOutbound(as: ByteBuffer.self) {}
            }
            _ = try? channel.finish(acceptAlreadyClosed: true)
            let events = intake.observations(in: intake.epoch).first?.events ?? []
            require(events.count { if case .closed = $0 { true } else { false } } == 1, "not one end: \(events)")
            require(intake.openCount == 0, "a connection is left open")
        } catch {
            fatalError("\(error)")
        }
    }

    /// What stands behind TLS is given bytes, in two pieces.
    private static func serve(_ handlers: (MitmProxy.Connection) -> [any ChannelHandler], _ bytes: [UInt8]) {
        do {
            let channel = EmbeddedChannel()
            let connection = MitmProxy.Connection(
                channel,
                journal: Journal(limit: 8, keptBytes: 64),
                presenter: Presenter(Presentation(identity), origin: Origin()),
                configuration: ProxyConfiguration()
            )
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            try channel.pipeline.syncOperations.addHandlers(handlers(connection))
            for piece in [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)] where channel.isActive {
                _ = try? channel.writeInbound(ByteBuffer(bytes: piece))
                while let _ = try channel.readOutbound(as: IOData.self) {}
            }
            _ = try? channel.finish(acceptAlreadyClosed: true)
            connection.ended()
        } catch {
            fatalError("\(error)")
        }
    }

    /// What is read does not depend on the pieces it comes in.
    private static func readRequests(_ bytes: [UInt8]) {
        let whole = requests([bytes[...]])
        let split = requests(bytes.indices.map { bytes[$0...$0] })
        require(whole == split, "in pieces it is something else: \(whole) \(split)")
    }

    private static func requests(_ pieces: [ArraySlice<UInt8>]) -> [RequestReader.Event] {
        var reader = RequestReader()
        var events: [RequestReader.Event] = []
        for piece in pieces {
            var buffer = ByteBuffer(bytes: piece)
            do {
                while let event = try reader.next(&buffer) { events.append(event) }
            } catch {
                break
            }
        }
        return events
    }

    /// Nothing is added to what a server said.
    private static func filterResponse(_ bytes: [UInt8]) {
        var filter = ResponseFilter()
        for method in ["GET", "HEAD", "CONNECT"] { filter.expectAnswer(to: method) }
        var heard = filter.pass(ByteBuffer(bytes: bytes))
        heard.writeImmutableBuffer(filter.rest())
        var left = bytes[...]
        let isPart = heard.readableBytesView.allSatisfy { byte in
            left = left.drop { $0 != byte }
            return left.popFirst() != nil
        }
        require(isPart, "something is added")
    }

    private static func talk(_ dialect: StartTLSDialect, _ bytes: [UInt8]) {
        var talk = StartTLSTalk(dialect)
        var buffer = ByteBuffer(bytes: bytes)
        var count = 0
        while let _ = try? talk.next(&buffer) { count += 1 }
        require(count <= bytes.count, "more steps than bytes")
        var inside = LineOrigin(dialect)
        _ = inside.receive(ByteBuffer(bytes: bytes))
    }
}
