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
    /// Whether somebody is still to say for whom he connects.
    private var awaitsForwarder: Bool
    /// Whether a tunnel's other end is still to be reached.
    private var isWaiting = false
    /// Whether a redirected connection was given its route.
    private var isRouted = false
    private var greeting: Greeting?
    private var talk: StartTLSTalk?

    init(connection: Connection, tls: TLSContext) {
        self.connection = connection
        self.tls = tls
        awaitsForwarder = connection.isForwarded
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if let redirected = connection.redirected, connection.isRoutedByPlace,
            isTurnedAside(from: redirected.place, in: context)
        {
            return
        }
        if connection.credentials == nil, !awaitsForwarder { greet(in: context) }
    }

    private func greet(in context: ChannelHandlerContext) {
        guard let dialect = connection.startTLS else { return }
        let talk = StartTLSTalk(dialect)
        self.talk = talk
        write(talk.greeting, in: context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDecided else { return context.fireChannelRead(data) }
        receive(unwrapInboundIn(data), in: context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        // A head that was cut short is still a request in the clear.
        if !isDecided, !isWaiting, !awaitsForwarder, socks == nil,
            RequestReader.Beginning(buffer.readableBytesView) == .request
        {
            connection.receiveCleartext(buffer, host: nil)
        }
        context.fireChannelInactive()
    }

    private func receive(_ bytes: ByteBuffer, in context: ChannelHandlerContext) {
        if awaitsForwarder { return receiveForwarded(bytes, in: context) }
        buffer.writeImmutableBuffer(bytes)
        if isWaiting { return }
        guard let first = buffer.readableBytesView.first else { return }
        if socks != nil || (first == SOCKSNegotiation.version && !isTunnel) { return negotiate(in: context) }
        let beginning = RequestReader.Beginning(buffer.readableBytesView)
        if connection.credentials != nil, !isTunnel, beginning != .tunnel {
            return refuse("whoever does not come through the proxy with its password", status: nil, in: context)
        }
        if first == FirstBytesHandler.handshakeRecord { return startTLS(bytes, in: context) }
        if talk == nil, first == 0 {
            if isTurnedAside(in: context) { return }
            // No other protocol here begins so.
            connection.startTLS = .postgres
            talk = StartTLSTalk(.postgres)
        }
        if talk != nil { return talkInTheClear(in: context) }
        guard beginning != .neither else {
            if isTurnedAside(in: context) { return }
            return refuse("neither TLS, SOCKS5 nor HTTP", status: nil, in: context)
        }
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
            if beginning == .request, isGivenPage(by: request, in: context) { return }
            guard beginning == .tunnel else { return turnAway(from: request.authority, in: context) }
            openTunnel(to: request, before: rest, in: context)
        } catch {
            guard beginning == .tunnel else { return turnAway(from: nil, in: context) }
            refuse("a malformed request head", status: 400, in: context)
        }
    }

    private func receiveForwarded(_ bytes: ByteBuffer, in context: ChannelHandlerContext) {
        buffer.writeImmutableBuffer(bytes)
        do throws(ForwardedHeader.Malformed) {
            guard let source = try ForwardedHeader.read(&buffer) else { return }
            awaitsForwarder = false
            if let source { connection.note(.forwarded(from: source)) }
        } catch {
            return refuse(error.reason, status: nil, in: context)
        }
        let rest = buffer
        buffer = ByteBuffer()
        context.triggerUserOutboundEvent(CaptureHandler.TunnelBegins(), promise: nil)
        if connection.credentials == nil { greet(in: context) }
        receive(rest, in: context)
    }

    /// Gives a redirected connection its route, once, by this name or else by its address; whether it goes elsewhere then.
    private func isTurnedAside(to name: String? = nil, in context: ChannelHandlerContext) -> Bool {
        guard !isTunnel, !isRouted, connection.isRoutedByName, let redirected = connection.redirected else {
            return false
        }
        let place = Routing.Place(host: name ?? redirected.place.host, port: redirected.place.port)
        return isTurnedAside(from: place, in: context)
    }

    private func isTurnedAside(from place: Routing.Place, in context: ChannelHandlerContext) -> Bool {
        isRouted = true
        let route = connection.route(to: place)
        switch route.treatment {
        case .present: return false
        case .refuse:
            isDecided = true
            connection.willEnd(.refused)
            context.close(promise: nil)
        // Who has looked the name up is led to where he wanted to go.
        case .pass: pass(nil, to: route.place == place ? connection.redirected?.place : route.place, context)
        }
        return true
    }

    private func openTunnel(
        to request: RequestReader.Request,
        before rest: ByteBuffer,
        in context: ChannelHandlerContext
    ) {
        guard !isTunnel, request.namesTunnel else {
            return refuse("a CONNECT to '\(request.target)'", status: 400, in: context)
        }
        if let credentials = connection.credentials, request.proxyAuthorization != credentials.basic {
            return refuse("a CONNECT without the password", status: 407, in: context)
        }
        let head = buffer.getSlice(at: buffer.readerIndex, length: buffer.readableBytes - rest.readableBytes)
        // What a proxy is told, everybody on the way can read.
        if let head, connection.canary?.places(in: head.readableBytesView).isEmpty == false {
            connection.receiveCleartext(head, host: request.target)
        }
        openTunnel(.connect, to: request.target, rest, context)
    }

    private func openTunnel(_ way: Tunnel, to target: String, _ rest: ByteBuffer, _ context: ChannelHandlerContext) {
        isTunnel = true
        (buffer, requests) = (ByteBuffer(), RequestReader())
        let (host, port) = (Observation.host(of: target), target.split(separator: ":").last.flatMap { Int($0) } ?? 0)
        let route = connection.route(to: Routing.Place(host: host, port: port))
        connection.tunnel(to: target)
        switch route.treatment {
        case .present:
            write(way.granted, in: context)
            context.triggerUserOutboundEvent(CaptureHandler.TunnelBegins(), promise: nil)
            receive(rest, in: context)
        case .refuse:
            isDecided = true
            connection.willEnd(.refused)
            write(way.denied, in: context)
            context.close(promise: nil)
        case .pass:
            buffer = rest
            pass(way, to: route.place, context)
        }
    }

    /// Bytes go through, unread, to who is to be reached first.
    private func pass(_ way: Tunnel?, to place: Routing.Place?, _ context: ChannelHandlerContext) {
        isWaiting = true
        connection.waitsForServer = true
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        Departure(reachable: connection.reachable, proxy: connection.upstreamProxy)
            .connect(to: place?.host ?? "", port: place?.port ?? 0, on: context.eventLoop)
            .whenComplete { result in
                let (handler, context) = bound.value
                handler.isDecided = true
                handler.isWaiting = false
                handler.arrive(result, way, context)
            }
    }

    private func arrive(_ result: Result<any Channel, any Error>, _ way: Tunnel?, _ context: ChannelHandlerContext) {
        do {
            let server = try result.get()
            guard context.channel.isActive else { return server.close(promise: nil) }
            if let way {
                write(way.granted, in: context)
                context.triggerUserOutboundEvent(CaptureHandler.TunnelBegins(), promise: nil)
            }
            let passage = Passage(connection, tls)
            try Pump.join(
                context.channel,
                server,
                on: connection,
                fromClient: passage.receiveFromClient,
                fromServer: passage.receiveFromServer
            )
            guard buffer.readableBytes > 0 else { return }
            context.fireChannelRead(wrapInboundOut(buffer))
            context.fireChannelReadComplete()
        } catch {
            connection.willEnd(.upstream("\(error)"))
            if let way { write(way.unreachable, in: context) }
            context.close(promise: nil)
        }
    }

    private func talkInTheClear(in context: ChannelHandlerContext) {
        let all = buffer
        do throws(StartTLSTalk.Malformed) {
            while let step = try talk?.next(&buffer) {
                switch step {
                case .answer(let bytes): write(bytes, in: context)
                case .begin(let bytes):
                    // What came before TLS could be anybody's (RFC 3207 section 4.2).
                    guard buffer.readableBytes == 0 else {
                        return refuse("what came behind STARTTLS", status: nil, in: context)
                    }
                    talk = nil
                    if let dialect = connection.startTLS { connection.note(.startTLS(dialect)) }
                    write(bytes, in: context)
                    return
                case .downgrade(let bytes):
                    isDecided = true
                    connection.receiveCleartext(all, host: nil)
                    connection.willEnd(.ended)
                    write(bytes, in: context)
                    return context.close(promise: nil)
                case .end(let bytes):
                    isDecided = true
                    connection.willEnd(.ended)
                    write(bytes, in: context)
                    return context.close(promise: nil)
                }
            }
        } catch {
            refuse(error.reason, status: nil, in: context)
        }
    }

    private func negotiate(in context: ChannelHandlerContext) {
        var negotiation = socks ?? SOCKSNegotiation(connection.credentials)
        do throws(SOCKSNegotiation.Refusal) {
            while let step = try negotiation.next(&buffer) {
                switch step {
                case .answer(let bytes): write(bytes, in: context)
                case .tunnel(let target):
                    socks = nil
                    return openTunnel(.socks, to: target, buffer, context)
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

    private func startTLS(_ bytes: ByteBuffer, in context: ChannelHandlerContext) {
        if !isTunnel, !isRouted, connection.isRoutedByName {
            var greeting = greeting ?? Greeting(tls)
            guard let hello = greeting.receive(bytes) else {
                self.greeting = greeting
                return
            }
            if isTurnedAside(to: hello.name, in: context) { return }
        }
        if !isTunnel, !isRouted, case (.pass, let place) = connection.route(to: nil) {
            return pass(nil, to: place, context)
        }
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
        if isTurnedAside(to: host.map(Observation.host), in: context) { return }
        isDecided = true
        connection.receiveCleartext(buffer, host: host)
        answer(400, "This is a TLS port.\n", in: context)
    }

    /// Whether a device asked for a file of ours, and has it now. What a client was given to keep is never asked for.
    private func isGivenPage(by request: RequestReader.Request, in context: ChannelHandlerContext) -> Bool {
        guard let file = connection.page?.file(for: request, isDirect: !isTunnel && connection.redirected == nil),
            connection.canary?.places(in: buffer.readableBytesView).isEmpty != false
        else { return false }
        isDecided = true
        if !isTunnel { connection.tunnel(to: "\(DevicePage.host):80") }
        answer(200, file.type, request.method == "HEAD" ? [] : file.bytes, in: context)
        return true
    }

    private func refuse(_ reason: String, status: Int?, in context: ChannelHandlerContext) {
        isDecided = true
        connection.willEnd(.protocolError(reason))
        guard let status else { return context.close(promise: nil) }
        answer(status, "PinDrill cannot serve \(reason).\n", in: context)
    }

    private func answer(_ status: Int, _ text: String, in context: ChannelHandlerContext) {
        answer(status, "text/plain", Array(text.utf8), in: context)
    }

    private func answer(_ status: Int, _ type: String, _ body: [UInt8], in context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        connection.willEnd(.ended)
        let phrase = HTTPResponseStatus(statusCode: status).reasonPhrase
        let challenge = status == 407 ? "proxy-authenticate: Basic realm=\"PinDrill\"\r\n" : ""
        let head =
            "HTTP/1.1 \(status) \(phrase)\r\n\(challenge)content-type: \(type)\r\ncontent-length: \(body.count)\r\n"
            + "connection: close\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\n\r\n"
        write(Array(head.utf8) + body, in: context)
        context.close(promise: nil)
    }

    private func write(_ bytes: some Sequence<UInt8>, in context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }
}

/// How a tunnel was asked for, and what its client is told.
private enum Tunnel {
    case connect
    case socks

    var granted: [UInt8] {
        self == .socks ? SOCKSNegotiation.granted : Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
    }

    var denied: [UInt8] { self == .socks ? SOCKSNegotiation.denied : Self.head("403 Forbidden") }

    var unreachable: [UInt8] { self == .socks ? SOCKSNegotiation.unreachable : Self.head("502 Bad Gateway") }

    private static func head(_ status: String) -> [UInt8] {
        Array("HTTP/1.1 \(status)\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".utf8)
    }
}
