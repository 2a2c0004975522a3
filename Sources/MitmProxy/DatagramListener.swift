import NIOCore
import Witness

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Beside a listener for devices: the same port of UDP, where QUIC would come. Nobody is answered there, and what has come is
/// read when it is asked for, so that nothing is still on its way.
final class DatagramListener: Sendable {
    private let socket: CInt
    private let exposure: Exposure

    init(_ exposure: Exposure) throws(ProxyError) {
        self.exposure = exposure
        do {
            let address = try SocketAddress(ipAddress: exposure.address, port: exposure.port)
            #if canImport(Glibc)
            let kind = CInt(SOCK_DGRAM.rawValue)
            #else
            let kind = SOCK_DGRAM
            #endif
            let socket = systemSocket(CInt(address.protocol.rawValue), kind, 0)
            guard socket >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
            guard fcntl(socket, F_SETFD, FD_CLOEXEC) == 0,
                address.withSockAddr({ systemBind(socket, $0, socklen_t($1)) }) == 0
            else {
                let code = errno
                _ = systemClose(socket)
                throw IOError(errnoCode: code, reason: "bind")
            }
            self.socket = socket
        } catch {
            throw ProxyError(error, address: exposure.address, port: exposure.port)
        }
    }

    /// What came since this was last asked, of each client that may come.
    func take(_ canary: Canary?) -> [Observation] {
        var flows: [SocketAddress: DatagramFlow] = [:]
        var order: [SocketAddress] = []
        while let (bytes, sender) = next() {
            guard exposure.admitsDatagrams(from: sender) else { continue }
            if flows[sender] == nil { order.append(sender) }
            flows[sender, default: DatagramFlow()].add(bytes)
        }
        return order.compactMap { flows[$0]?.observation(.connected(target: nil), canary) }
    }

    private func next() -> (bytes: [UInt8], sender: SocketAddress)? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let count = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(socket, &bytes, bytes.count, CInt(MSG_DONTWAIT), $0, &length)
            }
        }
        guard count >= 0 else { return nil }
        let sender = withUnsafePointer(to: &storage) { storage -> SocketAddress? in
            switch CInt(storage.pointee.ss_family) {
            case AF_INET: storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) }
            case AF_INET6: storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) }
            default: nil
            }
        }
        return sender.map { (Array(bytes.prefix(count)), $0) }
    }

    func close() { _ = systemClose(socket) }
}

private let systemSocket = socket
private let systemBind = bind
private let systemClose: @Sendable (CInt) -> CInt = { close($0) }
