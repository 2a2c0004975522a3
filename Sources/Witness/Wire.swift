import TLSCore

/// What the connections of one attempt amount to, taken together.
public enum Wire: Hashable, Sendable {
    case cleartext
    case accepted
    case blind
    case rejected(Reaction.Rejection)
    case inconclusive(Doubt)

    /// Why the wire proves nothing.
    public enum Doubt: Hashable, Sendable {
        case nobodyConnected
        /// Connections were made, but none to the step's host.
        case onlyElsewhere
        /// What the last inconclusive connection came to.
        case connection(Reaction.Doubt)
    }

    /// The first of cleartext, accepted, blind and rejected that any connection gives. A rejection beside a connection
    /// that we ended, that never ended or that carried unknown bytes proves nothing: that one may have gone on.
    ///
    /// - Parameters:
    ///   - counted: the connections that were after the step's host, or named none.
    ///   - elsewhere: how many others there were.
    public init(_ counted: [Observation], elsewhere: Int = 0) {
        let seen = counted.map { ($0, reaction: $0.reaction) }
        let reactions = seen.map(\.reaction)
        if reactions.contains(.cleartext) {
            self = .cleartext
        } else if reactions.contains(.accepted) {
            self = .accepted
        } else if reactions.contains(.blind) {
            self = .blind
        } else if let cutOff = seen.lazy.compactMap({ $1.cutOff(of: $0) }).first {
            self = .inconclusive(.connection(cutOff))
        } else if let rejection = reactions.compactMap(\.rejection).mostTelling {
            self = .rejected(rejection)
        } else if case .inconclusive(let doubt)? = reactions.last {
            self = .inconclusive(.connection(doubt))
        } else {
            self = .inconclusive(elsewhere > 0 ? .onlyElsewhere : .nobodyConnected)
        }
    }

    /// Whether the client lacks what this server speaks, and so has judged nobody: by our word, or by an alert of its own
    /// about the version.
    ///
    /// - Parameter ofVersion: whether the version alone counts, and not the ciphers of every version.
    public func isLack(ofVersion: Bool) -> Bool {
        switch self {
        case .inconclusive(.connection(.nothingInCommon(.version))): ofVersion
        case .inconclusive(.connection(.nothingInCommon(.cipher))): true
        case .inconclusive(.connection(.protocolAlert(let alert))): ofVersion && alert.number == 70
        // The same alert, in a record of a version that it was not asked for, which OpenSSL does not read.
        case .inconclusive(.connection(.closedByUs(.protocolError(let reason)))):
            ofVersion && reason.contains("wrong version number")
        default: false
        }
    }

    /// Why it proves nothing, where it does not.
    public var doubt: Doubt? { if case .inconclusive(let doubt) = self { doubt } else { nil } }

    public var isRejected: Bool { if case .rejected = self { true } else { false } }
}

extension [Reaction.Rejection] {
    /// The first alert, or else the first: what turned away without one may have been spare.
    fileprivate var mostTelling: Reaction.Rejection? { first(where: \.isAlert) ?? first }
}

extension Reaction {
    fileprivate var rejection: Rejection? { if case .rejected(let how) = self { how } else { nil } }

    /// Set where a connection was ended by us, had not ended, or carried bytes that may have been a request.
    fileprivate func cutOff(of connection: Observation) -> Doubt? {
        guard case .inconclusive(let doubt) = self else { return nil }
        switch doubt {
        case .closedByUs, .stillOpen, .unknownData, .unnoted, .forgotten: return doubt
        case .unanswered: return connection.wasEndedByClient || connection.wasCutOff ? nil : doubt
        case .nothingPresented, .nothingInCommon: return connection.wasEndedByClient ? nil : doubt
        // A handshake that nobody answers; what other datagrams say is not known.
        case .datagrams(let isQUIC): return isQUIC ? nil : doubt
        case .protocolAlert: return nil
        }
    }
}

extension Observation {
    package var wasEndedByClient: Bool {
        events.contains { if case .closed(by: .client, _) = $0 { true } else { false } }
    }

    /// Whether we broke its handshake off, as the step wants it.
    package var wasCutOff: Bool { events.contains(.closed(by: .us, .cutOff)) }
}

extension Wire: CustomStringConvertible {
    /// A short phrase for people, without the subject "it".
    public var description: String {
        switch self {
        case .cleartext: Reaction.cleartext.description
        case .accepted: Reaction.accepted.description
        case .blind: Reaction.blind.description
        case .rejected(let how): Reaction.rejected(how).description
        case .inconclusive(let doubt): doubt.description
        }
    }
}

extension Wire.Doubt: CustomStringConvertible {
    public var description: String {
        switch self {
        case .nobodyConnected: "never connected"
        case .onlyElsewhere: "connected to other hosts only"
        case .connection(let doubt): Reaction.inconclusive(doubt).description
        }
    }
}
