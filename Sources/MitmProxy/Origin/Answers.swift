import NIOCore
import NIOHTTP1

/// What an `Origin` answers, as bytes: written once for all connections.
struct Answers: Sendable {
    private struct Page {
        /// The answer's head, but for its `connection` field and the empty line.
        let head: [UInt8]
        /// Empty where the status has none.
        let body: [UInt8]
    }

    private let page: Page
    /// By the end of the path.
    private let pages: [(path: [UInt8], page: Page)]
    private let closes: Bool

    init(_ origin: Origin) {
        let status = HTTPResponseStatus(statusCode: origin.status)
        var head = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        let headers = HTTPHeaders(origin.headers.map { ($0.name, $0.value) })
        closes = headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
        for (name, value) in headers where !Answers.ours.contains(name.lowercased()) { head += "\(name): \(value)\r\n" }
        let page = { [head] (body: [UInt8]) in
            status.mayHaveResponseBody
                ? Page(head: Array("\(head)content-length: \(body.count)\r\n".utf8), body: body)
                : Page(head: Array(head.utf8), body: [])
        }
        self.page = page(origin.body)
        pages = origin.pages.map { (Array($0.key.utf8), page($0.value)) }
    }

    private static let ours: Set<String> = ["connection", "content-length", "transfer-encoding"]

    /// Writes the answer to a request; whether the connection ends with it.
    func write(_ request: RequestReader.Request, to bytes: inout ByteBuffer) -> Bool {
        let closes = closes || !request.isKeepAlive
        let page = page(for: request.target)
        let body = request.method == "HEAD" ? [] : page.body
        bytes.reserveCapacity(minimumWritableBytes: page.head.count + Answers.longestEnd + body.count)
        bytes.writeBytes(page.head)
        if closes {
            bytes.writeStaticString("connection: close\r\n")
        } else if request.minorVersion == 0 {
            // A client that speaks HTTP/1.0 believes in nothing it is not told (RFC 9112 section 9.3).
            bytes.writeStaticString("connection: keep-alive\r\n")
        }
        bytes.writeStaticString("\r\n")
        bytes.writeBytes(body)
        return closes
    }

    private static let longestEnd = "connection: keep-alive\r\n\r\n".utf8.count

    /// The page for a request's target, be it a path or, as proxies are asked, a whole URI.
    private func page(for target: String) -> Page {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        return pages.first { candidate in
            path.count >= candidate.path.count && path.suffix(candidate.path.count).elementsEqual(candidate.path)
                && (path.count == candidate.path.count || target.contains("://"))
        }?.page ?? page
    }
}
