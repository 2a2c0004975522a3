import NIOCore
import NIOPosix
import Synchronization

/// A connection without TLS.
package struct PlainConnection {
    package let port: Int

    package init(port: Int) { self.port = port }

    /// Connects and hangs up at once, as who races two addresses does with the slower one.
    package func touch() async { await converse { _, _ in } }

    /// Sends a request in the clear, and returns what comes back before the server hangs up.
    package func request(host: String) async -> String {
        await send("GET / HTTP/1.1\r\nhost: \(host)\r\nconnection: close\r\n\r\n")
    }

    /// Posts a document, and waits for the end of the answer.
    package func post(_ json: String, to path: String) async {
        let fields = "host: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: \(json.utf8.count)\r\n"
        _ = await send("POST \(path) HTTP/1.1\r\n\(fields)connection: close\r\n\r\n\(json)")
    }

    private func send(_ text: String) async -> String {
        let answer = Answer()
        await converse { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            for try await bytes in inbound { answer.text.withLock { $0 += String(buffer: bytes) } }
        }
        return answer.text.withLock(\.self)
    }

    private func converse(
        _ body: (NIOAsyncChannelInboundStream<ByteBuffer>, NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws ->
            Void
    ) async {
        let channel = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try? await channel?.executeThenClose { inbound, outbound in try await body(inbound, outbound) }
    }

    private final class Answer: Sendable {
        let text = Mutex("")
    }
}
