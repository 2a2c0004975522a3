import NIOCore
import NIOHTTP1

/// The server behind the proxy: answers every request the same way, so that a client's success depends on nothing but
/// the certificate it was shown.
public struct Origin: Sendable {
    public var status: Int
    /// Sent in this order, beside `content-length` and, where due, `connection`.
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    /// Bodies of particular paths, by the path without its query; every other path has `body`.
    public var pages: [String: [UInt8]]

    public init(
        status: Int = 200,
        headers: [(name: String, value: String)] = [("content-type", "text/plain; charset=utf-8")],
        body: [UInt8] = Array("hello from PinDrill\n".utf8),
        pages: [String: [UInt8]] = Origin.gitRepository
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.pages = pages
    }

    /// What `git ls-remote https://host/pindrill.git` asks for (gitprotocol-http(5), "dumb" clients): one branch.
    public static let gitRepository: [String: [UInt8]] = [
        "/pindrill.git/info/refs": Array("\(String(repeating: "1", count: 40))\trefs/heads/main\n".utf8),
        "/pindrill.git/HEAD": Array("ref: refs/heads/main\n".utf8),
    ]

    /// The body for a request's target, be it a path or, as proxies are asked, a whole URI.
    func body(for target: String) -> [UInt8] {
        let path = target.prefix { $0 != "?" }
        return pages.first { path == $0.key || path.hasSuffix($0.key) && path.contains("://") }?.value ?? body
    }
}

/// Speaks HTTP/1.1 for an `Origin`: keeps connections alive as the client asks, answers HEAD without a body.
final class OriginHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let origin: Origin
    private var request: HTTPRequestHead?

    init(_ origin: Origin) {
        self.origin = origin
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = head
            // RFC 9110 section 10.1.1: the client holds its body back until we ask for it.
            if head.version == .http1_1, head.headers["expect"].contains(where: { $0.lowercased() == "100-continue" }) {
                let go = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
            }
        case .body: break
        case .end:
            guard let request else { return }
            self.request = nil
            answer(request, in: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // What came is no HTTP, and has been answered with 400.
        context.close(promise: nil)
    }

    private func answer(_ request: HTTPRequestHead, in context: ChannelHandlerContext) {
        let body = origin.body(for: request.uri)
        let status = HTTPResponseStatus(statusCode: origin.status)
        var headers = HTTPHeaders(origin.headers.map { ($0.name, $0.value) })
        headers.replaceOrAdd(name: "content-length", value: String(body.count))
        let closes =
            !request.isKeepAlive || headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
        if closes {
            headers.replaceOrAdd(name: "connection", value: "close")
        } else if request.version != .http1_1 {
            // A client that speaks HTTP/1.0 believes in nothing it is not told (RFC 9112 section 9.3).
            headers.replaceOrAdd(name: "connection", value: "keep-alive")
        }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .HEAD, status.mayHaveResponseBody, !body.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        }
        let end = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        guard closes else { return }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        end.whenComplete { _ in bound.value.close(promise: nil) }
    }
}
