import Foundation
import NIOCore
import TLSCore
import Testing

@testable import MitmProxy
@testable import Witness

/// Tunnels to hosts that are not under test.
struct PassTests {
    private static func presentation(_ routes: [String: Routing.Treatment], reaching: [String] = ["127.0.0.1"])
        -> Presentation
    {
        var presentation = Presentation(Fixture.forged)
        presentation.routing = Routing(
            routes: routes.map { Routing.Route(HostPattern($0.key)!, $0.value) },
            reachable: reaching.compactMap(AddressRange.init)
        )
        return presentation
    }

    @Test func `a host that is passed through is the genuine one, and the wire is blind`() async throws {
        try await Fixture.withProxy { genuine in
            try await Fixture.withProxy(presenting: Self.presentation(["127.0.0.1": .pass])) { proxy in
                let client = try TLSClient(proxy.port, trust: Fixture.trust, tunnel: "127.0.0.1:\(genuine.port)")

                #expect(client.shakeHands())
                #expect(client.ask().hasSuffix(Fixture.bodyEnd))
                client.close()

                let seen = try await proxy.settle()
                #expect(seen.map(\.reaction) == [.blind])
                #expect(seen.first?.shown == [])
                #expect(try await genuine.settle().map(\.reaction) == [.accepted])
            }
        }
    }

    /// Whatever comes without a tunnel goes to the genuine server.
    private static func showing(_ genuine: InterceptingProxy) -> Presentation {
        var presentation = Presentation(rules: [])
        presentation.routing.upstream = Routing.Place(host: "127.0.0.1", port: genuine.port)
        presentation.routing.tested = [Fixture.host]
        return presentation
    }

    @Test(arguments: [nil, "\(Fixture.host):443"])
    func `B: the genuine server is seen as it is, and whether the two talk`(tunnel: String?) async throws {
        try await Fixture.withProxy { genuine in
            try await Fixture.withProxy(presenting: Self.showing(genuine)) { proxy in
                let silent = try TLSClient(proxy.port, trust: Fixture.trust, tunnel: tunnel)
                #expect(silent.shakeHands())
                silent.close()
                #expect(try await proxy.settle().map(\.hasConversed) == [false])

                let client = try TLSClient(proxy.port, trust: Fixture.trust, tunnel: tunnel)
                #expect(client.shakeHands())
                #expect(client.ask().hasSuffix(Fixture.bodyEnd))
                client.close()

                let seen = try await proxy.settle()
                #expect(seen.map(\.reaction) == [.blind, .blind])
                #expect(seen.map(\.hasConversed) == [false, true])
                #expect(seen.map(\.target) == [Fixture.host, Fixture.host])
            }
        }
    }

    @Test func `B: another host is not led to the genuine server`() async throws {
        try await Fixture.withProxy { genuine in
            try await Fixture.withProxy(presenting: Self.showing(genuine)) { proxy in
                let client = try TLSClient(proxy.port, trust: Fixture.trust, tunnel: "other.example:443")

                #expect(!client.shakeHands())

                #expect(try await proxy.settle().map(\.reaction.isRejected) == [false])
                #expect(try await genuine.settle() == [])
            }
        }
    }

    @Test func `a host that is presented to is not`() async throws {
        try await Fixture.withProxy { genuine in
            try await Fixture.withProxy(presenting: Self.presentation([":1": .pass])) { proxy in
                let client = try TLSClient(proxy.port, trust: Fixture.trust, tunnel: "127.0.0.1:\(genuine.port)")

                #expect(!client.shakeHands())
                client.close()

                #expect(try await proxy.settle().map(\.shown) == [["forged"]])
                #expect(try await genuine.settle() == [])
            }
        }
    }

    @Test(
        arguments: [
            (["127.0.0.1": .refuse], "127.0.0.1", ["127.0.0.1"], "403 Forbidden", .refused),
            (["127.0.0.1": .pass], "127.0.0.1", [], "502 Bad Gateway", nil),
            (["169.254.169.254": .pass], "169.254.169.254", ["127.0.0.1"], "502 Bad Gateway", nil),
            (["localhost": .pass], "localhost", [], "502 Bad Gateway", nil),
        ] as [([String: Routing.Treatment], String, [String], String, Reaction.Closing?)]
    )
    func `a host that is refused, or no public one, is not reached`(
        routes: [String: Routing.Treatment],
        host: String,
        reachable: [String],
        status: String,
        closing: Reaction.Closing?
    ) async throws {
        try await Fixture.withProxy { genuine in
            try await Fixture.withProxy(presenting: Self.presentation(routes, reaching: reachable)) { proxy in
                let socket = try Socket(port: proxy.port)

                socket.write("CONNECT \(host):\(genuine.port) HTTP/1.1\r\n\r\n")

                #expect(String(decoding: socket.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 \(status)\r\n"))
                let end = try await proxy.settle().first?.end
                #expect(end?.party == .us)
                if let closing {
                    #expect(end?.how == closing)
                } else {
                    guard case .upstream(let reason)? = end?.how else { return #expect(Bool(false)) }
                    #expect(reason.contains("not public"))
                }
                #expect(try await genuine.settle() == [])
            }
        }
    }

    @Test func `each direction ends for itself`() async throws {
        try await RawServer.with(.counting) { port in
            try await Fixture.withProxy(presenting: Self.presentation(["127.0.0.1": .pass])) { proxy in
                // A debug build reads byte by byte, and the machine may be busy.
                let socket = try Socket(port: proxy.port, patience: 60)
                socket.write("CONNECT 127.0.0.1:\(port) HTTP/1.1\r\n\r\n")
                #expect(socket.read() == Array(FirstBytesTests.established.utf8))

                socket.write([UInt8](repeating: 7, count: 3_000_000))
                socket.shutWritingSide()

                #expect(String(decoding: socket.readToEnd(), as: UTF8.self) == "3000000 bytes")
                #expect(try await proxy.settle().map(\.reaction) == [.blind])
            }
        }
    }

    @Test func `who is not read from is not written to without end`() async throws {
        try await RawServer.with(.counting, reads: false) { port in
            try await Fixture.withProxy(presenting: Self.presentation(["127.0.0.1": .pass])) { proxy in
                let socket = try Socket(port: proxy.port, patience: 1)
                socket.write("CONNECT 127.0.0.1:\(port) HTTP/1.1\r\n\r\n")
                #expect(socket.read() == Array(FirstBytesTests.established.utf8))

                let megabyte = [UInt8](repeating: 7, count: 1 << 20)
                let taken = (0..<256).prefix { _ in socket.write(megabyte) }.count

                // What the kernel's own buffers take, at most (tcp_wmem(7), tcp_rmem(7)).
                #expect(taken < 64)
            }
        }
    }
}
