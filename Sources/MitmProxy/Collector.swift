package import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
package import TLSCore
package import Witness

/// A small HTTP server on loopback, to which apps report what they have refused. Who begins TLS is served in TLS.
package final class Collector: Sendable {
    private let listener: any Channel
    private let notes: Notes
    private let loop: any EventLoop
    private let opened: OpenedListeners?

    package var port: Int { listener.localAddress?.port ?? 0 }

    private init(_ listener: any Channel, _ notes: Notes, _ opened: OpenedListeners?, on loop: any EventLoop) {
        self.listener = listener
        self.opened = opened
        self.notes = notes
        self.loop = loop
    }

    /// - Parameter opened: a socket to listen on; `nil`: any port of loopback.
    package static func start(on opened: OpenedListeners? = nil) async throws -> Collector {
        let (loop, notes) = (MultiThreadedEventLoopGroup.singleton.next(), Notes())
        let bootstrap = ServerBootstrap(group: loop, childGroup: loop)
            .serverChannelOption(.backlog, value: 256)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    notes.open(channel)
                    try channel.pipeline.syncOperations.addHandler(CollectorTLSHandler(notes))
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(CollectorHandler(notes))
                }
            }
        let listening = opened?.descriptors.first.map { bootstrap.withBoundSocket($0) }
        let listener = try await (listening ?? bootstrap.bind(host: "127.0.0.1", port: 0)).get()
        return Collector(listener, notes, opened, on: loop)
    }

    /// What it shows in TLS from now on; `nil`: nobody trusts it there.
    package func show(_ identity: Identity?) { notes.show(identity) }

    /// What was posted since this was last asked. What comes in is waited for, so that the word of a client that has ended
    /// is not overtaken by its end.
    package func take(patience: TimeAmount) async throws -> [CollectedReport] {
        // Connections are accepted in their order: who connected before us is known once we are through.
        let descriptor = try await NIOThreadPool.singleton.runIfActive { [opened] in try opened?.connect().first }
        let bootstrap = ClientBootstrap(group: loop)
        let connected = descriptor.map { bootstrap.withConnectedSocket($0) }
        let probe = try await (connected ?? bootstrap.connect(host: "127.0.0.1", port: port)).get()
        try await notes.meet(probe.localAddress?.port ?? 0, on: loop).get()
        try await probe.close()
        let ends = EventLoopFuture.andAllComplete(notes.channels.map(\.closeFuture), on: loop)
        let isOver = loop.makePromise(of: Void.self)
        ends.cascade(to: isOver)
        let alarm = loop.scheduleTask(in: patience) { isOver.succeed() }
        try await isOver.futureResult.get()
        alarm.cancel()
        return notes.take()
    }

    package func stop() async { try? await listener.close() }
}

/// Shared by all connections.
private final class Notes: Sendable {
    private struct State {
        var reports: [CollectedReport] = []
        var channels: [ObjectIdentifier: any Channel] = [:]
        /// Ports that have connected, and those that somebody waits for.
        var met: Set<Int> = []
        var awaited: [Int: EventLoopPromise<Void>] = [:]
        var identity: Identity?
    }

    private let state = Mutex(State())

    var channels: [any Channel] { state.withLock { Array($0.channels.values) } }

    var identity: Identity? { state.withLock(\.identity) }

    func show(_ identity: Identity?) { state.withLock { $0.identity = identity } }

    func open(_ channel: any Channel) {
        let port = channel.remoteAddress?.port ?? 0
        let awaited = state.withLock { state in
            state.channels[ObjectIdentifier(channel)] = channel
            state.met.insert(port)
            return state.awaited.removeValue(forKey: port)
        }
        awaited?.succeed()
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { $0.channels[ObjectIdentifier(channel)] = nil }
        }
    }

    /// Done once somebody has come from this port.
    func meet(_ port: Int, on loop: any EventLoop) -> EventLoopFuture<Void> {
        let promise = loop.makePromise(of: Void.self)
        let isMet = state.withLock { state in
            if state.met.remove(port) != nil { return true }
            state.awaited[port] = promise
            return false
        }
        if isMet { promise.succeed() }
        return promise.futureResult
    }

    func note(_ report: CollectedReport) { state.withLock { $0.reports.append(report) } }

    func take() -> [CollectedReport] {
        state.withLock { state in
            defer { state.reports = [] }
            return state.reports
        }
    }
}

/// Between the socket and HTTP: TLS, where the first byte begins it.
private final class CollectorTLSHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = ByteBuffer

    private let notes: Notes
    private var hasBegun = false
    private var engine: TLSEngine?
    private var records = RecordSplitter()

    init(_ notes: Notes) { self.notes = notes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        // The type of a handshake's record (RFC 8446 section 5.1), which no method of HTTP begins with.
        if !hasBegun, bytes.readableBytesView.first == 22 {
            engine = try? TLSEngine(server: TLSContext.shared(.server, TLSSettings()))
        }
        hasBegun = true
        guard let engine else { return context.fireChannelRead(data) }
        while let record = records.next(&bytes) { perform(engine.receive(record), by: engine, in: context) }
        context.flush()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let engine, case .byteBuffer(let bytes) = unwrapOutboundIn(data) else {
            return context.write(data, promise: promise)
        }
        perform(engine.send(bytes), by: engine, in: context)
        promise?.succeed()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        for case .send(let bytes) in engine?.close() ?? [] {
            context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        }
        context.close(mode: mode, promise: promise)
    }

    private func perform(_ actions: [TLSAction], by engine: TLSEngine, in context: ChannelHandlerContext) {
        for action in actions {
            switch action {
            case .chooseIdentity:
                let answer = notes.identity.map { engine.present($0, offer: TLSOffer(), tickets: nil, epoch: 0) }
                perform(answer ?? engine.refuse(), by: engine, in: context)
            case .send(let bytes): context.write(wrapOutboundOut(bytes), promise: nil)
            case .deliver(let plaintext): context.fireChannelRead(wrapInboundOut(plaintext))
            case .close:
                context.flush()
                context.close(promise: nil)
            case .record: break
            }
        }
    }
}

/// Reads one request, and hangs up behind the answer, so that nobody need be waited for.
private final class CollectorHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// A report has a chain in it, and never so much.
    private static let limit = 1 << 20

    private let notes: Notes
    private var report = CollectedReport(body: [])

    init(_ notes: Notes) { self.notes = notes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            report.method = head.method.rawValue
            report.contentType = head.headers.first(name: "content-type") ?? ""
            if head.headers[canonicalForm: "expect"].contains("100-continue") {
                let go = HTTPResponseHead(version: head.version, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
            }
        case .body(let bytes):
            report.body += bytes.readableBytesView.prefix(Self.limit - report.body.count)
        case .end:
            notes.note(report)
            let head = HTTPResponseHead(
                version: .http1_1,
                status: .noContent,
                headers: ["connection": "close"]
            )
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
