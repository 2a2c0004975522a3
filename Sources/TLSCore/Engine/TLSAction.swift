package import NIOCore

/// What a `TLSEngine` asks its driver to do, in this order.
package enum TLSAction: Sendable {
    /// A server has read the first ClientHello: call `present(_:)`, now or later. The handshake waits.
    case chooseIdentity(ClientHello)
    /// Write these bytes to the peer.
    case send(ByteBuffer)
    /// Plaintext that the peer sent.
    case deliver(ByteBuffer)
    /// Something happened that a witness should know.
    case record(TLSEvent)
    /// TLS is over, in order or not: close once everything is written. Nothing follows.
    case close
}

/// A fact about a TLS connection, as its engine saw it.
package enum TLSEvent: Hashable, Sendable {
    /// A server read the client's first hello.
    case hello(ClientHello)
    /// A server sent its certificate message.
    case presented
    /// A server resumed a session in place of that.
    case resumed(SessionTickets.Origin)
    /// `inward` is from the peer.
    case alert(Direction, Alert)
    /// Both sides' Finished were seen. It proves nothing about pins: half of all clients compare them afterwards.
    case established(TLSSession)
    /// A server asked its client for a certificate, and got this chain, leaf first; empty: it has none.
    case clientCertificate([Certificate])
    /// The peer broke the protocol, or OpenSSL refused to go on: its reason, for people.
    case failed(String)
}

/// What two endpoints agreed upon.
package struct TLSSession: Hashable, Sendable {
    /// `nil` for a version this package has no name for.
    package var version: TLSVersion?
    /// The cipher suite's name, as in `TLS_AES_256_GCM_SHA384`.
    package var cipherSuite: String
    package var applicationProtocol: String?
    /// A resumed session shows no certificate, and many clients check none.
    package var isResumed: Bool

    package init(version: TLSVersion?, cipherSuite: String, applicationProtocol: String?, isResumed: Bool) {
        self.version = version
        self.cipherSuite = cipherSuite
        self.applicationProtocol = applicationProtocol
        self.isResumed = isResumed
    }
}
