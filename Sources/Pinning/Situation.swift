public import Foundation
public import TLSCore

/// Everything that a client knows when it decides about a server.
public struct Situation: Sendable {
    /// As presented, leaf first.
    public var chain: [Certificate]
    /// What the device trusts.
    public var store: TrustStore
    /// The name that the client asked for.
    public var host: String
    public var instant: Date
    /// The version of TLS that is spoken.
    public var version: TLSVersion

    public init(
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
    public func decide(_ policy: PinPolicy) -> Decision {
        policy.evaluate(chain, in: store, host: host, at: instant)
    }
}
