/// Where an answer sends a client.
package struct Redirect: Sendable {
    package var isSecure: Bool
    package var host: String
    package var path: String

    /// - Parameter host: whom the client has asked.
    package init?(_ outcome: TLSExchange.Outcome, from host: String) {
        guard case .answered(let head) = outcome, let line = head.split(separator: "\r\n").first,
            [301, 302, 303, 307, 308].contains(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }),
            let field = head.split(separator: "\r\n").first(where: { $0.lowercased().hasPrefix("location:") })
        else { return nil }
        let target = field.drop { $0 != ":" }.dropFirst().trimmingPrefix(" ")
        guard let scheme = target.firstRange(of: "://") else {
            (isSecure, self.host, path) = (true, host, String(target))
            return
        }
        let authority = target[scheme.upperBound...].prefix { !"/?#".contains($0) }
        isSecure = target.hasPrefix("https:")
        self.host = String(authority.prefix { $0 != ":" })
        path = target[authority.endIndex...].isEmpty ? "/" : String(target[authority.endIndex...])
    }
}

extension TLSExchange {
    /// Asks, and follows the answers to where they lead, five times at most and never out of TLS.
    ///
    /// - Parameter make: the exchange with each host.
    package static func following(
        _ endpoint: Endpoint,
        beforeEnding: @escaping BeforeEnding = { _ in },
        with make: @Sendable (Endpoint) -> TLSExchange = { TLSExchange(obeying: $0) }
    ) async -> Outcome {
        var endpoint = endpoint
        var outcome = await make(endpoint).run(endpoint, beforeEnding: beforeEnding)
        for _ in 0..<5 {
            guard let redirect = Redirect(outcome, from: endpoint.host), redirect.isSecure else { break }
            endpoint.host = redirect.host
            var exchange = make(endpoint)
            exchange.request = { host in ["GET \(redirect.path) \(TLSExchange.fields(host: host))"] }
            outcome = await exchange.run(endpoint, beforeEnding: beforeEnding)
        }
        return outcome
    }
}
