import Foundation
package import Pinning
package import TLSCore

/// A key or authority of a catalogue in place of one of production's that an app pins.
package struct StandIn: Hashable, Sendable {
    /// The part that production's key plays.
    package enum Part: String, CaseIterable, Sendable {
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

    package var pin: ConfiguredPin
    package var part: Part
    /// Of the key or authority; `nil` where the part is `none`.
    package var name: String?
    /// The certificate of production's chain that the pin matches; `nil` where the part is only the usual one of a pin
    /// that is written so.
    package var certificate: Certificate?
}

/// Production's own chain.
package struct ProductionChain: Sendable {
    /// As the server sends it, leaf first.
    package let sent: [Certificate]
    /// Leaf first, root last.
    package let path: [Certificate]
    /// What devices trust.
    package let roots: TrustStore

    /// Why a file's certificates are no such chain.
    package struct Flaw: Error, CustomStringConvertible, Sendable {
        package let description: String
    }

    /// - Parameters:
    ///   - chain: as the server sends it, leaf first.
    ///   - roots: what devices trust; the chain's root must be there, or the parts of its keys cannot be told.
    package init(_ chain: [Certificate], roots: TrustStore) throws(Flaw) {
        guard let leaf = chain.first else { throw Flaw(description: "there is no certificate in it") }
        guard chain.count == 1 || !leaf.isAuthority else {
            throw Flaw(
                description:
                    "its first certificate, \(leaf.subject), is an authority's; expected the server's own first"
            )
        }
        sent = chain
        self.roots = roots
        // Dates and names are not asked here: an expired chain has the same keys.
        switch roots.evaluate(chain, host: nil, at: nil, toleratesWeakness: true) {
        case .trusted(let path): self.path = path
        case .refused(let failure):
            throw Flaw(
                description:
                    "it leads to no root that is trusted (\(roots.missing(above: chain, failure) ?? "\(failure)")); name its root by --trust"
            )
        }
    }

    /// Which certificate a pin matches, and the part that this plays; `nil` where none does.
    func match(_ configured: ConfiguredPin) -> (certificate: Certificate, part: StandIn.Part)? {
        let compared = configured.compared
        let index = path.firstIndex(where: compared.matches)
        guard let index else { return nil }
        if index == 0 { return (path[0], .leaf) }
        // A second intermediate changes as seldom as the root does.
        return (path[index], index == 1 && !path[index].isSelfSigned ? .issuer : .root)
    }
}

extension CatalogueParts {
    /// Finds a part for each pin of a configuration, those that a host is held to first.
    ///
    /// With production's chain the part of a pin in it is known; any other is taken for a backup. Without it the first
    /// pin is taken for the key in use, or, where it may match authorities only, for the issuer. The key of a public root is
    /// that of a root, and of nobody's once that has ended, or is trusted no more where something else is pinned.
    ///
    /// - Parameters:
    ///   - host: what it is held to; `nil`: it is not pinned.
    ///   - taken: pins that the file itself has a key for.
    ///   - instant: the real one, for public roots that have ended.
    func standIns(
        for configuration: any PinConfiguration,
        host: PinScope?,
        taken: Set<Pin> = [],
        production: ProductionChain?,
        at instant: Date
    ) -> [StandIn] {
        let isKnown = production != nil
        var free = (
            leaves: (isKnown ? [] : [leaf]) + backups,
            authorities: [isKnown ? nil : issuer, otherRoot].compactMap(\.self),
            roots: [isKnown ? nil : root ?? issuer, otherRoot].compactMap(\.self)
        )
        // A digest that the configuration cannot exchange for another's stands for nothing.
        let known = Set(configuration.pins.map(\.pin))
        let own = (host?.pins ?? []).filter { $0.compared.algorithm == .sha256 || known.contains($0.pin) }
        // What few devices trust carries an app only where nothing else can.
        let hasTrusted = own.contains { pin in
            pin.canBeShown(at: instant) && pin.authority?.isTrusted(at: instant) ?? true
        }
        // Other hosts are held to other keys: they must not use up this one's parts.
        let others = configuration.pins.filter { other in !own.contains { $0.pin == other.pin } }
        var found: [StandIn] = []
        for (pin, isOwn) in own.map({ ($0, true) }) + others.map({ ($0, false) }) {
            if taken.contains(pin.pin) || found.contains(where: { $0.pin.pin == pin.pin && $0.pin.match == pin.match })
            {
                continue
            }
            if let (certificate, part) = production?.match(pin) {
                found.append(StandIn(pin: pin, part: part, name: name(of: part), certificate: certificate))
                continue
            }
            let isRoot = pin.authority != nil || pin.compared.isOfRoot
            let isTrusted = pin.authority?.isTrusted(at: instant) ?? true
            let name: String? =
                if !isOwn || !pin.canBeShown(at: instant) || !isTrusted && hasTrusted {
                    // No server that its own users reach has such a key.
                    nil
                } else if isRoot {
                    free.roots.isEmpty ? nil : free.roots.removeFirst()
                } else if pin.position == .authority {
                    free.authorities.isEmpty ? nil : free.authorities.removeFirst()
                } else {
                    free.leaves.isEmpty ? nil : free.leaves.removeFirst()
                }
            free.authorities.removeAll { $0 == name }
            free.roots.removeAll { $0 == name }
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

extension ConfiguredPin {
    /// Whether a server that an app's own users reach may have its key, where it is pinned.
    fileprivate func canBeShown(at instant: Date) -> Bool {
        let isRoot = authority != nil || compared.isOfRoot
        return !isPlaceholder && compared.canMatch && !(isRoot && position == .leaf)
            && !(authority?.hasEnded(at: instant) ?? false)
    }
}

extension PinScope {
    /// The pins that its host is held to.
    fileprivate var pins: [ConfiguredPin] {
        lists.flatMap { list in
            list.digests.map { digest in
                ConfiguredPin(domain: name.isEmpty ? nil : name, comparing: digest, position: list.position)
            }
        }
    }
}
