package import Foundation
package import TLSCore

extension Alamofire {
    package static var onlyKeyType: KeyType? { nil }

    package var bringsAnchors: Bool { false }

    package func remembered(from host: String, path: [Certificate]) -> Self { self }

    package var refusesOtherHosts: Bool { allHostsMustBeEvaluated }

    package func ownFindings(at instant: Date) -> [PolicyFinding] {
        hosts.flatMap { host -> [PolicyFinding] in
            guard let scope = scope(for: host.name) else { return [] }
            return host.evaluator.pinnedCertificates.compactMap { scope.expiryFinding(of: $0, at: instant) }
        }
    }

    /// Keys that would match, and are of a kind that is never compared.
    package func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] {
        scope.lists.flatMap { list -> [PolicyFinding] in
            let matching = knownChain.filter { list.digests.contains(PinnedDigest($0.pin)) }
            guard matching.allSatisfy({ !$0.hasAppleKey }) else { return [] }
            return matching.map { scope.unhashable($0, by: "Alamofire") }
        }
    }
}

extension Alamofire.Evaluator {
    fileprivate var pinnedCertificates: [Certificate] {
        switch self {
        case .pinnedCertificates(let pinned, _, _, _): pinned.compactMap(\.certificate)
        case .composite(let evaluators): evaluators.flatMap(\.pinnedCertificates)
        case .default, .revocation, .publicKeys, .disabled: []
        }
    }
}
