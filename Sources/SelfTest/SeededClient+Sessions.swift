import MitmHarness
import Scenarios

extension SeededClient {
    /// Bugs of clients that resume TLS sessions.
    static let badSessions: [SeededClient] = [
        .wayward(
            "resumes-what-it-refused",
            "keeps the session of a server that it has rejected, and asks no more when it comes back with it",
            foundBy: "ticket-of-a-refused-handshake"
        ) { endpoint, memory in
            var exchange = TLSExchange(obeying: endpoint, keepingIn: memory)
            exchange.keepsRefusedSessions = true
            exchange.judgesResumed = false
            return await exchange.report(endpoint)
        },
        .wayward(
            "resumes-by-number-what-it-refused",
            "speaks TLS 1.2, keeps the session of a server that it has rejected, and asks no more when it comes back with it",
            foundBy: "session-number-of-a-refused-handshake"
        ) { endpoint, memory in
            var exchange = TLSExchange(obeying: endpoint, keepingIn: memory)
            exchange.settings.versions = .tls1_2 ... .tls1_2
            exchange.keepsRefusedSessions = true
            exchange.judgesResumed = false
            return await exchange.report(endpoint)
        },
        .wayward(
            "resumes-what-another-part-began",
            "shares its sessions with a part that compares no pins and opens a connection in advance",
            foundBy: "session-warmed-unpinned"
        ) { endpoint, memory in
            var warming = TLSExchange(obeying: endpoint.unpinned, keepingIn: memory)
            warming.order = .judgeOnly
            _ = await warming.run(endpoint)
            var exchange = TLSExchange(obeying: endpoint, keepingIn: memory)
            exchange.judgesResumed = false
            return await exchange.report(endpoint)
        },
        .wayward(
            "asks-early-what-it-refused",
            "keeps the session of a server that it has rejected, comes back with its request in early data, and judges then",
            foundBy: "early-data-to-an-attacker"
        ) { endpoint, memory in
            var exchange = TLSExchange(obeying: endpoint, keepingIn: memory)
            exchange.keepsRefusedSessions = true
            exchange.asksEarly = true
            return await exchange.report(endpoint)
        },
    ]

    static let correctSessions: [SeededClient] = [
        .correct("resumes-and-judges-again", "keeps every session, and compares its pins whenever it comes back") {
            endpoint,
            memory in
            var exchange = TLSExchange(obeying: endpoint, keepingIn: memory)
            exchange.keepsRefusedSessions = true
            return await exchange.report(endpoint)
        },
        .correct("resumes-what-it-accepted", "keeps the sessions of servers that it has accepted, and no other") {
            endpoint,
            memory in
            var exchange = TLSExchange(obeying: endpoint, keepingIn: memory)
            exchange.judgesResumed = false
            return await exchange.report(endpoint)
        },
        .correct("asks-early-what-it-accepted", "sends early data with the sessions of servers that it has accepted") {
            endpoint,
            memory in
            var exchange = TLSExchange(obeying: endpoint, keepingIn: memory)
            exchange.asksEarly = true
            return await exchange.report(endpoint)
        },
    ]
}

extension TLSExchange {
    fileprivate init(obeying endpoint: Endpoint, keepingIn memory: SeededClient.Memory) {
        self.init(obeying: endpoint)
        sessions = memory.sessions
    }
}
