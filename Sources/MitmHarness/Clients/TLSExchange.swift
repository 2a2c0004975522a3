import NIOCore
import NIOPosix
package import Pinning
import Synchronization
package import TLSCore

/// One HTTPS request made on our own TLS engine: connect, shake hands, judge the server, ask, read the answer.
///
/// The reference client is this with nothing left out. A client that gets one of its parts wrong is this with that part
/// changed, which is how the known-bad clients are made.
package struct TLSExchange: Sendable {
    /// When the request goes out.
    package enum Order: Sendable {
        case judgeThenRequest
        /// The mistake of clients that judge too late.
        case requestThenJudge
        /// Shakes hands and says nothing more.
        case judgeOnly
    }

    /// What a client has seen of a server once the handshake is over.
    package struct Seen: Sendable {
        /// As sent, leaf first.
        package var presented: [Certificate]
        /// As OpenSSL built it, leaf first, anchor last; empty where the client does not verify.
        package var verified: [Certificate]
        package var version: TLSVersion
        package var applicationProtocol: String?
    }

    /// How it ended.
    package enum Outcome: Sendable {
        /// The head of the answer: status line and fields, without the empty line behind them.
        case answered(String)
        /// Verification failed during the handshake; OpenSSL keeps no depth.
        case untrusted(TrustFailure)
        /// The client's own judgement went against the server.
        case refused(Decision)
        case failed(String)
    }

    /// Whether, and against what, the chain is verified during the handshake.
    package var trust: TrustStore?
    package var checksHost: Bool
    package var checksDates: Bool
    package var order: Order
    package var settings = TLSSettings()
    /// What is asked for, and every other part of the request; each element is sent as a record of its own.
    package var request: @Sendable (_ host: String) -> [String] = { ["GET / \(TLSExchange.fields(host: $0))"] }
    /// For whom it asks over HTTP/2, where that was agreed on.
    package var authorities: @Sendable (_ host: String) -> [String] = { [$0] }
    /// Whether `close_notify` goes out before it hangs up.
    package var saysGoodbye = true
    /// How long it waits for the end of a handshake; `nil`: a third of what an attempt may take.
    package var handshakeLimit: Duration?
    /// Where it keeps sessions and finds those that it may resume; `nil` for a client that never does.
    package var sessions: ClientSessions?
    /// Whether it keeps the session of a server that it has refused.
    package var keepsRefusedSessions = false
    /// Whether a resumed session is judged like a new one, by what was seen when it began.
    package var judgesResumed = true
    /// Whether it asks with its hello where it comes back with a session that allows it.
    package var asksEarly = false
    /// The judgement after the handshake.
    package var judge: @Sendable (Seen) -> Decision

    package init(
        trust: TrustStore?,
        checksHost: Bool = true,
        checksDates: Bool = true,
        order: Order = .judgeThenRequest,
        judge: @escaping @Sendable (Seen) -> Decision
    ) {
        self.trust = trust
        self.checksHost = checksHost
        self.checksDates = checksDates
        self.order = order
        self.judge = judge
    }

    /// What stands behind a request's method and path.
    package static func fields(host: String) -> String {
        "HTTP/1.1\r\nhost: \(host)\r\nuser-agent: pindrill\r\nconnection: close\r\n\r\n"
    }

    /// Makes the request. Ends after the endpoint's timeout, whatever the server does.
    ///
    /// - Parameter beforeEnding: is called when that timeout has passed, while the connection is still open.
    package func run(_ endpoint: Endpoint, beforeEnding: @escaping BeforeEnding = { _ in }) async -> Outcome {
        let hasShakenHands = Flag()
        do {
            return try await withThrowingTaskGroup(of: Outcome.self) { group in
                group.addTask { try await exchange(endpoint, hasShakenHands) }
                group.addTask {
                    try await Task.sleep(for: endpoint.timeout)
                    await beforeEnding(true)
                    return .failed("no answer within \(endpoint.timeout.written)")
                }
                let limit = handshakeLimit ?? endpoint.timeout / 3
                group.addTask {
                    try await Task.sleep(for: limit)
                    if hasShakenHands.isSet { try await Task.sleep(for: endpoint.timeout) }
                    return .failed("no handshake within \(limit.written)")
                }
                defer { group.cancelAll() }
                return try await group.next() ?? .failed("nothing happened")
            }
        } catch {
            return .failed("\(error)")
        }
    }

    private func exchange(_ endpoint: Endpoint, _ hasShakenHands: Flag) async throws -> Outcome {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(to: SocketAddress(ipAddress: "127.0.0.1", port: endpoint.port)) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            let engine = try TLSEngine(
                client: TLSContext.shared(.client, settings, trust: trust),
                host: endpoint.name,
                checksHost: checksHost,
                at: checksDates ? endpoint.instant : nil
            )
            let remembered = sessions?[endpoint.host]
            if sessions != nil { engine.keepSessions(offering: remembered?.session) }
            var talk = Talk(engine: engine, exchange: self, host: endpoint.host, remembered: remembered?.seen)
            defer { talk.keepSession() }
            try await outbound.write(contentsOf: talk.start())
            for try await bytes in inbound {
                let output = talk.take(engine.receive(bytes))
                if talk.hasShakenHands { hasShakenHands.set() }
                guard let outcome = talk.outcome else {
                    try await outbound.write(contentsOf: output)
                    continue
                }
                // A goodbye, or an alert: the server may be gone by now, and that changes nothing.
                try? await outbound.write(contentsOf: output)
                return outcome
            }
            return talk.ended
        }
    }
}

/// Something that has happened, or not yet.
private final class Flag: Sendable {
    private let state = Atomic(false)

    var isSet: Bool { state.load(ordering: .relaxed) }

    func set() { state.store(true, ordering: .relaxed) }
}

/// The part of an exchange that needs no socket: engine's actions in, bytes to send out.
private struct Talk {
    let engine: TLSEngine
    let exchange: TLSExchange
    let host: String
    var outcome: TLSExchange.Outcome?
    private var answer = ByteBuffer()
    private var decision: Decision?
    private var session: TLSSession?
    var hasShakenHands: Bool { session != nil }
    /// What was seen of the server when the session began that is offered.
    private let remembered: TLSExchange.Seen?
    private var seen: TLSExchange.Seen?
    private var refusal: Decision?

    init(engine: TLSEngine, exchange: TLSExchange, host: String, remembered: TLSExchange.Seen?) {
        self.engine = engine
        self.exchange = exchange
        self.host = host
        self.remembered = remembered
    }

    mutating func start() -> [ByteBuffer] {
        guard exchange.asksEarly, remembered != nil else { return take(engine.start()) }
        return take(engine.start(saying: ByteBuffer(string: exchange.request(host).joined())))
    }

    mutating func take(_ actions: [TLSAction]) -> [ByteBuffer] {
        var output: [ByteBuffer] = []
        var (isEstablished, isClosed) = (false, false)
        for action in actions {
            switch action {
            case .send(let bytes): output.append(bytes)
            case .deliver(let plaintext): answer.writeImmutableBuffer(plaintext)
            case .record(.established(let session)):
                isEstablished = true
                self.session = session
            case .record(.failed(let reason)):
                outcome = engine.verificationFailure.map { .untrusted($0) } ?? .failed(reason)
            case .close: isClosed = true
            case .record, .chooseIdentity: break
            }
        }
        // Only now: what the engine makes of our answer goes out behind what it had to send already.
        if isEstablished { output += judge() }
        output += readAnswer()
        if isClosed, outcome == nil { outcome = ended }
        return output
    }

    /// What a connection that ended without an answer amounts to.
    var ended: TLSExchange.Outcome {
        refusal.map { .refused($0) } ?? .failed("the server closed the connection without an answer")
    }

    /// Keeps what the server gave to come back with.
    func keepSession() {
        guard let sessions = exchange.sessions, let seen, refusal == nil || exchange.keepsRefusedSessions,
            let session = engine.resumableSession
        else { return }
        sessions[host] = (session, seen)
    }

    private mutating func judge() -> [ByteBuffer] {
        var seen = TLSExchange.Seen(
            presented: engine.presentedChain,
            verified: engine.verifiedPath,
            version: session?.version ?? .tls1_3,
            applicationProtocol: session?.applicationProtocol
        )
        let isResumed = session?.isResumed == true
        if isResumed, let remembered { seen = remembered }
        self.seen = seen
        let isTrusted = isResumed && !exchange.judgesResumed
        let decision = isTrusted ? Decision(.accept, .trusted) : exchange.judge(seen)
        switch exchange.order {
        case .judgeThenRequest:
            return decision.demand == .reject ? refuse(decision) : request()
        case .requestThenJudge:
            // The judgement waits for the answer, as in a client that checks its pins when it reads.
            self.decision = decision
            return request()
        case .judgeOnly:
            if decision.demand == .reject { return refuse(decision) }
            return exchange.sessions == nil ? [] : sends(engine.finish())
        }
    }

    private mutating func readAnswer() -> [ByteBuffer] {
        guard outcome == nil, refusal == nil, let head else { return [] }
        if let decision, decision.demand == .reject { return refuse(decision) }
        outcome = .answered(head)
        return goodbye()
    }

    private var speaksHTTP2: Bool { session?.applicationProtocol == "h2" }

    private var head: String? {
        guard !speaksHTTP2 else { return HTTP2Exchange.head(in: answer) }
        let text = String(buffer: answer)
        return text.firstRange(of: "\r\n\r\n").map { String(text[..<$0.lowerBound]) }
    }

    private mutating func refuse(_ decision: Decision) -> [ByteBuffer] {
        refusal = decision
        // In TLS 1.3 tickets come after the handshake.
        if exchange.sessions != nil, outcome == nil { return sends(engine.finish()) }
        outcome = .refused(decision)
        return goodbye()
    }

    private func request() -> [ByteBuffer] {
        guard !engine.wasHeardEarly else { return [] }
        guard !speaksHTTP2 else { return sends(engine.send(HTTP2Exchange.requests(for: exchange.authorities(host)))) }
        return exchange.request(host).flatMap { sends(engine.send(ByteBuffer(string: $0))) }
    }

    private func goodbye() -> [ByteBuffer] { exchange.saysGoodbye ? sends(engine.close()) : [] }

    private func sends(_ actions: [TLSAction]) -> [ByteBuffer] {
        actions.compactMap { if case .send(let bytes) = $0 { bytes } else { nil } }
    }
}
