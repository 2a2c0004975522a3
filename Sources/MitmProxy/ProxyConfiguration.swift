package import NIOCore
package import TLSCore
package import Witness

/// How a proxy listens, how long it waits, and what it answers.
package struct ProxyConfiguration: Sendable {
    /// 0 lets the system choose; `::1` then listens on the port that 127.0.0.1 was given, where the machine has IPv6.
    package var port: Int
    package var tls: TLSSettings
    package var origin: Origin
    /// From the first byte's arrival being possible to the end of the handshake.
    package var handshakeTimeout: TimeAmount
    /// How long a connection may say nothing after its handshake.
    package var idleTimeout: TimeAmount
    /// Connections beyond this many are closed at once.
    package var connectionLimit: Int
    /// How many observations are remembered; the oldest closed ones make room.
    package var journalLimit: Int
    /// How many of a connection's first plaintext bytes are kept.
    package var keptBytes: Int
    /// What is looked for in all that clients send.
    package var canary: Canary?
    /// Who is told what connections carry; `nil`: nobody.
    package var capture: PacketCapture.Interface?
    /// What a client has looked up to get to an address.
    package var nameOfAddress: @Sendable (String) -> String? = { _ in nil }
    /// Sockets to listen on in place of `port`.
    package var opened: OpenedListeners?
    /// The protocol whose clients begin in the clear; `nil`: TLS comes first, or what PostgreSQL begins with.
    package var startTLS: StartTLSDialect?
    /// More ports, each for one place.
    package var listeners: [NamedListener] = []
    /// Where to listen besides; `nil`: on loopback only.
    package var exposure: Exposure?
    /// Who begins with the PROXY protocol, by the address of the socket, and speaks for others.
    package var forwarders: [AddressRange] = []
    /// Through whom real servers are reached; `nil`: directly.
    package var upstreamProxy: UpstreamProxy?
    /// What devices are given in the clear; `nil`: nothing.
    package var page: DevicePage?

    /// Who speaks both is served in HTTP/1.1, and who speaks HTTP/2 only is served too.
    package static let applicationProtocols = ["http/1.1", "h2"]

    package init(
        port: Int = 0,
        tls: TLSSettings = TLSSettings(applicationProtocols: ProxyConfiguration.applicationProtocols),
        origin: Origin = Origin(),
        handshakeTimeout: TimeAmount = .seconds(10),
        idleTimeout: TimeAmount = .seconds(30),
        connectionLimit: Int = 4096,
        journalLimit: Int = 4096,
        keptBytes: Int = 4096
    ) {
        self.port = port
        self.tls = tls
        self.origin = origin
        self.handshakeTimeout = handshakeTimeout
        self.idleTimeout = idleTimeout
        self.connectionLimit = connectionLimit
        self.journalLimit = journalLimit
        self.keptBytes = keptBytes
    }
}
