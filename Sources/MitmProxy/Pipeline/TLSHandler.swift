import NIOCore
import TLSCore
import Witness

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Drives a `TLSEngine` over a channel: ciphertext on the network's side, plaintext to the origin and back, facts to the
/// journal. Last in its pipeline.
final class TLSHandler: ChannelInboundHandler, ChannelOutboundHandler {
    typealias InboundIn = ByteBuffer
    /// Plaintext, behind a relay.
    typealias OutboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let engine: TLSEngine
    private let connection: Connection
    private var origin: OriginSession
    private var isHeldBack = false
    /// Whether there is more to say than the client takes.
    private var isStalled = false
    /// Who answers where the protocol is not HTTP.
    private var lines: LineOrigin?
    private var hasLeaked = false
    private var detector = RequestDetector()
    private var records = RecordSplitter()
    private var isClosing = false
    private var isRelay = false
    /// Of a relay; `nil` where the origin reads.
    private var requests: RequestReader?
    private var isUnreadable = false
    /// What takes out of its answers that they may be had by QUIC; `nil` where nobody reads them.
    private var answers: ResponseFilter?
    /// Who answers behind a relay; read from once the client can be told anything. Of HTTP/2 some is there before.
    private var server: (any Channel)?
    /// So is what answers early data.
    private var early = ByteBuffer()
    private var isEstablished = false
    private var isFresh = false
    private var speaksHTTP2 = false
    /// Early data in HTTP/2, which waits for those who read it.
    private var unread = ByteBuffer()
    /// Whether handlers behind us speak for the origin. What they have to say goes out together.
    private var hasSpeaker = false
    private var outgoing = ByteBuffer()
    private var written: [EventLoopPromise<Void>] = []
    private var hasCanary = false
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
        while !isSilent, let record = records.next(&bytes) { perform(engine.receive(record), in: context) }
        context.flush()
        if isRelay, engine.hasHeardAll { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
    }

    /// What a relay brings back, or what handlers behind us have to say.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var bytes = unwrapOutboundIn(data)
        guard !hasSpeaker else {
            outgoing.writeImmutableBuffer(bytes)
            if let promise { written.append(promise) }
            return
        }
        guard bytes.readableBytes > 0 else { return context.write(data, promise: promise) }
        if let filtered = answers?.pass(bytes) { bytes = filtered }
        if isEstablished {
            perform(engine.send(bytes), in: context)
        } else {
            early.writeImmutableBuffer(bytes)
        }
        promise?.succeed()
    }

    func flush(context: ChannelHandlerContext) {
        sendOutgoing(in: context)
        context.flush()
    }

    private func sendOutgoing(in context: ChannelHandlerContext) {
        guard outgoing.readableBytes > 0 || !written.isEmpty else { return }
        let bytes = outgoing
        outgoing = ByteBuffer()
        perform(engine.send(bytes), in: context)
        guard !written.isEmpty else { return }
        let end = context.eventLoop.makePromise(of: Void.self)
        for promise in written { end.futureResult.cascade(to: promise) }
        written = []
        context.write(wrapOutboundOut(ByteBuffer()), promise: end)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard !isClosing else { return context.close(mode: mode, promise: promise) }
        if mode != .input, let rest = answers?.rest() { perform(engine.send(rest), in: context) }
        guard mode == .all else {
            perform(engine.finish(), in: context)
            context.flush()
            promise?.succeed()
            return
        }
        isClosing = true
        connection.willEnd(.ended)
        // What the server broke off must not look as if it were whole.
        guard !connection.isUpstreamsFault else { return context.close(mode: mode, promise: promise) }
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
                let present = { [engine] (offer: TLSOffer) in
                    engine.present(identity, offer: offer, tickets: choice.tickets, by: choice.resumption, epoch: epoch)
                }
                switch choice.fault {
                case nil:
                    if let upstream = choice.relay {
                        relay(to: upstream, hello, choice.offer, context, present: present)
                    } else {
                        perform(present(choice.offer), in: context)
                    }
                case .delay(let delay): perform({ present(choice.offer) }, in: context, after: delay)
                case .stop(let stop, .clientHello): fallSilent(stop, in: context)
                case .stop(let stop, .serverHello):
                    // Each message has a record of its own, and the first is the server's hello, or a call for another.
                    var splitter = RecordSplitter()
                    for case .send(var bytes) in present(choice.offer) {
                        if let hello = splitter.next(&bytes) { context.write(wrapOutboundOut(hello), promise: nil) }
                        break
                    }
                    fallSilent(stop, in: context)
                }
            case .send(let bytes):
                context.write(wrapOutboundOut(bytes), promise: nil)
            case .deliver(let plaintext):
                receive(plaintext, in: context)
            case .record(let event):
                connection.record(event)
                origin.lacksCertificate = connection.lacksCertificate
                guard case .established(let session) = event else { continue }
                isFresh = true
                speaksHTTP2 = session.applicationProtocol == "h2" && !isRelay
            case .close:
                hangUp(in: context)
            }
        }
        if isFresh { begin(in: context) }
    }

    /// The first that we have to say, once all is written that ends the handshake.
    private func begin(in context: ChannelHandlerContext) {
        (isFresh, isEstablished) = (false, true)
        perform(engine.send(early), in: context)
        early = ByteBuffer()
        if origin.isOver { answer(ByteBuffer(), in: context) }
        try? server?.syncOptions?.setOption(.autoRead, value: true)
        guard speaksHTTP2 else { return }
        hand(to: HTTP2Origin.handlers(connection), in: context)
        guard unread.readableBytes > 0 else { return }
        let bytes = unread
        unread = ByteBuffer()
        pass(bytes, in: context)
    }

    private func hand(to handlers: [any ChannelHandler], in context: ChannelHandlerContext) {
        hasSpeaker = true
        do {
            try context.pipeline.syncOperations.addHandlers(handlers, position: .after(self))
        } catch {
            connection.end(.refused)
        }
    }

    private func pass(_ plaintext: ByteBuffer, in context: ChannelHandlerContext) {
        context.fireChannelRead(wrapInboundOut(plaintext))
        // What may end the connection comes behind the answers.
        context.fireChannelReadComplete()
    }

    /// From here on the client hears nothing, or only that the connection ends.
    private func fallSilent(_ stop: HandshakeFault.Stop, in context: ChannelHandlerContext) {
        isSilent = true
        connection.note(.unanswered)
        guard stop != .hang else { return }
        connection.willEnd(.cutOff)
        hangUp(byReset: stop == .reset, in: context)
    }

    /// Closes, but not before everything is written.
    private func hangUp(byReset isReset: Bool = false, in context: ChannelHandlerContext) {
        isClosing = true
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            let context = bound.value
            // Without time to linger, a close sends RST (socket(7)).
            if isReset {
                _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            }
            context.close(promise: nil)
        }
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

    /// The client is shown a certificate once the server behind us is there, so that both speak the same protocol.
    private func relay(
        to upstream: Upstream,
        _ hello: ClientHello,
        _ usual: TLSOffer,
        _ context: ChannelHandlerContext,
        present: @escaping (TLSOffer) -> [TLSAction]
    ) {
        isRelay = true
        connection.waitsForServer = true
        engine.keepsHalfOpen = true
        requests = RequestReader(canary: connection.canary)
        let protocols = usual.applicationProtocols ?? hello.applicationProtocols
        let bound = NIOLoopBound((self, context, present), eventLoop: context.eventLoop)
        upstream.reach(offering: protocols, for: connection, on: context.eventLoop).whenComplete { result in
            let (handler, context, present) = bound.value
            let connection = handler.connection
            switch result {
            case .success(let (server, chosen)):
                guard context.channel.isActive, !handler.isClosing else { return server.close(promise: nil) }
                var offer = usual
                if upstream.tls != nil { offer.applicationProtocols = chosen.map { [$0] } ?? [] }
                if chosen != "h2" { handler.answers = ResponseFilter() }
                do {
                    handler.server = server
                    let isWhole = { [weak handler] in handler?.answers?.isWhole ?? true }
                    try Pump.join(context.channel, server, on: connection, readsServer: false, isWhole: isWhole)
                } catch {
                    return connection.end(.upstream("\(error)"))
                }
                handler.perform(present(offer), in: context)
            case .failure(let error):
                connection.willEnd(.upstream("\(error)"))
                handler.perform(handler.engine.refuse(), in: context)
            }
            context.flush()
        }
    }

    /// The same facts of what goes on to a real server as of what we answer.
    private func read(_ plaintext: ByteBuffer) {
        guard var reader = requests else { return }
        var bytes = plaintext
        do throws(RequestReader.Malformed) {
            while !isUnreadable, let event = try reader.next(&bytes) {
                guard case .request(let request) = event else { continue }
                answers?.expectAnswer(to: request.method)
                let path = String(request.target.prefix { $0 != "?" && $0 != "#" })
                connection.note(AnsweredRequest(method: request.method, path: path, status: nil))
            }
        } catch {
            isUnreadable = true
        }
        if isUnreadable { reader.search(unreadable: bytes) }
        connection.note(reader.leaks, reader.secretHeaders)
        hasCanary = hasCanary || !reader.leaks.isEmpty
        (reader.leaks, reader.secretHeaders) = ([], [])
        requests = reader
    }

    private func receive(_ plaintext: ByteBuffer, in context: ChannelHandlerContext) {
        if !isEstablished, !isRelay { speaksHTTP2 = engine.applicationProtocol == "h2" }
        let before = detector.kind
        detector.receive(plaintext.readableBytesView)
        connection.receive(plaintext, isUpkeep: detector.isUpkeep, keeps: !speaksHTTP2)
        if before != .request, detector.kind == .request, !hasLeaked { connection.note(.request) }
        if isRelay {
            read(plaintext)
            noteLeak(hasCanary)
            if connection.lacksCertificate { return connection.end(.refused) }
            return context.fireChannelRead(wrapInboundOut(plaintext))
        }
        if connection.startTLS != nil { return talk(plaintext, in: context) }
        if hasSpeaker { return pass(plaintext, in: context) }
        guard !speaksHTTP2 else {
            unread.writeImmutableBuffer(plaintext)
            return
        }
        guard !origin.isOver else { return }
        answer(origin.receive(plaintext), in: context)
    }

    /// Whatever is said in one of these protocols once TLS is there, is a request.
    private func talk(_ plaintext: ByteBuffer, in context: ChannelHandlerContext) {
        if lines == nil { lines = connection.startTLS.map { LineOrigin($0) } }
        if detector.kind == .somethingElse, !hasLeaked {
            hasLeaked = true
            connection.note(.request)
        }
        if let canary = connection.canary {
            let places = canary.places(in: plaintext.readableBytesView)
            connection.note(places.map { Leak(.elsewhere, offset: $0) }, [])
        }
        guard lines?.isOver == false, let bytes = lines?.receive(plaintext) else { return }
        perform(engine.send(bytes), in: context)
        guard lines?.isOver == true else { return }
        connection.willEnd(.ended)
        perform(engine.close(), in: context)
    }

    private func answer(_ bytes: ByteBuffer, in context: ChannelHandlerContext) {
        for request in origin.answered { connection.note(request) }
        origin.answered = []
        let leaks = origin.takeLeaks()
        connection.note(leaks.canaries, leaks.headers)
        noteLeak(!leaks.canaries.isEmpty)
        if !isEstablished {
            early.writeImmutableBuffer(bytes)
        } else if bytes.readableBytes > 0 {
            perform(engine.send(bytes), in: context)
        }
        if let delay = origin.delay, !isHeldBack {
            isHeldBack = true
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: delay) { bound.value.0.goOn(in: bound.value.1) }
        }
        if origin.isUpgraded, !hasSpeaker {
            hand(to: WebSocketEcho.handlers(connection), in: context)
            let rest = origin.takeUnread()
            if rest.readableBytes > 0 { pass(rest, in: context) }
        }
        guard origin.isOver, isEstablished else { return }
        connection.willEnd(.ended)
        perform(engine.close(), in: context)
    }

    /// Says the next piece of a long answer, or of one that was held back, no faster than the client takes it.
    private func goOn(in context: ChannelHandlerContext) {
        guard !isClosing, context.channel.isActive else { return }
        isStalled = !context.channel.isWritable
        guard !isStalled else { return }
        isHeldBack = false
        connection.stir()
        answer(origin.resume(), in: context)
        context.flush()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isStalled { goOn(in: context) }
        context.fireChannelWritabilityChanged()
    }

    /// What it was given to send is a request, in whatever protocol.
    private func noteLeak(_ isThere: Bool) {
        guard isThere, detector.kind == .somethingElse, !hasLeaked else { return }
        hasLeaked = true
        connection.note(.request)
    }
}
