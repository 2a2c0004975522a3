import NIOCore
import TLSCore
import Witness

/// One accepted connection's line to the journal and the presenter. Lives on its channel's event loop.
final class Connection {
    /// What was chosen for the client to see.
    struct Shown {
        let identity: String
        let fingerprint: Pin
    }

    private let journal: Journal
    private let entry: Journal.Entry
    private let presenter: Presenter
    private var alarm: Scheduled<Void>?
    private var timeLimit: TimeAmount
    /// When the time limit runs out. It moves with every byte; the alarm is set anew only when it rings too early, or
    /// would ring too late.
    private var deadline = NIODeadline.distantFuture
    private var alarmTime = NIODeadline.distantFuture
    private let idleTimeout: TimeAmount
    private let loop: any EventLoop
    private weak var channel: (any Channel)?
    private var tunnel: String?
    /// Where it was to go before the system led it here, or what its listener is for, and whether that is known by its name.
    let redirected: (place: Routing.Place, isNamed: Bool)?
    private var clientSaidGoodbye = false
    /// Whether the end of what the client says is not the end of what it is told.
    var endsBySides = false
    /// Whether it is the turn of a server behind us, whose fault a silence is.
    var waitsForServer = false
    /// Whether that server has said anything yet.
    var hasHeardServer = false
    private var isClosed = false
    private var closing: ConnectionEvent.Closing?
    private var shown: Shown?
    private var vouches: @Sendable ([Certificate]) -> Bool = { _ in false }
    private var requiresCertificate = false
    /// Whether the client has shown no certificate of its own where one is required.
    private(set) var lacksCertificate = false
    /// The hosts that it asked for, in a tunnel and in TLS.
    private var asked: [String] = []
    /// How many bytes of plaintext came.
    private(set) var count = 0
    /// The one in force at the ClientHello; before that, the one in which the client connected.
    private(set) var epoch: Epoch
    /// Those in force at the same time.
    private(set) var answers: Answers
    private(set) var reachable: [AddressRange] = []
    let canary: Canary?
    /// The protocol that it begins in the clear with, and that is spoken in its TLS.
    var startTLS: StartTLSDialect?
    /// What its client has to know to be led anywhere.
    let credentials: Exposure.Credentials?
    /// Whether whoever connects says first for whom.
    let isForwarded: Bool
    /// Through whom real servers are reached.
    let upstreamProxy: UpstreamProxy?
    /// What devices are given in the clear.
    let page: DevicePage?

    init(
        _ channel: any Channel,
        for place: Routing.Place? = nil,
        journal: Journal,
        presenter: Presenter,
        configuration: ProxyConfiguration
    ) {
        self.channel = channel
        loop = channel.eventLoop
        self.journal = journal
        self.presenter = presenter
        (epoch, answers) = presenter.now
        entry = journal.open(client: channel.remoteAddress, epoch: epoch)
        redirected =
            place.map { ($0, true) }
            ?? OriginalDestination.of(channel).flatMap { original in
                guard let address = original.ipAddress, let port = original.port else { return nil }
                let name = configuration.nameOfAddress(address)
                return (Routing.Place(host: name ?? address, port: port), name != nil)
            }
        timeLimit = configuration.handshakeTimeout
        idleTimeout = configuration.idleTimeout
        canary = configuration.canary
        // What goes to the ports of HTTP speaks first.
        startTLS = [80, 443].contains(redirected?.place.port) ? nil : configuration.startTLS
        credentials = configuration.exposure?.credentials(from: channel)
        isForwarded =
            channel.remoteAddress.map { remote in
                configuration.forwarders.contains { $0.contains(remote.plainBytes) }
            } ?? false
        upstreamProxy = configuration.upstreamProxy
        page = configuration.page
        postponeAlarm()
        if let redirected { note(.redirected(to: redirected.place.text)) }
    }

    func note(_ event: ConnectionEvent) { journal.record(event, on: entry) }

    func note(_ leaks: [Leak], _ secretHeaders: [String]) {
        if !leaks.isEmpty || !secretHeaders.isEmpty { journal.note(leaks, secretHeaders, on: entry) }
    }

    func note(_ request: AnsweredRequest) { journal.note(request, on: entry) }

    func record(_ event: TLSEvent) {
        switch event {
        case .hello(let hello):
            note(.hello(hello))
            if let name = hello.serverName { lookForLeaks(inServerName: name) }
        case .presented:
            guard let shown else { return }
            let presented = ConnectionEvent.presented(
                identity: shown.identity,
                fingerprint: shown.fingerprint,
                epoch: epoch.number
            )
            note(presented)
        case .resumed(let origin): note(.resumed(origin))
        case .alert(let direction, let alert):
            if direction == .inward, alert.isFatal || alert.number == 0 { clientEnds() }
            note(.alert(direction, alert))
        case .established(let session):
            timeLimit = idleTimeout
            postponeAlarm()
            note(.established(session))
        case .clientCertificate(let chain):
            let shown = chain.first.map {
                ClientCertificate(subject: $0.subject, fingerprint: $0.fingerprint, isVerified: vouches(chain))
            }
            note(.clientCertificate(shown, isRequired: requiresCertificate))
            lacksCertificate = requiresCertificate && shown == nil
        case .failed(let reason):
            // A client's own fatal alert fails the handshake too; then the client ended it.
            if !clientSaidGoodbye { willEnd(.protocolError(reason)) }
        }
    }

    /// Everybody on the way can read it.
    private func lookForLeaks(inServerName name: String) {
        guard let offset = canary?.places(in: Array(name.utf8)).first else { return }
        note(.cleartext(host: name))
        note([Leak(.serverName, offset: offset)], [])
    }

    /// A CONNECT named this target, as `host:port`.
    func tunnel(to target: String) {
        tunnel = target
        note(.connected(target: target))
        postponeAlarm()
    }

    /// Whether the name in its hello, or in its request in the clear, decides what becomes of it.
    var isRoutedByName: Bool { redirected != nil && !presenter.routing.1.isPresentingToAll }

    /// Whether the place that it was to go decides at once: it is known by its name, or a route is for it.
    var isRoutedByPlace: Bool {
        redirected.map { $0.isNamed || presenter.routing.1.names($0.place) } ?? false
    }

    /// What becomes of a tunnel to this place, or of a connection that names none; and where it would go.
    func route(to place: Routing.Place?) -> (treatment: Routing.Treatment, place: Routing.Place?) {
        let routing: Routing
        (epoch, routing) = presenter.routing
        journal.move(entry, to: epoch)
        if let place, page?.knows(place.host) == true { return (.present, place) }
        let route = routing.route(to: place)
        // Who wrote its address meant it.
        let own = route.place == routing.upstream ? route.place.flatMap { AddressRange($0.host) } : nil
        reachable = routing.reachable + [own].compactMap(\.self)
        return route
    }

    /// There is life in it.
    func stir() { postponeAlarm() }

    func passThrough(_ bytes: ByteBuffer) {
        postponeAlarm()
        journal.record(.passedThrough(count: bytes.readableBytes), on: entry)
    }

    /// - Parameters:
    ///   - isUpkeep: whether it only keeps the connection.
    ///   - keeps: whether its first bytes are kept as they are.
    func receive(_ plaintext: ByteBuffer, isUpkeep: Bool, keeps: Bool) {
        postponeAlarm()
        count += plaintext.readableBytes
        if !isUpkeep { journal.receive(plaintext, keeps: keeps, on: entry) }
    }

    func note(authority: String, _ words: () -> ByteBuffer) { journal.note(authority: authority, words, on: entry) }

    /// Whether a request's host is none of those that the client asked for before it was shown the certificate.
    func isForeign(_ authority: String) -> Bool {
        let host = Observation.host(of: authority)
        return !asked.isEmpty && !Observation.isLoopback(host)
            && !asked.contains { Observation.isSame($0, host) || Observation.isLoopback($0) }
    }

    func receiveCleartext(_ head: ByteBuffer, host: String?) {
        journal.receiveCleartext(head, host: host, on: entry)
        var (bytes, reader) = (head, RequestReader(canary: canary))
        do {
            while try reader.next(&bytes) != nil {}
        } catch {
            reader.search(unreadable: bytes)
        }
        note(reader.leaks, reader.secretHeaders)
    }

    /// What the client is to see. The host is the one it names in TLS, else the one it asked a tunnel for, else the
    /// one it was led away from or the address it connected to: a URL that holds an address gives no name (RFC 6066
    /// section 3).
    func choose(for hello: ClientHello) -> (identity: Identity, choice: Presenter.Choice)? {
        let name = redirected.flatMap { $0.isNamed ? $0.place.host : nil }
        asked = [hello.serverName, tunnel.map(Observation.host), name].compactMap(\.self)
        let address = redirected?.place.host ?? channel?.localAddress?.ipAddress
        let choice = choice(for: asked.first ?? address, hello)
        (epoch, answers) = (choice.epoch, choice.answers)
        (vouches, requiresCertificate) = (choice.vouches, choice.offer.clientCertificate == .required)
        journal.move(entry, to: epoch)
        guard let identity = choice.identity else {
            willEnd(.refused)
            return nil
        }
        shown = Shown(identity: identity.label, fingerprint: identity.leaf.fingerprint)
        return (identity, choice)
    }

    private func choice(for host: String?, _ hello: ClientHello) -> Presenter.Choice {
        guard let page, let host, page.knows(host) else { return presenter.choose(for: host, hello) }
        let identity = page.check(at: host)?.identity
        return Presenter.Choice(identity: identity, offer: TLSOffer(), epoch: presenter.epoch, answers: page.answers)
    }

    /// The client says no more: the end is its doing, unless we ended it before.
    func clientEnds() {
        if closing == nil { clientSaidGoodbye = true }
    }

    /// We end the connection, for this reason.
    func end(_ how: ConnectionEvent.Closing) {
        guard !isClosed else { return }
        willEnd(how)
        channel?.close(promise: nil)
    }

    var isUpstreamsFault: Bool { if case .upstream = closing { true } else { false } }

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
            let isLeftAlone = waitsForServer && !hasHeardServer
            note(.closed(by: .client, isLeftAlone ? .upstream("it had not answered when the client gave up") : .ended))
        }
    }

    private func postponeAlarm() {
        deadline = loop.now + timeLimit
        if deadline < alarmTime { setAlarm() }
    }

    private func setAlarm() {
        guard !isClosed else { return }
        alarm?.cancel()
        alarmTime = deadline
        let bound = NIOLoopBound(self, eventLoop: loop)
        alarm = loop.scheduleTask(deadline: deadline) { bound.value.alarmRings() }
    }

    private func alarmRings() {
        guard loop.now >= deadline else { return setAlarm() }
        end(waitsForServer ? .upstream("it did not answer in time") : .timedOut)
    }
}
