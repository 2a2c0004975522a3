import NIOCore
import NIOWebSocket
import Witness

/// Sends the frames of a WebSocket (RFC 6455) back, behind NIO's codec: last in its pipeline.
final class WebSocketEcho: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let connection: Connection
    private var body = CanarySearch()

    private init(_ connection: Connection) { self.connection = connection }

    /// The codec in front of it, and itself.
    static func handlers(_ connection: Connection) -> [any ChannelHandler] {
        let decoder = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: 1 << 20))
        return [WebSocketFrameEncoder(), decoder, WebSocketEcho(connection)]
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        // A client masks what it sends (section 5.3).
        let bytes = frame.unmaskedData
        let places = body.places(of: connection.canary, in: bytes)
        connection.note(Array(repeating: Leak(.body, offset: connection.count), count: places), [])
        switch frame.opcode {
        case .pong: return
        case .ping: write(.pong, frame.fin, bytes, in: context)
        case .connectionClose:
            write(.connectionClose, true, bytes, in: context)
            context.flush()
            connection.clientEnds()
            context.channel.close(promise: nil)
        default: write(frame.opcode, frame.fin, bytes, in: context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { context.flush() }

    private func write(_ code: WebSocketOpcode, _ isLast: Bool, _ bytes: ByteBuffer, in context: ChannelHandlerContext)
    {
        context.write(wrapOutboundOut(WebSocketFrame(fin: isLast, opcode: code, data: bytes)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection.end(.protocolError("WebSocket: \(error)"))
    }
}

/// Looks for canaries in a body that comes in pieces.
struct CanarySearch {
    /// The end of what came, where one may begin.
    private var tail: [UInt8] = []

    /// How many came to their end in this piece.
    mutating func places(of canary: Canary?, in bytes: ByteBuffer) -> Int {
        guard let canary else { return 0 }
        let piece = tail + bytes.readableBytesView
        // One that was found must not be found again.
        let isFound = !canary.places(in: piece.suffix(Canary.overlap)).isEmpty
        tail = isFound ? [] : Array(piece.suffix(Canary.overlap))
        return canary.places(in: piece).count
    }
}
