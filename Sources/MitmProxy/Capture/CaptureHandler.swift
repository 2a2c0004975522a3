import Foundation
import NIOCore

/// Next to the socket: what is read and written becomes packets of a capture. A connection that carries nothing leaves none.
final class CaptureHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    /// What comes next is no part of how the tunnel was asked for: it becomes a stream of its own, since readers of captures
    /// do not look for TLS behind a request.
    struct TunnelBegins {}

    private let interface: PacketCapture.Interface
    private var stream: RebuiltStream?
    private var hasBegun = false
    /// What was read and is being looked at: secrets that it brings about stand before it.
    private var held: (bytes: ByteBuffer, time: Date)?

    init(_ interface: PacketCapture.Interface, of channel: any Channel) {
        self.interface = interface
        stream = RebuiltStream(client: channel.remoteAddress, server: channel.localAddress)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        held = (unwrapInboundIn(data), Date())
        context.fireChannelRead(data)
        release()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        release()
        carry(unwrapOutboundIn(data), from: .server, at: Date())
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { end { $0.end(of: .client) } }
        context.fireUserInboundEventTriggered(event)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        release()
        if mode != .input { end { $0.end(of: .server) } }
        context.close(mode: mode, promise: promise)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is TunnelBegins else { return context.triggerUserOutboundEvent(event, promise: promise) }
        release()
        end { $0.end(of: .client) + $0.end(of: .server) }
        stream = RebuiltStream(client: context.channel.remoteAddress, server: context.channel.localAddress)
        hasBegun = false
        promise?.succeed()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end { $0.reset(by: .client) }
        context.fireErrorCaught(error)
    }

    private func release() {
        guard let (bytes, time) = held else { return }
        held = nil
        carry(bytes, from: .client, at: time)
    }

    private func carry(_ bytes: ByteBuffer, from side: RebuiltStream.Side, at time: Date) {
        guard bytes.readableBytes > 0, var stream else { return }
        var packets = hasBegun ? [] : stream.opening()
        hasBegun = true
        packets += stream.data(bytes, from: side)
        self.stream = stream
        for packet in packets { interface.write(packet, at: time) }
    }

    private func end(_ packets: (inout RebuiltStream) -> [[UInt8]]) {
        guard hasBegun, var stream else { return }
        for packet in packets(&stream) { interface.write(packet, at: Date()) }
        self.stream = stream
    }
}
