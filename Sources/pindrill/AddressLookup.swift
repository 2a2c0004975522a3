#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Every address of a name, as the machine resolves it.
enum AddressLookup {
    /// More than any name has that is no attack.
    private static let most = 64

    /// In text, IPv4 and IPv6, each once, in the resolver's order; empty where there is none.
    static func addresses(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var entry = list
        while let current = entry, addresses.count < most {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let (address, length) = (current.pointee.ai_addr, current.pointee.ai_addrlen)
            if getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
                let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                if !addresses.contains(name) { addresses.append(name) }
            }
            entry = current.pointee.ai_next
        }
        return addresses
    }
}
