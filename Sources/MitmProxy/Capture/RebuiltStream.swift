import NIOCore

/// One TCP connection as packets that a network might have carried (RFC 9293, RFC 791, RFC 8200): in order, each
/// acknowledged at once, none lost.
struct RebuiltStream {
    enum Side { case client, server }

    private struct End {
        var address: [UInt8]
        var port: UInt16
        /// The number of its next byte; each connection begins elsewhere, so that none is taken for another.
        var next = UInt32.random(in: .min ... .max)
        var hasEnded = false
    }

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let fin = Flags(rawValue: 1)
        static let syn = Flags(rawValue: 2)
        static let reset = Flags(rawValue: 4)
        static let push = Flags(rawValue: 8)
        static let ack = Flags(rawValue: 16)
    }

    private var client: End
    private var server: End

    /// No packet holds more.
    private static let mostData = 32768

    /// - Returns: `nil` for what is no connection by IP.
    init?(client: SocketAddress?, server: SocketAddress?) {
        guard let client, let server, let near = client.port, let far = server.port else { return nil }
        self.client = End(address: client.addressBytes, port: UInt16(truncatingIfNeeded: near))
        self.server = End(address: server.addressBytes, port: UInt16(truncatingIfNeeded: far))
        guard !self.client.address.isEmpty, self.client.address.count == self.server.address.count else { return nil }
    }

    mutating func opening() -> [[UInt8]] {
        let hello = packet(from: .client, .syn)
        client.next &+= 1
        let answer = packet(from: .server, [.syn, .ack])
        server.next &+= 1
        return [hello, answer, packet(from: .client, .ack)]
    }

    mutating func data(_ bytes: ByteBuffer, from side: Side) -> [[UInt8]] {
        var (rest, packets) = (bytes, [[UInt8]]())
        while let part = rest.readBytes(length: min(rest.readableBytes, Self.mostData)), !part.isEmpty {
            packets.append(packet(from: side, [.push, .ack], part))
            advance(side, by: part.count)
            packets.append(packet(from: side == .client ? .server : .client, .ack))
        }
        return packets
    }

    mutating func end(of side: Side) -> [[UInt8]] {
        guard !(side == .client ? client : server).hasEnded else { return [] }
        let goodbye = packet(from: side, [.fin, .ack])
        advance(side, by: 1)
        if side == .client { client.hasEnded = true } else { server.hasEnded = true }
        return [goodbye, packet(from: side == .client ? .server : .client, .ack)]
    }

    /// - Returns: nothing where either side had ended before.
    mutating func reset(by side: Side) -> [[UInt8]] {
        guard !client.hasEnded, !server.hasEnded else { return [] }
        (client.hasEnded, server.hasEnded) = (true, true)
        return [packet(from: side, [.reset, .ack])]
    }

    private mutating func advance(_ side: Side, by count: Int) {
        let count = UInt32(truncatingIfNeeded: count)
        if side == .client { client.next &+= count } else { server.next &+= count }
    }

    private func packet(from side: Side, _ flags: Flags, _ data: [UInt8] = []) -> [UInt8] {
        let (source, target) = side == .client ? (client, server) : (server, client)
        var tcp = ByteBuffer()
        tcp.writeInteger(source.port)
        tcp.writeInteger(target.port)
        tcp.writeInteger(source.next)
        tcp.writeInteger(flags.contains(.ack) ? target.next : 0)
        // A header of five words, and a window that a packet and its acknowledgement never fill.
        tcp.writeMultipleIntegers(5 << 4 as UInt8, flags.rawValue, UInt16.max)
        tcp.writeMultipleIntegers(0 as UInt16, 0 as UInt16)
        tcp.writeBytes(data)
        let length = tcp.readableBytes
        let pseudoHeader = source.address + target.address + [0, 6, UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
        let sum = Self.checksum(pseudoHeader, then: tcp.readableBytesView)
        tcp.setInteger(sum, at: tcp.readerIndex + 16)

        var packet = ByteBuffer()
        if source.address.count == 4 {
            packet.writeMultipleIntegers(0x45 as UInt8, 0 as UInt8, UInt16(20 + length))
            // No fragment, and none to be made.
            packet.writeMultipleIntegers(0 as UInt16, 0x4000 as UInt16, 64 as UInt8, 6 as UInt8, 0 as UInt16)
            packet.writeBytes(source.address + target.address)
            let sum = Self.checksum([], then: packet.readableBytesView)
            packet.setInteger(sum, at: packet.readerIndex + 10)
        } else {
            packet.writeMultipleIntegers(0x6000_0000 as UInt32, UInt16(length), 6 as UInt8, 64 as UInt8)
            packet.writeBytes(source.address + target.address)
        }
        packet.writeBuffer(&tcp)
        return Array(packet.readableBytesView)
    }

    /// The checksum of the Internet protocols (RFC 1071) of an even number of bytes and what follows them.
    private static func checksum(_ first: [UInt8], then rest: ByteBufferView) -> UInt16 {
        var sum: UInt64 = 0
        func add(_ bytes: UnsafeRawBufferPointer) {
            for index in stride(from: 0, to: bytes.count, by: 2) {
                sum += UInt64(bytes[index]) << 8
                if index + 1 < bytes.count { sum += UInt64(bytes[index + 1]) }
            }
        }
        first.withUnsafeBytes(add)
        rest.withUnsafeBytes(add)
        while sum >> 16 != 0 { sum = (sum & 0xFFFF) + sum >> 16 }
        return ~UInt16(sum)
    }
}
