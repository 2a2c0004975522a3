import Foundation
import MitmProxy
import NIOCore
import TLSCore
import TestSupport
import Testing
import Witness

/// What an origin answers by route.
struct RouteTests {
    private static func answer(
        _ request: String,
        _ routes: [Route],
        isComplete: Bool = false,
        until end: String = "never"
    ) async throws -> (text: String, seen: [AnsweredRequest]) {
        var origin = Origin()
        origin.routes = routes
        origin.hasOnlyRoutes = isComplete
        return try await Fixture.withProxy(ProxyConfiguration(origin: origin)) { proxy in
            let client = try TLSClient(proxy.port)
            client.shakeHands()
            let text = client.ask(request, until: end)
            client.close()
            return (text, try await proxy.settle().flatMap(\.requests))
        }
    }

    private static func request(_ line: String, _ fields: String = "") -> String {
        "\(line) HTTP/1.1\r\nHost: api.acme.example\r\n\(fields)Connection: close\r\n\r\n"
    }

    @Test(arguments: [
        ("GET /a", "A"), ("GET /a?b=/c", "A"), ("GET https://x/a", "A"), ("GET /b/c/d", "B"), ("POST /a", "hello"),
        ("PUT /any", "P"), ("GET /ab", "hello"), ("GET /x.json", "J"), ("GET /xjson", "hello"),
    ])
    func `H13: the first route that matches answers`(line: String, body: String) async throws {
        let routes = [
            Route(path: "/a", body: Array("A".utf8)), Route(path: "/b/*", body: Array("B".utf8)),
            Route(path: "/*.json", body: Array("J".utf8)), Route(method: "*", path: "/any", body: Array("P".utf8)),
            Route(path: "/a", body: Array("never".utf8)),
        ]

        let answer = try await RouteTests.answer(RouteTests.request(line), routes)

        #expect(answer.text.contains("\r\n\r\n\(body)"), "\(answer.text)")
    }

    @Test func `H13: a route answers as often as it says, and then the next one does`() async throws {
        let busy = Route(path: "/*", status: 503, headers: [("retry-after", "0")], times: 2)
        let requests = String(repeating: Fixture.request, count: 2) + RouteTests.request("GET /")

        let answer = try await RouteTests.answer(requests, [busy])

        #expect(
            answer.text.components(separatedBy: "HTTP/1.1 503 Service Unavailable\r\nretry-after: 0\r\n").count == 3
        )
        #expect(answer.text.hasSuffix("\r\n\r\nhello from PinDrill\n"))
        #expect(answer.seen.map(\.status) == [503, 503, 200])
        #expect(answer.seen.map(\.isTrouble) == [true, true, false])
    }

    @Test func `HEAD is answered by the route of GET, without a body`() async throws {
        let routes = [Route(path: "/a", body: Array("A".utf8))]

        let answer = try await RouteTests.answer(RouteTests.request("HEAD /a"), routes)

        #expect(answer.text == "HTTP/1.1 200 OK\r\ncontent-length: 1\r\nconnection: close\r\n\r\n")
    }

    @Test(arguments: [
        ("https://other.example:1/x", "GET /x", "other.example", 200),
        ("https://other.example:1/x", "GET /x", "api.acme.example", 302),
        ("https://other.example:1/x", "GET /", "other.example", 302),
        ("http://other.example:1/x", "GET /x", "other.example", 302),
        ("/x", "GET /x", "api.acme.example", 200), ("/x", "GET /y", "api.acme.example", 302),
    ])
    func `H13: a redirect to the very place that was asked for is passed over`(
        location: String,
        line: String,
        host: String,
        status: Int
    ) async throws {
        let routes = [Route(path: "/*", status: 302, headers: [("location", location)])]
        let request = "\(line) HTTP/1.1\r\nHost: \(host):1\r\nConnection: close\r\n\r\n"

        let answer = try await RouteTests.answer(request, routes)

        #expect(answer.text.hasPrefix("HTTP/1.1 \(status) "), "\(answer.text)")
    }

    @Test(arguments: [
        (Route.Failure.silence, ""), (.head, "HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\n"),
        (.truncated, "HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\nab"),
    ])
    func `an answer fails where it is told to`(failure: Route.Failure, text: String) async throws {
        let routes = [Route(path: "/", body: Array("abcd".utf8), failure: failure)]

        let answer = try await RouteTests.answer(Fixture.request, routes)

        #expect(answer.text == text)
        #expect(answer.seen.map(\.isTrouble) == [true])
    }

    @Test func `what is held back comes in its turn`() async throws {
        let routes = [Route(path: "/slow", body: Array("S".utf8), delay: .milliseconds(20))]
        let requests = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n" + RouteTests.request("GET /")

        let answer = try await RouteTests.answer(requests, routes)

        #expect(
            answer.text == "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nS"
                + OriginTests.kept.changing("20\r\n", to: "20\r\nconnection: close\r\n")
        )
    }

    @Test(arguments: [
        ("/nothing", true, 404), ("/", true, 200), ("/a", true, 200), ("/pindrill.git/HEAD", true, 200),
        ("/nothing", false, 200),
    ])
    func `what a whole origin does not have is missing, and said to be`(
        path: String,
        isComplete: Bool,
        status: Int
    ) async throws {
        let answer = try await RouteTests.answer(
            RouteTests.request("GET \(path)?key=value"),
            [Route(path: "/a")],
            isComplete: isComplete
        )

        #expect(answer.text.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.seen == [AnsweredRequest(method: "GET", path: path, status: status, isMissing: status == 404)])
    }

    @Test(arguments: [
        ("application/json", true), ("text/html, Application/JSON;q=0.5", true), ("application/problem+json", true),
        ("*/*", false), ("text/plain, application/jsonp", false),
    ])
    func `who asks for JSON is given JSON`(type: String, isJSON: Bool) async throws {
        let answer = try await RouteTests.answer(RouteTests.request("GET /v1/x", "Accept: \(type)\r\n"), [])

        #expect(answer.text.contains("content-type: application/json\r\n") == isJSON)
        #expect(answer.text.hasSuffix("\r\n\r\n{}\n") == isJSON)
    }

    @Test func `an origin with a body of its own is not asked for JSON`() async throws {
        let answer = try await OriginTests.answer(
            RouteTests.request("GET /", "Accept: application/json\r\n"),
            origin: Origin(body: Array("mine".utf8)),
            until: "never"
        )

        #expect(answer.text.hasSuffix("\r\n\r\nmine"))
    }
}
