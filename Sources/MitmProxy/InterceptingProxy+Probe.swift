import NIOCore
import NIOPosix

extension InterceptingProxy {
    /// Listens for a moment where somebody is to listen later, so that what would fail then is known now.
    ///
    /// - Parameter others: more ports beside the exposure's own.
    package static func probe(_ exposure: Exposure, others: [Int] = []) async throws(ProxyError) {
        for port in [exposure.port] + others { try await probe(exposure.address, port: port) }
        try DatagramListener(exposure).close()
    }

    /// The same on 127.0.0.1.
    package static func probe(port: Int) async throws(ProxyError) { try await probe("127.0.0.1", port: port) }

    private static func probe(_ address: String, port: Int) async throws(ProxyError) {
        do {
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { $0.close() }
                .bind(to: SocketAddress(ipAddress: address, port: port)).get()
            try await listener.close().get()
        } catch {
            throw ProxyError(error, address: address, port: port)
        }
    }
}
