package import TLSCore

/// The one thing in which a scenario is played again: what differs only by this is no story of its own.
package enum Variant: Hashable, Sendable, CustomStringConvertible {
    /// The type of every key that an attacker holds.
    case attackerKeys(KeyType)
    /// The type of every key that the owner holds.
    case ownerKeys(KeyType)
    /// The version of TLS of every step that shows an attacker's chain.
    case tls(TLSVersion)

    /// As in `rsa2048`, `owner rsa2048`, or `TLS 1.2`.
    package var description: String {
        switch self {
        case .attackerKeys(let type): type.rawValue
        case .ownerKeys(let type): "owner \(type.rawValue)"
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
        let own = variants.compactMap { if case .ownerKeys(let type) = $0 { type.rawValue } else { nil } }
        let others = variants.filter(\.isAboutAttackers).map { "\($0)" }
        let words =
            (others.isEmpty ? [] : ["against attackers with: " + others.joined(separator: ", ")])
            + (own.isEmpty ? [] : ["with the owner's keys as: " + own.joined(separator: ", ")])
        return words.isEmpty ? nil : "Also played " + words.joined(separator: "; ")
    }
}

extension Variant {
    /// Whether it changes what attackers show, and nothing else.
    var isAboutAttackers: Bool { if case .ownerKeys = self { false } else { true } }
}

extension Step {
    /// Whether some chain that it shows is an attacker's.
    func showsAttacker(in blueprint: Blueprint) -> Bool {
        (present + also.map(\.chain)).compactMap(blueprint.chain).contains { blueprint.holder(of: $0) == .attacker }
    }
}

extension Blueprint {
    /// The same with keys of another type in the hands of attackers, or of the owner.
    func varied(_ variant: Variant) -> Blueprint {
        switch variant {
        case .attackerKeys(let type): varied(.attacker, type)
        case .ownerKeys(let type): varied(.owner, type)
        case .tls: self
        }
    }

    private func varied(_ holder: Holder, _ type: KeyType) -> Blueprint {
        var copy = self
        for index in keys.indices where keys[index].holder == holder { copy.keys[index].type = type }
        for index in authorities.indices where authorities[index].holder == holder {
            copy.authorities[index].keyType = type
        }
        return copy
    }
}
