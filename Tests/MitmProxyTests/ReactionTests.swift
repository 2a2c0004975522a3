import MitmProxy
import NIOCore
import TLSCore
import TestSupport
import Testing
import Witness

/// What clients do on a real socket, and what the proxy makes of it.
struct ReactionTests {
    static let versions: [ClosedRange<TLSVersion>] = [.tls1_2 ... .tls1_2, .tls1_3 ... .tls1_3]

    @Test(arguments: versions, Socket.Family.allCases)
    func `a client that trusts the chain sends its request`(
        version: ClosedRange<TLSVersion>,
        family: Socket.Family
    ) async throws {
        let seen = try await Fixture.withProxy { proxy in
            let settings = TLSSettings(versions: version)
            let client: TLSClient
            do {
                client = try TLSClient(proxy.port, trust: Fixture.trust, settings: settings, family: family)
            } catch  where family == .v6 {
                return [Observation]()
            }
            client.shakeHands()
            #expect(client.ask().hasPrefix("HTTP/1.1 200 OK\r\n"))
            client.close()
            return try await proxy.settle()
        }

        guard let seen = seen.first else { return print("skipped: this machine has no IPv6") }
        #expect(seen.reaction == .accepted)
        #expect(seen.target == Fixture.host)
        #expect(seen.shown == ["today"])
        #expect(seen.requestLine == "GET / HTTP/1.1")
        #expect(seen.bytesReceived == Fixture.request.utf8.count)
        #expect(seen.end?.party == .client)
    }

    @Test(arguments: versions)
    func `the facts come in the order in which they happened`(version: ClosedRange<TLSVersion>) async throws {
        let seen = try await Fixture.withProxy { proxy in
            let client = try TLSClient(proxy.port, settings: TLSSettings(versions: version))
            client.shakeHands()
            _ = client.ask()
            client.close()
            return try await proxy.settle()
        }

        #expect(
            seen.map { $0.events.map(\.kind) } == [
                [
                    "connected", "hello", "presented", "established", "data", "request", "alert", "alert",
                    "closed",
                ]
            ]
        )
    }

    @Test(arguments: versions)
    func `a client that does not trust the chain says so`(version: ClosedRange<TLSVersion>) async throws {
        let seen = try await Fixture.withProxy(presenting: Presentation(Fixture.forged)) { proxy in
            let client = try TLSClient(
                proxy.port,
                trust: Fixture.trust,
                settings: TLSSettings(versions: version)
            )
            #expect(!client.shakeHands())
            client.socket.close()
            return try await proxy.settle()
        }

        #expect(seen.map(\.reaction) == [.rejected(.alert(Alert(48, isFatal: true)))])
        #expect(seen.first?.end?.party == .client)
    }

    enum Farewell: CaseIterable { case closeNotify, end, reset }

    @Test(arguments: versions, Farewell.allCases)
    func `a client that shakes hands and leaves has withheld its request`(
        version: ClosedRange<TLSVersion>,
        farewell: Farewell
    ) async throws {
        let seen = try await Fixture.withProxy { proxy in
            let client = try TLSClient(proxy.port, settings: TLSSettings(versions: version))
            #expect(client.shakeHands())
            switch farewell {
            case .closeNotify: client.close()
            case .end: client.socket.close()
            case .reset:
                // The proxy must have read the client's Finished before it is thrown away with the connection.
                while proxy.observations().first?.events.last?.kind != "established" { await Task.yield() }
                client.socket.reset()
            }
            return try await proxy.settle()
        }

        #expect(seen.map(\.reaction) == [.rejected(.withheldRequest)])
    }

    @Test(arguments: versions, [false, true])
    func `a client that leaves in mid-handshake has hung up`(
        version: ClosedRange<TLSVersion>,
        resets: Bool
    ) async throws {
        let seen = try await Fixture.withProxy { proxy in
            let client = try TLSClient(proxy.port, settings: TLSSettings(versions: version))
            client.socket.write(client.hello())
            _ = client.socket.read()
            if resets { client.socket.reset() } else { client.socket.close() }
            return try await proxy.settle()
        }

        #expect(seen.map(\.reaction) == [.rejected(.hungUp)])
    }

    @Test(arguments: [0, 1, 5, 100])
    func `a client that stops before the end of its hello proves nothing`(count: Int) async throws {
        let limits = ProxyConfiguration(handshakeTimeout: .milliseconds(100))

        let seen = try await Fixture.withProxy(limits) { proxy in
            let client = try TLSClient(proxy.port)
            client.socket.write(client.hello().prefix(count))
            #expect(client.socket.readToEnd() == [])
            return try await proxy.settle()
        }

        #expect(seen.map(\.reaction) == [.inconclusive(.nothingPresented)])
        #expect(seen.first?.end?.party == .us)
        #expect(seen.first?.end?.how == .timedOut)
    }

    @Test(arguments: versions)
    func `a client that stops in mid-handshake is timed out`(version: ClosedRange<TLSVersion>) async throws {
        let limits = ProxyConfiguration(handshakeTimeout: .milliseconds(100))

        let seen = try await Fixture.withProxy(limits) { proxy in
            let client = try TLSClient(proxy.port, settings: TLSSettings(versions: version))
            client.socket.write(client.hello())
            _ = client.socket.readToEnd()
            return try await proxy.settle()
        }

        #expect(seen.map(\.reaction) == [.inconclusive(.closedByUs(.timedOut))])
    }

    @Test func `a client that shakes hands and says nothing is timed out`() async throws {
        let limits = ProxyConfiguration(idleTimeout: .milliseconds(100))

        let seen = try await Fixture.withProxy(limits) { proxy in
            let client = try TLSClient(proxy.port)
            client.shakeHands()
            _ = client.readToEnd()
            return try await proxy.settle()
        }

        #expect(seen.map(\.reaction) == [.inconclusive(.closedByUs(.timedOut))])
    }

    @Test func `a client that only connects and leaves proves nothing`() async throws {
        let seen = try await Fixture.withProxy { proxy in
            try Socket(port: proxy.port).close()
            return try await proxy.settle()
        }

        #expect(seen.map(\.reaction) == [.inconclusive(.nothingPresented)])
        #expect(seen.first?.end?.party == .client)
    }

    @Test(arguments: ["G", "GET / HTTP/1.1\r\nHost: api."])
    func `a request that is cut short has left the client all the same`(start: String) async throws {
        let seen = try await Fixture.withProxy { proxy in
            let client = try TLSClient(proxy.port)
            client.shakeHands()
            client.send(start)
            client.close()
            return try await proxy.settle()
        }

        #expect(seen.map(\.reaction) == [.accepted])
    }

    @Test(arguments: versions)
    func `a request that comes with the end of the handshake is answered after it`(
        version: ClosedRange<TLSVersion>
    ) async throws {
        // Only TLS 1.3 lets a client speak in the packet of its Finished; in TLS 1.2 it has to wait for ours.
        let seen = try await Fixture.withProxy { proxy in
            let client = try TLSClient(proxy.port, settings: TLSSettings(versions: version))
            client.shakeHands(thenSend: Fixture.request)
            #expect(client.ask("").hasSuffix(Fixture.bodyEnd))
            client.close()
            return try await proxy.settle()
        }

        #expect(seen.map(\.reaction) == [.accepted])
        #expect(seen.first?.events.map(\.kind).prefix(4) == ["connected", "hello", "presented", "established"])
    }

    @Test func `bytes that are no request are turned away, and prove nothing`() async throws {
        let seen = try await Fixture.withProxy { proxy in
            let client = try TLSClient(proxy.port)
            client.shakeHands()
            client.send("\u{1}\u{2}\u{3}\r\n\r\n")
            #expect(String(decoding: client.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            return try await proxy.settle()
        }

        guard case .inconclusive? = seen.first?.reaction else { return #expect(Bool(false), "\(seen)") }
    }

    @Test(arguments: versions)
    func `a tunnel leads to the same chain, and names the target`(version: ClosedRange<TLSVersion>) async throws {
        let seen = try await Fixture.withProxy { proxy in
            let client = try TLSClient(
                proxy.port,
                trust: Fixture.trust,
                settings: TLSSettings(versions: version),
                tunnel: "tunnel.example:8443"
            )
            client.shakeHands()
            #expect(client.ask().hasSuffix(Fixture.bodyEnd))
            client.close()
            return try await proxy.settle()
        }

        #expect(seen.map(\.reaction) == [.accepted])
        #expect(seen.first?.target == "tunnel.example")
    }

    @Test func `R9: a connection beyond the limit is closed at once and says why, and those within it go on`()
        async throws
    {
        let limits = ProxyConfiguration(connectionLimit: 1)

        let seen = try await Fixture.withProxy(limits) { proxy in
            let first = try TLSClient(proxy.port)
            first.shakeHands()
            #expect(try Socket(port: proxy.port).readToEnd() == [])
            #expect(first.ask().hasSuffix(Fixture.bodyEnd))
            first.close()
            _ = try await proxy.settle()
            // There is room again.
            let third = try TLSClient(proxy.port)
            third.shakeHands()
            _ = third.ask()
            third.close()
            return try await proxy.settle()
        }

        let turnedAway = Reaction.inconclusive(.closedByUs(.crowdedOut(open: 1)))
        #expect(seen.map(\.reaction) == [.accepted, turnedAway, .accepted])
        #expect(turnedAway.description == "was turned away at our limit of open connections, 1")
        // A refusal beside it may have had another cause.
        #expect(
            Wire(Array(seen[1...1]) + [Connection.alerting()])
                == .inconclusive(.connection(.closedByUs(.crowdedOut(open: 1))))
        )
    }

    @Test func `a host that no rule is for gets alert 80`() async throws {
        let rules = Presentation(rules: [(.exactly("other.example"), .always(.identity(Fixture.today)))])

        let (refused, served) = try await Fixture.withProxy(presenting: rules) { proxy in
            let client = try TLSClient(proxy.port)
            #expect(!client.shakeHands())
            #expect(client.alerts.map(\.number) == [80])
            let refused = try await proxy.settle()
            let other = try TLSClient(proxy.port, host: "OTHER.example")
            other.shakeHands()
            _ = other.ask()
            other.close()
            return (refused, try await proxy.settle().last)
        }

        #expect(refused.map(\.reaction) == [.inconclusive(.nothingPresented)])
        #expect(refused.first?.end?.party == .us)
        #expect(refused.first?.end?.how == .refused)
        #expect(served?.reaction == .accepted)
    }
}

extension ConnectionEvent {
    /// Which fact it is, without its details.
    var kind: String { String("\(self)".prefix { $0 != "(" }) }
}
