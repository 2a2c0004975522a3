import NIOCore
import Witness

/// Last in the pipelines of two channels of one event loop: what comes on one goes out on the other, no faster than that
/// takes it, and each direction ends for itself.
final class Pump: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private var context: ChannelHandlerContext?
    private var other: Pump?
    private var wantsToRead = false
    private var hasHeardAll = false
    private let note: (ByteBuffer) -> Void
    private let onEnd: () -> Void
    private let onFailure: () -> Void

    /// - Parameters:
    ///   - note: is shown what comes on this side.
    ///   - onEnd: this side has said all, or is gone.
    ///   - onFailure: it is gone otherwise than in order.
    private init(
        note: @escaping (ByteBuffer) -> Void,
        onEnd: @escaping () -> Void,
        onFailure: @escaping () -> Void = {}
    ) {
        self.note = note
        self.onEnd = onEnd
        self.onFailure = onFailure
    }

    /// Joins a client's channel and a server's, which read nothing by themselves until now.
    ///
    /// - Parameters:
    ///   - readsServer: whether the server may be read from at once.
    ///   - isWhole: whether what the server has said can be all.
    static func join(
        _ client: any Channel,
        _ server: any Channel,
        on connection: Connection,
        readsServer: Bool = true,
        isWhole: @escaping () -> Bool = { true },
        fromClient: @escaping (ByteBuffer) -> Void = { _ in },
        fromServer: @escaping (ByteBuffer) -> Void = { _ in }
    ) throws {
        connection.endsBySides = true
        connection.waitsForServer = false
        let near = Pump(
            note: {
                connection.waitsForServer = true
                fromClient($0)
            },
            onEnd: { connection.clientEnds() }
        )
        let far = Pump(
            note: {
                connection.stir()
                (connection.waitsForServer, connection.hasHeardServer) = (false, true)
                fromServer($0)
            },
            onEnd: { connection.willEnd(isWhole() ? .ended : .upstream("it broke its answer off")) },
            onFailure: { connection.willEnd(.upstream("it broke the connection off")) }
        )
        (near.other, far.other) = (far, near)
        try client.pipeline.syncOperations.addHandler(near)
        try server.pipeline.syncOperations.addHandler(far)
        try client.syncOptions?.setOption(.autoRead, value: true)
        if readsServer { try server.syncOptions?.setOption(.autoRead, value: true) }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { (self.context, other) = (nil, nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        note(bytes)
        other?.context?.write(NIOAny(bytes), promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) { other?.context?.flush() }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, let other, other.wantsToRead {
            other.wantsToRead = false
            other.context?.read()
        }
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        guard other?.context?.channel.isWritable ?? true else { return wantsToRead = true }
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed, !hasHeardAll {
            hasHeardAll = true
            onEnd()
            other?.finish()
            if other?.hasHeardAll == true { finishBoth() }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        onEnd()
        other?.close()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        onFailure()
        context.close(promise: nil)
    }

    /// Nothing more goes out on this side.
    private func finish() { afterWriting { $0.close(mode: .output, promise: nil) } }

    private func close() { afterWriting { $0.close(promise: nil) } }

    private func finishBoth() {
        close()
        other?.close()
    }

    private func afterWriting(_ body: @escaping (ChannelHandlerContext) -> Void) {
        guard let context else { return }
        let bound = NIOLoopBound((context, body), eventLoop: context.eventLoop)
        context.writeAndFlush(NIOAny(ByteBuffer())).whenComplete { _ in
            let (context, body) = bound.value
            body(context)
        }
    }
}
