public import NIOCore
public import TLSCore

/// How a proxy listens, how long it waits, and what it answers.
public struct ProxyConfiguration: Sendable {
    /// 0 lets the system choose; `::1` then listens on the port that 127.0.0.1 was given, where the machine has IPv6.
    public var port: Int
    public var tls: TLSSettings
    public var origin: Origin
    /// From the first byte's arrival being possible to the end of the handshake.
    public var handshakeTimeout: TimeAmount
    /// How long a connection may say nothing after its handshake.
    public var idleTimeout: TimeAmount
    /// Connections beyond this many are closed at once.
    public var connectionLimit: Int
    /// How many observations are remembered; the oldest closed ones make room.
    public var journalLimit: Int
    /// How many of a connection's first plaintext bytes are kept.
    public var keptBytes: Int

    public init(
        port: Int = 0,
        tls: TLSSettings = TLSSettings(),
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
