package import NIOCore
import NIOPosix

/// A connection without TLS, for clients that should have known better.
package struct PlainExchange: Sendable {
    private let port: Int

    package init(port: Int) {
        self.port = port
    }

    /// Connects, and hangs up after a while.
    package func sayNothing(for time: Duration) async {
        await converse { _ in try await Task.sleep(for: time) }
    }

    /// Sends these bytes, and hangs up once anything has come back.
    package func leave(after bytes: ByteBuffer) async {
        await converse { channel in
            try await channel.outbound.write(bytes)
            for try await _ in channel.inbound { return }
        }
    }

    /// Sends a request in the clear, and returns whatever comes back before the server hangs up.
    package func request(host: String) async -> String {
        var answer = ""
        await converse { channel in
            let text = "GET / HTTP/1.1\r\nhost: \(host):\(port)\r\nconnection: close\r\n\r\n"
            try await channel.outbound.write(ByteBuffer(string: text))
            for try await bytes in channel.inbound { answer += String(buffer: bytes) }
        }
        return answer
    }

    private typealias Conversation = (
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>, outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    )

    private func converse(_ body: (Conversation) async throws -> Void) async {
        let channel = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try? await channel?.executeThenClose { inbound, outbound in try await body((inbound, outbound)) }
    }
}
