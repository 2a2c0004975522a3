import Pinning
import TLSCore

/// A catalogue's stories, told of an app's own hosts and with its own configuration as the only policy.
public struct Rehearsal: Sendable {
    /// One host that the configuration is rehearsed for.
    public struct Host: Sendable {
        public var name: String
        /// As the configuration writes it; `nil` where it does not name this host.
        public var domain: String?
        public var standIns: [StandIn]
    }

    public var hosts: [Host]
    public var production: ProductionChain?
    /// Its policies are the configuration, once for each host and by the host's name, or by the dialect's where the
    /// host is the only one. Clients that need other policies are gone.
    public var file: ScenarioFile
    /// The catalogue's backup keys, by name.
    let backups: [String]

    /// What keeps a configuration from being rehearsed, in one line.
    public struct Obstacle: Error, CustomStringConvertible, Sendable {
        public let description: String
    }

    /// - Parameters:
    ///   - policy: what `file` calls itself, and the configuration.
    ///   - host: the only one to be asked for; `nil`: all that the configuration names, or those of them that
    ///     production's leaf is for.
    ///   - production: production's chain, so that each pin's part in it is known.
    public init(
        of policy: ImportedPolicy,
        with catalogue: ScenarioFile,
        host: String? = nil,
        production: ProductionChain? = nil
    ) throws(Obstacle) {
        guard let cast = Cast(catalogue) else {
            throw Obstacle(description: "the scenario file has no chain of the owner's to begin with")
        }
        let names = try Self.hosts(of: policy, asked: host, production: production, usual: catalogue.host)
        let taken = catalogue.blueprint.keys.flatMap(\.standsFor) + catalogue.blueprint.authorities.flatMap(\.standsFor)
        hosts = names.map { name in
            let domain = policy.configuration.domainNames.covering(name)
            let standIns = cast.standIns(
                for: policy.configuration,
                domain: domain,
                taken: Set(taken),
                production: production
            )
            return Host(name: name, domain: domain, standIns: standIns)
        }
        self.production = production
        backups = cast.backups
        file = catalogue
        file.host = hosts[0].name
        file.allowances = []
        file.blueprint.mirror(production, cast)
        if production == nil, policy.configuration is PublicKeyPinning {
            // It knows no other kind of key; anything else would be refused from the first day on.
            file.blueprint.setType(.rsa2048, ofKey: cast.leaf)
        }
        let dialect = type(of: policy.configuration).dialect.rawValue
        let isSingle = hosts.count == 1
        file.policies = hosts.map { host in
            var imported = policy
            let pairs = host.standIns.compactMap { standIn in standIn.name.map { (standIn.pin.pin, $0) } }
            imported.standIns = Dictionary(pairs) { first, _ in first }
            return PolicyDeclaration(
                name: isSingle ? dialect : host.name,
                imported: imported,
                location: SourceLocation(file: policy.file, line: 1, column: 1)
            )
        }
        file.clients = catalogue.clients.filter { $0.policies == nil }
        file.scenarios = hosts.flatMap { host in
            catalogue.scenarios.map { scenario in
                var scenario = scenario
                if !isSingle { scenario.name += " (\(host.name))" }
                scenario.policies = isSingle ? nil : [host.name]
                scenario.steps = scenario.steps.map { $0.moved(from: catalogue.host, to: host.name) }
                return scenario
            }
        }
    }

    private static func hosts(
        of policy: ImportedPolicy,
        asked: String?,
        production: ProductionChain?,
        usual: String
    ) throws(Obstacle) -> [String] {
        if let asked { return [asked] }
        let named = policy.configuration.domainNames.map(\.hostOfPattern).uniqued
        guard let leaf = production?.path.first else { return named.isEmpty ? [usual] : named }
        let shown = leaf.names.map { "\($0)".hostOfPattern }
        // A configuration that names no host is held against the server at hand, under a name of its own.
        guard !named.isEmpty else { return Array(shown.prefix(1)) + (shown.isEmpty ? [usual] : []) }
        let reached = named.filter { leaf.failure(host: $0, at: nil) == nil }
        guard reached.isEmpty else { return reached }
        if let below = shown.first(where: { policy.configuration.domainNames.covering($0) != nil }) { return [below] }
        throw Obstacle(
            description: "the chain is for \(shown.joined(separator: ", ")) and the configuration for "
                + "\(named.joined(separator: ", ")); say by --host which host is meant"
        )
    }
}

extension [String] {
    /// The most particular of these domains or patterns that a host equals or lies below.
    fileprivate func covering(_ host: String) -> String? {
        let host = host.lowercased()
        return filter { name in
            let name = name.lowercased().trimmingPrefix { $0 == "*" || $0 == "." }
            return host == name || host.hasSuffix("." + name)
        }.max { $0.count < $1.count }
    }
}

extension String {
    /// A host that a pattern is for: itself, or one below it where it has an asterisk.
    fileprivate var hostOfPattern: String {
        guard hasPrefix("*") else { return self }
        return "www." + trimmingPrefix { $0 == "*" || $0 == "." }
    }
}

extension Step {
    /// The same, for a server of another name; what lies below the name lies below the other then.
    fileprivate func moved(from old: String, to new: String) -> Step {
        var step = self
        if host == old { step.host = new }
        if host.hasSuffix("." + old) { step.host = host.dropLast(old.count) + new }
        // A claim that names policies cannot mean this one.
        if step.locksOut?.extent != .all { step.locksOut = nil }
        if step.intercepts?.extent != .all { step.intercepts = nil }
        return step
    }
}

extension Blueprint {
    /// Gives keys the types that production's have, because some systems know not all of them.
    fileprivate mutating func mirror(_ production: ProductionChain?, _ cast: Cast) {
        guard let path = production?.path, let leaf = path.first else { return }
        if let type = KeyType(of: leaf) { setType(type, ofKey: cast.leaf) }
        guard path.count > 1 else { return }
        let parts = [(cast.issuer, path[1])] + (path.count > 2 ? [(cast.root, path[path.count - 1])] : [])
        for (name, certificate) in parts {
            guard let name, let type = KeyType(of: certificate) else { continue }
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
    /// The type of a certificate's key; `nil` where it is none that can be made here.
    fileprivate init?(of certificate: Certificate) {
        switch certificate.keyCurve {
        case "prime256v1": self = .p256
        case "secp384r1": self = .p384
        case "secp521r1": self = .p521
        case .some: return nil
        case nil:
            if certificate.keyDescription.hasPrefix("RSA") {
                guard let type = KeyType(rawValue: "rsa\(certificate.keyBits)") else { return nil }
                self = type
            } else if certificate.keyDescription.lowercased() == "ed25519" {
                self = .ed25519
            } else {
                return nil
            }
        }
    }
}
