package import NIOCore
import NIOPosix
import TLSCore
package import Witness

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Connects to where a client wants to go: the name is looked up first, and addresses that are not public are left alone
/// unless they are listed.
package struct Departure: Sendable {
    /// Why nobody was reached, in words.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    var reachable: [AddressRange] = []
    /// Who is asked to connect; names are then its to look up.
    var proxy: UpstreamProxy?

    package init(reachable: [AddressRange] = [], proxy: UpstreamProxy? = nil) {
        self.reachable = reachable
        self.proxy = proxy
    }

    /// The channel reads nothing by itself until it is told to.
    package func connect(to host: String, port: Int, on loop: any EventLoop) -> EventLoopFuture<any Channel> {
        if let proxy {
            if let address = try? SocketAddress(ipAddress: host, port: port), !mayReach(address) {
                return loop.makeFailedFuture(Failure(description: "'\(host)' is not public; list it in 'reachable'"))
            }
            // Who names a proxy means it.
            let way = Departure(reachable: AddressRange.everything)
            return way.connect(to: proxy.host, port: proxy.port, on: loop)
                .flatMapErrorThrowing { throw Failure(description: "the proxy \(proxy.host):\(proxy.port): \($0)") }
                .flatMap { proxy.open($0, to: host, port: port) }
        }
        return Departure.addresses(of: host, port: port, on: loop)
            .flatMap { addresses in
                let allowed = addresses.filter(mayReach)
                guard let first = allowed.first else {
                    let found = addresses.first?.ipAddress ?? "no address"
                    let reason = "'\(host)' is \(found), which is not public; list it in 'reachable'"
                    return loop.makeFailedFuture(Failure(description: reason))
                }
                return connect(to: first, or: allowed.dropFirst(), on: loop)
            }
    }

    private func mayReach(_ address: SocketAddress) -> Bool {
        let bytes = address.addressBytes
        return !AddressRange.isInternal(bytes) || reachable.contains { $0.contains(bytes) }
    }

    private func connect(
        to address: SocketAddress,
        or others: ArraySlice<SocketAddress>,
        on loop: any EventLoop
    ) -> EventLoopFuture<any Channel> {
        ClientBootstrap(group: loop)
            .connectTimeout(.seconds(10))
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.autoRead, value: false)
            .channelOption(.recvAllocator, value: AdaptiveRecvByteBufferAllocator.growing)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(to: address)
            .flatMapError { error in
                if let next = others.first { return connect(to: next, or: others.dropFirst(), on: loop) }
                let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)).lowercased() }
                let place = "\(address.ipAddress ?? ""), port \(address.port ?? 0)"
                return loop.makeFailedFuture(Failure(description: "\(place): \(reason ?? "no answer")"))
            }
    }

    /// An address needs no thread that may wait for a name: waking one costs a tenth of a relayed connection.
    private static func addresses(
        of host: String,
        port: Int,
        on loop: any EventLoop
    ) -> EventLoopFuture<[SocketAddress]> {
        if let literal = try? SocketAddress(ipAddress: host, port: port) { return loop.makeSucceededFuture([literal]) }
        return NIOThreadPool.singleton.runIfActive(eventLoop: loop) { try lookUp(host, port: port) }
    }

    private static func lookUp(_ host: String, port: Int) throws -> [SocketAddress] {
        var hints = addrinfo()
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &first) == 0, let first else {
            throw Failure(description: "'\(host)' has no address")
        }
        defer { freeaddrinfo(first) }
        return sequence(first: first, next: { $0.pointee.ai_next }).compactMap { info in
            switch info.pointee.ai_family {
            case AF_INET:
                info.pointee.ai_addr?.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    SocketAddress($0.pointee, host: host)
                }
            case AF_INET6:
                info.pointee.ai_addr?.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    SocketAddress($0.pointee, host: host)
                }
            default: nil
            }
        }
    }
}

extension SocketAddress {
    /// 4 or 16; none of a path.
    var addressBytes: [UInt8] {
        guard let text = ipAddress, case .ip(let bytes) = SubjectName(text) else { return [] }
        return bytes
    }
}

extension AddressRange {
    /// Every address of both families.
    package static let everything = ["0.0.0.0/0", "::/0"].compactMap { AddressRange($0) }
}
