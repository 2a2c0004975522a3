package import Witness

/// The datagrams (UDP) to one place, or of one client.
package struct DatagramFlow: Sendable {
    private var count = 0
    private var isQUIC = true
    private var bytes: [UInt8] = []

    package init() {}

    package mutating func add(_ datagram: [UInt8]) {
        count += 1
        isQUIC = isQUIC && Self.isQUIC(datagram)
        if bytes.count < 4096 { bytes += datagram }
    }

    /// A long header of a version (RFC 9000 section 17.2); what begins a connection is at least 1200 bytes long (section
    /// 14.1).
    private static func isQUIC(_ datagram: [UInt8]) -> Bool {
        datagram.count >= 1200 && datagram[0] & 0xC0 == 0xC0 && datagram[1..<5].contains { $0 != 0 }
    }

    /// - Parameter arrival: where they went.
    package func observation(_ arrival: ConnectionEvent, _ canary: Canary?) -> Observation {
        var observation = Observation([arrival, .datagrams(count: count, isQUIC: isQUIC)])
        let places = canary?.places(in: bytes) ?? []
        guard !places.isEmpty else { return observation }
        observation.events.append(.cleartext(host: nil))
        observation.firstBytes = bytes
        observation.leaks = places.prefix(Leak.limit).map { Leak(.datagram, offset: $0) }
        return observation
    }
}
