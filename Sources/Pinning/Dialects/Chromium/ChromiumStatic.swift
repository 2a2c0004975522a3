package import Foundation
package import TLSCore

/// The pins that are compiled into Chromium (`transport_security_state_static.pins` and `.json`).
package struct ChromiumStatic: PinConfiguration, Equatable {
    package static let dialect = Dialect.chromium

    package static let format = PolicyFormat(dialect) { ChromiumStatic(reading: $1, with: $0) }

    package struct Host: Hashable, Sendable {
        package var name: String
        /// Below this name, at any depth; the longest name that covers a host decides alone.
        package var includesSubdomains: Bool
        /// One of these keys is in the verified path (`static_spki_hashes`); none: no key is asked for.
        package var required: [Pin]
        /// None of these keys is (`bad_static_spki_hashes`).
        package var forbidden: [Pin]

        package init(_ name: String, includesSubdomains: Bool = false, required: [Pin], forbidden: [Pin] = []) {
            self.name = name
            self.includesSubdomains = includesSubdomains
            self.required = required
            self.forbidden = forbidden
        }
    }

    package var hosts: [Host]
    /// When the browser was built, where that is known: after ten weeks it no longer holds to its pins.
    package var builtAt: Date?
    var hostLines = EntryLines()

    package func decide(_ situation: Situation) -> Decision {
        if let refusal = situation.refusal(below: .tls1_2, by: "Chromium") { return refusal }
        let situation = situation.on(stack)
        let ordinary = situation.decide(.unpinned)
        guard ordinary.demand != .reject, let host = host(for: situation.host), !isStale(at: situation.instant) else {
            return ordinary
        }
        // Not a root that Chromium knows: whoever may install one may also read the traffic, says Chromium.
        let exempt: Set<TrustAnchor.Origin> = [.user, .app]
        // A key of an unknown root is never looked at, so the required pins speak first for what is exempt.
        let required = host.required.isEmpty ? [] : [PinRequirement(pins: host.required)]
        let decision = situation.decide(PinPolicy(requirements: required, exempt: exempt))
        if case .exempt = decision.reason { return decision }
        guard
            case .trusted(let path) = situation.store.evaluate(
                situation.chain,
                host: situation.host,
                at: situation.instant
            ), let bad = path.first(where: { host.forbidden.contains($0.pin) })
        else { return decision }
        if let origin = situation.store.anchors.first(where: { $0.certificate == path.last })?.origin,
            exempt.contains(origin)
        {
            return Decision(.accept, .exempt(origin))
        }
        return Decision(.reject, .systemRule("the key of \(bad.subject) is forbidden for \(host.name)"))
    }

    func host(for name: String) -> Host? {
        let name = name.lowercased()
        return
            hosts
            .filter {
                name == $0.name.lowercased() || $0.includesSubdomains && name.hasSuffix("." + $0.name.lowercased())
            }
            .max { $0.name.utf8.count < $1.name.utf8.count }
    }

    private func isStale(at instant: Date) -> Bool {
        builtAt.map { instant.timeIntervalSince($0) > ChromiumStatic.freshness } ?? false
    }

    /// How long a build holds to its pins.
    static let freshness: TimeInterval = 70 * 86400

    package var entryNames: [String] { hosts.map(\.name) }

    /// The required ones; forbidden keys are no pins.
    package var pins: [ConfiguredPin] {
        hosts.flatMap { host in host.required.map { ConfiguredPin(domain: host.name, pin: $0) } }
    }

    package func mapPins(_ transform: (Pin) -> Pin) -> ChromiumStatic {
        var copy = self
        for index in hosts.indices {
            copy.hosts[index].required = hosts[index].required.map(transform)
            copy.hosts[index].forbidden = hosts[index].forbidden.map(transform)
        }
        return copy
    }
}
