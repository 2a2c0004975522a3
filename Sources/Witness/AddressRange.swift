import TLSCore

/// Addresses that begin alike: `10.0.0.0/8`, `::1`.
package struct AddressRange: Hashable, Sendable {
    /// Its first address, as 4 or 16 bytes.
    package var first: [UInt8] { bytes }
    fileprivate let bytes: [UInt8]
    fileprivate let bits: Int

    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, case .ip(let bytes) = SubjectName(String(parts[0])) else { return nil }
        let most = bytes.count * 8
        let bits = parts.count == 2 ? Int(parts[1]) : most
        guard let bits, 0...most ~= bits else { return nil }
        (self.bytes, self.bits) = (bytes, bits)
    }

    /// - Parameter address: 4 or 16 bytes.
    package func contains(_ address: [UInt8]) -> Bool {
        guard address.count == bytes.count else { return false }
        return (0..<bits).allSatisfy { bit in
            (address[bit / 8] ^ bytes[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
        }
    }

    /// Whether it is the address that stands for all of a machine's, `0.0.0.0` or `::` (RFC 4291 section 2.5.2): one listens
    /// there, and nobody can go there.
    package var isUnspecified: Bool { bits == bytes.count * 8 && bytes.allSatisfy { $0 == 0 } }

    /// Whether an address is of this machine, of its network, or of nobody (RFC 6890): a client that comes from elsewhere
    /// must not reach it through us.
    package static func isInternal(_ address: [UInt8]) -> Bool {
        let address = embedded(in: address) ?? address
        return notPublic.contains { $0.contains(address) }
    }

    /// The address of IPv4 that one of IPv6 stands for (RFC 4291 section 2.5.5, RFC 6052 section 2.1).
    private static func embedded(in address: [UInt8]) -> [UInt8]? {
        guard address.count == 16 else { return nil }
        return ["::ffff:0:0/96", "64:ff9b::/96"].compactMap(AddressRange.init).contains { $0.contains(address) }
            ? Array(address.suffix(4)) : nil
    }

    private static let notPublic = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3", "::/127", "fc00::/7", "fe80::/10", "ff00::/8",
    ].compactMap(AddressRange.init)
}

extension AddressRange: CustomStringConvertible {
    package var description: String {
        let address = SubjectName.ip(bytes).description
        return bits == bytes.count * 8 ? address : "\(address)/\(bits)"
    }
}
