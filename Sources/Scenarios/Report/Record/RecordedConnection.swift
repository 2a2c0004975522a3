import Pinning
import TLSCore
import Witness

/// One connection of the client.
struct RecordedConnection: Codable, Hashable, Sendable {
    /// What the client proved itself by.
    struct ClientCertificate: Codable, Hashable, Sendable {
        /// Absent if it has none, as the others are.
        var subject: String?
        var sha256: String?
        var verified: Bool?

        init(_ certificate: Witness.ClientCertificate?) {
            subject = certificate?.subject
            sha256 = certificate?.fingerprint.hex
            verified = certificate?.isVerified
        }
    }

    /// What the client offered.
    struct Hello: Codable, Hashable, Sendable {
        var serverName: String?
        var applicationProtocols: [String]
        var versions: [String]
        /// Of the TLS stack (FoxIO's JA4), and the same without what one stack sends on some connections only.
        var ja4: String?
        var stack: String?

        init(_ hello: ClientHello) {
            serverName = hello.serverName
            applicationProtocols = hello.applicationProtocols
            versions = hello.versions.map(\.description)
            ja4 = hello.fingerprint?.text
            stack = hello.fingerprint?.stack
        }
    }

    /// A token of ours that arrived.
    struct Canary: Codable, Hashable, Sendable {
        var place: String
        var header: String?
        var offset: Int

        init(_ leak: Leak) {
            offset = leak.offset
            switch leak.place {
            case .requestLine: place = "request-line"
            case .header(let name): (place, header) = ("header", name)
            case .body: place = "body"
            case .serverName: place = "server-name"
            case .lookup: place = "lookup"
            case .datagram: place = "datagram"
            case .elsewhere: place = "elsewhere"
            }
        }
    }

    struct Request: Codable, Hashable, Sendable {
        var method: String
        var path: String
        var status: Int?
        var missing: Bool

        init(_ request: AnsweredRequest) {
            method = request.method
            path = request.path
            status = request.status
            missing = request.isMissing
        }
    }

    var target: String?
    /// Of whom a load balancer spoke.
    var forwardedFrom: String?
    var hello: Hello?
    var counts: Bool
    var shown: String?
    var certificateSha256: String?
    /// The chain was shown on an earlier connection.
    var resumed: Bool?
    var reaction: String
    var alert: UInt8?
    var version: String?
    var cipherSuite: String?
    var applicationProtocol: String?
    /// Of the client's own, where it was asked for one.
    var clientCertificate: ClientCertificate?
    var bytesReceived: Int
    var requestLine: String?
    var requests: [Request]?
    var canaries: [Canary]?
    var secretHeaders: [String]?
    /// What happened, in order, in words; absent where nothing is known of it.
    var timeline: [String]?

    init(_ observation: Observation, counts: Bool) {
        self.counts = counts
        target = observation.target
        forwardedFrom = observation.forwardedFrom
        reaction = observation.reaction.description
        bytesReceived = observation.bytesReceived
        requestLine = observation.requestLine
        if !observation.leaks.isEmpty { canaries = observation.leaks.map(Canary.init) }
        if !observation.secretHeaders.isEmpty { secretHeaders = observation.secretHeaders }
        if !observation.requests.isEmpty { requests = observation.requests.map(Request.init) }
        let story = observation.timeline
        if !story.isEmpty { timeline = story }
        for event in observation.events {
            switch event {
            case .hello(let first): hello = Hello(first)
            case .presented(let identity, let fingerprint, _):
                shown = identity
                certificateSha256 = fingerprint.hex
            case .resumed(let origin):
                shown = origin.identity
                certificateSha256 = origin.fingerprint.hex
                resumed = true
            case .alert(.inward, let received): alert = alert ?? received.number
            case .clientCertificate(let certificate, _): clientCertificate = ClientCertificate(certificate)
            case .established(let session):
                version = session.version?.description
                cipherSuite = session.cipherSuite
                applicationProtocol = session.applicationProtocol
            default: break
            }
        }
    }
}

extension Observation {
    /// What happened in it, in order. No port and no time is in it; what the client sent is counted once, where it began.
    fileprivate var timeline: [String] {
        var (words, hasSent) = ([String](), false)
        for event in events {
            if case .data = event {
                if !hasSent {
                    words.append("client: sends \(bytesReceived == 1 ? "1 byte" : "\(bytesReceived) bytes")")
                }
                hasSent = true
            } else if let told = event.words {
                words.append(told)
            }
        }
        return words
    }
}

extension ConnectionEvent {
    /// Whose doing it was, and what; `nil` where there is nothing to tell.
    fileprivate var words: String? {
        switch self {
        case .connected(let target): target.map { "client: asks for \(Observation.host(of: $0))" }
        case .redirected(let place): "client: is led here from \(Observation.host(of: place))"
        case .forwarded(let source): "client: is forwarded from \(Observation.host(of: source))"
        case .datagrams(let count, let isQUIC): "client: \(count) datagrams\(isQUIC ? " of QUIC" : "")"
        case .startTLS(let dialect): "both: agree on TLS (\(dialect.rawValue))"
        case .hello(let hello):
            "client: hello\(hello.serverName.map { " for \($0)" } ?? " without a name")"
                + (hello.versions.isEmpty
                    ? "" : ", offers \(hello.versions.map(\.description).joined(separator: ", "))")
        case .presented(let identity, _, _): "server: shows \(identity)"
        case .resumed(let origin): "client: resumes a session of \(origin.identity)"
        case .unanswered: "server: goes no further, as the step wants it"
        case .alert(.inward, let alert): "client: alert \(alert)"
        case .alert(.outward, let alert): "server: alert \(alert)"
        case .established(let session): "both: finish the handshake\(session.version.map { " (\($0))" } ?? "")"
        case .clientCertificate(let certificate, _):
            certificate.map { "client: shows its own certificate \($0.subject)" }
                ?? "client: has no certificate of its own"
        case .data: nil
        case .request: "client: this is a request"
        case .cleartext(let host):
            "client: a request in the clear\(host.map { " for \(Observation.host(of: $0))" } ?? "")"
        case .passedThrough(let count): "both: \(count) bytes pass through unread"
        case .conversed: "both: talk beyond a handshake"
        case .closed(let party, let how): "\(party == .client ? "client" : "server"): closes\(how.words)"
        case .unnoted(let alerts): "both: \(alerts) alerts too many to be noted"
        case .forgotten(let count): "client: \(count) connections too many to be remembered"
        }
    }
}

extension Reaction.Closing {
    /// Why, where it is no ordinary end.
    fileprivate var words: String {
        switch self {
        case .ended: ""
        case .protocolError(let reason): ", for the protocol is broken: \(reason)"
        case .timedOut: ", for the time is over"
        case .superseded: ", for the step is over"
        case .refused: ", for it has nothing to show"
        case .cutOff: ", as the step wants it"
        case .upstream(let reason): ", for the server behind it failed: \(reason)"
        case .crowdedOut(let open): ", for \(open) connections are open"
        }
    }
}
