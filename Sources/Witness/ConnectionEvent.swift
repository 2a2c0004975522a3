package import TLSCore

/// One fact about one connection, in the order it was seen.
package enum ConnectionEvent: Hashable, Sendable {
    /// A TCP connection was accepted, or a tunnel asked for: `target` is the `host:port` that a CONNECT named.
    case connected(target: String?)
    /// Its client meant another place than ours, as `host:port`: the system has led it here, and names the place.
    case redirected(to: String)
    /// Who connected stands for this client, as `host:port`, or says so.
    case forwarded(from: String)
    /// In place of a connection: datagrams (UDP) to one place.
    case datagrams(count: Int, isQUIC: Bool)
    /// It had agreed with us, in the clear, that TLS begins: what it speaks there is no HTTP.
    case startTLS(StartTLSDialect)
    case hello(ClientHello)
    /// Our certificate message went out: what it held, and under which presentation.
    case presented(identity: String, fingerprint: Pin, epoch: Int)
    /// In place of that, a session was resumed: what its client was shown when it began.
    case resumed(SessionTickets.Origin)
    /// We went no further in the handshake, on purpose: the client was shown nothing.
    case unanswered
    /// `inward` is from the client.
    case alert(Direction, Alert)
    case established(TLSSession)
    /// What the client proved itself by, where we asked for that; `nil`: it has nothing.
    case clientCertificate(ClientCertificate?, isRequired: Bool)
    /// Plaintext bytes that the client sent through TLS.
    case data(count: Int)
    /// The `RequestDetector` saw a real request inside TLS.
    case request
    /// A request in the clear, and the host it named.
    case cleartext(host: String?)
    /// Bytes that were relayed unread, in a connection that was not intercepted.
    case passedThrough(count: Int)
    /// Of these, more than a handshake went both ways.
    case conversed
    case closed(by: Party, Closing)
    /// In place of alerts for which the journal had no room: how many there were, none of which ended the connection.
    case unnoted(alerts: Int)
    /// In place of connections for which the journal had no room: how many there were.
    case forgotten(count: Int)

    /// Who ended a connection.
    package enum Party: String, Hashable, Sendable {
        case client
        case us
    }

    package typealias Closing = Reaction.Closing
}

/// A certificate of a client's own.
package struct ClientCertificate: Hashable, Sendable {
    package var subject: String
    package var fingerprint: Pin
    /// Whether somebody vouches for it whom the server knows, or it is one that we handed out.
    package var isVerified: Bool

    package init(subject: String, fingerprint: Pin, isVerified: Bool) {
        self.subject = subject
        self.fingerprint = fingerprint
        self.isVerified = isVerified
    }
}
