public import Foundation
public import TLSCore

extension Alamofire {
    public var refusesOtherHosts: Bool { allHostsMustBeEvaluated }

    public func ownFindings(at instant: Date, knownChain: [Certificate]) -> [Finding] {
        hosts.flatMap { host -> [Finding] in
            guard let scope = scope(for: host.name) else { return [] }
            return host.evaluator.pinnedCertificates.compactMap { scope.expiryFinding(of: $0, at: instant) }
                + unseen(host.evaluator, knownChain).map { scope.unhashable($0, by: "Alamofire") }
        }
    }

    /// The certificate whose key would have matched, and is of a kind that is never compared.
    private func unseen(_ evaluator: Evaluator, _ chain: [Certificate]) -> [Certificate] {
        guard case .publicKeys(let pins, _, _) = evaluator else { return [] }
        let matching = chain.filter { pins.contains($0.pin) }
        return matching.allSatisfy { !$0.hasAppleKey } ? matching : []
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
