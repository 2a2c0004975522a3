import Foundation
import NIOCore
package import Witness

/// A listener beyond loopback, and who may come to it. It is never open to everybody.
package struct Exposure: Sendable {
    /// What a proxy asks its clients for.
    package struct Credentials: Hashable, Sendable {
        package var name: String
        package var password: String

        package init(name: String, password: String) { (self.name, self.password) = (name, password) }

        /// As a `Proxy-Authorization` has it (RFC 7617).
        var basic: String { "Basic " + Data("\(name):\(password)".utf8).base64EncodedString() }
    }

    package var address: String
    package var port: Int
    /// Who may come, by the address of the socket; empty: whoever has the credentials.
    package var allowed: [AddressRange]
    /// `nil`: none are asked for.
    package var credentials: Credentials?

    /// - Returns: `nil` where everybody could come.
    package init?(address: String, port: Int, allowed: [AddressRange], credentials: Credentials? = nil) {
        guard !allowed.isEmpty || credentials != nil else { return nil }
        (self.address, self.port, self.allowed, self.credentials) = (address, port, allowed, credentials)
    }

    func admits(_ channel: any Channel) -> Bool {
        guard let remote = channel.remoteAddress, !Self.isOfThisMachine(channel) else { return true }
        return allowed.isEmpty || allowed.contains { $0.contains(remote.plainBytes) }
    }

    /// Who has a password to say cannot say it in a datagram.
    func admitsDatagrams(from sender: SocketAddress) -> Bool {
        sender.isLoopback || allowed.contains { $0.contains(sender.plainBytes) }
    }

    /// What this client has to know; `nil`: nothing.
    func credentials(from channel: any Channel) -> Credentials? {
        Self.isOfThisMachine(channel) ? nil : credentials
    }

    /// Who could come to our listeners on loopback as well.
    private static func isOfThisMachine(_ channel: any Channel) -> Bool {
        guard let remote = channel.remoteAddress, let local = channel.localAddress else { return true }
        return local.isLoopback || remote.isLoopback || local.ipAddress == remote.ipAddress
    }
}

extension SocketAddress {
    fileprivate var isLoopback: Bool { ["127.0.0.1", "::1"].contains(ipAddress) }

    /// An address of IPv4 that comes as one of IPv6 (RFC 4291 section 2.5.5.2) is one of IPv4.
    var plainBytes: [UInt8] {
        let bytes = addressBytes
        let isMapped =
            bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 255 }
        return isMapped ? Array(bytes.suffix(4)) : bytes
    }
}
