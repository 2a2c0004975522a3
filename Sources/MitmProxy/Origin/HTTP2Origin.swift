import NIOCore
import NIOHPACK
import NIOHTTP2
import Witness

/// One client's conversation with an `Origin` over HTTP/2 (RFC 9113), behind NIO's codec: last in its pipeline.
final class HTTP2Origin: ChannelInboundHandler, ChannelOutboundHandler, NIOHTTP2FrameDelegate {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// A request of which more may come, or whose answer is held back.
    private struct Exchange {
        var request: RequestReader.Request
        var body = CanarySearch()
    }

    private let connection: Connection
    private let answers: Answers
    private var exchanges: [HTTP2StreamID: Exchange] = [:]
    /// What is left to say of long answers.
    private var speech: [HTTP2StreamID: Body] = [:]
    private var lastStream = HTTP2StreamID.rootStream
    private var isEnding = false
    private var hasFailed = false

    private init(_ connection: Connection) {
        self.connection = connection
        answers = connection.answers
    }

    /// The codec in front of it, and itself. What it does not limit here, the codec limits by itself: frames, CONTINUATION
    /// and streams that are begun only to be reset.
    static func handlers(_ connection: Connection) -> [any ChannelHandler] {
        let origin = HTTP2Origin(connection)
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 100),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 1 << 16),
        ]
        return [NIOHTTP2Handler(mode: .server, frameDelegate: origin, connectionConfiguration: configuration), origin]
    }

    /// The codec says goodbye by itself where the client broke the rules of more than one stream.
    func wroteFrame(_ frame: HTTP2Frame) { if case .goAway = frame.payload { hasFailed = !isEnding } }

    // MARK: What comes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnding else { return }
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let payload):
            begin(payload.headers, on: frame.streamID, in: context)
            if payload.endStream { respond(on: frame.streamID, in: context) }
        case .data(let payload):
            receive(payload, on: frame.streamID, in: context)
            if payload.endStream { respond(on: frame.streamID, in: context) }
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { context.flush() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? StreamClosedEvent { (exchanges[event.streamID], speech[event.streamID]) = (nil, nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Or else it is of one stream, which the codec has reset.
        if hasFailed { connection.end(.protocolError("HTTP/2: \(type(of: error))")) }
    }

    /// The head of a request, or the fields behind its body.
    private func begin(_ fields: HPACKHeaders, on stream: HTTP2StreamID, in context: ChannelHandlerContext) {
        note(fields)
        guard exchanges[stream] == nil else { return }
        var request = RequestReader.Request(fields)
        if answers.needsFields { request.fields = fields.asked }
        (exchanges[stream], lastStream) = (Exchange(request: request), stream)
        connection.note(authority: Observation.host(of: request.host ?? "")) { fields.inWords }
        guard fields.first(name: "expect")?.lowercased() == "100-continue" else { return }
        write(.headers(.init(headers: [":status": "100"])), on: stream, in: context)
    }

    private func note(_ fields: HPACKHeaders) {
        var leaks: [Leak] = []
        var secrets: [String] = []
        for (name, value, _) in fields {
            if name.utf8.isSecret { secrets.append(name) }
            guard let canary = connection.canary, !canary.places(in: Array(value.utf8)).isEmpty else { continue }
            leaks.append(Leak(name.place, offset: connection.count))
        }
        connection.note(leaks, secrets)
    }

    private func receive(
        _ payload: HTTP2Frame.FramePayload.Data,
        on stream: HTTP2StreamID,
        in context: ChannelHandlerContext
    ) {
        guard case .byteBuffer(let bytes) = payload.data else { return }
        // What was taken in may come again, at once: bodies are read past.
        let count = bytes.readableBytes + (payload.paddingBytes.map { $0 + 1 } ?? 0)
        if count > 0 {
            write(.windowUpdate(windowSizeIncrement: count), on: .rootStream, in: context)
            if !payload.endStream { write(.windowUpdate(windowSizeIncrement: count), on: stream, in: context) }
        }
        let places = exchanges[stream]?.body.places(of: connection.canary, in: bytes) ?? 0
        connection.note(Array(repeating: Leak(.body, offset: connection.count), count: places), [])
    }

    // MARK: What is answered

    private func respond(on stream: HTTP2StreamID, in context: ChannelHandlerContext) {
        guard let request = exchanges[stream]?.request else { return }
        let isForeign = request.host.map(connection.isForeign) ?? false
        let answer =
            connection.lacksCertificate
            ? answers.demandCertificate(of: request)
            : isForeign ? answers.turnAway(request) : answers.answer(to: request)
        connection.note(answer.request)
        guard let delay = answer.delay else { return write(answer, on: stream, in: context) }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: delay) {
            let (origin, context) = bound.value
            guard origin.exchanges[stream] != nil, !origin.isEnding, context.channel.isActive else { return }
            origin.write(answer, on: stream, in: context)
            context.flush()
        }
    }

    private func write(_ answer: Answer, on stream: HTTP2StreamID, in context: ChannelHandlerContext) {
        exchanges[stream] = nil
        let end = answer.isLast ? context.eventLoop.makePromise(of: Void.self) : nil
        if let end {
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            // Not while the codec is still about it.
            end.futureResult.whenComplete { _ in
                bound.value.eventLoop.execute { bound.value.channel.close(promise: nil) }
            }
        }
        guard answer.failure != .silence else { return end?.succeed() ?? () }
        let isWhole = answer.failure == nil
        let isBare = answer.body.isOver
        let ends = isWhole && isBare && answer.trailers == nil
        write(
            .headers(.init(headers: answer.page.fields, endStream: ends)),
            on: stream,
            in: context,
            isBare ? end : nil
        )
        guard let body = answer.body.whole else {
            speech[stream] = answer.body
            return goOn(on: stream, isWhole: isWhole, end, in: context)
        }
        if !isBare {
            let data = IOData.byteBuffer(ByteBuffer(bytes: body))
            let ends = isWhole && answer.trailers == nil
            write(.data(.init(data: data, endStream: ends)), on: stream, in: context, end)
        }
        if let trailers = answer.trailers, isWhole {
            write(.headers(.init(headers: trailers, endStream: true)), on: stream, in: context)
        }
    }

    /// Writes the next piece of a long body once the one before is out.
    private func goOn(
        on stream: HTTP2StreamID,
        isWhole: Bool,
        _ end: EventLoopPromise<Void>?,
        in context: ChannelHandlerContext
    ) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: speech[stream]?.delay ?? .zero) {
            let (origin, context) = bound.value
            guard var body = origin.speech[stream], !origin.isEnding, context.channel.isActive else {
                return end?.succeed() ?? ()
            }
            origin.connection.stir()
            let data = IOData.byteBuffer(body.next())
            origin.speech[stream] = body.isOver ? nil : body
            let promise = context.eventLoop.makePromise(of: Void.self)
            origin.write(.data(.init(data: data, endStream: body.isOver && isWhole)), on: stream, in: context, promise)
            context.flush()
            promise.futureResult.whenComplete { _ in
                let (origin, context) = bound.value
                if origin.speech[stream] == nil { return end?.succeed() ?? () }
                origin.goOn(on: stream, isWhole: isWhole, end, in: context)
            }
        }
    }

    private func write(
        _ payload: HTTP2Frame.FramePayload,
        on stream: HTTP2StreamID,
        in context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>? = nil
    ) {
        context.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: promise)
    }

    /// Says which requests were taken up (RFC 9113 section 6.8), so that none is lost unnoticed.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .all, !isEnding {
            isEnding = true
            write(.goAway(lastStreamID: lastStream, errorCode: .noError, opaqueData: nil), on: .rootStream, in: context)
            context.flush()
        }
        context.close(mode: mode, promise: promise)
    }
}

extension RequestReader.Request {
    fileprivate init(_ fields: HPACKHeaders) {
        self.init(
            method: fields.first(name: ":method") ?? "",
            target: fields.first(name: ":path") ?? "",
            minorVersion: 1,
            isKeepAlive: true
        )
        isHTTP2 = true
        isCall = fields.first(name: "content-type")?.hasPrefix("application/grpc") ?? false
        host = fields.first(name: ":authority") ?? fields.first(name: "host")
        acceptsJSON = fields["accept"].contains { $0.utf8.namesJSON }
    }
}

extension HPACKHeaders {
    /// The fields that HTTP/1.1 would have.
    fileprivate var asked: [RequestReader.Field] {
        let host = first(name: ":authority").map { RequestReader.Field(name: "host", value: $0) }
        let others = lazy.filter { !$0.name.hasPrefix(":") }.map { RequestReader.Field(name: $0.name, value: $0.value) }
        return [host].compactMap(\.self) + others
    }

    /// As HTTP/1.1 would have it.
    fileprivate var inWords: ByteBuffer {
        let line = "\(first(name: ":method") ?? "") \(first(name: ":path") ?? "") HTTP/2\r\n"
        return ByteBuffer(string: line + asked.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n")
    }
}

extension String {
    /// Where a field of this name would stand in HTTP/1.1.
    fileprivate var place: Leak.Place {
        switch self {
        case ":authority": .header("host")
        case _ where hasPrefix(":"): .requestLine
        default: .header(self)
        }
    }
}
