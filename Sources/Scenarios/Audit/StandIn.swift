public import Pinning
public import TLSCore

/// A key or authority of a catalogue in place of one of production's that an app pins.
public struct StandIn: Hashable, Sendable {
    /// The part that production's key plays.
    public enum Part: String, CaseIterable, Sendable {
        case leaf
        case issuer
        case root
        /// A key that is not in use yet.
        case backup
        /// An authority of another provider.
        case otherAuthority = "other-authority"
        /// None that the catalogue has: it never comes up.
        case none
    }

    public var pin: ConfiguredPin
    public var part: Part
    /// Of the key or authority; `nil` where the part is `none`.
    public var name: String?
    /// The certificate of production's chain that the pin matches; `nil` where the part is only the usual one of a pin
    /// that is written so.
    public var certificate: Certificate?

    public var isKnown: Bool { certificate != nil }
}

/// Production's own chain, as far as it is known.
public struct ProductionChain: Sendable {
    /// Leaf first; the root last, where there is one.
    public var path: [Certificate]

    /// - Parameters:
    ///   - chain: as the server sends it, leaf first.
    ///   - roots: what devices trust, to find the end of the path.
    public init(_ chain: [Certificate], roots: TrustStore) {
        // Dates and names are not asked here: an expired chain has the same keys.
        if case .trusted(let path) = roots.evaluate(chain, host: nil, at: nil, toleratesWeakness: true) {
            self.path = path
        } else {
            path = chain
        }
    }

    /// Which certificate a pin matches, and the part that this plays; `nil` where none does.
    func match(_ configured: ConfiguredPin) -> (certificate: Certificate, part: StandIn.Part)? {
        let index = path.firstIndex {
            configured.pin == (configured.match == .key ? $0.pin : $0.fingerprint)
        }
        guard let index else { return nil }
        if index == 0 { return (path[0], .leaf) }
        // A second intermediate changes as seldom as the root does.
        return (path[index], index == 1 && !path[index].isSelfSigned ? .issuer : .root)
    }
}

extension Cast {
    /// Finds a part for each pin of a configuration, those for one host first.
    ///
    /// With production's chain the part of a pin in it is known; any other is taken for a backup. Without it the first
    /// pin is taken for the key in use, or, where it may match authorities only, for the issuer.
    func standIns(
        for configuration: any PinConfiguration,
        domain: String?,
        taken: Set<Pin> = [],
        production: ProductionChain?
    ) -> [StandIn] {
        let pins = configuration.pins
        let own = pins.filter { $0.domain == domain }
        var free = (leaves: [leaf] + backups, authorities: [issuer, otherRoot].compactMap(\.self))
        if production != nil {
            free.leaves.removeFirst()
            if issuer != nil { free.authorities.removeFirst() }
        }
        var found: [StandIn] = []
        for pin in (own + pins.filter { $0.domain != domain }) {
            if taken.contains(pin.pin) || found.contains(where: { $0.pin.pin == pin.pin && $0.pin.match == pin.match })
            {
                continue
            }
            if let (certificate, part) = production?.match(pin) {
                found.append(StandIn(pin: pin, part: part, name: name(of: part), certificate: certificate))
                continue
            }
            // Other domains are held to other keys: they must not use up this one's parts.
            let name: String? =
                if pin.domain != domain {
                    nil
                } else if pin.position == .authority {
                    free.authorities.isEmpty ? nil : free.authorities.removeFirst()
                } else {
                    free.leaves.isEmpty ? nil : free.leaves.removeFirst()
                }
            found.append(StandIn(pin: pin, part: name.map(part) ?? .none, name: name))
        }
        return found
    }

    private func name(of part: StandIn.Part) -> String? {
        switch part {
        case .leaf: leaf
        case .issuer: issuer ?? leaf
        case .root: root ?? issuer ?? leaf
        case .backup, .otherAuthority, .none: nil
        }
    }

    private func part(of name: String) -> StandIn.Part {
        switch name {
        case leaf: .leaf
        case issuer: .issuer
        case root: .root
        case otherRoot: .otherAuthority
        default: .backup
        }
    }
}
