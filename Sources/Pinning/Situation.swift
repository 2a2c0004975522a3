package import Foundation
package import TLSCore

/// Everything that a client knows when it decides about a server.
package struct Situation: Sendable {
    /// As presented, leaf first.
    package var chain: [Certificate]
    /// What the device trusts.
    package var store: TrustStore
    /// The name that the client asked for.
    package var host: String
    package var instant: Date
    /// The version of TLS that is spoken.
    package var version: TLSVersion

    package init(
        chain: [Certificate],
        store: TrustStore,
        host: String,
        at instant: Date,
        version: TLSVersion = .tls1_3
    ) {
        self.chain = chain
        self.store = store
        self.host = host
        self.instant = instant
        self.version = version
    }

    /// What a policy for this host demands here.
    package func decide(_ policy: PinPolicy) -> Decision {
        policy.evaluate(chain, in: store, host: host, at: instant)
    }
}
