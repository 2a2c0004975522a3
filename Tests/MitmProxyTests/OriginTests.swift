import Foundation
import MitmProxy
import NIOCore
import TLSCore
import TestSupport
import Testing
import Witness

/// What a client is answered once it has sent its request.
struct OriginTests {
    /// One connection, one write, and everything that came back until the proxy closed, or sent `end`.
    static func answer(
        _ request: String,
        origin: Origin = Origin(),
        until end: String = Fixture.bodyEnd
    ) async throws -> (text: String, isOver: Bool) {
        try await Fixture.withProxy(ProxyConfiguration(origin: origin)) { proxy in
            let client = try TLSClient(proxy.port)
            client.shakeHands()
            return (client.ask(request, until: end), client.isOver)
        }
    }

    static let kept = """
        HTTP/1.1 200 OK\r
        content-type: text/plain; charset=utf-8\r
        content-length: 20\r
        \r
        hello from PinDrill

        """

    @Test func `a connection is kept alive, and asked again`() async throws {
        let seen = try await Fixture.withProxy { proxy in
            let client = try TLSClient(proxy.port)
            client.shakeHands()
            #expect(client.ask() == OriginTests.kept)
            #expect(client.ask() == OriginTests.kept)
            client.close()
            return try await proxy.settle()
        }

        #expect(seen.count == 1)
        #expect(seen.first?.bytesReceived == 2 * Fixture.request.utf8.count)
    }

    @Test func `requests that come in one packet are answered in turn`() async throws {
        let answer = try await OriginTests.answer(
            Fixture.request + "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            until: "never"
        )

        #expect(
            answer.text == OriginTests.kept + OriginTests.kept.changing("20\r\n", to: "20\r\nconnection: close\r\n")
        )
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "connection: close\r\n"),
        ("GET / HTTP/1.0\r\n\r\n", "connection: close\r\n"),
        ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "connection: keep-alive\r\n"),
    ])
    func `the answer says whether the connection lives on, and so it does`(
        request: String,
        header: String
    ) async throws {
        let end = header.contains("close") ? "never" : Fixture.bodyEnd

        let answer = try await OriginTests.answer(request, until: end)

        #expect(answer.text == OriginTests.kept.changing("20\r\n", to: "20\r\n\(header)"))
        #expect(answer.isOver == header.contains("close"))
    }

    @Test func `an origin that says it closes does`() async throws {
        let answer = try await OriginTests.answer(
            Fixture.request,
            origin: Origin(headers: [("Connection", "Close")]),
            until: "never"
        )

        #expect(answer.isOver)
        #expect(answer.text.hasSuffix(Fixture.bodyEnd))
    }

    @Test func `of the headers, those that frame the answer are ours`() async throws {
        let origin = Origin(headers: [("Content-Length", "7"), ("Transfer-Encoding", "chunked"), ("Connection", "x")])

        let answer = try await OriginTests.answer(Fixture.request, origin: origin)

        #expect(answer.text == "HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nhello from PinDrill\n")
    }

    @Test func `what is no request is answered with 400, and nothing behind it is`() async throws {
        let answer = try await OriginTests.answer(Fixture.request + "GET /\r\n" + Fixture.request, until: "never")

        #expect(
            answer.text == OriginTests.kept
                + "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
        )
        #expect(answer.isOver)
    }

    @Test func `nothing is answered behind the last answer`() async throws {
        let last = "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"

        let answer = try await OriginTests.answer(last + Fixture.request, until: "never")

        #expect(answer.text == OriginTests.kept.changing("20\r\n", to: "20\r\nconnection: close\r\n"))
        #expect(answer.isOver)
    }

    @Test(arguments: [
        ("/a?b", "A"), ("/a", "A"), ("https://host/a?b", "A"), ("/b/a", "else"), ("/", "else"), ("/?x=/a", "else"),
    ])
    func `a page is found by its path`(target: String, body: String) async throws {
        let origin = Origin(body: Array("else".utf8), pages: ["/a": Array("A".utf8)])
        let request = "GET \(target) HTTP/1.1\r\nConnection: close\r\n\r\n"

        let answer = try await OriginTests.answer(request, origin: origin, until: "never")

        #expect(answer.text.hasSuffix("\r\n\r\n\(body)"))
    }

    @Test func `HEAD is answered without a body`() async throws {
        let answer = try await OriginTests.answer(
            "HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
        )

        #expect(answer.text == OriginTests.kept.dropLast(Fixture.bodyEnd.count) + OriginTests.kept)
    }

    @Test(arguments: [204, 304])
    func `a status that has no body is sent without one`(status: Int) async throws {
        let answer = try await OriginTests.answer(Fixture.request, origin: Origin(status: status), until: "\r\n\r\n")

        #expect(answer.text.hasPrefix("HTTP/1.1 \(status) "))
        #expect(!answer.text.contains("hello") && !answer.text.contains("content-length"))
    }

    @Test func `a client that waits for permission is told to continue`() async throws {
        let (go, answer) = try await Fixture.withProxy { proxy in
            let client = try TLSClient(proxy.port)
            client.shakeHands()
            let go = client.ask(
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-Continue\r\n\r\n",
                until: "\r\n\r\n"
            )
            return (go, client.ask("abc"))
        }

        #expect(go == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(answer == OriginTests.kept)
    }

    @Test func `status, headers and body are the origin's`() async throws {
        let origin = Origin(status: 503, headers: [("retry-after", "1"), ("x", "y")], body: Array("no".utf8))

        let answer = try await OriginTests.answer(Fixture.request, origin: origin, until: "no")

        #expect(
            answer.text == "HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nx: y\r\ncontent-length: 2\r\n\r\nno"
        )
    }

    @Test(arguments: [true, false])
    func `a large body arrives whole, even before a close`(closes: Bool) async throws {
        let origin = Origin(body: Array(repeating: 0x61, count: 8_000_000) + Array("end".utf8))
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\(closes ? "Connection: close\r\n" : "")\r\n"

        let answer = try await OriginTests.answer(request, origin: origin, until: closes ? "never" : "end")

        #expect(answer.text.utf8.count > 8_000_000)
        #expect(answer.text.hasSuffix("aend"))
    }

    enum Half: CaseIterable { case closeNotify, end, both }

    @Test(arguments: Half.allCases, [20, 4_000_000])
    func `a client that says it is done still gets its answer`(half: Half, size: Int) async throws {
        let body = Array(repeating: UInt8(ascii: "a"), count: size)

        let (text, seen) = try await Fixture.withProxy(ProxyConfiguration(origin: Origin(body: body))) { proxy in
            let client = try TLSClient(proxy.port)
            client.shakeHands()
            var bytes = client.seal(Fixture.request)
            // The client's own engine reads no more once it has said goodbye: count the bytes that come.
            if half != .end { bytes += client.sealGoodbye() }
            client.socket.write(bytes)
            if half != .closeNotify { client.socket.shutWritingSide() }
            let count = half == .end ? client.readToEnd().count : client.socket.readToEnd().count
            return (count, try await proxy.settle())
        }

        #expect(text > size)
        #expect(seen.map(\.reaction) == [.accepted])
        #expect(seen.first?.end?.party == .client)
    }
}
