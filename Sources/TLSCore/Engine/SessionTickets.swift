import COpenSSL
import Synchronization

/// What lets clients come back to one holder's servers without a new certificate: the keys that seal session tickets
/// (RFC 5077, RFC 8446 section 4.6.1), and what each ticket stands for.
package final class SessionTickets: Sendable {
    /// How a client comes back.
    package enum Way: String, CaseIterable, Sendable {
        case ticket
        /// By the number of a session that the server remembers; in TLS 1.3 its tickets hold no more than that.
        case sessionID = "session-id"
        /// By a ticket, and with its first request before the server has answered (TLS 1.3).
        case earlyData = "early-data"
    }

    /// The handshake that a session comes from: what its client was shown.
    package struct Origin: Hashable, Sendable {
        /// The identity's label.
        package var identity: String
        package var fingerprint: Pin
        /// The presentation in force then.
        package var epoch: Int
    }

    /// A name, then a key to encrypt with and one to sign with.
    private let keys: [UInt8]
    private let origins = Mutex<[Origin]>([])
    /// The sessions that are remembered, by their numbers.
    private let remembered = Mutex<[[UInt8]: ResumableSession]>([:])
    private static let mostRemembered = 4096

    package init() throws(OpenSSLError) {
        var keys = [UInt8](repeating: 0, count: Int(PD_TICKET_KEYS_LENGTH))
        try require(RAND_bytes(&keys, Int32(keys.count)), "make keys for session tickets")
        self.keys = keys
    }

    /// What a ticket carries in place of its origin.
    func number(of origin: Origin) -> UInt32 {
        origins.withLock { origins in
            if let known = origins.lastIndex(of: origin) { return UInt32(known) }
            origins.append(origin)
            return UInt32(origins.count - 1)
        }
    }

    func origin(_ number: UInt32) -> Origin? {
        origins.withLock { $0.indices.contains(Int(number)) ? $0[Int(number)] : nil }
    }

    fileprivate func remember(_ session: OpaquePointer) {
        var count: UInt32 = 0
        guard let number = SSL_SESSION_get_id(session, &count), let copy = ResumableSession(copying: session) else {
            return
        }
        remembered.withLock { remembered in
            guard remembered.count < Self.mostRemembered else { return }
            remembered[Array(UnsafeBufferPointer(start: number, count: Int(count)))] = copy
        }
    }

    /// For the caller to keep.
    fileprivate func session(_ number: [UInt8]) -> OpaquePointer? {
        remembered.withLock { $0[number].flatMap { SSL_SESSION_dup($0.session.pointer) } }
    }

    fileprivate func prepare(
        _ name: UnsafeMutablePointer<UInt8>?,
        _ vector: UnsafeMutablePointer<UInt8>?,
        _ cipher: OpaquePointer?,
        _ mac: OpaquePointer?,
        _ isNew: Int32
    ) -> Int32 {
        pd_ticket_prepare(keys, name, vector, cipher, mac, isNew)
    }
}

/// A session that a client may offer to resume on another connection.
package struct ResumableSession: Sendable {
    let session: Owned

    /// OpenSSL spoils the session of a connection that ends without a goodbye, so a copy is kept.
    init?(copying session: OpaquePointer) {
        guard let copy = SSL_SESSION_dup(session) else { return nil }
        self.session = Owned(copy) { SSL_SESSION_free($0) }
    }
}

/// Somebody else's ticket cannot be opened, and the handshake goes on in full.
let ticketKeyCallback:
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, OpaquePointer?, OpaquePointer?,
        Int32
    ) -> Int32 = { ssl, name, vector, cipher, mac, isNew in
        TLSEngine.from(ssl)?.tickets?.prepare(name, vector, cipher, mac, isNew) ?? 0
    }

let ticketCallback: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { ssl, _ in
    TLSEngine.from(ssl)?.markTicket() == false ? 0 : 1
}

/// Whether a session of TLS 1.2 is of no use; then its client is given neither number nor ticket. OpenSSL 3.0 would give it a
/// number that is worth nothing.
let uselessSessionCallback: @convention(c) (OpaquePointer?, Int32) -> Int32 = { ssl, _ in
    guard TLSEngine.from(ssl)?.tickets == nil else { return 0 }
    SSL_SESSION_set1_id(SSL_get_session(ssl), [], 0)
    return 1
}

/// The session stays OpenSSL's: a copy is remembered.
let newSessionCallback: @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32 = { ssl, session in
    if let session { TLSEngine.from(ssl)?.remember(session) }
    return 0
}

let sessionCallback:
    @convention(c) (OpaquePointer?, UnsafePointer<UInt8>?, Int32, UnsafeMutablePointer<Int32>?) -> OpaquePointer? = {
        ssl,
        number,
        count,
        isCopied in
        isCopied?.pointee = 0
        let number = UnsafeBufferPointer(start: number, count: Int(count))
        return TLSEngine.from(ssl)?.tickets?.session(Array(number))
    }

extension TLSEngine {
    /// Lets this connection resume a session, and its client come back.
    func allowTickets(_ tickets: SessionTickets, _ way: SessionTickets.Way, for identity: Identity, epoch: Int) {
        self.tickets = tickets
        remembersSessions = way == .sessionID
        origin = SessionTickets.Origin(
            identity: identity.label,
            fingerprint: identity.leaf.fingerprint,
            epoch: epoch
        )
        if way == .sessionID { pd_ssl_allow_session_ids(ssl) } else { pd_ssl_allow_tickets(ssl) }
        if way == .earlyData { pd_ssl_take_early_data(ssl) }
    }

    fileprivate func remember(_ session: OpaquePointer) {
        if remembersSessions, mark(session) { tickets?.remember(session) }
    }

    fileprivate func markTicket() -> Bool { SSL_get_session(ssl).map(mark) ?? true }

    /// What comes of a resumed session stands for what the session's first did.
    private func mark(_ session: OpaquePointer) -> Bool {
        guard let tickets, let origin = resumedOrigin ?? origin else { return true }
        var number = tickets.number(of: origin)
        return SSL_SESSION_set1_ticket_appdata(session, &number, MemoryLayout<UInt32>.size) == 1
    }

    /// Where the session was resumed, what its client was shown when it began.
    var resumedOrigin: SessionTickets.Origin? {
        guard SSL_session_reused(ssl) == 1, let tickets, let session = SSL_get_session(ssl) else { return nil }
        var data: UnsafeMutableRawPointer?
        var count = 0
        guard SSL_SESSION_get0_ticket_appdata(session, &data, &count) == 1, count == MemoryLayout<UInt32>.size else {
            return nil
        }
        return data.flatMap { tickets.origin($0.loadUnaligned(as: UInt32.self)) }
    }

    /// The client's side: what may be resumed of this connection, with the tickets that have come by now.
    package var resumableSession: ResumableSession? {
        guard let session = SSL_get_session(ssl), SSL_SESSION_is_resumable(session) == 1 else { return nil }
        return ResumableSession(copying: session)
    }

    /// The client's side: wants a ticket, and offers a session that it has already. To be called before `start`.
    package func keepSessions(offering known: ResumableSession?) {
        pd_ssl_allow_tickets(ssl)
        if let known { SSL_set_session(ssl, known.session.pointer) }
    }
}
