import NIOCore
import NIOPosix

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A server without TLS and without manners, on a port of its own.
enum RawServer {
    enum Manner: Sendable {
        /// Counts what comes, and says how much it was once no more comes.
        case counting
        /// Says the same.
        case echoing
        /// Hangs up on whoever comes.
        case absent
        /// Hears all, and says nothing.
        case silent
        /// Says half a word to whoever says something, and resets.
        case resetting
    }

    static func with(_ manner: Manner, reads: Bool = true, _ body: (Int) async throws -> Void) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: reads)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(manner))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body(server.localAddress?.port ?? 0)
        } catch {
            try await server.close()
            throw error
        }
        try await server.close()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let manner: Manner
        private var count = 0

        init(_ manner: Manner) { self.manner = manner }

        func channelActive(context: ChannelHandlerContext) {
            if case .absent = manner { context.close(promise: nil) }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            count += unwrapInboundIn(data).readableBytes
            switch manner {
            case .counting, .absent, .silent: break
            case .echoing: context.writeAndFlush(data, promise: nil)
            case .resetting:
                let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 2"))).whenComplete { _ in
                    let channel = bound.value.channel
                    let lingering = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                    lingering?.whenComplete { _ in channel.close(promise: nil) }
                }
            }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard event as? ChannelEvent == .inputClosed else { return }
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            let text = if case .counting = manner { "\(count) bytes" } else { "" }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text))).whenComplete { _ in
                bound.value.close(promise: nil)
            }
        }
    }
}
