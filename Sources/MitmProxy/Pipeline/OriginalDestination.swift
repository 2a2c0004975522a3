import NIOCore
import NIOPosix
import Witness

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Where a connection was to go before the system led it here, as `REDIRECT` of iptables and `redirect` of nftables do.
enum OriginalDestination {
    /// `nil` where it was meant for us. On the channel's event loop.
    static func of(_ channel: any Channel) -> SocketAddress? {
        #if os(Linux)
        guard let local = channel.localAddress, let provider = channel as? any SocketOptionProvider else { return nil }
        // `SO_ORIGINAL_DST` and `IP6T_SO_ORIGINAL_DST` (linux/netfilter_ipv4.h, linux/netfilter_ipv6/ip6_tables.h).
        let option = 80
        var found: SocketAddress?
        // On the event loop the answer is there at once.
        switch local {
        case .v4:
            provider.unsafeGetSocketOption(level: .ip, name: .init(rawValue: CInt(option)))
                .assumeIsolated().whenSuccess { (address: sockaddr_in) in found = SocketAddress(address) }
        case .v6:
            provider.unsafeGetSocketOption(level: .ipv6, name: .init(rawValue: CInt(option)))
                .assumeIsolated().whenSuccess { (address: sockaddr_in6) in found = SocketAddress(address) }
        case .unixDomainSocket: break
        }
        return found.flatMap { $0.ipAddress == local.ipAddress && $0.port == local.port ? nil : $0 }
        #else
        return nil
        #endif
    }
}
