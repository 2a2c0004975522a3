import MitmHarness
import Pinning
import Scenarios
import TLSCore

extension SeededClient {
    /// Bugs between connections: the one that is looked at is right.
    static let badConnections: [SeededClient] = [
        .wayward("retries-unpinned", "rejected, tries once more without pins", foundBy: "attacker-trusted-ca") {
            endpoint,
            _ in await obeying(endpoint, otherwise: { await TLSExchange(obeying: $0.unpinned).report($0) })
        },
        .wayward("retries-unchecked", "rejected, tries once more and checks nothing", foundBy: "attacker-trusted-ca") {
            endpoint,
            _ in await obeying(endpoint, otherwise: { await TLSExchange.trusting.report($0) })
        },
        .wayward(
            "retries-in-the-clear",
            "rejected, sends its request without TLS",
            foundBy: "attacker-trusted-ca"
        ) { endpoint, _ in await obeying(endpoint, otherwise: clear) },
        .wayward("begins-in-the-clear", "asks in the clear before it asks in TLS", foundBy: "same-certificate") {
            endpoint,
            _ in
            _ = await clear(endpoint)
            return await TLSExchange(obeying: endpoint).report(endpoint)
        },
        .wayward(
            "falls-back-to-old-tls",
            "rejected, tries once more in TLS 1.1, where it compares no pins",
            foundBy: "attacker-trusted-ca [TLS 1.1]"
        ) { endpoint, _ in
            await obeying(endpoint) { endpoint in
                var exchange = TLSExchange(obeying: endpoint.unpinned)
                exchange.settings.versions = .tls1_0 ... .tls1_1
                return await exchange.report(endpoint)
            }
        },
        .wayward(
            "falls-back-to-another-name",
            "rejected, asks another host of the same owner, whose name it checks and whose pins it does not",
            foundBy: "attacker-trusted-ca"
        ) { endpoint, _ in
            await obeying(endpoint) { endpoint in
                var other = endpoint.unpinned
                other.host = "fallback." + endpoint.host.drop { $0 != "." }.dropFirst()
                return await TLSExchange(obeying: other).report(other)
            }
        },
        .wayward("first-contact-unchecked", "checks nothing the first time", foundBy: "attacker-first") {
            endpoint,
            memory in
            await TLSExchange(obeying: memory.attempts == 0 ? endpoint.unpinned : endpoint).report(endpoint)
        },
        .wayward("checks-once", "compares its pins the first time only", foundBy: "attacker-trusted-ca") {
            endpoint,
            memory in
            await TLSExchange(obeying: memory.attempts == 0 ? endpoint : endpoint.unpinned).report(endpoint)
        },
        .wayward("checks-now-and-then", "compares its pins in two attempts of three", foundBy: "attacker-persists") {
            endpoint,
            memory in
            await TLSExchange(obeying: memory.attempts % 3 == 2 ? endpoint.unpinned : endpoint).report(endpoint)
        },
        .wayward("gives-in", "compares no pins after two rejections", foundBy: "attacker-persists") {
            endpoint,
            memory in
            let report = await TLSExchange(obeying: memory.notes.count < 2 ? endpoint : endpoint.unpinned)
                .report(endpoint)
            if report.word == .refused { memory.note("refused") }
            return report
        },
        .wayward(
            "second-connection-unpinned",
            "compares its pins on the first connection of an attempt only",
            foundBy: "second-connection-to-an-attacker"
        ) { endpoint, _ in
            let report = await TLSExchange(obeying: endpoint).report(endpoint)
            guard report.word == .succeeded else { return report }
            return await TLSExchange(obeying: endpoint.unpinned).report(endpoint)
        },
        .wayward(
            "second-connection-unreported",
            "sends what it measured over a second connection without pins, and says nothing of it",
            foundBy: "second-connection-to-an-attacker"
        ) { endpoint, _ in
            let report = await TLSExchange(obeying: endpoint).report(endpoint)
            if report.word == .succeeded { _ = await TLSExchange(obeying: endpoint.unpinned).report(endpoint) }
            return report
        },
        .wayward(
            "preflight-unpinned",
            "asks once without pins before it asks with them",
            foundBy: "attacker-trusted-ca"
        ) { endpoint, _ in
            _ = await TLSExchange(obeying: endpoint.unpinned).report(endpoint)
            return await TLSExchange(obeying: endpoint).report(endpoint)
        },
        .wayward("remembers-the-host", "never compares again once a host was good", foundBy: "attacker-trusted-ca") {
            endpoint,
            memory in
            let isKnown = memory.notes.contains(endpoint.host)
            let report = await TLSExchange(obeying: isKnown ? endpoint.unpinned : endpoint).report(endpoint)
            if report.word == .succeeded { memory.note(endpoint.host) }
            return report
        },
        remembering(
            "remembers-the-issuers-name",
            "takes the name of an issuer it has accepted once",
            foundBy: "pinned-ca-name-on-another-key"
        ) { $0.presented.first?.issuer },
        remembering(
            "remembers-issuer-and-serial",
            "knows a certificate that it has accepted by its issuer's name and its serial number",
            foundBy: "forged-issuer-and-serial"
        ) { $0.presented.first.map { "\($0.issuer) \($0.serial)" } },
        remembering(
            "remembers-the-subject",
            "takes the subject of a server it has accepted once",
            foundBy: "attacker-trusted-ca"
        ) { $0.presented.first?.subject },
        remembering(
            "remembers-the-root",
            "takes whatever comes from a root it has accepted once",
            foundBy: "pinned-root-for-an-attacker",
            policies: leaf
        ) { $0.verified.last?.fingerprint.hex },
        remembering(
            "remembers-the-key-identifier",
            "knows an authority by its key identifier, which anybody can write",
            foundBy: "forged-key-identifier"
        ) { $0.verified.dropFirst().first?.keyIdentifier.map { "\($0)" } },
        .wayward("spells-capitals-unpinned", "finds no pins for a host in capitals", foundBy: "host-in-capitals") {
            endpoint,
            _ in
            let isOther = endpoint.host != endpoint.host.lowercased()
            return await TLSExchange(obeying: isOther ? endpoint.unpinned : endpoint).report(endpoint)
        },
        .wayward("ends-in-a-dot-unpinned", "finds no pins for a host with a dot at its end", foundBy: "host-with-a-dot")
        {
            endpoint,
            _ in
            await TLSExchange(obeying: endpoint.host.hasSuffix(".") ? endpoint.unpinned : endpoint).report(endpoint)
        },
        .wayward(
            "follows-redirects-into-the-clear",
            "goes on without TLS where a server sends it there",
            foundBy: "redirect-to-cleartext"
        ) { endpoint, _ in
            let outcome = await TLSExchange.following(endpoint)
            guard let redirect = Redirect(outcome, from: endpoint.host) else {
                return ClientReport(outcome, duration: .zero)
            }
            var there = endpoint
            there.host = redirect.host
            return await clear(there)
        },
        .wayward(
            "follows-redirects-unpinned",
            "has pins for the host it is made for, and follows its answers to hosts for which it has none",
            foundBy: "redirect-to-an-attacker"
        ) { endpoint, _ in
            let outcome = await TLSExchange.following(
                endpoint,
                with: { there in
                    TLSExchange(obeying: there.host == endpoint.host ? there : there.unpinned)
                }
            )
            return ClientReport(outcome, duration: .zero)
        },
        .wayward(
            "follows-redirects-unchecked",
            "checks the host it is made for, and nobody to whom its answers send it",
            foundBy: "redirect-to-a-bad-certificate",
            policies: trusting + leaf
        ) { endpoint, _ in
            let outcome = await TLSExchange.following(
                endpoint,
                with: { there in
                    there.host == endpoint.host ? TLSExchange(obeying: there) : .trusting
                }
            )
            return ClientReport(outcome, duration: .zero)
        },
        .wayward(
            "checks-the-first-name-after-redirects",
            "compares every server's certificate with the name that it asked for first",
            foundBy: "redirect-to-a-bad-certificate"
        ) { endpoint, _ in
            let outcome = await TLSExchange.following(
                endpoint,
                with: { there in
                    there.host == endpoint.host
                        ? TLSExchange(obeying: there)
                        : .forgiving(there) { failure, chain in
                            failure.reason == .wrongHost
                                && chain.first?.failure(host: endpoint.host, at: nil) == nil
                        }
                }
            )
            return ClientReport(outcome, duration: .zero)
        },
        .wayward(
            "follows-redirects-by-another-client",
            "follows its own server's redirects by a plain client that has no pins",
            foundBy: "redirect-and-an-attacker"
        ) { endpoint, _ in
            let outcome = await TLSExchange(obeying: endpoint).run(endpoint)
            guard let redirect = Redirect(outcome, from: endpoint.host), redirect.isSecure,
                redirect.host == endpoint.host
            else { return ClientReport(outcome, duration: .zero) }
            var there = TLSExchange(obeying: endpoint.unpinned)
            there.request = { host in ["GET \(redirect.path) \(TLSExchange.fields(host: host))"] }
            return await there.report(endpoint)
        },
        .wayward(
            "fetches-tokens-unpinned",
            "is asked for a token, and fetches one without pins",
            foundBy: "login-asked-for-and-an-attacker"
        ) { endpoint, _ in
            let outcome = await TLSExchange(obeying: endpoint).run(endpoint)
            guard case .answered(let head) = outcome, head.contains(" 401 ") else {
                return ClientReport(outcome, duration: .zero)
            }
            return await TLSExchange(obeying: endpoint.unpinned).report(endpoint)
        },
        .wayward(
            "reconnects-unpinned",
            "compares its pins once, and no more where the server has closed the connection and it opens the next",
            foundBy: "reconnection-to-an-attacker"
        ) { endpoint, _ in
            let outcome = await TLSExchange.keepingAlive(endpoint).run(endpoint)
            guard outcome.saysClose else { return ClientReport(outcome, duration: .zero) }
            return await TLSExchange(obeying: endpoint.unpinned).report(endpoint)
        },
        .wayward(
            "retries-503-unpinned",
            "finds the server busy, and asks again without pins",
            foundBy: "busy-server-and-an-attacker"
        ) { endpoint, _ in
            guard case .answered(let head) = await TLSExchange(obeying: endpoint).run(endpoint) else {
                return await TLSExchange(obeying: endpoint).report(endpoint)
            }
            guard head.contains(" 503 ") else { return ClientReport(.succeeded, account: head) }
            return await TLSExchange(obeying: endpoint.unpinned).report(endpoint)
        },
        .wayward(
            "retries-broken-answers-unpinned",
            "gets no answer to its request, and asks again without pins",
            foundBy: "broken-answer-and-an-attacker"
        ) { endpoint, _ in
            let outcome = await TLSExchange(obeying: endpoint).run(endpoint)
            guard case .failed = outcome, !outcome.isSilence else { return ClientReport(outcome, duration: .zero) }
            return await TLSExchange(obeying: endpoint.unpinned).report(endpoint)
        },
        .wayward(
            "retries-silence-unpinned",
            "hears nothing from its server, and tries once more without pins",
            foundBy: "hanging-handshake-and-an-attacker"
        ) { endpoint, _ in
            let outcome = await TLSExchange(obeying: endpoint).run(endpoint)
            guard outcome.isSilence else { return ClientReport(outcome, duration: .zero) }
            return await TLSExchange(obeying: endpoint.unpinned).report(endpoint)
        },
        .wayward(
            "retries-silence-in-the-clear",
            "hears nothing from its server, and sends its request without TLS",
            foundBy: "hanging-handshake"
        ) { endpoint, _ in
            let outcome = await TLSExchange(obeying: endpoint).run(endpoint)
            return outcome.isSilence ? await clear(endpoint) : ClientReport(outcome, duration: .zero)
        },
        .wayward(
            "retries-broken-handshakes-unpinned",
            "finds its connection ended in the handshake, and tries once more without pins",
            foundBy: "handshake-cut-off-and-an-attacker"
        ) { endpoint, memory in
            let (outcome, isBroken) = await handshaking(endpoint, memory)
            guard isBroken else { return ClientReport(outcome, duration: .zero) }
            return await TLSExchange(obeying: endpoint.unpinned).report(endpoint)
        },
        .wayward(
            "retries-broken-handshakes-in-the-clear",
            "finds its connection ended in the handshake, and sends its request without TLS",
            foundBy: "handshake-cut-off"
        ) { endpoint, memory in
            let (outcome, isBroken) = await handshaking(endpoint, memory)
            return isBroken ? await clear(endpoint) : ClientReport(outcome, duration: .zero)
        },
        .bad(
            "asks-for-all-on-one-connection",
            "speaks HTTP/2, and asks for every host of its server's on one connection",
            foundBy: "request-for-another-host"
        ) { endpoint in
            var exchange = TLSExchange(obeying: endpoint)
            exchange.settings.applicationProtocols = ["h2", "http/1.1"]
            exchange.authorities = { [$0, "www.acme.example"] }
            return exchange
        },
        .wayward("storms", "tries forty times without a pause", foundBy: "retry-storm") { endpoint, _ in
            var report = await TLSExchange(obeying: endpoint).report(endpoint)
            for _ in 1..<40 where report.word != .succeeded {
                report = await TLSExchange(obeying: endpoint).report(endpoint)
            }
            return report
        },
    ]

    /// What a client does with its data, and what it says.
    static let badWords: [SeededClient] = [
        .bad(
            "sends-then-judges",
            "compares its pins when the answer has come",
            foundBy: "attacker-trusted-ca"
        ) { endpoint in
            var exchange = TLSExchange(obeying: endpoint)
            exchange.order = .requestThenJudge
            return exchange
        },
        .bad(
            "sends-then-verifies",
            "asks for trust at all only when the answer has come",
            foundBy: "attacker-unknown-root"
        ) { endpoint in
            var exchange = TLSExchange.forgiving(endpoint) { _, _ in false }
            exchange.order = .requestThenJudge
            return exchange
        },
        .wayward("says-all-is-well", "reports success whatever happened", foundBy: "attacker-trusted-ca") {
            endpoint,
            _ in
            _ = await TLSExchange(obeying: endpoint).run(endpoint)
            return ClientReport(.succeeded)
        },
        .wayward("answers-from-memory", "rejected, shows what it fetched before", foundBy: "attacker-trusted-ca") {
            endpoint,
            memory in
            let report = await TLSExchange(obeying: endpoint).report(endpoint)
            if report.word == .succeeded { memory.note("an answer") }
            return memory.notes.isEmpty ? report : ClientReport(.succeeded, account: "from its cache")
        },
    ]

    private static func obeying(
        _ endpoint: Endpoint,
        otherwise: @Sendable (Endpoint) async -> ClientReport
    ) async -> ClientReport {
        let report = await TLSExchange(obeying: endpoint).report(endpoint)
        return report.word == .succeeded ? report : await otherwise(endpoint)
    }

    /// A client that obeys, and whether its connection ended before its handshake did.
    private static func handshaking(_ endpoint: Endpoint, _ memory: Memory) async -> (
        TLSExchange.Outcome, isBroken: Bool
    ) {
        var exchange = TLSExchange(obeying: endpoint)
        let (judge, before) = (exchange.judge, memory.notes.count)
        exchange.judge = { seen in
            memory.note("a handshake")
            return judge(seen)
        }
        let outcome = await exchange.run(endpoint)
        guard case .failed = outcome, !outcome.isSilence else { return (outcome, false) }
        return (outcome, memory.notes.count == before)
    }

    @Sendable private static func clear(_ endpoint: Endpoint) async -> ClientReport {
        let answer = await PlainConnection(port: endpoint.port).request(host: endpoint.host)
        return ClientReport(answer.hasPrefix("HTTP/1.1") ? .succeeded : .failed)
    }

    /// A client that takes whatever is like what its pins have accepted once.
    private static func remembering(
        _ name: String,
        _ about: String,
        foundBy scenario: String,
        policies: [String] = pinned,
        _ fact: @escaping @Sendable (TLSExchange.Seen) -> String?
    ) -> SeededClient {
        .wayward(name, about, foundBy: scenario, policies: policies) { endpoint, memory in
            var exchange = TLSExchange(obeying: endpoint)
            let judge = exchange.judge
            exchange.judge = { seen in
                let fact = fact(seen) ?? ""
                if memory.notes.contains(fact) { return Decision(.accept, .trusted) }
                let decision = judge(seen)
                if decision.demand == .accept { memory.note(fact) }
                return decision
            }
            return await exchange.report(endpoint)
        }
    }
}
