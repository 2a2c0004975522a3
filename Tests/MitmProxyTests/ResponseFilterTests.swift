import MitmProxy
import NIOCore
import TestSupport
import Testing

/// Answers of real servers, without what leads their clients to QUIC.
struct ResponseFilterTests {
    private static let altSvc = "Alt-Svc: h3=\":443\"; ma=86400,\r\n h3-29=\":443\"\r\n"

    private static let answers: [(asked: [String], said: String)] = [
        (["GET"], "HTTP/1.1 200 OK\r\n@Content-Length: 23\r\n\r\nAlt-Svc: stays in here\n"),
        (["GET"], "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n@\r\n"),
        (
            ["HEAD", "GET"],
            "HTTP/1.1 200 OK\r\n@Content-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\n@Content-Length: 1\r\n\r\n."
        ),
        (["GET"], "HTTP/1.1 103 Early Hints\r\n@\r\nHTTP/1.1 204 No Content\r\n@Server: x\r\n\r\n"),
        (
            ["GET", "GET"],
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n@\r\n9;x=y\r\nAlt-Svc: \r\n0\r\nT: 1\r\n\r\n"
                + "HTTP/1.1 304 Not Modified\r\n@Content-Length: 77\r\n\r\n"
        ),
        (["GET"], "HTTP/1.0 200 OK\r\n@\r\nHTTP/1.1 200 OK\r\nAlt-Svc: in a body without an end\r\n"),
        (["GET"], "HTTP/1.1 101 Switching Protocols\r\n@\r\nAlt-Svc: in a WebSocket\r\n"),
        (["GET"], "220 no HTTP at all"),
        (["GET"], "\u{0}\u{1}\u{2}"),
        ([], "HTTP/1.1 200 OK\nalt-svcs: no\nX: Alt-Svc: no\nContent-Length: 0\n\n"),
        (["GET"], "HTTP/1.1 200 OK\r\n:\r\n: \r\n@Content-Length: 0\r\n\r\n"),
    ]

    @Test(arguments: answers)
    func `lose Alt-Svc and nothing else, wherever they are split`(asked: [String], said: String) {
        let bytes = Array(said.replacing("@", with: Self.altSvc).utf8)
        for split in 0...bytes.count {
            var filter = ResponseFilter()
            for method in asked { filter.expectAnswer(to: method) }

            var heard = filter.pass(ByteBuffer(bytes: bytes[..<split]))
            heard.writeImmutableBuffer(filter.pass(ByteBuffer(bytes: bytes[split...])))
            heard.writeImmutableBuffer(filter.rest())

            #expect(String(buffer: heard) == said.replacing("@", with: ""), "split at \(split)")
        }
    }

    @Test func `whatever is damaged, nothing else is lost and nothing is added`() {
        let answers = Self.answers.map { ($0.asked, Array($0.said.replacing("@", with: Self.altSvc).utf8)) }
        var random = SplitMix64(seed: 7838)
        for round in 0..<DamagedInputs.count(of: 100_000) {
            var (asked, bytes) = answers[round % answers.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var filter = ResponseFilter()
            for method in asked { filter.expectAnswer(to: method) }

            var heard = filter.pass(ByteBuffer(bytes: bytes))
            heard.writeImmutableBuffer(filter.rest())

            var left = bytes[...]
            let isPart = heard.readableBytesView.allSatisfy { byte in
                left = left.drop { $0 != byte }
                return left.popFirst() != nil
            }
            #expect(isPart, "round \(round): \(bytes)")
        }
    }
}
