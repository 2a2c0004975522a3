import Pinning
package import Scenarios
import TLSCore

/// The embedded client that obeys any policy: OpenSSL verifies the server during the handshake, and then the pins are
/// compared, at every host to which it is sent. It proves that the catalogue is right, never that a real client is.
package struct ReferenceClient: ClientUnderTest {
    package init() {}

    package var takesPins: Bool { true }

    package var clockObstacle: String? { nil }

    package var takesCollector: Bool { true }

    package func attempt(
        _ endpoint: Endpoint,
        beforeEnding: @escaping BeforeEnding = { _ in }
    ) async throws(CancellationError) -> ClientReport {
        let start = ContinuousClock.now
        let failures = PinFailures()
        let outcome = await TLSExchange.following(
            endpoint,
            beforeEnding: beforeEnding,
            with: { failures.watching(TLSExchange(obeying: $0), at: $0) }
        )
        for report in failures.reports(of: endpoint) { await report.post(to: endpoint.collector) }
        if Task.isCancelled { throw CancellationError() }
        return ClientReport(outcome, duration: ContinuousClock.now - start)
    }
}

extension TLSExchange {
    /// A client that does all that an endpoint's rules demand, and nothing else.
    package init(obeying endpoint: Endpoint) {
        guard let policy = endpoint.configuration.uniformPolicy else {
            self.init(applying: endpoint.configuration, to: endpoint)
            return
        }
        let verifies = policy.checks.contains(.path)
        self.init(
            trust: verifies ? endpoint.store : nil,
            checksHost: policy.checks.contains(.host),
            checksDates: policy.checks.contains(.validity)
        ) { seen in
            // The handshake has checked all it was asked to; without a path to check, name and dates are left to us, and
            // so is one end of the validity without the other.
            let host = policy.checks.contains(.host) ? endpoint.name : nil
            if !verifies, let failure = seen.presented.first?.failure(host: host, at: nil) {
                return Decision(.reject, .untrusted(failure))
            }
            let dated = verifies ? seen.verified : Array(seen.presented.prefix(1))
            if !verifies || !policy.checks.contains(.validity),
                let failure = policy.dateFailure(of: dated, at: endpoint.instant)
            {
                return Decision(.reject, .untrusted(failure))
            }
            return policy.judgePins(presented: seen.presented, verified: seen.verified, in: endpoint.store)
        }
    }

    /// A client that leaves all judgement to an app's own configuration, the version of TLS included.
    private init(applying rules: any PinRules, to endpoint: Endpoint) {
        self.init(trust: nil, checksHost: false, checksDates: false) { seen in
            rules.decide(
                Situation(
                    chain: seen.presented,
                    store: endpoint.store,
                    host: endpoint.name,
                    at: endpoint.instant,
                    version: seen.version
                )
            )
        }
        settings.versions = .tls1_0 ... .tls1_3
    }
}

extension ClientReport {
    /// The word of a client that is made of a `TLSExchange`.
    package init(_ outcome: TLSExchange.Outcome, duration: Duration) {
        switch outcome {
        case .answered(let head):
            let line = head.prefix { !$0.isNewline }
            self.init(.succeeded, account: String(line), duration: duration)
        case .untrusted(let failure):
            self.init(.refused, blamesPin: false, account: "not trusted: \(failure)", duration: duration)
        case .refused(let decision):
            self.init(.refused, blamesPin: decision.isRefusalByPin, account: "\(decision)", duration: duration)
        case .failed(let reason): self.init(.failed, account: reason, duration: duration)
        }
    }
}
