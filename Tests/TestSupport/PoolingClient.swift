package import MitmHarness
import NIOCore
import NIOPosix
package import Scenarios
import Synchronization
import TLSCore

/// A client without pins that keeps each connection for as long as it lives, as connection pools do.
package final class PoolingClient: ClientUnderTest {
    private let pool = Mutex<[any Channel]>([])

    package init() {}

    /// Asks on a connection of its own, and returns with the first bytes of the answer.
    package func attempt(
        _ endpoint: Endpoint,
        beforeEnding: @escaping BeforeEnding = { _ in }
    ) async throws(CancellationError) -> ClientReport {
        do {
            let context = try TLSContext(client: TLSSettings(), trust: endpoint.store)
            let answer = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: ClientReport.Word.self)
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let engine = try TLSEngine(client: context, host: endpoint.host, at: endpoint.instant)
                        try channel.pipeline.syncOperations.addHandler(Asking(engine, answer))
                    }
                }
                .connect(host: "127.0.0.1", port: endpoint.port).get()
            pool.withLock { $0.append(channel) }
            return ClientReport(try await answer.futureResult.get())
        } catch {
            return ClientReport(.failed, account: "\(error)")
        }
    }

    package func finish() async {
        for channel in pool.withLock(\.self) { try? await channel.close() }
    }

    private final class Asking: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let engine: TLSEngine
        private let answer: EventLoopPromise<ClientReport.Word>

        init(_ engine: TLSEngine, _ answer: EventLoopPromise<ClientReport.Word>) {
            self.engine = engine
            self.answer = answer
        }

        func channelActive(context: ChannelHandlerContext) { perform(engine.start(), context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            perform(engine.receive(unwrapInboundIn(data)), context)
        }

        func channelInactive(context: ChannelHandlerContext) { answer.succeed(.failed) }

        private func perform(_ actions: [TLSAction], _ context: ChannelHandlerContext) {
            var isEstablished = false
            for action in actions {
                switch action {
                case .send(let bytes): context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
                case .record(.established): isEstablished = true
                case .deliver: answer.succeed(.succeeded)
                case .record(.failed): answer.succeed(.refused)
                case .close: context.close(promise: nil)
                case .record, .chooseIdentity: break
                }
            }
            // Behind what the handshake still had to send.
            if isEstablished {
                perform(engine.send(ByteBuffer(string: "GET / HTTP/1.1\r\nhost: any\r\n\r\n")), context)
            }
        }
    }
}
