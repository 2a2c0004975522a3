import NIOCore
import TLSCore

/// Drives a `TLSEngine` over a channel: ciphertext on the network's side, plaintext on the origin's, facts to the journal.
final class TLSHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let engine: TLSEngine
    private let connection: Connection
    private var detector = RequestDetector()
    private var isClosing = false

    init(_ context: TLSContext, connection: Connection) throws {
        engine = try TLSEngine(server: context)
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        perform(engine.receive(unwrapInboundIn(data)), in: context)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        perform(engine.send(unwrapOutboundIn(data)), in: context, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard !isClosing else { return context.close(mode: mode, promise: promise) }
        isClosing = true
        connection.willEnd(.ended)
        for case .send(let bytes) in engine.close() { context.write(wrapOutboundOut(bytes), promise: nil) }
        context.flush()
        context.close(mode: mode, promise: promise)
    }

    private func perform(
        _ actions: [TLSAction],
        in context: ChannelHandlerContext,
        promise: EventLoopPromise<Void>? = nil
    ) {
        var promise = promise
        for action in actions {
            switch action {
            case .chooseIdentity(let hello):
                let (identity, label) = connection.choose(for: hello)
                if let label { connection.shown = label }
                perform(identity.map(engine.present) ?? engine.refuse(), in: context)
            case .send(let bytes):
                context.write(wrapOutboundOut(bytes), promise: promise)
                promise = nil
            case .deliver(let plaintext):
                receive(plaintext, in: context)
            case .record(let event):
                connection.record(event)
            case .close:
                isClosing = true
                context.flush()
                context.close(promise: nil)
            }
        }
        promise?.succeed()
        context.flush()
    }

    private func receive(_ plaintext: ByteBuffer, in context: ChannelHandlerContext) {
        let before = detector.finding
        detector.receive(plaintext.readableBytesView)
        connection.receive(plaintext)
        if before == .undecided, detector.finding == .request { connection.note(.request) }
        context.fireChannelRead(wrapInboundOut(plaintext))
    }
}
