package import TLSCore

/// The one thing in which a scenario is played again: what differs only by this is no story of its own.
package enum Variant: Hashable, Sendable, CustomStringConvertible {
    /// The type of every key that an attacker holds.
    case attackerKeys(KeyType)
    /// The version of TLS of every step that shows an attacker's chain.
    case tls(TLSVersion)

    /// As in `rsa2048`, or `TLS 1.2`.
    package var description: String {
        switch self {
        case .attackerKeys(let type): type.rawValue
        case .tls(let version): "\(version)"
        }
    }
}

extension Scenario {
    /// This scenario as one of its variants, under a name of its own.
    func varied(_ variant: Variant, in blueprint: Blueprint) -> Scenario {
        var copy = self
        copy.name = "\(name) [\(variant)]"
        copy.variants = []
        copy.variant = variant
        copy.declaredName = name
        guard case .tls(let version) = variant else { return copy }
        for index in steps.indices where steps[index].showsAttacker(in: blueprint) { copy.steps[index].tls = version }
        return copy
    }

    /// What it is played with besides, in words; `nil` where it has no variants.
    package var variantsInWords: String? {
        guard !variants.isEmpty else { return nil }
        return "Also played against attackers with: " + variants.map { "\($0)" }.joined(separator: ", ")
    }
}

extension Step {
    /// Whether some chain that it shows is an attacker's.
    func showsAttacker(in blueprint: Blueprint) -> Bool {
        (present + also.map(\.chain)).compactMap(blueprint.chain).contains { blueprint.holder(of: $0) == .attacker }
    }
}

extension Blueprint {
    /// The same with other keys in the hands of attackers.
    func varied(_ variant: Variant) -> Blueprint {
        guard case .attackerKeys(let type) = variant else { return self }
        var copy = self
        for index in keys.indices where keys[index].holder == .attacker { copy.keys[index].type = type }
        for index in authorities.indices where authorities[index].holder == .attacker {
            copy.authorities[index].keyType = type
        }
        return copy
    }
}
