import Foundation
import NIOCore

/// An HTTP proxy through which real servers are reached, where a company's network has no other way (`CONNECT`, RFC 9110
/// section 9.3.6).
package struct UpstreamProxy: Hashable, Sendable {
    package var host: String
    package var port: Int
    /// `user:password`; `nil`: it asks for none.
    package var credentials: String?

    /// - Parameter url: `http://host:port`.
    package init?(_ url: String) {
        guard let parts = URLComponents(string: url), parts.scheme == "http", let host = parts.host, !host.isEmpty,
            ["", "/"].contains(parts.path), parts.query == nil, parts.user == nil
        else { return nil }
        (self.host, port) = (host.trimmingCharacters(in: ["[", "]"]), parts.port ?? 80)
    }

    package func request(for host: String, _ port: Int) -> String {
        let target = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        let proof = credentials.map { "Proxy-Authorization: Basic \(Data($0.utf8).base64EncodedString())\r\n" } ?? ""
        return "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(proof)\r\n"
    }

    /// Asks for a tunnel on a channel that reads nothing by itself.
    func open(
        _ channel: any Channel,
        to host: String,
        port: Int
    ) -> EventLoopFuture<any Channel> {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        let (request, name) = (request(for: host, port), "the proxy \(self.host):\(self.port)")
        return channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(TunnelHandler(name, promise), name: TunnelHandler.name)
            channel.writeAndFlush(ByteBuffer(string: request), promise: nil)
            channel.read()
        }
        .flatMap { promise.futureResult }
        .flatMap { channel.pipeline.removeHandler(name: TunnelHandler.name) }
        .map { channel }
        .flatMapErrorThrowing { error in
            channel.close(promise: nil)
            throw error
        }
    }
}

/// Waits for the proxy's answer.
private final class TunnelHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    static let name = "upstream-proxy"
    private static let longestHead = 16384

    private let proxy: String
    private let promise: EventLoopPromise<Void>
    private var head = ""
    private var isOver = false

    init(_ proxy: String, _ promise: EventLoopPromise<Void>) { (self.proxy, self.promise) = (proxy, promise) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        head += String(buffer: unwrapInboundIn(data))
        guard let end = head.firstRange(of: "\r\n\r\n") else {
            if head.utf8.count > Self.longestHead { fail("answered without an end") }
            return
        }
        let line = head.prefix { !$0.isNewline }
        guard line.wholeMatch(of: /HTTP\/1\.[01] 2\d\d.*/) != nil else { return fail("answered '\(line.prefix(80))'") }
        guard end.upperBound == head.endIndex else { return fail("said more than it was asked") }
        isOver = true
        promise.succeed()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if !isOver { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { fail("broke the connection off") }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail("broke the connection off")
        context.fireChannelInactive()
    }

    private func fail(_ reason: String) {
        guard !isOver else { return }
        isOver = true
        promise.fail(Departure.Failure(description: "\(proxy) \(reason)"))
    }
}
