import Foundation
import TLSCore

extension PinConfiguration {
    /// How the pins and production's own chain fit: for each host that the chain is for, or for the one asked about.
    func chainFindings(_ chain: [Certificate], host: String?, at instant: Date) -> [PolicyFinding] {
        guard let leaf = chain.first else { return [] }
        let concerned = (host.map { [$0] } ?? hosts(of: leaf)).compactMap { scope(for: $0) }
        var found: [PolicyFinding] = []
        for scope in concerned {
            let own = ownFindings(of: scope, knownChain: chain)
            let common = scope.chainFindings(chain, at: instant).filter { !$0.repeats(own) }
            found += (own + common).map { $0.weakened(scope.isToothless(at: instant)) }
        }
        return host == nil ? found + missing(leaf, isConcerned: !concerned.isEmpty) : found
    }

    /// Hosts with entries, of those that a certificate is for.
    private func hosts(of leaf: Certificate) -> [String] {
        let scopes = scopes
        guard scopes.allSatisfy({ !$0.name.isEmpty }) else { return [""] }
        let named = leaf.names.map { name in
            let text = "\(name)"
            return text.hasPrefix("*.") ? PinScope.anyHost(below: text.dropFirst(2)) : text
        }
        return named + scopes.flatMap { [$0.base, $0.host] }.filter { leaf.failure(host: $0, at: nil) == nil }
    }

    /// Names of production's own certificate that are not pinned.
    private func missing(_ leaf: Certificate, isConcerned: Bool) -> [PolicyFinding] {
        guard isConcerned else {
            let list = leaf.names.map(\.description).joined(separator: ", ")
            let message = "the known chain is for \(list.isEmpty ? "no host" : list), and no entry is"
            return [
                refusesOtherHosts
                    ? PolicyFinding(.locksOut, .outage, message + ": it is rejected", fix: "add an entry for the host")
                    : PolicyFinding(
                        .notPinned,
                        .breach,
                        message,
                        fix: "add an entry for the host, or give its own chain"
                    )
            ]
        }
        let names = leaf.names.compactMap { if case .dns(let name) = $0 { name } else { nil } }
        let open = names.filter { !$0.hasPrefix("*.") && scope(for: $0) == nil }
        guard !open.isEmpty, !refusesOtherHosts else { return [] }
        return [
            PolicyFinding(
                .scopeGap,
                .warning,
                "the server's certificate is also for \(open.joined(separator: ", ")), where nothing is pinned",
                fix: "add entries for those that the app talks to"
            )
        ]
    }
}
