import MitmProxy
import NIOCore
import NIOEmbedded
import TLSCore
import TestSupport
import Testing
import Witness

/// The PROXY protocol, from those who may speak it.
struct ForwardedHeaderTests {
    private typealias Wire = FirstBytesTests.Wire

    private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10]
    private static let v4: [UInt8] = [203, 0, 113, 7, 192, 0, 2, 1, 0xC3, 0x50, 1, 187]
    private static let v6 =
        [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [7] + [UInt8](repeating: 1, count: 16)

    private static func block(_ family: UInt8, _ rest: [UInt8], command: UInt8 = 0x21) -> [UInt8] {
        signature + [command, family, UInt8(rest.count >> 8), UInt8(rest.count & 0xFF)] + rest
    }

    /// From whom connections come in these tests.
    private static func wire(from peers: String = "127.0.0.0/8") throws -> Wire {
        var configuration = ProxyConfiguration()
        configuration.forwarders = [AddressRange(peers)].compactMap(\.self)
        return try Wire(configuration, from: SocketAddress(ipAddress: "127.0.0.1", port: 2))
    }

    private static let headers: [(bytes: [UInt8], source: String?)] = [
        (Array("PROXY TCP4 203.0.113.7 192.0.2.1 50000 443\r\n".utf8), "203.0.113.7:50000"),
        (Array("PROXY TCP6 2001:db8::7 2001:db8::1 50000 443\r\n".utf8), "[2001:db8::7]:50000"),
        (Array("PROXY UNKNOWN\r\n".utf8), nil),
        (Array("PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n".utf8), nil),
        (block(0x11, v4), "203.0.113.7:50000"),
        // An extension behind the addresses (section 2.2.7): NOOP.
        (block(0x11, v4 + [4, 0, 1, 0]), "203.0.113.7:50000"),
        (block(0x21, v6 + [0xC3, 0x50, 1, 187]), "[2001:db8::7]:50000"),
        (block(0x00, [], command: 0x20), nil),
        (block(0x00, []), nil),
        (block(0x31, [UInt8](repeating: 0, count: 216)), nil),
    ]

    @Test(arguments: headers)
    func `the address is noted, and what follows is served, wherever it is split`(bytes: [UInt8], source: String?)
        throws
    {
        let all = try bytes + FirstBytesTests.clientHello()
        for split in 1..<(bytes.count + 2) {
            let wire = try Self.wire()

            wire.receive(all[..<split])
            wire.receive(all[split...])

            #expect(wire.seen?.shown == ["today"], "split at \(split)")
            #expect(wire.seen?.forwardedFrom == source, "split at \(split)")
        }
    }

    @Test(arguments: headers)
    func `from anybody else it is no protocol of ours`(bytes: [UInt8], source: String?) throws {
        let wire = try Self.wire(from: "192.0.2.0/24")

        wire.receive(try bytes + FirstBytesTests.clientHello())

        #expect(wire.seen?.shown == [])
        #expect(wire.seen?.forwardedFrom == nil)
        #expect(!wire.channel.isActive)
    }

    @Test func `from who may speak it nothing else is taken`() throws {
        let wire = try Self.wire()

        wire.receive(try FirstBytesTests.clientHello())

        #expect(wire.seen?.events.last == .closed(by: .us, .protocolError("no PROXY header")))
    }

    @Test(arguments: [
        ("PROXY TCP4 203.0.113.7 192.0.2.1 50000\r\n", "a PROXY header that names no addresses"),
        ("PROXY TCP4 2001:db8::7 192.0.2.1 50000 443\r\n", "a PROXY header with a bad address or port"),
        ("PROXY TCP4 203.0.113.7 192.0.2.1 050 443\r\n", "a PROXY header with a bad address or port"),
        ("PROXY TCP4 203.0.113.7 192.0.2.1 65536 443\r\n", "a PROXY header with a bad address or port"),
        ("PROXY TCP4 203.0.113.7 192.0.2.1 1 443\n", "a PROXY header that does not end in CRLF"),
        ("PROXY UDP4 203.0.113.7 192.0.2.1 1 443\r\n", "a PROXY header that names no addresses"),
        ("PROXY " + String(repeating: "x", count: 200), "a PROXY header without an end"),
        ("PROXIED", "no PROXY header"),
    ])
    func `a bad header is one clear end`(text: String, reason: String) throws {
        let wire = try Self.wire()

        wire.receive(text)

        #expect(wire.seen?.events.last == .closed(by: .us, .protocolError(reason)))
    }

    @Test(arguments: [
        (block(0x11, v4, command: 0x31), "a PROXY header of an unknown version or command"),
        (block(0x11, v4, command: 0x22), "a PROXY header of an unknown version or command"),
        (block(0x41, v4), "a PROXY header of an unknown family"),
        (block(0x21, v4), "a PROXY header that is too short for its addresses"),
        (signature + [0x21, 0x11, 0xFF, 0xFF], "a PROXY header of 65535 bytes"),
    ])
    func `so is a bad one of version 2`(bytes: [UInt8], reason: String) throws {
        let wire = try Self.wire()

        wire.receive(bytes)

        #expect(wire.seen?.events.last == .closed(by: .us, .protocolError(reason)))
    }

    @Test func `whatever is damaged, there is one end and nothing is left behind`() throws {
        var random = SplitMix64(seed: 2010)
        for round in 0..<DamagedInputs.count(of: 100_000) {
            var bytes = Self.headers[round % Self.headers.count].bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                case 2: bytes.removeSubrange(place...)
                default: bytes.insert(contentsOf: random.bytes(3), at: place)
                }
                if bytes.isEmpty { bytes = [13] }
            }
            let wire = try Self.wire()

            wire.receive(bytes)
            _ = try wire.channel.finish(acceptAlreadyClosed: true)

            let ends = wire.seen?.events.filter { if case .closed = $0 { true } else { false } }
            #expect(ends?.count == 1, "round \(round): \(bytes)")
            #expect(wire.seen?.shown == [], "round \(round): \(bytes)")
            #expect(wire.intake.openCount == 0, "round \(round): \(bytes)")
        }
    }
}
