import NIOCore
import TLSCore

/// One accepted connection's line to the journal and the presenter. Lives on its channel's event loop.
final class Connection {
    /// What was chosen for the client to see.
    struct Shown {
        let identity: String
        let fingerprint: Pin
        let epoch: Epoch
    }

    private let number: Int
    private let journal: Journal
    private let presenter: Presenter
    private var alarm: Scheduled<Void>?
    private var timeLimit: TimeAmount
    private let idleTimeout: TimeAmount
    private weak var channel: (any Channel)?
    private var tunnel: String?
    private var clientSaidGoodbye = false
    private var isClosed = false
    private var closing: ConnectionEvent.Closing?
    var shown: Shown?

    init(_ channel: any Channel, journal: Journal, presenter: Presenter, configuration: ProxyConfiguration) {
        self.channel = channel
        self.journal = journal
        self.presenter = presenter
        number = journal.open(client: channel.remoteAddress, epoch: presenter.epoch)
        timeLimit = configuration.handshakeTimeout
        idleTimeout = configuration.idleTimeout
        startAlarm()
    }

    func note(_ event: ConnectionEvent) { journal.record(event, on: number) }

    func record(_ event: TLSEvent) {
        switch event {
        case .hello(let hello): note(.hello(hello))
        case .presented:
            guard let shown else { return }
            let presented = ConnectionEvent.presented(
                identity: shown.identity,
                fingerprint: shown.fingerprint,
                epoch: shown.epoch.number
            )
            journal.record(presented, on: number, epoch: shown.epoch)
        case .alert(let direction, let alert):
            if direction == .inward, alert.isFatal || alert.number == 0 { clientSaidGoodbye = true }
            note(.alert(direction, alert))
        case .established(let session):
            timeLimit = idleTimeout
            startAlarm()
            note(.established(session))
        case .failed(let reason):
            // A client's own fatal alert fails the handshake too; then the client ended it.
            if !clientSaidGoodbye { closing = .protocolError(reason) }
        }
    }

    /// A CONNECT named this target, as `host:port`.
    func tunnel(to target: String) {
        tunnel = target
        note(.connected(target: target))
        startAlarm()
    }

    func receive(_ plaintext: ByteBuffer) {
        startAlarm()
        journal.keep(plaintext.readableBytesView, on: number)
        note(.data(count: plaintext.readableBytes))
    }

    func receiveCleartext(_ head: ByteBuffer, host: String?) {
        journal.keep(head.readableBytesView, on: number)
        note(.cleartext(host: host))
    }

    /// What the client is to see. The host is the one it names in TLS, else the one it asked a tunnel for.
    func choose(for hello: ClientHello) -> (Identity?, Shown?) {
        let asked = hello.serverName ?? tunnel.flatMap { Observation([.connected(target: $0)]).target }
        let (identity, epoch) = presenter.choose(for: asked)
        guard let identity else {
            closing = .refused
            return (nil, nil)
        }
        return (identity, Shown(identity: identity.label, fingerprint: identity.leaf.fingerprint, epoch: epoch))
    }

    /// We end the connection, for this reason.
    func end(_ how: ConnectionEvent.Closing) {
        guard closing == nil, !isClosed else { return }
        closing = how
        channel?.close(promise: nil)
    }

    /// We will end the connection, for this reason, unless the client does first.
    func willEnd(_ how: ConnectionEvent.Closing) { closing = closing ?? how }

    /// The channel is gone.
    func ended() {
        guard !isClosed else { return }
        isClosed = true
        alarm?.cancel()
        if let closing, !clientSaidGoodbye {
            note(.closed(by: .us, closing))
        } else {
            note(.closed(by: .client, .ended))
        }
    }

    private func startAlarm() {
        alarm?.cancel()
        guard let channel else { return }
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        alarm = channel.eventLoop.scheduleTask(in: timeLimit) { bound.value.end(.timedOut) }
    }
}
