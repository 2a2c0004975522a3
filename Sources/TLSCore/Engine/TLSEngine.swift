import COpenSSL
package import Foundation
package import NIOCore

/// One end of one TLS connection as a state machine: bytes go in, actions come out. It owns no socket.
///
/// ```
///   socket ── receive(bytes) ──▶ ┌───────────┐ ──▶ [.send(bytes), .deliver(plaintext), .record(fact), …]
///                                │ TLSEngine │
///   app ──── send(plaintext) ──▶ └───────────┘ ──▶ [.send(bytes)]
/// ```
///
/// A server stops at the first ClientHello until an identity is presented, so that the certificate may depend on whom
/// the client asked for, and be minted meanwhile. Use one engine from one thread or event loop at a time.
package final class TLSEngine {
    private enum State {
        case handshaking
        /// A server read the hello and waits for `present`.
        case choosing
        case open
        case closed
    }

    let context: TLSContext
    let ssl: OpaquePointer
    private let ciphertext = Ciphertext()
    private var state = State.handshaking
    private(set) var identity: Identity?
    /// What a server picks from, in order of preference.
    private(set) lazy var applicationProtocols = context.applicationProtocols
    /// Whether the peer's `close_notify` ends only what it says, as behind a relay, and not the connection.
    package var keepsHalfOpen = false
    /// What a client that may take an earlier answer of its trust store asks about.
    private(set) var remembered: (host: String?, instant: Date?)?
    /// Whether the peer has said `close_notify`.
    package private(set) var hasHeardAll = false
    /// What callbacks and calls have noted since the last actions were handed out.
    var pending: [TLSAction] = []
    /// The first ClientHello, once a server has read it.
    var hello: ClientHello?
    /// A server that has no identity to present breaks off with an alert.
    var refusesHello = false
    private var asksForCertificate = false
    /// Where sessions may be resumed, and what tickets of this connection stand for.
    var tickets: SessionTickets?
    var origin: SessionTickets.Origin?
    var hasNotedResumption = false
    /// Whether sessions are kept here, and not in tickets.
    var remembersSessions = false
    /// Whether early data may come, or may still come: then OpenSSL wants to be asked for it before the handshake.
    private var mayHearEarly: Bool
    /// Of the first ClientHello, which is here before a server reads it.
    var fingerprint: JA4?

    /// The server's side of a connection.
    package convenience init(server context: TLSContext) throws(OpenSSLError) {
        precondition(context.role == .server, "this context is a client's")
        try self.init(context)
        SSL_set_accept_state(ssl)
    }

    /// The client's side: asks for `host`, and where the context has a trust store, checks chain, name and dates
    /// during the handshake.
    ///
    /// - Parameters:
    ///   - host: the name sent (SNI) and checked; an address is checked and not sent (RFC 6066 section 3).
    ///   - checksHost: `false` for a client that forgets to.
    ///   - instant: when the dates are checked; `nil` is not to check them.
    ///   - trustsMemory: whether a trust store that remembers may answer from memory. Then no path is known.
    package convenience init(
        client context: TLSContext,
        host: String,
        checksHost: Bool = true,
        at instant: Date?,
        trustsMemory: Bool = false
    ) throws(OpenSSLError) {
        precondition(context.role == .client, "this context is a server's")
        try self.init(context)
        if SubjectName.address(host) == nil {
            try require(pd_ssl_set_server_name(ssl, host), "ask for the host '\(host)'")
        }
        guard let parameters = SSL_get0_param(ssl),
            TrustStore.configure(parameters, host: checksHost ? host : nil, at: instant)
        else { throw OpenSSLError(attempt: "check for the host '\(host)'", codes: []) }
        if trustsMemory { remembered = (checksHost ? host : nil, instant) }
        SSL_set_connect_state(ssl)
    }

    private init(_ context: TLSContext) throws(OpenSSLError) {
        OpenSSLError.forget()
        self.context = context
        mayHearEarly = context.takesEarlyData
        ssl = try require(SSL_new(context.ssl.pointer), "start a TLS connection")
        try ciphertext.connect(to: ssl)
        // Unretained is safe: callbacks run only inside calls that this object makes on `ssl`, which dies with it.
        SSL_set_ex_data(ssl, TLSEngine.index, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The most plaintext that one record holds (RFC 8446 section 5.1).
    static let largestRecord = 1 << 14
    /// The most that is handed out together.
    private static let mostAtOnce = 1 << 16

    deinit { SSL_free(ssl) }

    // MARK: Inputs

    /// Begins: a client's hello goes out. A server waits.
    package func start() -> [TLSAction] { advance() }

    /// Begins, and sends this with the hello where the session that is offered allows it (RFC 8446 section 2.3).
    package func start(saying early: ByteBuffer) -> [TLSAction] {
        if let session = SSL_get_session(ssl), early.readableBytes <= SSL_SESSION_get_max_early_data(session) {
            OpenSSLError.forget()
            var count = 0
            early.withUnsafeReadableBytes { _ = SSL_write_early_data(ssl, $0.baseAddress, $0.count, &count) }
        }
        return advance()
    }

    /// Whether the server took what came with the hello: then it is not said again.
    package var wasHeardEarly: Bool { SSL_get_early_data_status(ssl) == SSL_EARLY_DATA_ACCEPTED }

    /// Takes bytes that the peer sent.
    package func receive(_ bytes: ByteBuffer) -> [TLSAction] {
        // Nobody reads what comes behind `close_notify` (RFC 8446 section 6.1).
        guard state != .closed, !hasHeardAll else { return [] }
        ciphertext.receive(bytes)
        return advance()
    }

    /// Answers `.chooseIdentity`: the handshake goes on with this certificate, within the limits of the offer or not at
    /// all.
    ///
    /// - Parameters:
    ///   - tickets: the holder's, where sessions may be resumed.
    ///   - epoch: what the tickets remember this presentation by.
    package func present(
        _ identity: Identity,
        offer: TLSOffer = TLSOffer(),
        tickets: SessionTickets? = nil,
        by way: SessionTickets.Way = .ticket,
        epoch: Int = 0
    ) -> [TLSAction] {
        guard case .choosing = state else { return [] }
        OpenSSLError.forget()
        self.identity = identity
        do throws(OpenSSLError) {
            if let holder = context.holding(identity) {
                _ = try require(SSL_set_SSL_CTX(ssl, holder.pointer), "present '\(identity.label)'")
            } else {
                try identity.withOpenSSL { leaf, key, others throws(OpenSSLError) in
                    try require(SSL_use_cert_and_key(ssl, leaf, key, others, 1), "present '\(identity.label)'")
                }
            }
            try offer.apply(to: ssl)
            if let tickets { allowTickets(tickets, way, for: identity, epoch: epoch) }
        } catch {
            return fail(error.description)
        }
        applicationProtocols = offer.applicationProtocols ?? context.applicationProtocols
        asksForCertificate = offer.clientCertificate != nil
        state = .handshaking
        return advance()
    }

    /// Has a client prove itself to a server that asks for that.
    package func prove(by identity: Identity) throws(OpenSSLError) {
        try identity.withOpenSSL { leaf, key, others throws(OpenSSLError) in
            try require(SSL_use_cert_and_key(ssl, leaf, key, others, 1), "prove ourselves by '\(identity.label)'")
        }
    }

    /// Encrypts and sends; nothing before the handshake is over.
    package func send(_ plaintext: ByteBuffer) -> [TLSAction] {
        guard case .open = state, plaintext.readableBytes > 0 else { return [] }
        OpenSSLError.forget()
        ciphertext.makeRoom(forPlaintext: plaintext.readableBytes)
        // Our BIO takes everything, so one call writes all of it.
        let written = plaintext.withUnsafeReadableBytes { SSL_write(ssl, $0.baseAddress, Int32(clamping: $0.count)) }
        guard written > 0 else { return fail(OpenSSLError.drain("send").description) }
        return drain()
    }

    /// Ends in order: `close_notify` goes out, then the driver is asked to close.
    package func close() -> [TLSAction] {
        guard state != .closed else { return [] }
        if case .open = state {
            OpenSSLError.forget()
            _ = SSL_shutdown(ssl)
        }
        state = .closed
        return drain() + [.close]
    }

    /// Says `close_notify`, and goes on reading until the peer has said so too: tickets may be on their way.
    package func finish() -> [TLSAction] {
        guard case .open = state else { return close() }
        OpenSSLError.forget()
        _ = SSL_shutdown(ssl)
        return drain()
    }

    /// Answers `.chooseIdentity` when there is none: the peer gets the fatal alert 80 (`internal_error`).
    package func refuse() -> [TLSAction] {
        guard case .choosing = state else { return [] }
        refusesHello = true
        state = .handshaking
        return advance()
    }

    // MARK: What is known of the peer

    /// The chain that the peer presented, leaf first, exactly as sent. A server knows none of its client.
    package var presentedChain: [Certificate] { TrustStore.certificates(SSL_get_peer_cert_chain(ssl)) }

    /// What a client has proven itself by, leaf first: to a server, the chain comes without it (`SSL_get_peer_cert_chain(3)`).
    private var clientChain: [Certificate] {
        guard let leaf = SSL_get1_peer_certificate(ssl) else { return [] }
        return [Certificate(owning: leaf)] + presentedChain
    }

    /// The path that OpenSSL built while it verified the peer, leaf first, anchor last; empty when it did not, or when
    /// verification failed. (OpenSSL itself keeps what it tried, even where nobody asked for a verification.)
    package var verifiedPath: [Certificate] {
        guard let trust = context.trust, SSL_get_verify_result(ssl) == X509_V_OK else { return [] }
        return trust.path(SSL_get0_verified_chain(ssl))
    }

    /// Why a client's verification of the server failed; `nil` when it did not, or has not happened.
    package internal(set) var verificationFailure: TrustFailure?

    // MARK: The machine

    private func advance() -> [TLSAction] {
        while true {
            switch state {
            case .choosing, .closed: return drain()
            case .handshaking:
                OpenSSLError.forget()
                let isEarly = mayHearEarly
                let result = isEarly ? hearEarly() : SSL_do_handshake(ssl)
                if isEarly, result == 1 { continue }
                if result == 1 {
                    state = .open
                    if asksForCertificate { pending.append(.record(.clientCertificate(clientChain))) }
                    pending.append(.record(.established(session)))
                    continue
                }
                switch SSL_get_error(ssl, result) {
                case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return drain()
                case SSL_ERROR_WANT_CLIENT_HELLO_CB:
                    state = .choosing
                    let hello = hello ?? ClientHello()
                    pending.append(.record(.hello(hello)))
                    pending.append(.chooseIdentity(hello))
                    return drain()
                // The peer said `close_notify`; so do we.
                case SSL_ERROR_ZERO_RETURN: return close()
                default: return fail(OpenSSLError.drain("shake hands").description)
                }
            case .open:
                guard !hasHeardAll, waiting > 0 else { return drain() }
                let result = read()
                if result > 0 { continue }
                // For a ticket that comes by itself OpenSSL makes room to answer, and keeps it: 16 kB of an idle connection.
                SSL_free_buffers(ssl)
                switch SSL_get_error(ssl, result) {
                case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return drain()
                // The peer said `close_notify`; so do we.
                case SSL_ERROR_ZERO_RETURN:
                    hasHeardAll = true
                    return keepsHalfOpen ? drain() : close()
                default: return fail(OpenSSLError.drain("read").description)
                }
            }
        }
    }

    /// Hands out the plaintext of whole records, many together, in its place among what is noted meanwhile.
    ///
    /// - Returns: what the last call said: 0 or less once nothing more can be read.
    private func read() -> Int32 {
        var plaintext = ByteBuffer()
        let noted = pending.count
        var (result, before): (Int32, Int) = (0, 0)
        OpenSSLError.forget()
        plaintext.writeWithUnsafeMutableBytes(minimumWritableBytes: min(waiting, TLSEngine.mostAtOnce)) { room in
            var count = 0
            repeat {
                let rest = room[count...]
                result = SSL_read(ssl, UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress, Int32(rest.count))
                count += max(0, Int(result))
                if pending.count == noted { before = count }
            } while result > 0 && count < room.count && waiting > 0 && pending.count == noted
            return count
        }
        if let first = plaintext.readSlice(length: before), before > 0 { pending.insert(.deliver(first), at: noted) }
        if plaintext.readableBytes > 0 { pending.append(.deliver(plaintext)) }
        return result
    }

    /// What is here to be read: plaintext is never longer than what carries it.
    private var waiting: Int { Int(SSL_pending(ssl)) + ciphertext.waiting }

    /// Takes what the client says before the handshake is over (RFC 8446 section 2.3): 1 for a step forward.
    private func hearEarly() -> Int32 {
        var plaintext = ByteBuffer()
        var count = 0
        var state = SSL_READ_EARLY_DATA_ERROR
        plaintext.writeWithUnsafeMutableBytes(minimumWritableBytes: TLSEngine.largestRecord) { buffer in
            state = SSL_read_early_data(ssl, buffer.baseAddress, buffer.count, &count)
            return count
        }
        guard state != SSL_READ_EARLY_DATA_ERROR else { return -1 }
        if count > 0 { pending.append(.deliver(plaintext)) }
        if state == SSL_READ_EARLY_DATA_FINISH { mayHearEarly = false }
        return 1
    }

    /// Everything noted so far, then the bytes it left to be sent.
    private func drain() -> [TLSAction] {
        if let bytes = ciphertext.takeOutward() { pending.append(.send(bytes)) }
        defer { pending = [] }
        return pending
    }

    private func fail(_ reason: String) -> [TLSAction] {
        guard state != .closed else { return [] }
        state = .closed
        pending.append(.record(.failed(reason)))
        return drain() + [.close]
    }

    /// What was agreed on; of early data it is known before the handshake is over.
    package var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }

    private var session: TLSSession {
        TLSSession(
            version: TLSVersion(rawValue: UInt16(truncatingIfNeeded: SSL_version(ssl))),
            cipherSuite: SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)).map { String(cString: $0) } ?? "",
            applicationProtocol: applicationProtocol,
            isResumed: SSL_session_reused(ssl) == 1
        )
    }
}
