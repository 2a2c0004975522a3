import MitmHarness
import Pinning
import Scenarios
import TLSCore

extension SeededClient {
    /// Clients that are right, each with a habit that looks odd on the wire.
    static let correct: [SeededClient] = [
        habit("obeys", "does nothing else") { _ in },
        .correct("opens-a-spare-connection-first", "shakes hands once more than it needs, as browsers do") {
            endpoint,
            _ in
            await spare(endpoint)
            return await TLSExchange(obeying: endpoint).report(endpoint)
        },
        .correct("opens-a-spare-connection-after", "shakes hands once more for the next request") { endpoint, _ in
            let report = await TLSExchange(obeying: endpoint).report(endpoint)
            if report.word == .succeeded { await spare(endpoint) }
            return report
        },
        .correct("opens-a-spare-connection-beside", "keeps a second connection at hand") { endpoint, _ in
            async let second: Void = spare(endpoint)
            let report = await TLSExchange(obeying: endpoint).report(endpoint)
            await second
            return report
        },
        .correct("races-addresses", "connects twice, and hangs up on the slower") { endpoint, _ in
            await PlainConnection(port: endpoint.port).touch()
            return await TLSExchange(obeying: endpoint).report(endpoint)
        },
        .correct("probes-pins-first", "compares its pins on a connection of its own before it asks") { endpoint, _ in
            let probe = await TLSExchange(obeying: endpoint).handshakeOnly(endpoint)
            return probe.word == .refused ? probe : await TLSExchange(obeying: endpoint).report(endpoint)
        },
        .correct("asks-twice", "makes two requests, on a connection each") { endpoint, _ in
            let report = await TLSExchange(obeying: endpoint).report(endpoint)
            return report.word == .succeeded ? await TLSExchange(obeying: endpoint).report(endpoint) : report
        },
        .correct("asks-twice-at-once", "makes two requests at the same time") { endpoint, _ in
            async let other = TLSExchange(obeying: endpoint).report(endpoint)
            let report = await TLSExchange(obeying: endpoint).report(endpoint)
            let second = await other
            return report.word == .succeeded ? second : report
        },
        .correct("retries-once", "tries once more with all its checks") { endpoint, _ in
            await retrying(endpoint, times: 1)
        },
        .correct("retries-three-times", "tries three times more with all its checks") { endpoint, _ in
            await retrying(endpoint, times: 3)
        },
        .correct("wants-whole-pins", "does not start with a pin that it cannot read") { endpoint, _ in
            guard endpoint.damage.isEmpty else { return ClientReport(.failed, account: "a pin of another length") }
            return await TLSExchange(obeying: endpoint).report(endpoint)
        },
        .correct("waits-for-ever", "has no time limit for handshakes") { endpoint, _ in
            var exchange = TLSExchange(obeying: endpoint)
            exchange.handshakeLimit = endpoint.timeout * 2
            return await exchange.report(endpoint)
        },
        habit("sends-small-records", "puts each byte of its request into a record") { exchange in
            exchange.request = { host in "GET / \(TLSExchange.fields(host: host))".map(String.init) }
        },
        habit("sends-head-in-two", "sends its request in two parts") { exchange in
            exchange.request = { host in ["GET / HTTP/1.1\r\n", "host: \(host)\r\nconnection: close\r\n\r\n"] }
        },
        habit("sends-long-fields", "sends six kilobytes of cookies") { exchange in
            exchange.request = { host in
                ["GET / HTTP/1.1\r\ncookie: \(String(repeating: "a=b; ", count: 1200))\r\n", "host: \(host)\r\n\r\n"]
            }
        },
        habit("posts", "sends a body") { exchange in
            exchange.request = { host in
                ["POST / HTTP/1.1\r\nhost: \(host)\r\ncontent-length: 5\r\nconnection: close\r\n\r\n", "a=b&c"]
            }
        },
        habit("asks-for-the-head", "asks with HEAD") { exchange in
            exchange.request = { host in ["HEAD / \(TLSExchange.fields(host: host))"] }
        },
        habit("hangs-up-in-silence", "ends its connections without a goodbye") { $0.saysGoodbye = false },
        habit("speaks-tls-1.2", "speaks TLS 1.2 and nothing else") { $0.settings.versions = .tls1_2 ... .tls1_2 },
        habit("speaks-tls-1.3", "speaks TLS 1.3 and nothing else") { $0.settings.versions = .tls1_3 ... .tls1_3 },
        habit("offers-http-2", "would rather speak HTTP/2") { $0.settings.applicationProtocols = ["h2", "http/1.1"] },
        habit("offers-no-protocol", "says nothing of protocols (ALPN)") { $0.settings.applicationProtocols = [] },
        habit("shares-p256-only", "exchanges keys on P-256 only") { $0.settings.groups = "P-256" },
        habit("shares-p384-first", "offers a share that most servers do not like best") {
            $0.settings.groups = "P-384:X25519"
        },
        .correct("says-no-reason", "rejects without a word about the pin") { endpoint, _ in
            var report = await TLSExchange(obeying: endpoint).report(endpoint)
            report.blamesPin = nil
            return report
        },
        .correct("reports-elsewhere", "tells another company's server first, which it trusts as its system does") {
            endpoint,
            _ in
            var elsewhere = endpoint.unpinned
            elsewhere.host = "metrics.example.net"
            _ = await TLSExchange(obeying: elsewhere).report(elsewhere)
            return await TLSExchange(obeying: endpoint).report(endpoint)
        },
        .correct("follows-redirects", "goes where it is sent, with all its checks, and never out of TLS") {
            endpoint,
            _ in ClientReport(await TLSExchange.following(endpoint), duration: .zero)
        },
        .correct("refuses-redirects", "takes an answer that sends it elsewhere for a rejection") { endpoint, _ in
            let outcome = await TLSExchange(obeying: endpoint).run(endpoint)
            guard Redirect(outcome, from: endpoint.host) != nil else { return ClientReport(outcome, duration: .zero) }
            return ClientReport(.refused, account: "sent elsewhere")
        },
        .correct("asks-again-when-turned-away", "asks once more, with all its checks, where the answer is trouble") {
            endpoint,
            _ in
            let outcome = await TLSExchange(obeying: endpoint).run(endpoint)
            guard case .answered(let head) = outcome, head.contains(#/ [45]\d\d /#) else {
                return ClientReport(outcome, duration: .zero)
            }
            return await TLSExchange(obeying: endpoint).report(endpoint)
        },
        .correct("reconnects", "opens another connection, with all its checks, where the server has closed one") {
            endpoint,
            _ in
            let outcome = await TLSExchange.keepingAlive(endpoint).run(endpoint)
            guard outcome.saysClose else { return ClientReport(outcome, duration: .zero) }
            return await TLSExchange(obeying: endpoint).report(endpoint)
        },
        .correct("takes-its-time", "waits before it asks") { endpoint, _ in
            try? await Task.sleep(for: .milliseconds(20))
            return await TLSExchange(obeying: endpoint).report(endpoint)
        },
        .correct("verifies-by-itself", "lets anybody shake hands, and then checks everything at once") { endpoint, _ in
            await TLSExchange.forgiving(endpoint) { _, _ in false }.report(endpoint)
        },
    ]

    private static func habit(
        _ name: String,
        _ about: String,
        _ change: @escaping @Sendable (inout TLSExchange) -> Void
    ) -> SeededClient {
        .correct(name, about) { endpoint, _ in
            var exchange = TLSExchange(obeying: endpoint)
            change(&exchange)
            return await exchange.report(endpoint)
        }
    }

    /// A connection with all the checks, and without a request.
    private static func spare(_ endpoint: Endpoint) async {
        _ = await TLSExchange(obeying: endpoint).handshakeOnly(endpoint)
    }

    private static func retrying(_ endpoint: Endpoint, times: Int) async -> ClientReport {
        var report = await TLSExchange(obeying: endpoint).report(endpoint)
        for _ in 0..<times where report.word != .succeeded {
            report = await TLSExchange(obeying: endpoint).report(endpoint)
        }
        return report
    }
}

extension TLSExchange {
    /// The client's judgement of the server, and a goodbye where others would ask.
    fileprivate func handshakeOnly(_ endpoint: Endpoint) async -> ClientReport {
        var probe = self
        let judge = judge
        probe.judge = { seen in
            let decision = judge(seen)
            return decision.demand == .reject ? decision : Decision(.reject, .systemRule("enough seen"))
        }
        let report = await probe.report(endpoint)
        return report.account == "enough seen" ? ClientReport(.succeeded) : report
    }
}
