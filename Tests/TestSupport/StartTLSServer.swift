import NIOCore
import NIOPosix
package import TLSCore

/// A server on loopback that talks in clear first, as mail servers and databases do, and then, perhaps, starts TLS.
package struct StartTLSServer: Sendable {
    /// What it says at once.
    package var greeting: String
    /// What it waits for, and what it says then; after the last one TLS begins.
    package var script: [(awaited: [UInt8], answer: String)]
    /// What it shows; `nil` for a server that never starts TLS.
    package var identity: Identity?

    package init(greeting: String, script: [(String, String)] = [], identity: Identity? = nil) {
        self.greeting = greeting
        self.script = script.map { (Array($0.0.utf8), $0.1) }
        self.identity = identity
    }

    /// PostgreSQL's `SSLRequest` is no text.
    package static func postgres(_ identity: Identity?) -> StartTLSServer {
        var server = StartTLSServer(greeting: "", identity: identity)
        server.script = [([0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F], identity == nil ? "N" : "S")]
        return server
    }

    /// Serves one connection after another, for as long as the body takes.
    package func run<Value>(_ body: (_ port: Int) async throws -> Value) async throws -> Value {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let port = listener.channel.localAddress?.port ?? 0
        let serving = Task {
            try await listener.executeThenClose { connections in
                for try await connection in connections { try? await serve(connection) }
            }
        }
        defer { serving.cancel() }
        return try await body(port)
    }

    private func serve(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws {
        let engine = try TLSEngine(server: TLSContext(server: TLSSettings()))
        try await connection.executeThenClose { inbound, outbound in
            if !greeting.isEmpty { try await outbound.write(ByteBuffer(string: greeting)) }
            var rest = script[...]
            var unread: [UInt8] = []
            for try await bytes in inbound {
                if rest.isEmpty, let identity {
                    try await outbound.write(contentsOf: answers(engine, engine.receive(bytes), identity))
                    continue
                }
                unread += bytes.readableBytesView
                guard let next = rest.first, unread.count >= next.awaited.count else { continue }
                guard unread == next.awaited else { return }
                unread = []
                rest = rest.dropFirst()
                try await outbound.write(ByteBuffer(string: next.answer))
            }
        }
    }

    private func answers(_ engine: TLSEngine, _ actions: [TLSAction], _ identity: Identity) -> [ByteBuffer] {
        actions.flatMap { action -> [ByteBuffer] in
            switch action {
            case .send(let bytes): [bytes]
            case .chooseIdentity: answers(engine, engine.present(identity), identity)
            case .deliver, .record, .close: []
            }
        }
    }
}
