package import Foundation
package import Pinning
import TLSCore

/// A catalogue's stories, told of an app's own hosts and with its own configuration as the only policy.
package struct AppCatalogue: Sendable {
    /// One host that the configuration is played for.
    package struct Host: Sendable {
        package var name: String
        /// As the configuration writes it; `nil` where it does not name this host.
        package var domain: String?
        package var standIns: [StandIn]
        /// Whether nobody named it: it is the catalogue's own, in the place of whatever host there is.
        package var isAny = false
    }

    package var hosts: [Host]
    package let production: ProductionChain?
    private let configuration: any PinConfiguration
    /// Its policies are the configuration, once for each host and by the host's name, or by the dialect's where the
    /// host is the only one. Clients that need other policies are gone.
    package var file: ScenarioFile
    /// The catalogue's backup keys, by name.
    let backups: [String]

    /// Each takes about a tenth of a second.
    private static let mostHosts = 200

    /// What keeps a configuration from being played, in one line.
    package struct Obstacle: Error, CustomStringConvertible, Sendable {
        package let description: String
    }

    /// - Parameters:
    ///   - policy: what `file` calls itself, and the configuration.
    ///   - host: the only one to be asked for; `nil`: all that the configuration names, or those of them that
    ///     production's leaf is for.
    ///   - production: production's chain, so that each pin's part in it is known.
    ///   - instant: the real one, for public roots that have ended.
    package init(
        of policy: ImportedPolicy,
        with catalogue: ScenarioFile,
        host: String? = nil,
        production: ProductionChain? = nil,
        at instant: Date
    ) throws(Obstacle) {
        guard let parts = CatalogueParts(catalogue) else {
            throw Obstacle(description: "the scenario file has no chain of the owner's to begin with")
        }
        let names = try Self.hosts(of: policy, asked: host, production: production, usual: catalogue.host)
        guard names.count <= Self.mostHosts else {
            throw Obstacle(
                description:
                    "the configuration names \(names.count) hosts, and at most \(Self.mostHosts) can be tried in "
                    + "one go; choose one with --host"
            )
        }
        let taken = catalogue.blueprint.keys.flatMap(\.standsFor) + catalogue.blueprint.authorities.flatMap(\.standsFor)
        hosts = names.map { name in
            let scope = policy.configuration.scope(for: name)
            let standIns = parts.standIns(
                for: policy.configuration,
                host: scope,
                taken: Set(taken),
                production: production,
                at: instant
            )
            let domain = scope.flatMap { $0.name.isEmpty ? nil : $0.name }
            let isAny = host == nil && production == nil && domain == nil && name == catalogue.host
            return Host(name: name, domain: domain, standIns: standIns, isAny: isAny)
        }
        configuration = policy.configuration
        self.production = production
        backups = parts.backups
        file = catalogue
        file.host = hosts[0].name
        file.allowances = []
        try file.blueprint.mirror(production, parts)
        if let type = type(of: policy.configuration).onlyKeyType {
            // Nobody would have another for a backup.
            let own = production == nil ? [parts.leaf] : []
            for name in own + parts.backups { file.blueprint.setType(type, ofKey: name) }
        }
        if policy.configuration.bringsAnchors, let own = parts.root ?? parts.issuer {
            file.blueprint.trust(own, from: .app)
        }
        let kept = catalogue.scenarios.filter { scenario in
            !scenario.changesKind(in: catalogue.blueprint) || scenario.changesKind(in: file.blueprint)
        }
        let dialect = type(of: policy.configuration).dialect.rawValue
        let isSingle = hosts.count == 1
        file.policies = hosts.map { host in
            var imported = policy
            // By production's chain, from which ours may differ.
            imported.configuration = policy.configuration.remembered(from: host.name, path: production?.path ?? [])
            let pairs = host.standIns.compactMap { standIn in standIn.name.map { (standIn.pin.pin, $0) } }
            imported.standIns = Dictionary(pairs) { first, _ in first }
            return PolicyDeclaration(
                name: isSingle ? dialect : host.name,
                .imported(imported),
                location: SourceLocation(file: policy.file, line: 1, column: 1)
            )
        }
        file.clients = catalogue.clients.filter { $0.policies == nil }
        file.scenarios = hosts.flatMap { host in
            kept.map { scenario in
                var scenario = scenario
                if !isSingle { scenario.name += " (\(host.name))" }
                scenario.policies = isSingle ? nil : [host.name]
                scenario.steps = scenario.steps.map { $0.moved(from: catalogue.host, to: host.name) }
                return scenario
            }
        }
    }

    /// What the configuration makes of production's own chain, where it refuses that today: then nothing is worth
    /// playing.
    ///
    /// - Parameter instant: the real one.
    package func refusals(at instant: Date) -> [(host: String, decision: Decision)] {
        guard let production else { return [] }
        let roots = production.roots(of: configuration)
        return hosts.compactMap { host in
            let situation = Situation(chain: production.sent, store: roots, host: host.name, at: instant)
            let decision = configuration.decide(situation)
            return decision.demand == .reject ? (host.name, decision) : nil
        }
    }

    /// A host's pins that match nothing of production's chain; none where no chain is known.
    package func strangers(of host: String) -> [String] {
        guard production != nil else { return [] }
        let asked = hosts.filter { $0.name == host }
        return asked.flatMap { host in
            host.standIns.filter { $0.certificate == nil && ($0.part != .none || $0.pin.domain == host.domain) }
        }.map(\.pin.label)
    }

    private static func hosts(
        of policy: ImportedPolicy,
        asked: String?,
        production: ProductionChain?,
        usual: String
    ) throws(Obstacle) -> [String] {
        if let asked {
            guard asked.canBeHost else { throw Obstacle(description: "'\(asked)' is not the name of a host") }
            return [asked]
        }
        let scopes = policy.configuration.scopes.filter { !$0.name.isEmpty }
        // What is left unpinned is a finding, or meant: neither needs to be played beside what is pinned.
        let pinned = scopes.contains { !$0.lists.isEmpty } ? scopes.filter { !$0.lists.isEmpty } : scopes
        // Clients ask in lower case, however an app writes it; of an entry for many hosts, its own name goes first.
        let named = pinned.map { scope in
            let name = scope.name.lowercased()
            let isOwn = name.canBeHost && policy.configuration.scope(for: name)?.name == scope.name
            return isOwn ? name : scope.host.lowercased()
        }.filter(\.canBeHost).uniqued
        if named.isEmpty, let scope = scopes.first {
            throw Obstacle(description: "no host can have the name '\(scope.name)', and there is no other")
        }
        guard let leaf = production?.path.first else { return named.isEmpty ? [usual] : named }
        let shown = leaf.names.map { "\($0)" }
        let hosts = shown.filter(\.canBeHost)
        // A configuration that names no host is held against the server at hand, under a name of its own.
        if named.isEmpty { return [hosts.first ?? shown.first?.belowWildcard ?? usual] }
        let reached =
            named.filter { leaf.failure(host: $0, at: nil) == nil }
            + hosts.map { $0.lowercased() }.filter { policy.configuration.scope(for: $0) != nil }
        guard reached.isEmpty else { return reached.uniqued }
        let below = shown.map(\.belowWildcard).first { policy.configuration.scope(for: $0) != nil }
        if let below { return [below] }
        let names = shown.isEmpty ? "no host at all" : shown.joined(separator: ", ")
        throw Obstacle(
            description: "the chain is for \(names), and the configuration for "
                + "\(named.joined(separator: ", ")); say by --host which host is meant"
        )
    }
}

extension String {
    /// A host that a wildcard is for; itself where it is none.
    fileprivate var belowWildcard: String { hasPrefix("*.") ? "www" + dropFirst() : self }

    /// Whether it can be the name or the address of a server.
    package var canBeHost: Bool {
        if case .ip = SubjectName(self) { return true }
        let labels = SubjectName.relative(self).split(separator: ".", omittingEmptySubsequences: false)
        return utf8.count <= 254
            && labels.allSatisfy { label in
                !label.isEmpty && label.utf8.count <= 63
                    && label.unicodeScalars.allSatisfy {
                        $0 == "-" || $0 == "_" || $0.properties.isAlphabetic || "0"..."9" ~= $0
                    }
            }
    }
}

extension Scenario {
    /// Whether it begins with a key of one kind and ends with one of another.
    fileprivate func changesKind(in blueprint: Blueprint) -> Bool {
        let kinds = [steps.first, steps.last].map { step in
            step?.present.last.flatMap(blueprint.chain).flatMap { blueprint.key(named: $0.key) }?.type
        }
        return kinds[0] != kinds[1]
    }
}

extension Step {
    /// The same, for a server of another name; what lies below the name lies below the other then.
    fileprivate func moved(from old: String, to new: String) -> Step {
        var step = self
        if host == old { step.writtenHost = new }
        if host.hasSuffix("." + old) { step.writtenHost = host.dropLast(old.count) + new }
        // A claim that names policies cannot mean this one.
        if step.locksOut?.extent != .all { step.locksOut = nil }
        if step.intercepts?.extent != .all { step.intercepts = nil }
        return step
    }
}

extension ProductionChain {
    /// What a device trusts that has an app with this configuration: its own authorities are taken to be the chain's.
    fileprivate func roots(of configuration: any PinConfiguration) -> TrustStore {
        guard configuration.bringsAnchors, let root = path.last else { return roots }
        // Nothing but a lack of memory keeps a certificate out of a store; then the app's own is not trusted.
        return (try? TrustStore(roots.anchors + [TrustAnchor(root, origin: .app)])) ?? roots
    }
}

extension Blueprint {
    /// Has every device that trusts an authority anyway trust it once more, for another reason.
    fileprivate mutating func trust(_ authority: String, from origin: TrustAnchor.Origin) {
        for index in stores.indices where stores[index].anchors.contains(where: { $0.authority == authority }) {
            stores[index].anchors.append(.init(authority, origin: origin))
        }
    }

    /// Gives keys the types that production's have, because some systems know not all of them.
    fileprivate mutating func mirror(_ production: ProductionChain?, _ parts: CatalogueParts) throws(AppCatalogue
        .Obstacle)
    {
        guard let path = production?.path, let leaf = path.first else { return }
        setType(try KeyType(standingFor: leaf), ofKey: parts.leaf)
        guard path.count > 1 else { return }
        let authorityParts = [(parts.issuer, path[1])] + (path.count > 2 ? [(parts.root, path[path.count - 1])] : [])
        for (name, certificate) in authorityParts {
            guard let name else { continue }
            let type = try KeyType(standingFor: certificate)
            for index in authorities.indices where authorities[index].name == name {
                // Nothing that pins tells RSA 4096 from 2048 in an authority, and it takes long to make.
                authorities[index].keyType = type == .rsa4096 ? .rsa2048 : type
            }
        }
    }

    fileprivate mutating func setType(_ type: KeyType, ofKey name: String) {
        for index in keys.indices where keys[index].name == name { keys[index].type = type }
    }
}

extension KeyType {
    fileprivate init(standingFor certificate: Certificate) throws(AppCatalogue.Obstacle) {
        guard let type = KeyType(of: certificate) else {
            throw AppCatalogue.Obstacle(
                description:
                    "the key of \(certificate.subject), \(certificate.keyDescription), is of a kind that cannot be "
                    + "made here, so that nothing can stand for it"
            )
        }
        self = type
    }

    /// The type of a certificate's key; `nil` where it is none that can be made here.
    private init?(of certificate: Certificate) {
        switch certificate.keyCurve {
        case "prime256v1": self = .p256
        case "secp384r1": self = .p384
        case "secp521r1": self = .p521
        case .some: return nil
        case nil:
            if certificate.keyDescription.hasPrefix("RSA") {
                guard let type = KeyType(rawValue: "rsa\(certificate.keyBits)") else { return nil }
                self = type
            } else {
                guard let type = KeyType(rawValue: certificate.keyDescription.lowercased()) else { return nil }
                self = type
            }
        }
    }
}
