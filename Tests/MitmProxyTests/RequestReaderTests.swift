import NIOCore
import TestSupport
import Testing

@testable import MitmProxy

/// What is read out of the bytes that a client sends an origin.
struct RequestReaderTests {
    typealias Event = RequestReader.Event

    /// All events, and whether the bytes turned out malformed, for bytes that come in pieces of one size.
    static func read(
        _ bytes: some Sequence<UInt8>,
        inPiecesOf size: Int = .max
    ) -> (events: [Event], isMalformed: Bool) {
        var reader = RequestReader()
        var events: [Event] = []
        var rest = ByteBuffer(bytes: bytes)
        while rest.readableBytes > 0, var piece = rest.readSlice(length: min(size, rest.readableBytes)) {
            do throws(RequestReader.Malformed) {
                while let event = try reader.next(&piece) { events.append(event) }
            } catch {
                return (events, true)
            }
        }
        return (events, false)
    }

    static func get(
        _ target: String,
        method: String = "GET",
        minorVersion: Int = 1,
        isKeepAlive: Bool = true,
        host: String? = nil
    ) -> Event {
        .request(
            .init(method: method, target: target, minorVersion: minorVersion, isKeepAlive: isKeepAlive, host: host)
        )
    }

    /// Requests that are whole, and what is read of them.
    static let good: [(String, [Event])] = [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", [get("/", host: "a")]),
        ("\r\n\r\nGET / HTTP/1.1\r\n\r\n", [get("/")]),
        ("GET / HTTP/1.1\nHost: a\n\n", [get("/", host: "a")]),
        ("GET http://a/b?c HTTP/1.1\r\n\r\n", [get("http://a/b?c")]),
        ("GET / HTTP/1.0\r\n\r\n", [get("/", minorVersion: 0, isKeepAlive: false)]),
        ("GET / HTTP/1.0\r\nconnection: Keep-Alive\r\n\r\n", [get("/", minorVersion: 0)]),
        ("GET / HTTP/1.1\r\nCONNECTION:  x , Close \t\r\n\r\n", [get("/", isKeepAlive: false)]),
        ("GET / HTTP/1.1\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n", [get("/", isKeepAlive: false)]),
        ("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n", [get("/a"), get("/b")]),
        (
            "PUT /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nG\r\nGET /b HTTP/1.1\r\n\r\n",
            [get("/a", method: "PUT"), get("/b")]
        ),
        ("PUT /a HTTP/1.1\r\nContent-Length: 0\r\n\r\nGET /b HTTP/1.1\r\n\r\n", [get("/a", method: "PUT"), get("/b")]),
        (
            "PUT /a HTTP/1.1\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n"
                + "a;x=y\r\n0123456\r\n9\r\n1\r\n0\r\n0\r\nTrailer: x\r\n\r\nGET /b HTTP/1.1\r\n\r\n",
            [get("/a", method: "PUT"), get("/b")]
        ),
        (
            "PUT / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\nab",
            [.holdsBackBody, get("/", method: "PUT")]
        ),
        // Neither a client without a body nor one of HTTP/1.0 waits for permission.
        ("GET / HTTP/1.1\r\nExpect: 100-continue\r\n\r\n", [get("/")]),
        (
            "PUT / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na",
            [get("/", method: "PUT", minorVersion: 0, isKeepAlive: false)]
        ),
    ]

    @Test(arguments: good)
    func `requests are read, however they are cut`(text: String, events: [Event]) {
        for size in [1, 2, 3, 7, .max] {
            let read = RequestReaderTests.read(text.utf8, inPiecesOf: size)
            #expect(read.events == events, "in pieces of \(size)")
            #expect(!read.isMalformed)
        }
    }

    @Test(arguments: good)
    func `a request is not there before its last byte`(text: String, events: [Event]) {
        #expect(RequestReaderTests.read(text.utf8.dropLast()).events == events.dropLast())
    }

    @Test(arguments: [
        "GET /\r\n", "GET / HTTP/1.1 \r\n", "GET  / HTTP/1.1\r\n", " GET / HTTP/1.1\r\n", "GET / HTTP/2.0\r\n",
        "GET / http/1.1\r\n", "GET /\u{1} HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        // No line ends here, and no client waits for an answer.
        "\u{1}", "GE(", "{\"a\":",
        "GET / HTTP/1.1\r\nHost\r\n", "GET / HTTP/1.1\r\n: a\r\n", "GET / HTTP/1.1\r\nHost : a\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n b\r\n", "GET / HTTP/1.1\r\nHost: a\u{0}b\r\n",
        "GET / HTTP/1.1\r\nHost: a\rb\r\n",
        "PUT / HTTP/1.1\r\nContent-Length: +3\r\n", "PUT / HTTP/1.1\r\nContent-Length: \r\n",
        "PUT / HTTP/1.1\r\nContent-Length: 3, 3\r\n", "PUT / HTTP/1.1\r\nContent-Length: f\r\n",
        "PUT / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 3\r\n",
        "PUT / HTTP/1.1\r\nContent-Length: 9223372036854775808\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nx\r\n",
    ])
    func `what is no request is malformed, however it is cut`(text: String) {
        for size in [1, 2, .max] {
            let read = RequestReaderTests.read(text.utf8, inPiecesOf: size)
            #expect(read.isMalformed, "in pieces of \(size)")
            #expect(read.events.isEmpty)
        }
    }

    @Test func `a line has a limit, whether it ends or not`() {
        let start = "GET / HTTP/1.1\r\nx: "
        let value = { String(repeating: "a", count: RequestReader.longestLine - $0) }

        #expect(RequestReaderTests.read("\(start)\(value(4))\r\n\r\n".utf8).events == [RequestReaderTests.get("/")])
        #expect(RequestReaderTests.read("\(start)\(value(3))\r\n\r\n".utf8).isMalformed)
        #expect(!RequestReaderTests.read("\(start)\(value(3))".utf8).isMalformed)
        #expect(RequestReaderTests.read("\(start)\(value(2))".utf8).isMalformed)
    }

    /// Read anew with every byte, it would take minutes.
    @Test(.timeLimit(.minutes(10)))
    func `R4: a method that comes byte by byte is looked at once`() {
        let method = String(repeating: "A", count: RequestReader.longestLine)

        #expect(!RequestReaderTests.read(method.utf8, inPiecesOf: 1).isMalformed)
        #expect(RequestReaderTests.read("\(method.dropLast())(".utf8, inPiecesOf: 1).isMalformed)
    }

    @Test func `a head has a limited number of fields, and so has a trailer`() {
        let fields = { String(repeating: "x: y\r\n", count: RequestReader.mostFields + $0) }
        let chunked = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"

        #expect(!RequestReaderTests.read("GET / HTTP/1.1\r\n\(fields(0))".utf8).isMalformed)
        #expect(RequestReaderTests.read("GET / HTTP/1.1\r\n\(fields(1))".utf8).isMalformed)
        #expect(!RequestReaderTests.read("\(chunked)\(fields(0))".utf8).isMalformed)
        #expect(RequestReaderTests.read("\(chunked)\(fields(1))".utf8).isMalformed)
    }

    @Test func `random bytes are survived, and read the same however they are cut`() {
        var random = SplitMix64(seed: 9112)
        let alphabet = Array("GET / HTTP/1.1\r\n\r\n0123;: \u{0}\u{7F}".utf8) + [0xFF]
        for start in ["", "GET / HTTP/1.1\r\n", "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"] {
            for _ in 0..<500 {
                let noise = random.bytes(40).map { alphabet[Int($0) % alphabet.count] }
                let whole = RequestReaderTests.read(start.utf8 + noise)
                let cut = RequestReaderTests.read(start.utf8 + noise, inPiecesOf: 3)
                #expect(whole.events == cut.events)
                #expect(whole.isMalformed == cut.isMalformed)
            }
        }
    }
}
