package import TLSCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// One connection as the wire saw it: the facts in order, and what they amount to.
public struct Observation: Hashable, Sendable {
    package var events: [ConnectionEvent]
    /// The first bytes that the client sent inside TLS (or in the clear), up to the journal's limit.
    public var firstBytes: [UInt8]
    /// The first requests that the origin has read in it, and how many there were in all.
    public var requests: [AnsweredRequest] = []
    public var requestCount = 0
    /// Where canaries arrived, and the names of headers that hold secrets.
    public var leaks: [Leak] = []
    public var secretHeaders: [String] = []
    /// The hosts that requests of HTTP/2 named: a connection may carry those of several (RFC 9113 section 9.1.1).
    package var authorities: [String] = []
    /// The connection's place among all that its proxy has seen; `nil` for one that no proxy recorded.
    public var number: Int?

    package init(_ events: [ConnectionEvent] = [], firstBytes: [UInt8] = [], number: Int? = nil) {
        self.events = events
        self.firstBytes = firstBytes
        self.number = number
    }

    /// What the client did.
    public var reaction: Reaction {
        for case .forgotten(let count) in events { return .inconclusive(.forgotten(count)) }
        if events.contains(where: { if case .cleartext = $0 { true } else { false } }) { return .cleartext }
        if events.contains(where: { if case .passedThrough(let count) = $0 { count > 0 } else { false } }) {
            return .blind
        }
        for case .datagrams(_, let isQUIC) in events { return .inconclusive(.datagrams(isQUIC: isQUIC)) }
        guard let shown = events.firstIndex(where: \.isShowing) else {
            if case .closed(.us, .crowdedOut(let open))? = events.last {
                return .inconclusive(.closedByUs(.crowdedOut(open: open)))
            }
            if isUnanswered { return .inconclusive(.unanswered) }
            if let upstreamFault { return .inconclusive(.closedByUs(.upstream(upstreamFault))) }
            return .inconclusive(lack.map { .nothingInCommon($0) } ?? .nothingPresented)
        }
        let after = events[shown...]
        if after.contains(.request) { return .accepted }
        for case .unnoted(let alerts) in after { return .inconclusive(.unnoted(alerts: alerts)) }
        let fatal = after.firstFatalAlert
        // Whatever came after them, bytes have left the client.
        if bytesReceived > 0, isClosed || fatal != nil { return .inconclusive(.unknownData) }
        if let alert = fatal {
            return Observation.protocolAlerts.contains(alert.number)
                ? .inconclusive(.protocolAlert(alert)) : .rejected(.alert(alert))
        }
        guard case .closed(let party, let how)? = after.last(where: \.isClosing) else {
            return .inconclusive(.stillOpen)
        }
        guard party == .client else { return .inconclusive(.closedByUs(how)) }
        return .rejected(after.contains(where: \.isEstablishing) ? .withheldRequest : .hungUp)
    }

    /// What the client offered first; `nil` where it never got so far.
    package var hello: ClientHello? {
        events.lazy.compactMap { if case .hello(let hello) = $0 { hello } else { nil } }.first
    }

    /// What we had to tell the client, by an alert of ours, that we have not in common (RFC 8446 section 6.2, RFC 7301
    /// section 3.2).
    private var lack: Reaction.Lack? {
        for case .alert(.outward, let alert) in events where alert.isFatal {
            switch alert.number {
            case 70: return .version(offered: hello?.versions.map(\.description) ?? [])
            // Before there is a hello, it is about something else.
            case 40 where hello != nil: return .cipher
            case 120: return .applicationProtocol(offered: hello?.applicationProtocols ?? [])
            default: continue
            }
        }
        return nil
    }

    /// Alerts that a client sends about the protocol, not about the certificate (RFC 8446 section 6.2).
    static let protocolAlerts: Set<UInt8> = [10, 20, 22, 47, 50, 70, 71, 86, 109, 110, 120]

    /// The host that the client was after: what it asked a tunnel for, else its SNI, else its `Host` in the clear, else
    /// whom it was led away from.
    public var target: String? { targets.first }

    /// Whether this connection is evidence about `host`: it named that host, in one way or another, or named none,
    /// or it carried a request for that host.
    ///
    /// Who asks for this very machine, by address or as `localhost`, has named none: it asks for us, and would otherwise
    /// hide a leak behind another name.
    public func counts(for host: String) -> Bool {
        names(host) || carries(host) || targets.allSatisfy(Observation.isLoopback)
    }

    /// Whether it carried a request for this host, whatever it was opened for.
    package func carries(_ host: String) -> Bool { authorities.contains { Observation.isSame($0, host) } }

    /// Whether it named this host.
    package func names(_ host: String) -> Bool {
        targets.contains { Observation.isSame($0, host) }
    }

    /// What was wrong with the server behind us, where the connection ended for that, or its client waited in vain.
    package var upstreamFault: String? {
        if case .closed(_, .upstream(let reason))? = events.last { reason } else { nil }
    }

    /// Whether its TLS began behind some talk in the clear.
    package var beganLater: Bool { events.contains { if case .startTLS = $0 { true } else { false } } }

    /// Whether we left its handshake unfinished, on purpose.
    package var isUnanswered: Bool { events.contains(.unanswered) }

    /// Whether its TLS named nobody: then a server with several hosts does not know whose certificate to show.
    package var isUnnamed: Bool {
        events.contains { if case .hello(let hello) = $0 { hello.serverName == nil } else { false } }
    }

    /// Whether two names are of one host.
    package static func isSame(_ name: String, _ other: String) -> Bool {
        SubjectName.relative(name.lowercased()) == SubjectName.relative(other.lowercased())
    }

    /// Whether a name is of this very machine.
    package static func isLoopback(_ host: String) -> Bool {
        let host = SubjectName.relative(host.lowercased())
        let names = ["localhost", "ip6-localhost", "ip6-loopback"]
        if names.contains(host) || host.hasSuffix(".localhost") { return true }
        // In every spelling that resolvers take: `127.1`, `0`, `2130706433`.
        var address = in_addr()
        if inet_aton(host, &address) == 1 { return [0, 127].contains(UInt32(bigEndian: address.s_addr) >> 24) }
        guard case .ip(let bytes) = SubjectName(host), bytes.count == 16 else { return false }
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 0xFF }
        return isMapped ? [0, 127].contains(bytes[12]) : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] <= 1
    }

    private var targets: [String] {
        let tunnels = events.compactMap {
            if case .connected(let target?) = $0 { Observation.host(of: target) } else { nil }
        }
        let names = events.compactMap { if case .hello(let hello) = $0 { hello.serverName } else { nil } }
        let hosts = events.compactMap { if case .cleartext(let host?) = $0 { Observation.host(of: host) } else { nil } }
        let redirects = events.compactMap {
            if case .redirected(let place) = $0 { Observation.host(of: place) } else { nil }
        }
        let named = tunnels + names + hosts
        // An address says less than a name.
        return named + redirects.filter { named.isEmpty || AddressRange($0) == nil }
    }

    /// The same connection, where what ended it was ours: its client was made to end.
    package var endedByUs: Observation {
        var connection = self
        if let end = events.lastIndex(where: { if case .closed(by: .client, _) = $0 { true } else { false } }) {
            connection.events[end] = .closed(by: .us, .ended)
        }
        return connection
    }

    /// How many plaintext bytes the client sent inside TLS.
    public var bytesReceived: Int {
        events.reduce(0) { if case .data(let count) = $1 { $0 + count } else { $0 } }
    }

    /// The presentation that was in force at its ClientHello; `nil` before one was shown.
    public var epoch: Int? {
        for case .presented(_, _, let epoch) in events { return epoch }
        return nil
    }

    /// Where a session was resumed, what its client was shown when it began.
    package var resumed: SessionTickets.Origin? {
        for case .resumed(let origin) in events { return origin }
        return nil
    }

    /// For whom a load balancer connected, by its word.
    package var forwardedFrom: String? {
        for case .forwarded(let source) in events { return source }
        return nil
    }

    /// The client's own certificate; `nil`: it has shown none.
    package var clientCertificate: ClientCertificate? {
        for case .clientCertificate(let certificate, _) in events { return certificate }
        return nil
    }

    package var wasAskedForCertificate: Bool {
        events.contains { if case .clientCertificate = $0 { true } else { false } }
    }

    /// Whether it showed none where one is required.
    package var lacksCertificate: Bool { events.contains(.clientCertificate(nil, isRequired: true)) }

    /// Whether it was passed through, and more than a handshake went both ways.
    package var hasConversed: Bool { events.contains(.conversed) }

    public var isClosed: Bool { events.contains(where: \.isClosing) }

    /// The first line of the request, as far as it came.
    public var requestLine: String? {
        guard events.contains(.request) else { return nil }
        let line = firstBytes.prefix { $0 != 0x0D && $0 != 0x0A }.prefix(200)
        // What goes on unread is HTTP/2's own bytes.
        if line.elementsEqual("PRI * HTTP/2.0".utf8) { return requests.first.map { "\($0) HTTP/2" } ?? "HTTP/2" }
        return String(decoding: line, as: UTF8.self)
    }

    /// The host of `host`, `host:port`, `[address]` or `[address]:port`; an address of IPv6 may also stand bare.
    package static func host(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.lastIndex(of: "]") {
            return String(authority[..<end].dropFirst())
        }
        guard let colon = authority.lastIndex(of: ":"), !authority[..<colon].contains(":") else { return authority }
        return String(authority[..<colon])
    }
}

extension Collection<ConnectionEvent> {
    fileprivate var firstFatalAlert: Alert? {
        for case .alert(.inward, let alert) in self where alert.isFatal { return alert }
        return nil
    }
}

extension ConnectionEvent {
    /// Whether the client knows by then what chain it talks to.
    fileprivate var isShowing: Bool {
        switch self {
        case .presented, .resumed: true
        default: false
        }
    }

    fileprivate var isClosing: Bool { if case .closed = self { true } else { false } }
    fileprivate var isEstablishing: Bool { if case .established = self { true } else { false } }
}

extension Observation {
    /// Without the tokens that a client was given to send: a report says where they arrived, never what they were.
    package func redacting(_ canary: Canary) -> Observation {
        var redacted = self
        redacted.firstBytes = canary.redacting(firstBytes)
        redacted.events = events.map { canary.redacting($0) }
        for index in requests.indices { redacted.requests[index].path = canary.redacting(requests[index].path) }
        return redacted
    }
}

extension Canary {
    fileprivate func redacting(_ event: ConnectionEvent) -> ConnectionEvent {
        switch event {
        case .connected(let target?): return .connected(target: redacting(target))
        case .redirected(let place): return .redirected(to: redacting(place))
        case .cleartext(let host?): return .cleartext(host: redacting(host))
        case .hello(var hello):
            hello.serverName = hello.serverName.map(redacting)
            return .hello(hello)
        default: return event
        }
    }
}
