import Foundation
import MitmProxy
import NIOCore
import TLSCore
import Testing
import Witness

/// Which connection sees what, and to which presentation it belongs.
struct PresentationTests {
    /// Connects, asks and leaves.
    static func visit(_ proxy: InterceptingProxy, host: String = Fixture.host) throws {
        let client = try TLSClient(proxy.port, host: host)
        client.shakeHands()
        _ = client.ask()
        client.close()
    }

    @Test func `the next client sees the new presentation, and each belongs to its own`() async throws {
        try await Fixture.withProxy { proxy in
            let first = proxy.epoch
            try PresentationTests.visit(proxy)
            _ = try await proxy.settle()
            let second = proxy.present(Presentation(Fixture.next))
            try PresentationTests.visit(proxy)

            let seen = try await proxy.settle()

            #expect(second > first)
            #expect(seen.map(\.shown) == [["next"]])
            #expect(seen.map(\.epoch) == [second.number])
            #expect(proxy.observations(in: first).map(\.shown) == [["today"]])
        }
    }

    @Test func `a connection belongs to the presentation in force at its ClientHello`() async throws {
        try await Fixture.withProxy { proxy in
            let first = proxy.epoch
            let client = try TLSClient(proxy.port)
            while proxy.observations().isEmpty { await Task.yield() }
            let second = proxy.present(Presentation(Fixture.next), existing: .keep)

            client.shakeHands()
            _ = client.ask()
            client.close()

            #expect(try await proxy.settle().map(\.shown) == [["next"]])
            #expect(proxy.observations(in: second).map(\.reaction) == [.accepted])
            #expect(proxy.observations(in: first).isEmpty)
        }
    }

    @Test func `a connection that is turned away belongs to the presentation that had nothing for it`() async throws {
        try await Fixture.withProxy { proxy in
            let client = try TLSClient(proxy.port)
            while proxy.observations().isEmpty { await Task.yield() }
            proxy.present(Presentation(rules: []), existing: .keep)

            client.shakeHands()

            #expect(try await proxy.settle().map { $0.end?.how } == [.refused])
        }
    }

    @Test func `a new presentation closes what is open`() async throws {
        try await Fixture.withProxy { proxy in
            let first = proxy.epoch
            let client = try TLSClient(proxy.port)
            client.shakeHands()

            proxy.present(Presentation(Fixture.next))

            #expect(client.readToEnd() == [])
            #expect(try await proxy.settle().isEmpty)
            #expect(proxy.observations(in: first).map { $0.end?.how } == [.superseded])
        }
    }

    @Test func `a new presentation keeps what is open, where that is asked for`() async throws {
        try await Fixture.withProxy { proxy in
            let first = proxy.epoch
            let client = try TLSClient(proxy.port)
            client.shakeHands()

            proxy.present(Presentation(Fixture.next), existing: .keep)

            #expect(client.ask().hasSuffix(Fixture.bodyEnd))
            #expect(proxy.observations(in: first).map(\.shown) == [["today"]])
        }
    }

    @Test func `J9: a request on a connection of an earlier presentation does not count to the new one`() async throws {
        try await Fixture.withProxy { proxy in
            let first = proxy.epoch
            let client = try TLSClient(proxy.port)
            client.shakeHands()
            proxy.present(Presentation(Fixture.forged), existing: .keep)

            _ = client.ask()

            #expect(try await proxy.settle().isEmpty)
            #expect(proxy.observations(in: first).map(\.reaction) == [.accepted])
            client.close()
        }
    }

    @Test func `a client that comes just after a change is not closed by it`() async throws {
        try await Fixture.withProxy { proxy in
            for _ in 0..<100 {
                proxy.present(Presentation(Fixture.next))
                let client = try TLSClient(proxy.port)
                guard client.shakeHands() else { return #expect(Bool(false), "closed by an earlier change") }
                client.close()
            }
        }
    }

    @Test func `a sequence goes on from connection to connection, and its last stays`() async throws {
        let sequence = Presentation(.sequence([.identity(Fixture.today), .identity(Fixture.next)]))

        let seen = try await Fixture.withProxy(presenting: sequence) { proxy in
            for _ in 0..<3 { try PresentationTests.visit(proxy) }
            return try await proxy.settle()
        }

        #expect(seen.flatMap(\.shown) == ["today", "next", "next"])
    }

    @Test func `a sequence begins anew with every presentation`() async throws {
        let sequence = Presentation(.sequence([.identity(Fixture.today), .identity(Fixture.next)]))

        let seen = try await Fixture.withProxy(presenting: sequence) { proxy in
            try PresentationTests.visit(proxy)
            proxy.present(sequence)
            try PresentationTests.visit(proxy)
            return try await proxy.settle()
        }

        #expect(seen.flatMap(\.shown) == ["today"])
    }

    @Test func `an identity is minted for whomever a client asks for`() async throws {
        let minter = Minter(Fixture.authority, key: try PrivateKey(), now: Fixture.now)

        let seen = try await Fixture.withProxy(presenting: Presentation(.always(.minted(by: minter)))) { proxy in
            for host in ["a.example", "b.example"] {
                let client = try TLSClient(proxy.port, host: host, trust: Fixture.trust)
                #expect(client.shakeHands())
                client.close()
            }
            // An address is not named in TLS: it is the tunnel's, or the one that was connected to.
            for (address, tunnel) in [("192.0.2.1", "192.0.2.1:443"), ("127.0.0.1", nil)] {
                let client = try TLSClient(proxy.port, host: address, trust: Fixture.trust, tunnel: tunnel)
                #expect(client.shakeHands())
                client.close()
            }
            return try await proxy.settle()
        }

        #expect(seen.flatMap(\.shown) == ["a.example", "b.example", "192.0.2.1", "127.0.0.1"])
    }

    @Test func `a minter remembers the last names it minted for, and never lends its authority's key`() throws {
        let key = try PrivateKey()
        let minter = Minter(Fixture.authority, key: key, now: Fixture.now, capacity: 2)

        let identities = try ["a", "b", "a", "c", "a"].map { try minter.identity(for: "\($0).example").leaf }

        #expect(identities[0] == identities[2])
        #expect(identities.allSatisfy { $0.pin == key.pin })
        #expect(!identities.contains { $0.pin == Fixture.authority.key.pin })
        #expect(minter.count == 2)
    }
}
