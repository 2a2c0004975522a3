import MitmProxy
import NIOCore
import Testing

struct RequestHeadTests {
    /// The request whose head a text begins with, and what is behind it.
    static func read(_ text: String) throws(RequestReader.Malformed) -> (head: RequestReader.Request?, rest: String) {
        var reader = RequestReader()
        var bytes = ByteBuffer(string: text)
        let head = try reader.head(&bytes)
        return (head, String(buffer: bytes))
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", "GET", "/", nil),
        ("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", "GET", "/", "a.example"),
        ("GET / HTTP/1.1\r\nX: y\r\nhOsT:a.example:80 \r\n\r\n", "GET", "/", "a.example:80"),
        ("GET / HTTP/1.0\r\nHost:\r\n\r\n", "GET", "/", nil),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET", "/", "a"),
        ("CONNECT a:1 HTTP/1.1\r\n\r\n", "CONNECT", "a:1", nil),
        ("CONNECT a:1 HTTP/1.1\r\nContent-Length: 3\r\n\r\n", "CONNECT", "a:1", nil),
        ("PUT /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "PUT", "/a", nil),
    ])
    func `a head gives its method, its target and its host, and ends before what follows`(
        text: String,
        method: String,
        target: String,
        host: String?
    ) throws {
        let (read, rest) = try RequestHeadTests.read(text + "G\r\n\r\n")
        let head = try #require(read)

        #expect(head.method == method)
        #expect(head.target == target)
        #expect(head.host == host)
        #expect(rest == "G\r\n\r\n")
        #expect(try RequestHeadTests.read(String(text.dropLast())).head == nil)
    }

    @Test(arguments: [
        ("a.example:443", true), ("127.0.0.1:1", true), ("[::1]:65535", true), ("a_b:80", true),
        ("a.example", false), (":443", false), ("a.example:", false), ("a.example:0", false), ("a:65536", false),
        ("a:+443", false), ("a:-1", false), ("a: 1", false), ("a:٤٤٣", false), ("é.example:443", false),
        ("[]:443", false),
        ("[::1:443", false), ("::1:443", false), ("http://a.example:443", false), ("u@a.example:443", false),
        ("a/b:443", false), ("a:99999999999999999999", false),
    ])
    func `a tunnel needs a host and a port`(target: String, namesTunnel: Bool) {
        let head = try? RequestHeadTests.read("CONNECT \(target) HTTP/1.1\r\n\r\n").head
        #expect(head?.namesTunnel ?? false == namesTunnel)
    }

    @Test(arguments: [
        ("GET ", RequestReader.Beginning.request), ("G", .request), ("get /", .request), ("CONNECTS", .request),
        ("CONNECT ", .tunnel), ("CONNECT", .tunnel), ("C", .tunnel),
        ("", .neither), (" GET", .neither), ("\r\nGET / HTTP/1.1", .neither), ("GE\u{0}T", .neither), ("1 ", .neither),
    ])
    func `a request is known by its method`(text: String, beginning: RequestReader.Beginning) {
        #expect(RequestReader.Beginning(Array(text.utf8)) == beginning)
    }

    /// It is read anew with every byte that comes.
    @Test func `R4: of a method without an end only the beginning is read`() {
        var count = 0
        let bytes = (0..<8192).lazy.map { _ -> UInt8 in
            count += 1
            return UInt8(ascii: "A")
        }

        #expect(RequestReader.Beginning(bytes) == .request)
        #expect(count < 200)
    }
}

struct RecordSplitterTests {
    @Test(arguments: 1...12)
    func `records come out whole or in pieces, and never joined`(chunk: Int) {
        let records: [[UInt8]] = [[22, 3, 1, 0, 3, 1, 2, 3], [21, 3, 3, 0, 0], [23, 3, 3, 0, 1, 9], [22, 3]]
        let stream = records.flatMap { $0 }
        var splitter = RecordSplitter()
        var pieces: [[UInt8]] = []

        for start in stride(from: 0, to: stream.count, by: chunk) {
            var bytes = ByteBuffer(bytes: stream[start..<min(start + chunk, stream.count)])
            while let piece = splitter.next(&bytes) { pieces.append(Array(piece.readableBytesView)) }
            #expect(bytes.readableBytes == 0)
        }

        #expect(pieces.flatMap { $0 } == stream)
        var ends: Set<Int> = []
        var position = 0
        for piece in pieces {
            position += piece.count
            ends.insert(position)
        }
        #expect(ends.isSuperset(of: [8, 13, 19, 21]))
    }
}
