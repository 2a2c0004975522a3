import Foundation
import MitmHarness
import Pinning
import Scenarios
import TLSCore

extension Endpoint {
    /// Seeded clients are played with policies of the catalogue only.
    var policy: PinPolicy { configuration.uniformPolicy ?? .unpinned }

    func changing(_ change: (inout PinPolicy) -> Void) -> Endpoint {
        var (endpoint, policy) = (self, policy)
        change(&policy)
        endpoint.configuration = UniformPolicy(policy)
        return endpoint
    }

    /// Whether the client's clock is more than a year ahead of ours.
    var isLongAhead: Bool { instant.timeIntervalSinceNow > 365 * 86_400 }

    /// The same, as for an app that pins nothing.
    var unpinned: Endpoint { changing { $0.requirements = [] } }
}

extension TLSExchange {
    /// A client that talks to anybody.
    static let trusting = TLSExchange(trust: nil) { _ in Decision(.accept, .trusted) }

    func report(_ endpoint: Endpoint) async -> ClientReport { ClientReport(await run(endpoint), duration: .zero) }

    /// A client that would ask again on the same connection.
    static func keepingAlive(_ endpoint: Endpoint) -> TLSExchange {
        var exchange = TLSExchange(obeying: endpoint)
        exchange.request = { host in ["GET / HTTP/1.1\r\nhost: \(host)\r\n\r\n"] }
        return exchange
    }

    /// A client that lets some faults of a chain pass, and then compares its pins with what was sent.
    static func forgiving(
        _ endpoint: Endpoint,
        _ forgives: @escaping @Sendable (TrustFailure, [Certificate]) -> Bool
    ) -> TLSExchange {
        let policy = endpoint.policy
        return TLSExchange(trust: nil) { seen in
            switch endpoint.store.evaluate(seen.presented, host: endpoint.host, at: endpoint.instant) {
            case .trusted(let path): policy.judgePins(presented: seen.presented, verified: path, in: endpoint.store)
            case .refused(let failure) where forgives(failure, seen.presented):
                policy.judgePins(presented: seen.presented, verified: [], in: endpoint.store)
            case .refused(let failure): Decision(.reject, .untrusted(failure))
            }
        }
    }

    static func forgiving(_ endpoint: Endpoint, _ reasons: TrustFailure.Reason...) -> TLSExchange {
        forgiving(endpoint) { failure, _ in reasons.contains(failure.reason) }
    }

    /// A client that looks for its pins in everything that the server sent.
    static func searchingWhatWasSent(_ endpoint: Endpoint) -> TLSExchange {
        TLSExchange(
            obeying: endpoint.changing { policy in
                for index in policy.requirements.indices {
                    policy.requirements[index].search = .presentedChain
                    policy.requirements[index].position = .any
                }
            }
        )
    }

    /// A client that compares names in its own way.
    ///
    /// - Parameter isNamed: whether a certificate will do for a host.
    static func naming(
        _ endpoint: Endpoint,
        _ isNamed: @escaping @Sendable (Certificate, _ host: String) -> Bool
    ) -> TLSExchange {
        forgiving(endpoint) { failure, chain in
            failure.reason == .wrongHost && chain.first.map { isNamed($0, endpoint.host) } == true
        }
    }

    /// A client that compares its pins in its own way, with each certificate of the verified path that its policy names.
    static func comparing(
        _ endpoint: Endpoint,
        _ matches: @escaping @Sendable (Certificate, Pin) -> Bool
    ) -> TLSExchange {
        judging(endpoint) { policy, seen in
            policy.requirements.allSatisfy { requirement in
                requirement.candidates(in: seen.verified).contains { certificate in
                    requirement.pins.contains { matches(certificate, $0) }
                }
            }
        }
    }

    /// A client that trusts as its system does, and finds its own reason to accept or refuse.
    static func judging(
        _ endpoint: Endpoint,
        _ accepts: @escaping @Sendable (PinPolicy, Seen) -> Bool
    ) -> TLSExchange {
        let policy = endpoint.policy
        return TLSExchange(trust: endpoint.store) { seen in
            guard !accepts(policy, seen) else { return Decision(.accept, .trusted) }
            return Decision(.reject, policy.requirements.first.map { .noPinMatches($0) } ?? .systemRule("no pin"))
        }
    }

    /// A client that obeys, except towards servers of some kind, whose pins it never compares.
    static func sparing(
        _ endpoint: Endpoint,
        _ isSpared: @escaping @Sendable (Seen) -> Bool
    ) -> TLSExchange {
        let policy = endpoint.policy
        return TLSExchange(trust: endpoint.store) { seen in
            isSpared(seen)
                ? Decision(.accept, .trusted)
                : policy.judgePins(presented: seen.presented, verified: seen.verified, in: endpoint.store)
        }
    }
}

extension TLSExchange.Outcome {
    /// Whether the server said nothing for longer than the client waits.
    var isSilence: Bool {
        guard case .failed(let reason) = self else { return false }
        return reason.hasPrefix("no handshake")
    }

    /// Whether the answer says that its connection ends with it.
    var saysClose: Bool {
        guard case .answered(let head) = self else { return false }
        return head.lowercased().contains("\r\nconnection: close")
    }
}
