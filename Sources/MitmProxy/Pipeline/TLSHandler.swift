import NIOCore
import TLSCore
import Witness

/// Drives a `TLSEngine` over a channel: ciphertext on the network's side, plaintext to the origin and back, facts to the
/// journal. Last in its pipeline.
final class TLSHandler: ChannelInboundHandler, ChannelOutboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    private let engine: TLSEngine
    private let connection: Connection
    private var origin: OriginSession
    private var isHeldBack = false
    private var hasLeaked = false
    private var detector = RequestDetector()
    private var records = RecordSplitter()
    private var isClosing = false
    /// Whether the client is left without an answer, on purpose.
    private var isSilent = false

    init(_ context: TLSContext, connection: Connection) throws {
        engine = try TLSEngine(server: context)
        self.connection = connection
        origin = OriginSession(connection.answers, canary: connection.canary)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isSilent else { return }
        var bytes = unwrapInboundIn(data)
        // One record at a time: what we answer to one must go out before the engine answers the next. A request whose
        // `close_notify` came with it is still to be answered, and a `Finished` must not be overtaken by the answer
        // to a request that came behind it.
        while let record = records.next(&bytes) { perform(engine.receive(record), in: context) }
        context.flush()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard !isClosing else { return context.close(mode: mode, promise: promise) }
        isClosing = true
        connection.willEnd(.ended)
        for case .send(let bytes) in isSilent ? [] : engine.close() {
            context.write(wrapOutboundOut(bytes), promise: nil)
        }
        context.flush()
        context.close(mode: mode, promise: promise)
    }

    /// Writes without flushing: answers to one read go out together, and with them the end.
    private func perform(_ actions: [TLSAction], in context: ChannelHandlerContext) {
        for action in actions {
            switch action {
            case .chooseIdentity(let hello):
                let choice = connection.choose(for: hello)
                origin = OriginSession(connection.answers, canary: connection.canary)
                guard let (identity, choice) = choice else { return perform(engine.refuse(), in: context) }
                let epoch = connection.epoch.number
                let present = { [engine] in
                    engine.present(identity, offer: choice.offer, tickets: choice.tickets, epoch: epoch)
                }
                switch choice.fault {
                case nil: perform(present(), in: context)
                case .delay(let delay): perform(present, in: context, after: delay)
                case .silence(.clientHello): fallSilent()
                case .silence(.serverHello):
                    // Each message has a record of its own, and the first is the server's hello, or a call for another.
                    var splitter = RecordSplitter()
                    for case .send(var bytes) in present() {
                        if let hello = splitter.next(&bytes) { context.write(wrapOutboundOut(hello), promise: nil) }
                        break
                    }
                    fallSilent()
                }
            case .send(let bytes):
                context.write(wrapOutboundOut(bytes), promise: nil)
            case .deliver(let plaintext):
                receive(plaintext, in: context)
            case .record(let event):
                connection.record(event)
            case .close:
                isClosing = true
                // Not before everything is written.
                let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
                context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in bound.value.close(promise: nil)
                }
            }
        }
    }

    /// From here on the client hears nothing, not even that the connection ends.
    private func fallSilent() {
        isSilent = true
        connection.note(.unanswered)
    }

    private func perform(
        _ actions: @escaping () -> [TLSAction],
        in context: ChannelHandlerContext,
        after delay: Duration
    ) {
        let bound = NIOLoopBound((self, context, actions), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: TimeAmount(delay)) {
            let (handler, context, actions) = bound.value
            guard !handler.isClosing, context.channel.isActive else { return }
            handler.perform(actions(), in: context)
            context.flush()
        }
    }

    private func receive(_ plaintext: ByteBuffer, in context: ChannelHandlerContext) {
        let before = detector.kind
        detector.receive(plaintext.readableBytesView)
        connection.receive(plaintext)
        if before == .undecided, detector.kind == .request { connection.note(.request) }
        guard !origin.isOver else { return }
        answer(origin.receive(plaintext), in: context)
    }

    private func answer(_ bytes: ByteBuffer, in context: ChannelHandlerContext) {
        for request in origin.answered { connection.note(request) }
        origin.answered = []
        let leaks = origin.takeLeaks()
        connection.note(leaks.canaries, leaks.headers)
        // What it was given to send is a request, in whatever protocol.
        if detector.kind == .somethingElse, !hasLeaked, !leaks.canaries.isEmpty {
            hasLeaked = true
            connection.note(.request)
        }
        if bytes.readableBytes > 0 { perform(engine.send(bytes), in: context) }
        if let delay = origin.delay, !isHeldBack {
            isHeldBack = true
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: delay) {
                let (handler, context) = bound.value
                handler.isHeldBack = false
                guard !handler.isClosing, context.channel.isActive else { return }
                handler.answer(handler.origin.resume(), in: context)
                context.flush()
            }
        }
        guard origin.isOver else { return }
        connection.willEnd(.ended)
        perform(engine.close(), in: context)
    }
}
