import NIOCore
import NIOHTTP1
import TLSCore
import Witness

/// Looks at a connection's first bytes and gives it the pipeline it needs: TLS, a tunnel to TLS (CONNECT, SOCKS5), or an
/// answer in the clear.
final class FirstBytesHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: Connection
    private let tls: TLSContext
    private var buffer = ByteBuffer()
    private var requests = RequestReader()
    private var socks: SOCKSNegotiation?
    private var isTunnel = false
    private var isDecided = false

    init(connection: Connection, tls: TLSContext) {
        self.connection = connection
        self.tls = tls
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDecided else { return context.fireChannelRead(data) }
        receive(unwrapInboundIn(data), in: context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        // A head that was cut short is still a request in the clear.
        if !isDecided, socks == nil, RequestReader.Beginning(buffer.readableBytesView) == .request {
            connection.receiveCleartext(buffer, host: nil)
        }
        context.fireChannelInactive()
    }

    private func receive(_ bytes: ByteBuffer, in context: ChannelHandlerContext) {
        buffer.writeImmutableBuffer(bytes)
        guard let first = buffer.readableBytesView.first else { return }
        if socks != nil || (first == SOCKSNegotiation.version && !isTunnel) { return negotiate(in: context) }
        if first == FirstBytesHandler.handshakeRecord { return startTLS(in: context) }
        let beginning = RequestReader.Beginning(buffer.readableBytesView)
        guard beginning != .neither else { return refuse("neither TLS, SOCKS5 nor HTTP", status: nil, in: context) }
        do throws(RequestReader.Malformed) {
            var rest = bytes
            let request = try requests.head(&rest)
            guard buffer.readableBytes - rest.readableBytes <= FirstBytesHandler.longestHead else {
                if beginning == .request { connection.receiveCleartext(buffer, host: nil) }
                return refuse(
                    "a request head longer than \(FirstBytesHandler.longestHead) bytes",
                    status: 431,
                    in: context
                )
            }
            guard let request else { return }
            guard beginning == .tunnel else { return turnAway(from: request.authority, in: context) }
            openTunnel(to: request, before: rest, in: context)
        } catch {
            guard beginning == .tunnel else { return turnAway(from: nil, in: context) }
            refuse("a malformed request head", status: 400, in: context)
        }
    }

    private func openTunnel(
        to request: RequestReader.Request,
        before rest: ByteBuffer,
        in context: ChannelHandlerContext
    ) {
        guard !isTunnel, request.namesTunnel else {
            return refuse("a CONNECT to '\(request.target)'", status: 400, in: context)
        }
        openTunnel(to: request.target, answer: Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8), rest, context)
    }

    private func openTunnel(
        to target: String,
        answer: [UInt8],
        _ rest: ByteBuffer,
        _ context: ChannelHandlerContext
    ) {
        isTunnel = true
        connection.tunnel(to: target)
        write(answer, in: context)
        (buffer, requests) = (ByteBuffer(), RequestReader())
        receive(rest, in: context)
    }

    private func negotiate(in context: ChannelHandlerContext) {
        var negotiation = socks ?? SOCKSNegotiation()
        do throws(SOCKSNegotiation.Refusal) {
            while let step = try negotiation.next(&buffer) {
                switch step {
                case .answer(let bytes): write(bytes, in: context)
                case .tunnel(let target):
                    socks = nil
                    return openTunnel(to: target, answer: SOCKSNegotiation.granted, buffer, context)
                }
            }
            socks = negotiation
        } catch {
            isDecided = true
            connection.willEnd(.protocolError(error.reason))
            write(error.answer, in: context)
            context.close(promise: nil)
        }
    }

    /// Longer heads are refused: nothing that asks for a tunnel needs more.
    private static let longestHead = 8192

    private static let handshakeRecord: UInt8 = 0x16

    private func startTLS(in context: ChannelHandlerContext) {
        isDecided = true
        do {
            let handler = try TLSHandler(tls, connection: connection)
            try context.pipeline.syncOperations.addHandler(handler, position: .after(self))
        } catch {
            connection.end(.refused)
            return
        }
        context.fireChannelRead(wrapInboundOut(buffer))
        buffer = ByteBuffer()
    }

    /// Plain HTTP is noted, and turned away.
    private func turnAway(from host: String?, in context: ChannelHandlerContext) {
        isDecided = true
        connection.receiveCleartext(buffer, host: host)
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
            ("HTTP/1.1 \(status) \(phrase)\r\ncontent-type: text/plain\r\ncontent-length: \(text.utf8.count)\r\n"
                + "connection: close\r\n\r\n\(text)").utf8,
            in: context
        )
        context.close(promise: nil)
    }

    private func write(_ bytes: some Sequence<UInt8>, in context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }
}
