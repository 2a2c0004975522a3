package import Foundation
package import TLSCore

/// What a client was built to demand of servers, for all its hosts: an app's own configuration, or one policy for all.
///
/// Whoever decides, hands pins to a client or tries it with other pins asks for no more than this.
package protocol PinRules: Sendable {
    /// What the app does with a server.
    func decide(_ situation: Situation) -> Decision

    /// Every pin, in the order written.
    var pins: [ConfiguredPin] { get }

    /// The same rules with other pins: for test builds, in which a key of ours stands for one of production's.
    func mapPins(_ transform: (Pin) -> Pin) -> Self

    /// The same rules with the pins of a chain, so that no pin can be a reason to refuse that chain.
    func pinning(_ chain: [Certificate], in store: TrustStore, host: String, at instant: Date) -> Self

    /// The rules in the app's own format, which parsed again gives equal ones; empty where they have none.
    func rendered() -> String

    /// The entries in the order written, for an audit; a single one without a name where they name no hosts.
    var scopes: [PinScope] { get }

    /// What decides about a host, all entries that reach it united; `nil` where none does.
    func scope(for host: String) -> PinScope?

    /// Set where one policy for every host says all: a client may then leave trust to its TLS stack.
    var uniformPolicy: PinPolicy? { get }

    /// The TLS library that decides about trust before any pin does.
    var stack: TrustStack { get }

    /// All that it may be, where it runs on one of several.
    var stacks: [TrustStack] { get }
}

extension PinRules {
    package var uniformPolicy: PinPolicy? { nil }

    package var stacks: [TrustStack] { [stack] }

    package func pinning(_ chain: [Certificate], in store: TrustStore, host: String, at instant: Date) -> Self {
        let path = store.on(stack).path(of: chain, host: host, at: instant)
        var twins: [Pin: Pin] = [:]
        // One certificate after the other: an app that looks at some of them only must find one of its pins there.
        for (index, pin) in pins.enumerated() where twins[pin.pin] == nil {
            let candidates = Array(PinRequirement(pins: [], position: pin.position).candidates(in: path))
            guard !candidates.isEmpty else { continue }
            let certificate = candidates[index % candidates.count]
            twins[pin.pin] = pin.match == .key ? certificate.pin : certificate.fingerprint
        }
        return mapPins { twins[$0] ?? $0 }
    }
}

extension TrustStore {
    /// The path that validation builds, leaf first; the chain as it came where there is none.
    func path(of chain: [Certificate], host: String, at instant: Date) -> [Certificate] {
        if case .trusted(let path) = evaluate(chain, host: host, at: instant) { path } else { chain }
    }
}
