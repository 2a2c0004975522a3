/// How a server is slow in a handshake, or never finishes it.
package struct HandshakeFault: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// It answers the client's hello so much later.
        case delay(Duration)
        /// It says nothing more.
        case stop(Stop, after: Message)
    }

    /// What becomes of the connection of a handshake that is never finished.
    package enum Stop: String, CaseIterable, Sendable {
        /// It stays open.
        case hang
        /// It ends by RST.
        case reset
        /// It ends by FIN.
        case close
    }

    /// The last message of a handshake that is never finished.
    package enum Message: String, CaseIterable, Sendable {
        case clientHello = "client-hello"
        case serverHello = "server-hello"
    }

    package var kind: Kind
    /// To how many connections, the first to come, it does so; `nil`: to all.
    package var times: Int?

    package init(_ kind: Kind, times: Int? = nil) {
        self.kind = kind
        self.times = times
    }

    /// Whether whoever meets it is shown no chain.
    package var showsNothing: Bool { if case .stop = kind { true } else { false } }
}
