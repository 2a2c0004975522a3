package import Logging
package import NIOCore
import NIOPosix
import Synchronization
import TLSCore
package import Witness

/// A server on loopback that clients reach directly, or through `CONNECT` as if it were a proxy, and that shows each
/// of them the certificate now presented. It judges nothing: it keeps a journal of what it saw.
///
/// Everything of one proxy happens on one event loop, so the order of its facts is the order in which they happened.
package final class InterceptingProxy: Sendable {
    /// The same port on 127.0.0.1 and, where the machine has IPv6, on ::1.
    package let port: Int
    /// Those of other listeners, by name.
    package let ports: [String: Int]
    private let listeners: [any Channel]
    private let intake: Intake
    private let loop: any EventLoop
    private let logger: Logger
    /// Where devices would come by QUIC; `nil` where none come.
    private let datagrams: DatagramListener?
    private let canary: Canary?
    /// Who connects to listeners that we could not connect to.
    private let opened: OpenedListeners?

    private init(
        port: Int,
        ports: [String: Int],
        listeners: [any Channel],
        opened: OpenedListeners?,
        datagrams: DatagramListener?,
        canary: Canary?,
        intake: Intake,
        loop: any EventLoop,
        logger: Logger
    ) {
        (self.port, self.ports) = (port, ports)
        self.opened = opened
        self.datagrams = datagrams
        self.canary = canary
        self.listeners = listeners
        self.intake = intake
        self.loop = loop
        self.logger = logger
    }

    /// Listens on loopback, and presents to whoever comes.
    ///
    /// - Throws: `ProxyError` when the port cannot be had, `OpenSSLError` when the TLS settings cannot be had.
    package static func start(
        _ configuration: ProxyConfiguration = ProxyConfiguration(),
        presenting presentation: Presentation,
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        logger: Logger = Logger(label: "pindrill.proxy")
    ) async throws -> InterceptingProxy {
        let loop = group.next()
        let intake = try Intake(configuration, presenting: presentation)
        let bootstrap = bootstrap(configuration, intake, on: loop)
        var listeners: [any Channel] = []
        var datagrams: DatagramListener?
        var ports: [String: Int] = [:]
        if let opened = configuration.opened {
            for descriptor in opened.descriptors {
                listeners.append(try await bootstrap.withBoundSocket(descriptor).get())
            }
        } else {
            listeners = try await listen(bootstrap, port: configuration.port)
            do {
                for named in configuration.listeners {
                    let bootstrap = self.bootstrap(configuration, intake, for: named.place, on: loop)
                    let own = try await listen(bootstrap, port: 0)
                    listeners += own
                    ports[named.name] = own.first?.localAddress?.port
                    if let exposure = configuration.exposure {
                        listeners.append(try await bind(bootstrap, exposure.address, named.place.port))
                    }
                }
                if let exposure = configuration.exposure {
                    listeners.append(try await bind(bootstrap, exposure.address, exposure.port))
                    datagrams = try DatagramListener(exposure)
                }
            } catch {
                for listener in listeners { try? await listener.close().get() }
                throw error
            }
        }
        let port = listeners.first?.localAddress?.port ?? 0
        logger.debug("listening", metadata: ["port": "\(port)"])
        return InterceptingProxy(
            port: port,
            ports: ports,
            listeners: listeners,
            opened: configuration.opened,
            datagrams: datagrams,
            canary: configuration.canary,
            intake: intake,
            loop: loop,
            logger: logger
        )
    }

    private static func bootstrap(
        _ configuration: ProxyConfiguration,
        _ intake: Intake,
        for place: Routing.Place? = nil,
        on loop: any EventLoop
    ) -> ServerBootstrap {
        ServerBootstrap(group: loop, childGroup: loop)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // What is accepted inherits it (measured on Linux; XNU copies the flag too), at no cost for each connection.
            .serverChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard configuration.exposure?.admits(channel) ?? true else { throw NotAdmitted() }
                    // A client may shut its side after the request and still wait for the answer.
                    try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
                    try channel.syncOptions?.setOption(.recvAllocator, value: AdaptiveRecvByteBufferAllocator.growing)
                    try intake.accept(channel, for: place)
                }
            }
    }

    /// What is thrown in a channel's initializer closes it.
    private struct NotAdmitted: Error {}

    /// Both families on one port. The second family's port may be taken by a stranger, so a chosen port is tried anew.
    private static func listen(_ bootstrap: ServerBootstrap, port: Int) async throws -> [any Channel] {
        let hasIPv6 = await isIPv6Available(bootstrap)
        for _ in 0..<16 {
            let first = try await bind(bootstrap, "127.0.0.1", port)
            guard hasIPv6, let chosen = first.localAddress?.port else { return [first] }
            do {
                return [first, try await bind(bootstrap, "::1", chosen)]
            } catch {
                try? await first.close().get()
                guard port == 0 else { throw error }
            }
        }
        return [try await bind(bootstrap, "127.0.0.1", port)]
    }

    private static func bind(
        _ bootstrap: ServerBootstrap,
        _ address: String,
        _ port: Int
    ) async throws(ProxyError) -> any Channel {
        do {
            return try await bootstrap.bind(to: SocketAddress(ipAddress: address, port: port)).get()
        } catch {
            throw ProxyError(error, address: address, port: port)
        }
    }

    private static func isIPv6Available(_ bootstrap: ServerBootstrap) async -> Bool {
        if hasIPv6.load(ordering: .relaxed) { return true }
        guard let probe = try? await bind(bootstrap, "::1", 0) else { return false }
        try? await probe.close().get()
        hasIPv6.store(true, ordering: .relaxed)
        return true
    }

    /// Once seen, for a machine does not lose it.
    private static let hasIPv6 = Atomic(false)

    /// The presentation now in force.
    package var epoch: Epoch { intake.epoch }

    /// How many connections are open now.
    package var openCount: Int {
        get async throws { try await loop.submit { [intake] in intake.openCount }.get() }
    }

    /// How many wait for something to happen in the journal.
    package var settling: Int { intake.journal.waiting }

    /// Changes what clients see. A ClientHello that is read after this call sees the new presentation.
    @discardableResult
    package func present(_ presentation: Presentation, existing: ExistingConnections = .close) -> Epoch {
        let epoch = intake.present(presentation)
        logger.debug("presenting", metadata: ["epoch": "\(epoch.number)"])
        // By then, clients of the new epoch may have come: those are not to be closed.
        if existing == .close { loop.execute { [intake] in intake.closeAll(before: epoch) } }
        return epoch
    }

    /// What was seen under one presentation so far; by default, under the one now in force.
    package func observations(in epoch: Epoch? = nil) -> [Observation] {
        intake.observations(in: epoch ?? self.epoch)
    }

    /// Waits until nothing more can come of the connections that clients have made so far, and returns what was seen
    /// of them under the presentation in force.
    ///
    /// First a connection of our own goes to each listener: once that is accepted, so is every earlier one. Then all
    /// connections must have closed, or the patience has run out; those still open say so in their observations. Where
    /// none was turned away, one that has carried a request may stay open.
    package func settle(patience: TimeAmount = .seconds(2)) async throws -> [Observation] {
        let journal = intake.journal
        let epoch = self.epoch
        let deadline = NIODeadline.now() + patience
        let settling = journal.beginSettling(sentinels: listeners.count)
        var sentinels: [any Channel] = []
        var addresses: Set<SocketAddress> = []
        do {
            let descriptors = try await NIOThreadPool.singleton.runIfActive { [opened] in try opened?.connect() }
            let listening = listeners.compactMap(\.localAddress)
            for index in descriptors?.indices ?? listening.indices {
                // On the loop: a sentinel that a time limit has closed meanwhile has no address any more.
                let connected = loop.flatSubmit { [loop] in
                    let bootstrap = ClientBootstrap(group: loop)
                    return
                        (descriptors.map { bootstrap.withConnectedSocket($0[index]) }
                        ?? bootstrap.connect(to: listening[index]))
                        .map { ($0, $0.localAddress) }
                }
                let (sentinel, address) = try await connected.get()
                sentinels.append(sentinel)
                if let address { addresses.insert(address) }
            }
        } catch {
            for sentinel in sentinels { try? await sentinel.close().get() }
            journal.end(settling, sentinels: addresses)
            throw error
        }
        await journal.wait(until: deadline, on: loop) { [addresses] in $0.hasSeen(addresses, during: settling) }
        for sentinel in sentinels { try? await sentinel.close().get() }
        journal.end(settling, sentinels: addresses)
        await journal.wait(until: deadline, on: loop) { $0.isAtRest(in: epoch) }
        return journal.observations(in: epoch)
    }

    /// The datagrams that came since this was last asked: of each client, what they amount to.
    package func takeDatagrams() -> [Observation] { datagrams?.take(canary) ?? [] }

    /// Stops listening and closes every connection.
    package func stop() async {
        datagrams?.close()
        for listener in listeners { try? await listener.close().get() }
        try? await loop.submit { [intake] in intake.closeAll() }.get()
    }
}
