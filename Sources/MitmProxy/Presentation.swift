package import TLSCore
package import Witness

/// What the next connections will see: for each host, one identity or several.
package struct Presentation: Sendable {
    /// For which hosts a rule holds.
    package enum HostPattern: Hashable, Sendable {
        case any
        /// One host, without regard to case or a dot at its end.
        case exactly(String)
        /// The same, and whoever names no host: who sends no SNI, or asks for this very machine.
        case meaning(String)

        func matches(_ host: String?) -> Bool {
            switch self {
            case .any: true
            case .exactly(let name): host.map { Observation.isSame($0, name) } ?? false
            case .meaning(let name): host.map { Observation.isSame($0, name) || Observation.isLoopback($0) } ?? true
            }
        }
    }

    /// Which identity a connection sees.
    package enum Selection: Sendable {
        case always(Source)
        /// The first connection sees the first, the second the second, and so on; the last one stays.
        case sequence([Source])
        /// The one whose key the client's hello likes best.
        case byHello([Source])
    }

    /// Where an identity comes from.
    package enum Source: Sendable {
        case identity(Identity)
        /// Made for the name that each client asks for.
        case minted(by: Minter)
    }

    /// The first rule whose pattern matches is in force.
    package var rules: [(pattern: HostPattern, selection: Selection)]

    /// What the server limits itself to, beside the proxy's settings.
    package var offer: TLSOffer

    /// What is wrong with handshakes with the host that connections may mean without a name.
    package var fault: HandshakeFault?

    /// The session tickets of an identity's holder; `nil` where none are given.
    package var tickets: @Sendable (Identity) -> SessionTickets? = { _ in nil }
    /// How clients come back by them.
    package var resumption = SessionTickets.Way.ticket

    /// What becomes of tunnels.
    package var routing = Routing()

    /// Who answers in place of the origin.
    package var relay: Upstream?

    /// Whether the server knows who vouches for a client's own chain.
    package var vouches: @Sendable ([Certificate]) -> Bool = { _ in false }

    /// What is answered; `nil`: what the proxy's configuration says.
    package var origin: Origin?

    package init(rules: [(pattern: HostPattern, selection: Selection)], offer: TLSOffer = TLSOffer()) {
        self.rules = rules
        self.offer = offer
    }

    /// One selection for every host.
    package init(_ selection: Selection, offer: TLSOffer = TLSOffer()) {
        self.init(rules: [(.any, selection)], offer: offer)
    }

    /// One identity for every host.
    package init(_ identity: Identity) {
        self.init(.always(.identity(identity)))
    }
}

/// The number of a presentation: which of them a connection saw. Every `present` opens a new one.
package struct Epoch: Hashable, Comparable, Sendable {
    package let number: Int

    package init(_ number: Int) { self.number = number }

    package static func < (left: Epoch, right: Epoch) -> Bool { left.number < right.number }

    func next() -> Epoch { Epoch(number + 1) }
}

/// Whether connections that are open when the presentation changes may live on.
package enum ExistingConnections: Sendable {
    case close
    /// As a real server does: an open connection keeps the certificate it was opened with.
    case keep
}
