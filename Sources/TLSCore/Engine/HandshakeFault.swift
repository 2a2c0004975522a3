/// How a server is slow in a handshake, or falls silent in it.
package struct HandshakeFault: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// It answers the client's hello so much later.
        case delay(Duration)
        /// It says nothing more, and does not hang up.
        case silence(after: Message)
    }

    /// The last message of a handshake that falls silent.
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

    package var isSilence: Bool { if case .silence = kind { true } else { false } }
}
