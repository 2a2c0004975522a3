import Foundation
import MitmProxy
import NIOCore
import TLSCore
import Witness

/// What every test needs: a host, an authority the client trusts, and one it does not.
enum Fixture {
    static let host = "api.acme.example"
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let request = "GET / HTTP/1.1\r\nHost: api.acme.example\r\n\r\n"
    /// How an answer of the default origin ends.
    static let bodyEnd = "hello from PinDrill\n"

    // Minting with valid fields cannot fail.
    static let authority = try! Authority(rootNamed: "Acme Root", now: now)
    static let stranger = try! Authority(rootNamed: "Mallory Root", now: now)
    static let trust = try! TrustStore([TrustAnchor(authority.certificate)])
    static let today = identity("today", by: authority)
    static let next = identity("next", by: authority)
    static let forged = identity("forged", by: stranger)

    static func identity(_ label: String, by authority: Authority) -> Identity {
        // As above.
        try! authority.identity(.leaf(names: [SubjectName(host)], now: now), key: PrivateKey(), label: label)
    }

    /// Runs a proxy for as long as the body takes.
    static func withProxy<Result>(
        _ configuration: ProxyConfiguration = ProxyConfiguration(),
        presenting presentation: Presentation = Presentation(today),
        _ body: (InterceptingProxy) async throws -> Result
    ) async throws -> Result {
        let proxy = try await InterceptingProxy.start(configuration, presenting: presentation)
        do {
            let result = try await body(proxy)
            await proxy.stop()
            return result
        } catch {
            await proxy.stop()
            throw error
        }
    }
}

extension Observation {
    /// How it ended, and by whom.
    var end: (party: ConnectionEvent.Party, how: ConnectionEvent.Closing)? {
        if case .closed(let party, let how)? = events.last { (party, how) } else { nil }
    }

    /// The names of the identities it was shown.
    var shown: [String] { events.compactMap { if case .presented(let label, _, _) = $0 { label } else { nil } } }
}
