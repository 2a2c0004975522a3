import NIOCore
import NIOHTTP1
import TLSCore
import Witness

/// Looks at a connection's first bytes and gives it the pipeline it needs: TLS, a tunnel to TLS, or an answer in the
/// clear.
final class FirstBytesHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: Connection
    private let tls: TLSContext
    private let answers: Answers
    private var buffer = ByteBuffer()
    private var isTunnel = false
    private var isDecided = false

    init(connection: Connection, tls: TLSContext, answers: Answers) {
        self.connection = connection
        self.tls = tls
        self.answers = answers
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDecided else { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        buffer.writeBuffer(&bytes)
        decide(in: context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        // A head that was cut short is still a request in the clear.
        if !isDecided, RequestHead.beginning(buffer.readableBytesView) == .request {
            connection.receiveCleartext(buffer, host: nil)
        }
        context.fireChannelInactive()
    }

    private func decide(in context: ChannelHandlerContext) {
        guard let first = buffer.readableBytesView.first else { return }
        if first == FirstBytesHandler.handshakeRecord { return startTLS(in: context) }
        let beginning = RequestHead.beginning(buffer.readableBytesView)
        guard beginning != .neither else { return refuse("neither TLS nor HTTP", status: nil, in: context) }
        let bytes = buffer
        guard let head = buffer.readHead(), bytes.readableBytes - buffer.readableBytes <= RequestHead.limit else {
            guard bytes.readableBytes > RequestHead.limit else { return }
            if beginning == .request { connection.receiveCleartext(bytes, host: nil) }
            return refuse("a request head longer than \(RequestHead.limit) bytes", status: 431, in: context)
        }
        let request = RequestHead(head)
        guard beginning == .tunnel else {
            connection.receiveCleartext(bytes, host: request?.authority)
            return turnAway(in: context)
        }
        guard let request else { return refuse("a malformed request head", status: 400, in: context) }
        guard !isTunnel, request.namesTunnel else {
            return refuse("a CONNECT to '\(request.target)'", status: 400, in: context)
        }
        isTunnel = true
        connection.tunnel(to: request.target)
        write("HTTP/1.1 200 Connection established\r\n\r\n", in: context)
        decide(in: context)
    }

    private static let handshakeRecord: UInt8 = 0x16

    private func startTLS(in context: ChannelHandlerContext) {
        isDecided = true
        do {
            let handler = try TLSHandler(tls, connection: connection, origin: OriginSession(answers))
            try context.pipeline.syncOperations.addHandler(handler, position: .after(self))
        } catch {
            connection.end(.refused)
            return
        }
        context.fireChannelRead(wrapInboundOut(buffer))
        buffer = ByteBuffer()
    }

    /// Plain HTTP is noted, and turned away.
    private func turnAway(in context: ChannelHandlerContext) {
        isDecided = true
        answer(400, "This is a TLS port.\n", in: context)
    }

    private func refuse(_ reason: String, status: Int?, in context: ChannelHandlerContext) {
        isDecided = true
        connection.willEnd(.protocolError(reason))
        guard let status else { return context.close(promise: nil) }
        answer(status, "PinDrill cannot serve \(reason).\n", in: context)
    }

    private func answer(_ status: Int, _ text: String, in context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        connection.willEnd(.ended)
        let phrase = HTTPResponseStatus(statusCode: status).reasonPhrase
        write(
            "HTTP/1.1 \(status) \(phrase)\r\ncontent-type: text/plain\r\ncontent-length: \(text.utf8.count)\r\n"
                + "connection: close\r\n\r\n\(text)",
            in: context
        )
        context.close(promise: nil)
    }

    private func write(_ text: String, in context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }
}
