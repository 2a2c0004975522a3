import Foundation
import NIOCore
import NIOEmbedded
import TLSCore
import TestSupport
import Testing
import Witness

@testable import MitmProxy

/// Answers that are more than a page, in both versions of HTTP.
struct AnswerTests {
    private static func serving<Result>(
        _ route: Route,
        canary: Canary? = nil,
        _ body: (InterceptingProxy) async throws -> Result
    ) async throws -> Result {
        var origin = Origin()
        origin.routes = [route]
        var configuration = ProxyConfiguration(origin: origin)
        configuration.canary = canary
        return try await Fixture.withProxy(configuration, body)
    }

    private static func connect(_ proxy: InterceptingProxy, _ version: String) throws -> TLSClient {
        let client = try TLSClient(proxy.port, settings: TLSSettings(applicationProtocols: [version]))
        client.shakeHands()
        return client
    }

    private static func frames(_ request: [UInt8], from proxy: InterceptingProxy) throws -> [H2.Frame] {
        let client = try connect(proxy, "h2")
        client.send(H2.opening + request)
        client.readBytes { H2.frames($0).isWhole() }
        defer { client.close() }
        return H2.frames(client.received)
    }

    @Test func `an echo is what was asked, as JSON`() async throws {
        try await Self.serving(Route(method: "*", path: "/*", kind: .echo)) { proxy in
            let client = try Self.connect(proxy, "http/1.1")
            let answer = client.ask("PUT /a?b=c HTTP/1.1\r\nHost: x\r\nTag: 1\r\nTAG: 2\r\n\r\n", until: "}\n")
            client.close()
            let more = H2.field("tag", "1") + H2.field("tag", "2")
            let frames = try Self.frames(H2.request(method: "PUT", path: "/a?b=c", more), from: proxy)

            let head = "{\"headers\":{\"host\":"
            let end = ",\"tag\":\"1, 2\"},\"method\":\"PUT\",\"path\":\"/a?b=c\"}\n"
            #expect(answer.hasSuffix("\r\n\r\n\(head)\"x\"\(end)"))
            #expect(answer.contains("content-type: application/json\r\n"))
            #expect(frames.body() == "\(head)\"\(Fixture.host)\"\(end)")
        }
    }

    @Test func `a download is as long as it says`() async throws {
        let count = 3_000_001
        try await Self.serving(Route(path: "/big", kind: .download(count))) { proxy in
            let client = try Self.connect(proxy, "http/1.1")
            client.send("GET /big HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
            client.readBytes { $0.ends(with: Fixture.bodyEnd.utf8) }
            let text = String(decoding: client.received, as: UTF8.self)
            #expect(text.contains("content-length: \(count)\r\n"))
            #expect(text.utf8.count { $0 == UInt8(ascii: "p") } > count)
            client.close()
        }
    }

    @Test func `a download over HTTP/2 waits for its windows`() async throws {
        let count = 200_001
        try await Self.serving(Route(path: "/big", kind: .download(count))) { proxy in
            let client = try Self.connect(proxy, "h2")
            client.send(H2.preface + H2.settings + H2.request(path: "/big"))
            client.readBytes { H2.frames($0).body().utf8.count == 65_535 }
            #expect(H2.frames(client.received).body().utf8.count == 65_535, "the first window (RFC 9113 section 6.9.2)")
            let window: [UInt8] = [0, 0x10, 0, 0]
            client.send(H2.frame(8, payload: window) + H2.frame(8, on: 1, payload: window))
            client.readBytes { H2.frames($0).isWhole() }
            #expect(H2.frames(client.received).body().utf8.count == count)
            client.close()
        }
    }

    @Test func `events come in turn, and end`() async throws {
        let events = [Route.Event("data: 1\n\n"), Route.Event("data: 2\n\n", delay: .milliseconds(1))]
        let type = [(name: "content-type", value: "text/event-stream")]
        try await Self.serving(Route(path: "/events", headers: type, kind: .events(events))) { proxy in
            let client = try Self.connect(proxy, "http/1.1")
            let new = client.ask("GET /events HTTP/1.1\r\nHost: x\r\n\r\n", until: "0\r\n\r\n")
            #expect(
                new.hasSuffix("transfer-encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n")
            )
            client.send("GET /events HTTP/1.0\r\n\r\n")
            let old = String(decoding: client.readToEnd(), as: UTF8.self)
            #expect(old.hasSuffix("connection: close\r\n\r\ndata: 1\n\ndata: 2\n\n"))

            let frames = try Self.frames(H2.request(path: "/events"), from: proxy)
            #expect(frames.body() == "data: 1\n\ndata: 2\n\n")
        }
    }

    @Test func `a call of gRPC is answered with a message and trailers`() async throws {
        let route = Route(method: "POST", path: "/acme.Shop/Buy", body: [8, 1], kind: .call(status: 5))
        try await Self.serving(route) { proxy in
            let call = H2.field("content-type", "application/grpc+proto") + H2.field("te", "trailers")
            let message = H2.frame(0, flags: 1, on: 1, payload: [0, 0, 0, 0, 0])
            let declared = H2.request(method: "POST", path: "/acme.Shop/Buy", call, ends: false) + message
            let other = H2.request(method: "POST", path: "/acme.Shop/Sell", call, ends: false) + message

            let frames = try Self.frames(declared, from: proxy)
            #expect(frames.first(0)?.payload == [0, 0, 0, 0, 2, 8, 1])
            #expect(frames.filter { $0.type == 1 }.map(\.flags) == [4, 5], "the trailers end it")
            // An empty message is a whole one of any type.
            #expect(try Self.frames(other, from: proxy).first(0)?.payload == [0, 0, 0, 0, 0])

            let client = try Self.connect(proxy, "http/1.1")
            let old = client.ask("POST /acme.Shop/Buy HTTP/1.1\r\nHost: x\r\n\r\n", until: "gRPC needs HTTP/2.\n")
            #expect(old.hasPrefix("HTTP/1.1 505 "))
            client.close()
        }
    }

    private static let upgrade =
        "GET /chat HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

    /// Masked, as a client's is (RFC 6455 section 5.3).
    private static func frame(_ code: UInt8, _ text: String) -> [UInt8] {
        let mask: [UInt8] = [1, 2, 3, 4]
        return [0x80 | code, 0x80 | UInt8(text.utf8.count)] + mask + text.utf8.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    @Test func `a WebSocket is accepted as RFC 6455 has it, and its frames come back`() async throws {
        let canary = Canary()
        let token = canary.token()
        let seen = try await Self.serving(Route(path: "/chat", kind: .webSocket), canary: canary) { proxy in
            let client = try Self.connect(proxy, "http/1.1")
            client.send(
                Array("\(Self.upgrade)Sec-WebSocket-Protocol: chat, other\r\n\r\n".utf8) + Self.frame(1, "hello")
            )
            client.readBytes { $0.ends(with: "hello".utf8) }
            let text = String(decoding: client.received, as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
            #expect(text.contains("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
            #expect(text.contains("sec-websocket-protocol: chat\r\n"))

            client.send(Self.frame(9, "ping") + Self.frame(2, token) + Self.frame(8, "\u{3}\u{8}bye"))
            let end = client.readToEnd()
            #expect(end.ends(with: [0x88, 5] + Array("\u{3}\u{8}bye".utf8)))
            #expect(String(decoding: end, as: UTF8.self).contains(token))
            return try await proxy.settle()
        }

        #expect(seen.map(\.reaction) == [.accepted])
        #expect(seen.first?.requests.map(\.status) == [101])
        #expect(seen.first?.leaks.map(\.place) == [.body])
        #expect(seen.first?.end?.party == .client)
    }

    @Test func `who asks for no WebSocket there is told so`() async throws {
        let answer = try await Self.serving(Route(path: "/chat", kind: .webSocket)) { proxy in
            try Self.connect(proxy, "http/1.1").ask(
                "GET /chat HTTP/1.1\r\nHost: x\r\n\r\n",
                until: "WebSockets only.\n"
            )
        }
        // Without a route, a WebSocket is what its client needs.
        let other = try await Fixture.withProxy { proxy in
            try Self.connect(proxy, "http/1.1").ask("\(Self.upgrade)\r\n", until: "\r\n\r\n")
        }

        #expect(answer.hasPrefix("HTTP/1.1 426 Upgrade Required\r\n") && answer.contains("upgrade: websocket\r\n"))
        #expect(other.hasPrefix("HTTP/1.1 101 "))
    }

    @Test func `whatever is damaged in its frames, there is one end and no crash`() throws {
        let good = Self.frame(1, "hello") + Self.frame(9, "ping") + Self.frame(2, "bytes") + Self.frame(8, "\u{3}\u{8}")
        var random = SplitMix64(seed: 6455)
        for round in 0..<DamagedInputs.count(of: 100_000) {
            var bytes = good
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                default: bytes.insert(contentsOf: random.bytes(3), at: place)
                }
            }
            let codec = try Codec(WebSocketEcho.handlers)

            _ = try? codec.channel.writeInbound(ByteBuffer(bytes: bytes))
            _ = try? codec.channel.finish(acceptAlreadyClosed: true)

            #expect(codec.ends.count == 1, "round \(round): \(bytes)")
        }
    }
}
