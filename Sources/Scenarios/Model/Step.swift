package import Pinning
package import TLSCore

/// A host that is not the step's, and the chain that is shown to who asks for it.
package struct OtherHost: Hashable, Sendable {
    package var host: String
    package var chain: String
}

/// One presentation at one time: what the client's next connections will see.
package struct Step: Hashable, Sendable {
    /// When, in the story; never before the previous step.
    package var at: StoryTime
    /// The chains shown: one to every connection, or several, the first connection the first and the last for the rest.
    package var present: [String]
    /// Whether of several chains each connection is shown the one whose key its hello likes best.
    package var isChosenByHello = false
    /// Whether a client that lives through the trial is ended, and starts anew here.
    package var restart = false
    /// Chains for other hosts, to which an answer may lead.
    package var also: [OtherHost] = []
    /// What the device trusts.
    package var store: String
    /// Whom the client wants to talk to, as names are compared: in lower case, without a dot at the end.
    package var host: String { SubjectName.relative(writtenHost.lowercased()) }
    /// The same as the file writes it and the client is told it.
    package var writtenHost: String
    /// Whether the host is written with a dot at its end.
    package var writesDot: Bool { writtenHost.hasSuffix(".") }
    /// The one version of TLS that the server speaks; `nil`: 1.2 and 1.3.
    package var tls: TLSVersion?
    /// What else the server limits itself to.
    package var limits: TLSOffer
    /// Whether a client may lack what the server speaks.
    package var limitsTLS: Bool {
        var others = limits
        others.clientCertificate = nil
        return tls != nil || others != TLSOffer()
    }
    /// Whether the server gives out session tickets, and takes those of earlier steps that did.
    package var resumption: Bool
    /// How clients come back then.
    package var resumes = SessionTickets.Way.ticket
    /// How the pins that match are wrong where the client is handed them; `nil`: they are right.
    package var nearMiss: NearMiss?
    /// How the server is slow in the handshake, or never finishes it; `nil`: neither.
    package var handshake: HandshakeFault?
    /// Whether the client must tell the collector of each failure of its pins, and of nothing else.
    package var reports = false
    /// Whether the client's clock is moved to the step's time; else it stays, and the certificates are moved.
    package var movesClock = false
    /// How far the client's clock is ahead.
    package var clock: StoryTime { movesClock ? at : .zero }
    /// How often the client tries; at least once.
    package var attempts: Int
    /// What the server answers; `nil`: the same to everything.
    package var origin: OriginDeclaration?
    /// What an attempt may cost; `nil`: anything.
    package var budget: Budget?
    /// Said to the reader of a report.
    package var note: String?
    /// `nil`: the author claims nothing.
    package var locksOut: Claim?
    /// `nil`: the author claims nothing.
    package var intercepts: Claim?
    package var location: SourceLocation

    package init(
        at: StoryTime = .zero,
        present: [String],
        store: String,
        host: String,
        tls: TLSVersion? = nil,
        limits: TLSOffer = TLSOffer(),
        resumption: Bool = false,
        nearMiss: NearMiss? = nil,
        attempts: Int = 1,
        origin: OriginDeclaration? = nil,
        budget: Budget? = nil,
        note: String? = nil,
        locksOut: Claim? = nil,
        intercepts: Claim? = nil,
        location: SourceLocation = .code
    ) {
        self.at = at
        self.present = present
        self.store = store
        writtenHost = host
        self.tls = tls
        self.limits = limits
        self.resumption = resumption
        self.nearMiss = nearMiss
        self.attempts = attempts
        self.origin = origin
        self.budget = budget
        self.note = note
        self.locksOut = locksOut
        self.intercepts = intercepts
        self.location = location
    }
}

extension Step {
    /// All that the server offers here.
    package var offer: TLSOffer {
        var offer = limits
        if let tls { offer.versions = tls...tls }
        return offer
    }

    /// What is particular about the step, in words: `TLS 1.2 only`, `groups P-521`.
    package var particulars: [String] {
        var words =
            offer.versions.map { versions in
                [
                    versions.lowerBound == versions.upperBound
                        ? "\(versions.upperBound) only" : "\(versions.lowerBound) to \(versions.upperBound)"
                ]
            } ?? []
        if !limits.ciphers.isEmpty { words.append("ciphers \(limits.ciphers.joined(separator: ", "))") }
        if !limits.groups.isEmpty { words.append("groups \(limits.groups.joined(separator: ", "))") }
        if let bits = limits.finiteFieldBits { words.append("Diffie-Hellman with \(bits) bits") }
        switch limits.applicationProtocols {
        case []: words.append("no ALPN")
        case ["h2"]: words.append("HTTP/2 only")
        case ["h2", "http/1.1"]: words.append("HTTP/2 first")
        default: break
        }
        if isChosenByHello { words.append("shows the chain whose key the client's hello likes best") }
        if restart { words.append("the client starts anew") }
        if clock != .zero { words.append("the client's clock is \(clock) ahead") }
        if resumption {
            let ways = [SessionTickets.Way.sessionID: " by their number", .earlyData: ", and takes early data"]
            words.append("resumes sessions\(ways[resumes] ?? "")")
        }
        if let nearMiss {
            words.append(
                "the client's pins are \(nearMiss.isDamaged ? "damaged" : "nearly right"): \(nearMiss.rawValue)"
            )
        }
        if let handshake { words.append("\(handshake)") }
        switch limits.clientCertificate {
        case .asked: words.append("asks for a client certificate")
        case .required: words.append("requires a client certificate")
        case nil: break
        }
        return words
    }
}

extension HandshakeFault: CustomStringConvertible {
    /// A clause for people, without its subject, the server.
    package var description: String {
        let places = times.map { $0 == 1 ? "the first connection" : "the first \($0) connections" }
        let to = places.map { " to \($0)" } ?? ""
        return switch kind {
        case .delay(let delay): "answers\(to) after \(delay.written)"
        case .stop(.hang, let message): "says nothing\(to) after the \(message.rawValue)"
        case .stop(.reset, let message): "resets \(places ?? "every connection") after the \(message.rawValue)"
        case .stop(.close, let message): "closes \(places ?? "every connection") after the \(message.rawValue)"
        }
    }
}

extension Step {
    /// Its chains by name, and those of other hosts.
    func shownInWords(_ separator: String) -> String {
        present.joined(separator: isChosenByHello ? " or " : separator)
            + also.map { ", \($0.host): \($0.chain)" }.joined()
    }

    /// The hosts to which its answers may lead, beside those of `also`.
    package var ledTo: [String] {
        let known = also.map(\.host)
        return (origin?.routes ?? []).compactMap { $0.otherHost(from: host) }.filter { !known.contains($0) }.uniqued
    }
}
