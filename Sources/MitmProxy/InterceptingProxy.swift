public import Logging
public import NIOCore
public import NIOPosix
import Synchronization
public import TLSCore

/// A server on loopback that clients reach directly, or through `CONNECT` as if it were a proxy, and that shows each
/// of them the certificate now presented. It judges nothing: it keeps a journal of what it saw.
///
/// Everything of one proxy happens on one event loop, so the order of its facts is the order in which they happened.
public final class InterceptingProxy: Sendable {
    /// The same port on 127.0.0.1 and, where the machine has IPv6, on ::1.
    public let port: Int
    private let listeners: [any Channel]
    private let children: Children
    private let journal: Journal
    private let presenter: Presenter
    private let loop: any EventLoop
    private let logger: Logger

    private init(
        port: Int,
        listeners: [any Channel],
        children: Children,
        journal: Journal,
        presenter: Presenter,
        loop: any EventLoop,
        logger: Logger
    ) {
        self.port = port
        self.listeners = listeners
        self.children = children
        self.journal = journal
        self.presenter = presenter
        self.loop = loop
        self.logger = logger
    }

    /// Listens on loopback, and presents to whoever comes.
    ///
    /// - Throws: `IOError` when the port is taken, `OpenSSLError` when the TLS settings cannot be had.
    public static func start(
        _ configuration: ProxyConfiguration = ProxyConfiguration(),
        presenting presentation: Presentation,
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        logger: Logger = Logger(label: "pindrill.proxy")
    ) async throws -> InterceptingProxy {
        let loop = group.next()
        let journal = Journal(limit: configuration.journalLimit, keptBytes: configuration.keptBytes)
        let presenter = Presenter(presentation)
        let children = Children(limit: configuration.connectionLimit)
        let tls = try TLSContext(server: configuration.tls)
        let bootstrap = ServerBootstrap(group: loop, childGroup: loop)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = Connection(
                        channel,
                        journal: journal,
                        presenter: presenter,
                        configuration: configuration
                    )
                    try channel.pipeline.syncOperations.addHandler(ConnectionHandler(connection, children: children))
                    guard children.add(channel, connection) else { return connection.end(.refused) }
                    try channel.pipeline.syncOperations.addHandler(
                        FirstBytesHandler(connection: connection, tls: tls, origin: configuration.origin)
                    )
                }
            }
        let listeners = try await listen(bootstrap, port: configuration.port)
        let port = listeners.first?.localAddress?.port ?? 0
        logger.debug("listening", metadata: ["port": "\(port)"])
        return InterceptingProxy(
            port: port,
            listeners: listeners,
            children: children,
            journal: journal,
            presenter: presenter,
            loop: loop,
            logger: logger
        )
    }

    /// Both families on one port. The second family's port may be taken by a stranger, so a chosen port is tried anew.
    private static func listen(_ bootstrap: ServerBootstrap, port: Int) async throws -> [any Channel] {
        let hasIPv6 = await isIPv6Available(bootstrap)
        for _ in 0..<16 {
            let first = try await bootstrap.bind(host: "127.0.0.1", port: port).get()
            guard hasIPv6, let chosen = first.localAddress?.port else { return [first] }
            do {
                return [first, try await bootstrap.bind(host: "::1", port: chosen).get()]
            } catch {
                try? await first.close().get()
                guard port == 0 else { throw error }
            }
        }
        return [try await bootstrap.bind(host: "127.0.0.1", port: port).get()]
    }

    private static func isIPv6Available(_ bootstrap: ServerBootstrap) async -> Bool {
        guard let probe = try? await bootstrap.bind(host: "::1", port: 0).get() else { return false }
        try? await probe.close().get()
        return true
    }

    /// The presentation now in force.
    public var epoch: Epoch { presenter.epoch }

    /// Changes what clients see. A ClientHello that is read after this call sees the new presentation.
    @discardableResult
    public func present(_ presentation: Presentation, existing: ExistingConnections = .close) -> Epoch {
        let epoch = presenter.present(presentation)
        logger.debug("presenting", metadata: ["epoch": "\(epoch.number)"])
        if existing == .close { loop.execute { [children] in children.closeAll(.superseded) } }
        return epoch
    }

    /// What was seen under one presentation so far; by default, under the one now in force.
    public func observations(in epoch: Epoch? = nil) -> [Observation] {
        journal.observations(in: epoch ?? self.epoch)
    }

    /// Waits until nothing more can come of the connections that clients have made so far, and returns what was seen
    /// of them under the presentation in force.
    ///
    /// First a connection of our own goes to each listener: once that is accepted, so is every earlier one. Then all
    /// connections must have closed, or the patience has run out; those still open say so in their observations.
    public func settle(patience: TimeAmount = .seconds(2)) async throws -> [Observation] {
        let epoch = self.epoch
        let deadline = NIODeadline.now() + patience
        let mark = journal.mark
        var sentinels: [any Channel] = []
        for listener in listeners {
            guard let address = listener.localAddress else { continue }
            sentinels.append(try await ClientBootstrap(group: loop).connect(to: address).get())
        }
        let addresses = Set(sentinels.compactMap(\.localAddress))
        await journal.wait(until: deadline, on: loop) { state in
            addresses.isSubset(of: state.entries.filter { $0.key >= mark }.values.compactMap(\.client))
        }
        for sentinel in sentinels { try? await sentinel.close().get() }
        journal.remove(addresses, since: mark)
        await journal.wait(until: deadline, on: loop) { state in
            state.entries.values.allSatisfy { $0.epoch != epoch || $0.observation.isClosed }
        }
        return journal.observations(in: epoch)
    }

    /// Stops listening and closes every connection.
    public func stop() async {
        for listener in listeners { try? await listener.close().get() }
        try? await loop.submit { [children] in children.closeAll(.superseded) }.get()
    }
}

/// The open connections of one proxy. Touched on its event loop only, which is what makes it safe to share.
final class Children: @unchecked Sendable {
    private let limit: Int
    private var open: [ObjectIdentifier: Connection] = [:]

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether there was room.
    func add(_ channel: any Channel, _ connection: Connection) -> Bool {
        guard open.count < limit else { return false }
        open[ObjectIdentifier(channel)] = connection
        return true
    }

    func remove(_ channel: any Channel) { open[ObjectIdentifier(channel)] = nil }

    func closeAll(_ how: ConnectionEvent.Closing) {
        for connection in open.values { connection.end(how) }
    }
}

/// First in every pipeline: knows when its connection is gone.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: Connection
    private let children: Children

    init(_ connection: Connection, children: Children) {
        self.connection = connection
        self.children = children
    }

    func channelInactive(context: ChannelHandlerContext) {
        // The others first: what they learn from the end belongs before it in the journal.
        context.fireChannelInactive()
        children.remove(context.channel)
        connection.ended()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset by the peer reads like an end of stream: FIN against RST is noise.
        context.close(promise: nil)
    }
}
