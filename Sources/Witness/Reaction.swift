public import TLSCore

/// What a client did when it was shown a certificate, read from the wire alone.
public enum Reaction: Hashable, Sendable {
    /// It sent a request after it had seen the chain.
    case accepted
    /// It talked through a connection that was not intercepted: the wire saw nothing of it.
    case blind
    /// It sent a request without TLS.
    case cleartext
    case rejected(Rejection)
    case inconclusive(Doubt)

    /// How a connection ended. FIN against RST is noise, so the two are not told apart.
    public enum Closing: Hashable, Sendable {
        /// `close_notify`, or the end of the stream.
        case ended
        /// The client broke the protocol: the reason, for people.
        case protocolError(String)
        /// A time limit of ours ran out.
        case timedOut
        /// A new presentation took the old one's place, or the proxy stopped.
        case superseded
        /// We had no identity to present.
        case refused
        /// The step breaks its handshake off.
        case cutOff
        /// Where the client was to be led on to, nobody answered as they should: the reason, for people.
        case upstream(String)
        /// We had no room for another connection beside so many.
        case crowdedOut(open: Int)
    }

    /// How a client turned away.
    public enum Rejection: Hashable, Sendable {
        /// With a fatal alert, whose number says little about the cause.
        case alert(Alert)
        /// It closed before it finished the handshake.
        case hungUp
        /// It finished the handshake, and closed without a request: what most pin checks look like.
        case withheldRequest

        public var isAlert: Bool { if case .alert = self { true } else { false } }
    }

    /// Why the wire proves nothing.
    public enum Doubt: Hashable, Sendable {
        /// It connected and never came to see a certificate.
        case nothingPresented
        /// We fell silent or hung up, on purpose, before we had shown anything.
        case unanswered
        /// We ended the handshake before we had shown anything, because we share too little with it.
        case nothingInCommon(Lack)
        /// An alert about the protocol, which says nothing about the certificate.
        case protocolAlert(Alert)
        /// It sent bytes that are no request this package knows.
        case unknownData
        /// We ended it first.
        case closedByUs(Closing)
        case stillOpen
        /// It sent datagrams, which nobody answers.
        case datagrams(isQUIC: Bool)
        /// It sent more alerts than could be noted.
        case unnoted(alerts: Int)
        /// There were more connections than could be remembered.
        case forgotten(Int)
    }

    /// What a client offers none of that we could take.
    public enum Lack: Hashable, Sendable {
        /// What it does offer, oldest first, in words.
        case version(offered: [String])
        /// No cipher suite or kind of signature.
        case cipher
        case applicationProtocol(offered: [String])
    }

    public var isRejected: Bool { if case .rejected = self { true } else { false } }
}

extension Reaction: CustomStringConvertible {
    /// A short phrase for people.
    public var description: String {
        switch self {
        case .accepted: "sent its request"
        case .blind: "talked past us"
        case .cleartext: "sent its request in the clear"
        case .rejected(.alert(let alert)): "rejected with \(alert)"
        case .rejected(.hungUp): "hung up in the handshake"
        case .rejected(.withheldRequest): "withheld its request"
        case .inconclusive(.nothingPresented): "never saw a certificate"
        case .inconclusive(.unanswered): "was left without an answer, as the step wants it"
        case .inconclusive(.nothingInCommon(let lack)): "was turned away by us before it saw a certificate: \(lack)"
        case .inconclusive(.protocolAlert(let alert)): "broke off with \(alert), which is not about the certificate"
        case .inconclusive(.unknownData): "sent bytes that are no request"
        case .inconclusive(.closedByUs(.timedOut)): "said nothing until we hung up"
        case .inconclusive(.closedByUs(.protocolError)): "broke the protocol"
        case .inconclusive(.closedByUs(.crowdedOut(let open))):
            "was turned away at our limit of open connections, \(open)"
        case .inconclusive(.closedByUs(.upstream(let reason))):
            "was cut off, for the server behind us failed: \(reason)"
        case .inconclusive(.closedByUs): "was cut off by us"
        case .inconclusive(.datagrams(let isQUIC)):
            isQUIC ? "went by QUIC (UDP), which nobody answers here" : "sent datagrams (UDP), which nobody answers here"
        case .inconclusive(.unnoted(let alerts)): "exchanged \(alerts) alerts too many to be noted"
        case .inconclusive(.forgotten(let count)): "made \(count) connections too many to be remembered"
        case .inconclusive(.stillOpen): "was still connected at the deadline"
        }
    }
}

extension Reaction.Lack: CustomStringConvertible {
    /// A clause for people; the subject of its "it" is the client.
    public var description: String {
        switch self {
        case .version(let offered):
            offered.isEmpty
                ? "it offers no version of TLS that this server speaks"
                : "it offers \(offered.joined(separator: ", ")), and this server speaks another version of TLS"
        case .cipher: "it offers no cipher suite or signature that this server has for that version and key"
        case .applicationProtocol(let offered):
            "it offers the application protocol \(offered.joined(separator: ", ")) only, and this server speaks another"
        }
    }
}
