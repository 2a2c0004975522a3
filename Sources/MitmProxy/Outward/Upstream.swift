package import Foundation
import NIOCore
package import TLSCore
package import Witness

/// A real server, to which a relay leads.
package struct Upstream: Sendable {
    /// How a server proves itself.
    package struct TLS: Sendable {
        package var trust: TrustStore
        /// The name sent (SNI) and checked.
        package var name: String
        package var now: @Sendable () -> Date
        /// What we prove ourselves by, if it asks for that.
        package var identity: Identity?

        package init(
            trust: TrustStore,
            name: String,
            identity: Identity? = nil,
            now: @escaping @Sendable () -> Date = { Date() }
        ) {
            self.identity = identity
            self.trust = trust
            self.name = name
            self.now = now
        }
    }

    package var host: String
    package var port: Int
    /// `nil`: in the clear.
    package var tls: TLS?
    package var reachable: [AddressRange]

    package init(host: String, port: Int, tls: TLS? = nil, reachable: [AddressRange] = []) {
        self.host = host
        self.port = port
        self.tls = tls
        // Who writes an address means it.
        self.reachable = reachable + [AddressRange(host)].compactMap(\.self)
    }

    /// Connects, and shakes hands where it speaks TLS.
    ///
    /// - Parameter protocols: those that the client offers.
    /// - Returns: the channel, which reads nothing by itself, and the protocol that was chosen.
    func reach(
        offering protocols: [String],
        for connection: Connection,
        on loop: any EventLoop
    ) -> EventLoopFuture<(channel: any Channel, chosen: String?)> {
        Departure(reachable: reachable, proxy: connection.upstreamProxy).connect(to: host, port: port, on: loop)
            .assumeIsolated().flatMap { channel in
                guard let tls else { return loop.makeSucceededFuture((channel, nil)) }
                let promise = loop.makePromise(of: TLSSession.self)
                do {
                    let settings = TLSSettings(applicationProtocols: protocols)
                    let context = try TLSContext.shared(.client, settings, trust: tls.trust)
                    let engine = try TLSEngine(client: context, host: tls.name, at: tls.now(), trustsMemory: true)
                    if let identity = tls.identity { try engine.prove(by: identity) }
                    let handler = UpstreamTLSHandler(engine, connection: connection, established: promise)
                    try channel.pipeline.syncOperations.addHandler(handler)
                } catch {
                    promise.fail(error)
                }
                return promise.futureResult.map { (channel, $0.applicationProtocol) }
                    .flatMapErrorThrowing { error in
                        channel.close(promise: nil)
                        throw error
                    }
            }
            .nonisolated()
    }
}

/// Our side of TLS with a real server, which is a client's.
private final class UpstreamTLSHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let engine: TLSEngine
    private let connection: Connection
    private let established: EventLoopPromise<TLSSession>
    private var isEstablished = false
    private var isClosing = false

    init(_ engine: TLSEngine, connection: Connection, established: EventLoopPromise<TLSSession>) {
        self.engine = engine
        self.connection = connection
        self.established = established
        engine.keepsHalfOpen = true
    }

    func handlerAdded(context: ChannelHandlerContext) {
        perform(engine.start(), in: context)
        context.flush()
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let hadHeardAll = engine.hasHeardAll
        perform(engine.receive(unwrapInboundIn(data)), in: context)
        context.flush()
        if engine.hasHeardAll, !hadHeardAll { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if !isEstablished, !isClosing { context.read() }
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        guard bytes.readableBytes > 0 else { return context.write(data, promise: promise) }
        perform(engine.send(bytes), in: context)
        promise?.succeed()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode != .input, !isClosing {
            if mode == .all { isClosing = true }
            perform(mode == .all ? engine.close() : engine.finish(), in: context, closes: false)
            context.flush()
        }
        // The other side would take the end of the stream for the end of all.
        guard mode == .all else { return promise?.succeed() ?? () }
        context.close(mode: mode, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { breaksOff(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        breaksOff(context)
        context.fireChannelInactive()
    }

    /// An end without `close_notify` may have been cut (RFC 8446 section 6.1).
    private func breaksOff(_ context: ChannelHandlerContext) {
        guard !engine.hasHeardAll, !isClosing else { return }
        fail("it broke the connection off", in: context)
    }

    private func fail(_ reason: String, in context: ChannelHandlerContext) {
        isClosing = true
        connection.willEnd(.upstream(reason))
        if !isEstablished { established.fail(Departure.Failure(description: reason)) }
        context.close(promise: nil)
    }

    private func perform(_ actions: [TLSAction], in context: ChannelHandlerContext, closes: Bool = true) {
        for action in actions {
            switch action {
            case .send(let bytes): context.write(wrapOutboundOut(bytes), promise: nil)
            case .deliver(let plaintext): context.fireChannelRead(wrapInboundOut(plaintext))
            case .record(.established(let session)):
                isEstablished = true
                established.succeed(session)
            case .record(.failed(let reason)) where !isClosing:
                context.flush()
                let failure = engine.verificationFailure.map { "its certificate is not trusted: \($0)" }
                fail(failure ?? reason, in: context)
            case .record, .chooseIdentity: break
            case .close: if closes, !isClosing { context.close(promise: nil) }
            }
        }
    }
}
