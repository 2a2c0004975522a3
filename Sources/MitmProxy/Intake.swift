package import NIOCore
package import TLSCore
package import Witness

/// Takes over one accepted channel after the other: gives each its pipeline, and keeps count of the open ones.
///
/// It opens no socket itself, and belongs to one event loop: everything but `present`, `epoch` and the journal is to be
/// used there, which is what makes it safe to share.
package final class Intake: @unchecked Sendable {
    private let configuration: ProxyConfiguration
    private let tls: TLSContext
    private let presenter: Presenter
    let journal: Journal
    private var open: [ObjectIdentifier: Connection] = [:]

    package init(_ configuration: ProxyConfiguration, presenting presentation: Presentation) throws(OpenSSLError) {
        self.configuration = configuration
        tls = try TLSContext.shared(.server, configuration.tls)
        presenter = Presenter(presentation, origin: configuration.origin)
        journal = Journal(limit: configuration.journalLimit, keptBytes: configuration.keptBytes)
    }

    package var epoch: Epoch { presenter.epoch }

    package func present(_ presentation: Presentation) -> Epoch { presenter.present(presentation) }

    package func observations(in epoch: Epoch) -> [Observation] { journal.observations(in: epoch) }

    /// How many connections are open now.
    package var openCount: Int { open.count }

    /// - Parameter place: where whoever comes by this listener means to go; `nil`: he will say so.
    package func accept(_ channel: any Channel, for place: Routing.Place? = nil) throws {
        let connection = Connection(
            channel,
            for: place,
            journal: journal,
            presenter: presenter,
            configuration: configuration
        )
        let pipeline = channel.pipeline.syncOperations
        if let capture = configuration.capture { try pipeline.addHandler(CaptureHandler(capture, of: channel)) }
        try pipeline.addHandler(ConnectionHandler(connection, intake: self))
        guard open.count < configuration.connectionLimit else {
            return connection.end(.crowdedOut(open: open.count))
        }
        open[ObjectIdentifier(channel)] = connection
        // A client that asks and asks and never reads must not fill memory.
        try pipeline.addHandler(BackPressureHandler())
        try pipeline.addHandler(FirstBytesHandler(connection: connection, tls: tls))
    }

    fileprivate func remove(_ channel: any Channel) { open[ObjectIdentifier(channel)] = nil }

    /// Closes every connection, or those only that belong to an epoch before this one.
    package func closeAll(before epoch: Epoch? = nil) {
        for connection in open.values where epoch.map({ connection.epoch < $0 }) ?? true { connection.end(.superseded) }
    }
}

/// First in every pipeline: knows when its connection is gone.
private final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: Connection
    private let intake: Intake

    init(_ connection: Connection, intake: Intake) {
        self.connection = connection
        self.intake = intake
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed {
            // The client has said all it will, and may still be waiting for what we have to say.
            guard !connection.endsBySides else { return context.fireUserInboundEventTriggered(event) }
            connection.clientEnds()
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in channel.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        // The others first: what they learn from the end belongs before it in the journal.
        context.fireChannelInactive()
        end(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // A channel that never became active, being turned away or reset at once, never becomes inactive either.
        end(context)
    }

    private func end(_ context: ChannelHandlerContext) {
        intake.remove(context.channel)
        connection.ended()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset by the peer reads like an end of stream: FIN against RST is noise.
        context.close(promise: nil)
    }
}
