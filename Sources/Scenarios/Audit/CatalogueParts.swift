import TLSCore

/// The parts that a catalogue's keys and authorities play, as far as its declarations tell.
struct CatalogueParts {
    /// The key in use today: that of the owner's first chain.
    var leaf: String
    /// The authority right above it; `nil` where that chain signs itself.
    var issuer: String?
    /// Where its path ends; `nil` where the issuer is a root.
    var root: String?
    /// Keys that policies of the catalogue pin beside it, in file order.
    var backups: [String]
    /// The root of another provider, which the usual device trusts as well.
    var otherRoot: String?

    /// - Returns: `nil` for a file whose owner shows no chain.
    init?(_ file: ScenarioFile) {
        let blueprint = file.blueprint
        guard let today = blueprint.chains.first(where: { blueprint.holder(of: $0) == .owner }) else { return nil }
        leaf = today.key
        var path: [String] = []
        if case .authority(let name) = today.issuer {
            var next: String? = name
            while let name = next, !path.contains(name) {
                path.append(name)
                next = blueprint.authority(named: name)?.issuer
            }
        }
        issuer = path.first
        root = path.count > 1 ? path.last : nil
        let pinned = file.policies.flatMap(\.requirements).flatMap(\.pins).compactMap { source in
            if case .key(let name) = source { name } else { nil }
        }
        backups = blueprint.keys.filter { $0.holder == .owner && $0.name != today.key && pinned.contains($0.name) }
            .map(\.name)
        otherRoot = blueprint.stores.first?.anchors(from: .system).first { !path.contains($0) }
    }
}
