import MitmProxy
import NIOCore
import TLSCore
import Testing
import Witness

/// A real server behind our TLS.
struct RelayTests {
    private static func presentation(of identity: Identity = Fixture.forged, to upstream: Upstream) -> Presentation {
        var presentation = Presentation(identity)
        presentation.relay = upstream
        return presentation
    }

    private static func secure(
        _ port: Int,
        trust: TrustStore = Fixture.trust,
        name: String = Fixture.host
    ) -> Upstream {
        Upstream(host: "127.0.0.1", port: port, tls: .init(trust: trust, name: name, now: { Fixture.now }))
    }

    // A certificate of its own is an anchor.
    private static let trust = try! TrustStore([TrustAnchor(Fixture.stranger.certificate)])

    @Test func `answers come from the server behind us, and the chain from us`() async throws {
        let origin = Origin(body: Array("genuine\n".utf8))
        try await Fixture.withProxy(ProxyConfiguration(origin: origin)) { genuine in
            try await Fixture.withProxy(presenting: Self.presentation(to: Self.secure(genuine.port))) { proxy in
                let client = try TLSClient(proxy.port, trust: Self.trust)

                #expect(client.shakeHands())
                #expect(client.ask(until: "genuine\n").hasSuffix("genuine\n"))
                client.close()

                let seen = try await proxy.settle()
                #expect(seen.map(\.reaction) == [.accepted])
                #expect(seen.first?.shown == ["forged"])
                #expect(seen.first?.requestCount == 1)
                #expect(try await genuine.settle().map(\.reaction) == [.accepted])
            }
        }
    }

    @Test func `who is answered by a real server is not told that it speaks QUIC`() async throws {
        let origin = Origin(headers: [("Alt-Svc", "h3=\":443\""), ("X-Kept", "yes")], body: Array("genuine\n".utf8))
        try await Fixture.withProxy(ProxyConfiguration(origin: origin)) { genuine in
            try await Fixture.withProxy(presenting: Self.presentation(to: Self.secure(genuine.port))) { proxy in
                let client = try TLSClient(proxy.port, trust: Self.trust)
                #expect(client.shakeHands())

                for _ in 0..<2 {
                    let answer = client.ask(until: "genuine\n").lowercased()

                    #expect(answer.contains("x-kept: yes"))
                    #expect(!answer.contains("alt-svc"))
                }
                client.close()
            }
        }
    }

    @Test func `who refuses our chain has refused it, and asked nobody`() async throws {
        try await Fixture.withProxy { genuine in
            try await Fixture.withProxy(presenting: Self.presentation(to: Self.secure(genuine.port))) { proxy in
                let client = try TLSClient(proxy.port, trust: Fixture.trust)

                #expect(!client.shakeHands())
                client.close()

                #expect(try await proxy.settle().map(\.reaction.isRejected) == [true])
                #expect(try await genuine.settle().allSatisfy { $0.bytesReceived == 0 })
            }
        }
    }

    @Test func `what is no HTTP goes both ways`() async throws {
        try await RawServer.with(.echoing) { port in
            let upstream = Upstream(host: "127.0.0.1", port: port)
            try await Fixture.withProxy(presenting: Self.presentation(to: upstream)) { proxy in
                let client = try TLSClient(proxy.port, trust: Self.trust)
                #expect(client.shakeHands())

                let upgrade = "GET /echo HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
                #expect(client.ask(upgrade, until: "\r\n\r\n") == upgrade)
                // Text frames of a client are masked (RFC 6455 section 5.2).
                for word in ["\u{01}\u{05}hello\n", "\u{7f}world\n"] { #expect(client.ask(word, until: "\n") == word) }
                client.close()

                #expect(try await proxy.settle().map(\.reaction) == [.accepted])
            }
        }
    }

    @Test func `each direction ends for itself`() async throws {
        try await RawServer.with(.counting) { port in
            let upstream = Upstream(host: "127.0.0.1", port: port)
            try await Fixture.withProxy(presenting: Self.presentation(to: upstream)) { proxy in
                let client = try TLSClient(proxy.port, trust: Self.trust)
                #expect(client.shakeHands())

                client.send("POST / HTTP/1.1\r\n\r\n" + String(repeating: "x", count: 1_000_000))
                client.finish()

                #expect(String(decoding: client.readToEnd(), as: UTF8.self) == "1000019 bytes")
            }
        }
    }

    @Test func `a server that nobody trusts, or that is not there, is no refusal of the client's`() async throws {
        try await Fixture.withProxy { genuine in
            try await RawServer.with(.absent) { absent in
                let cases: [(Upstream, String)] = [
                    (Self.secure(genuine.port, trust: Self.trust), "its certificate is not trusted"),
                    (Self.secure(genuine.port, name: "other.example"), "its certificate is not trusted"),
                    (Self.secure(absent), "it broke the connection off"),
                    (Upstream(host: "localhost", port: genuine.port), "not public"),
                ]
                for (upstream, reason) in cases {
                    try await Fixture.withProxy(presenting: Self.presentation(to: upstream)) { proxy in
                        let client = try TLSClient(proxy.port, trust: Self.trust)

                        #expect(!client.shakeHands(), "\(reason)")

                        let seen = try await proxy.settle()
                        guard case .closed(by: .us, .upstream(let why))? = seen.first?.events.last else {
                            Issue.record("\(reason): \(seen)")
                            return
                        }
                        #expect(why.contains(reason))
                        #expect(seen.first?.reaction.isRejected == false)
                    }
                }
            }
        }
    }

    @Test func `a server that breaks off is named, and its answer is not made whole`() async throws {
        try await RawServer.with(.resetting) { port in
            let upstream = Upstream(host: "127.0.0.1", port: port)
            try await Fixture.withProxy(presenting: Self.presentation(to: upstream)) { proxy in
                let client = try TLSClient(proxy.port, trust: Self.trust)
                #expect(client.shakeHands())

                client.send(Fixture.request)
                _ = client.readToEnd()

                #expect(client.alerts.isEmpty)
                #expect(
                    try await proxy.settle().first?.events.last
                        == .closed(by: .us, .upstream("it broke the connection off"))
                )
            }
        }
    }

    @Test(arguments: [true, false])
    func `a server that says nothing is named, before the handshake and after the request`(isSecure: Bool) async throws
    {
        try await RawServer.with(.silent) { port in
            let upstream = isSecure ? Self.secure(port) : Upstream(host: "127.0.0.1", port: port)
            let patience = ProxyConfiguration(
                handshakeTimeout: .milliseconds(isSecure ? 200 : 5000),
                idleTimeout: .milliseconds(200)
            )
            try await Fixture.withProxy(patience, presenting: Self.presentation(to: upstream)) { proxy in
                let client = try TLSClient(proxy.port, trust: Self.trust)
                #expect(client.shakeHands() == !isSecure)
                if !isSecure { client.send(Fixture.request) }
                _ = client.readToEnd()

                let seen = try await proxy.settle().first
                #expect(seen?.events.last == .closed(by: .us, .upstream("it did not answer in time")))
                #expect(seen?.reaction.isRejected == false)
            }
        }
    }

    @Test func `a client that says nothing is no fault of the server's`() async throws {
        try await RawServer.with(.silent) { port in
            let upstream = Upstream(host: "127.0.0.1", port: port)
            let patience = ProxyConfiguration(idleTimeout: .milliseconds(200))
            try await Fixture.withProxy(patience, presenting: Self.presentation(to: upstream)) { proxy in
                let client = try TLSClient(proxy.port, trust: Self.trust)
                #expect(client.shakeHands())
                _ = client.readToEnd()

                #expect(try await proxy.settle().first?.events.last == .closed(by: .us, .timedOut))
            }
        }
    }

    @Test func `a real server is reached through a proxy, where there is one`() async throws {
        try await Fixture.withProxy { genuine in
            var company = Presentation(rules: [])
            company.routing = Routing(
                routes: [.init(try #require(HostPattern(":\(genuine.port)")), .pass)],
                others: .refuse,
                reachable: [try #require(AddressRange("127.0.0.1"))]
            )
            try await Fixture.withProxy(presenting: company) { gate in
                var configuration = ProxyConfiguration()
                configuration.upstreamProxy = UpstreamProxy("http://127.0.0.1:\(gate.port)")
                let presentation = Self.presentation(to: Self.secure(genuine.port))
                try await Fixture.withProxy(configuration, presenting: presentation) { proxy in
                    let client = try TLSClient(proxy.port, trust: Self.trust)
                    #expect(client.shakeHands())
                    #expect(client.ask(until: Fixture.bodyEnd).hasSuffix(Fixture.bodyEnd))
                    client.close()

                    #expect(try await gate.settle().compactMap(\.target) == ["127.0.0.1"])
                }
            }
        }
    }

    @Test func `a proxy that lets nobody through is named`() async throws {
        var company = Presentation(rules: [])
        company.routing = Routing(others: .refuse)
        try await Fixture.withProxy(presenting: company) { gate in
            var configuration = ProxyConfiguration()
            configuration.upstreamProxy = UpstreamProxy("http://127.0.0.1:\(gate.port)")
            let upstream = Upstream(host: "api.acme.example", port: 443)
            try await Fixture.withProxy(configuration, presenting: Self.presentation(to: upstream)) { proxy in
                #expect(try !TLSClient(proxy.port, trust: Self.trust).shakeHands())

                guard case .closed(by: .us, .upstream(let why))? = try await proxy.settle().first?.events.last else {
                    Issue.record("nobody is blamed")
                    return
                }
                #expect(why.contains("the proxy 127.0.0.1:\(gate.port) answered 'HTTP/1.1 403 Forbidden'"))
            }
        }
    }

    @Test func `a proxy is shown who asks`() throws {
        var proxy = try #require(UpstreamProxy("http://proxy.example:3128"))
        proxy.credentials = "user:pass"

        #expect(proxy.request(for: "::1", 443).contains("CONNECT [::1]:443 HTTP/1.1\r\n"))
        #expect(proxy.request(for: "a", 1).contains("Proxy-Authorization: Basic dXNlcjpwYXNz\r\n"))
        #expect(UpstreamProxy("socks5://proxy.example") == nil)
    }
}
