import Pinning
import TLSCore

/// What a client of a stack does otherwise than the stack's model says, and why: `docs/stacks.md` lists them.
struct Difference: Sendable {
    let clients: [String]
    /// The chains, in words.
    let chain: String
    /// What the client does with them.
    let does: String
    /// Who says so, or what was run.
    let source: String
    let applies: @Sendable (StackClient.Answer, Situation, Decision) -> Bool

    func explains(
        _ client: String,
        _ answer: StackClient.Answer,
        _ situation: Situation,
        _ decision: Decision
    ) -> Bool {
        clients.contains(client) && applies(answer, situation, decision)
    }

    static let all = [
        Difference(
            clients: ["Perl", "Ruby", "PHP"],
            chain: "an address that stands in the common name, or as a DNS name, and not as an address",
            does: "accepts it for that address",
            source: "IO::Socket::SSL 2.081, Ruby 3.1 and PHP 8.2 compare names by themselves, as they were run"
        ) { answer, situation, decision in
            answer == .accepts && decision.isUntrusted(for: .wrongHost) && situation.hasAddressAsName
        },
        Difference(
            clients: ["Java", "OkHttp"],
            chain: "an address that stands in the common name only, below an authority with constraints on names",
            does: "accepts it for that address: who checks constraints adds it to the names of the certificate",
            source: "OpenJDK 17, `NameConstraintsExtension.verify`, as it was run"
        ) { answer, situation, decision in
            answer == .accepts && decision.isUntrusted(for: .wrongHost) && situation.hasAddressAsName
                && (situation.chain + situation.store.anchors.map(\.certificate)).contains { $0.nameConstraints != nil }
        },
        Difference(
            clients: ["Chromium"],
            chain: "a name with a dot at its end",
            does: "accepts it for the name without the dot",
            source: "Chromium 156, as it was run"
        ) { answer, situation, decision in
            answer == .accepts && decision.isUntrusted(for: .wrongHost)
                && situation.chain.first?.names.contains(.dns("\(situation.host).")) == true
        },
        Difference(
            clients: ["Java", "OkHttp"],
            chain: "an authority that may vouch only for names that another of the path excludes",
            does: "accepts it for any name: nothing is left that is permitted, and nothing means all",
            source: "OpenJDK 17, `NameConstraintsExtension.merge` and `GeneralSubtrees.reduce`"
        ) { answer, situation, decision in
            guard answer == .accepts, decision.isUntrusted(for: .nameNotPermitted) else { return false }
            let constraints = (situation.chain + situation.store.anchors.map(\.certificate))
                .compactMap(\.nameConstraints)
            let excluded = NameConstraints(excluded: constraints.flatMap(\.excluded))
            return constraints.flatMap(\.permitted).contains { !excluded.allow($0) }
        },
    ]
}

extension Decision {
    fileprivate func isUntrusted(for reason: TrustFailure.Reason) -> Bool {
        if case .untrusted(let failure) = self.reason { failure.reason == reason } else { false }
    }
}

extension Situation {
    /// Whether the leaf has the address that is asked for, and not as an address.
    fileprivate var hasAddressAsName: Bool {
        guard case .ip = SubjectName(host), let leaf = chain.first else { return false }
        return leaf.commonName == host || leaf.names.contains(.dns(host))
    }
}
