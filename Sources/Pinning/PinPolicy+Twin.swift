package import Foundation
package import TLSCore

extension PinPolicy {
    /// The same policy with its pins set to those of a chain, so that no pin can be a reason to refuse that chain.
    ///
    /// Position, search and everything else stay: a client that refuses the chain under this policy has another reason.
    package func pinning(
        _ chain: [Certificate],
        in store: TrustStore,
        host: String,
        at instant: Date
    ) -> PinPolicy {
        let path = store.path(of: chain, host: host, at: instant)
        var policy = self
        policy.requirements = requirements.map { requirement in
            let searched = requirement.search == .verifiedPath ? path : chain
            var requirement = requirement
            requirement.pins = requirement.candidates(in: searched).map {
                requirement.match == .key ? $0.pin : $0.fingerprint
            }
            return requirement
        }
        return policy
    }
}
