import MitmProxy
import NIOCore
import NIOEmbedded
import TestSupport
import Testing
import Witness

/// SOCKS5 on the port that takes everything else.
struct SOCKSTests {
    private typealias Wire = FirstBytesTests.Wire

    private static let plain: [UInt8] = [5, 1, 0]
    private static let withPassword: [UInt8] = [5, 1, 2, 1, 2] + Array("me".utf8) + [3] + Array("abc".utf8)
    private static let granted: [UInt8] = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]

    private static func request(_ address: [UInt8], port: [UInt8] = [1, 187]) -> [UInt8] { [5, 1, 0] + address + port }
    private static func name(_ text: String) -> [UInt8] { [3, UInt8(text.utf8.count)] + Array(text.utf8) }

    @Test(arguments: [
        (name("a.example"), "a.example"),
        ([1, 192, 0, 2, 7], "192.0.2.7"),
        ([4, 0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7], "2001:db8::7"),
    ])
    func `names the target by a name or an address`(address: [UInt8], host: String) throws {
        let wire = try Wire()

        wire.receive(Self.plain)
        #expect(try wire.sent() == [5, 0])
        wire.receive(Self.request(address))
        #expect(try wire.sent() == Self.granted)
        wire.receive(try FirstBytesTests.clientHello())

        #expect(wire.seen?.target == host)
        #expect(wire.seen?.shown == ["today"])
        let named = host.contains(":") ? "[\(host)]:443" : "\(host):443"
        #expect(wire.seen?.events.contains(.connected(target: named)) == true)
    }

    @Test(arguments: [(plain, [UInt8]([5, 0])), (withPassword, [5, 2, 1, 0]), ([5, 2, 2, 0], [5, 0])])
    func `takes whoever comes, with a password or without, wherever it is split`(
        greeting: [UInt8],
        answer: [UInt8]
    ) throws {
        let hello = try FirstBytesTests.clientHello()
        let bytes = greeting + Self.request(Self.name("a.example")) + hello
        for split in 1..<(bytes.count - hello.count + 2) {
            let wire = try Wire()

            wire.receive(bytes[..<split])
            wire.receive(bytes[split...])

            #expect(try wire.sent().starts(with: answer + Self.granted), "split at \(split)")
            #expect(wire.seen?.target == "a.example", "split at \(split)")
            #expect(wire.seen?.shown == ["today"], "split at \(split)")
        }
    }

    @Test func `a request in the clear behind it is noted for its target`() throws {
        let wire = try Wire()

        wire.receive(Self.plain + Self.request(Self.name("a.example"), port: [0, 80]))
        wire.receive("GET / HTTP/1.1\r\nHost: b.example\r\n\r\n")

        #expect(wire.seen?.reaction == .cleartext)
        #expect(wire.seen?.target == "a.example")
    }

    @Test(
        arguments: [
            ([5, 1, 1], [5, 0xFF], "SOCKS without a method of ours"),
            ([5, 0], [5, 0xFF], "SOCKS without a method of ours"),
            (plain + [4], [5, 0], "SOCKS with a message of version 4"),
            ([5, 1, 2, 5], [5, 2], "SOCKS with a message of version 5"),
            (
                plain + [5, 2, 0, 1], [5, 0, 5, 7, 0, 1, 0, 0, 0, 0, 0, 0],
                "SOCKS with command 2: only CONNECT is known"
            ),
            (plain + [5, 1, 0, 2], [5, 0, 5, 8, 0, 1, 0, 0, 0, 0, 0, 0], "SOCKS with an address of type 2"),
            (plain + request(name("")), [5, 0, 5, 1, 0, 1, 0, 0, 0, 0, 0, 0], "SOCKS to ':443'"),
            (plain + request(name("a b")), [5, 0, 5, 1, 0, 1, 0, 0, 0, 0, 0, 0], "SOCKS to 'a b:443'"),
            (plain + request(name("a"), port: [0, 0]), [5, 0, 5, 1, 0, 1, 0, 0, 0, 0, 0, 0], "SOCKS to 'a:0'"),
            (plain + request(name("a.example")) + plain, [5, 0] + granted, "neither TLS, SOCKS5 nor HTTP"),
            ([4, 1, 1, 187, 127, 0, 0, 1, 0], [], "neither TLS, SOCKS5 nor HTTP"),
        ] as [([UInt8], [UInt8], String)]
    )
    func `what is no SOCKS5 is turned away in its own words`(bytes: [UInt8], answer: [UInt8], reason: String) throws {
        let wire = try Wire()

        wire.receive(bytes)

        #expect(try wire.sent() == answer)
        #expect(wire.seen?.events.last == .closed(by: .us, .protocolError(reason)))
        #expect(wire.seen?.reaction == .inconclusive(.nothingPresented))
        #expect(!wire.channel.isActive)
    }

    @Test func `whatever is damaged, there is one end and nothing is left behind`() throws {
        let good = Self.withPassword + Self.request(Self.name("a.example"))
        var random = SplitMix64(seed: 1928)
        for round in 0..<DamagedInputs.count(of: 100_000) {
            var bytes = good
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                case 2: bytes.removeSubrange(place...)
                default: bytes.insert(contentsOf: random.bytes(3), at: place)
                }
                if bytes.isEmpty { bytes = [5] }
            }
            let wire = try Wire()

            wire.receive(bytes)
            _ = try wire.channel.finish(acceptAlreadyClosed: true)

            let ends = wire.seen?.events.filter { if case .closed = $0 { true } else { false } }
            #expect(ends?.count == 1, "round \(round): \(bytes)")
            #expect(wire.seen?.shown == [], "round \(round): \(bytes)")
            #expect(wire.intake.openCount == 0, "round \(round): \(bytes)")
        }
    }
}
