package import Foundation
package import Pinning
package import TLSCore

/// What each event of a plan shows, with certificates: those that exist, and else those that are made here. In the place
/// of production's keys stand keys of ours, and in the place of production's pins theirs.
package struct PlannedChains: Sendable {
    private let plan: Plan
    private let host: String
    private let roots: TrustStore
    private let keys: [String: PrivateKey]
    private let authorities: [String: Authority]
    private let stores: [[String]: TrustStore]
    private let allRoots: [String]
    /// From production's pins to those of ours.
    private let standIns: [Pin: Pin]
    /// Back again, and the names of keys whose pin nobody knows.
    private let originals: [Pin: Pin]
    private let names: [Pin: String]

    /// - Parameter roots: what devices trust, for chains that exist.
    package init(_ plan: Plan, host: String, roots: TrustStore) throws {
        var plan = plan
        for index in plan.authorities.indices {
            guard let chain = plan.authorities[index].rootOf,
                case .trusted(let path) = roots.evaluate(chain, host: nil, at: nil, toleratesWeakness: true),
                let root = path.last
            else { continue }
            plan.authorities[index].pin = root.pin
            plan.authorities[index].certificate = root
        }
        // A second certificate tells the pin of the first as well.
        for twin in plan.authorities {
            guard let pin = twin.pin, let owner = plan.authorities.firstIndex(where: { $0.name == twin.key }) else {
                continue
            }
            plan.authorities[owner].pin = plan.authorities[owner].pin ?? pin
        }
        self.plan = plan
        self.host = host
        self.roots = roots
        var standInKeys = StandInKeys()
        keys = try Dictionary(plan.keys.map { ($0.name, try standInKeys.key(for: $0.pin, $0.type)) }) { first, _ in
            first
        }
        let authorities = try Self.authorities(plan, &standInKeys)
        self.authorities = authorities
        allRoots = plan.authorities.filter { $0.issuer == nil }.map(\.name)
        stores = try Self.stores(plan, authorities, allRoots, roots)
        var standIns: [Pin: Pin] = [:]
        var names: [Pin: String] = [:]
        for key in plan.keys {
            guard let own = keys[key.name]?.pin else { continue }
            names[own] = names[own] ?? key.name
            if let pin = key.pin { standIns[pin] = own }
        }
        for authority in plan.authorities {
            guard let own = authorities[authority.name]?.certificate else { continue }
            names[own.pin] = names[own.pin] ?? authority.name
            names[own.fingerprint] = names[own.fingerprint] ?? authority.name
            if let pin = authority.pin { standIns[pin] = own.pin }
            if let certificate = authority.certificate { standIns[certificate.fingerprint] = own.fingerprint }
        }
        self.standIns = standIns
        self.names = names
        originals = Dictionary(standIns.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    }

    /// What devices trust, by the names of the authorities.
    private static func stores(
        _ plan: Plan,
        _ authorities: [String: Authority],
        _ allRoots: [String],
        _ roots: TrustStore
    ) throws -> [[String]: TrustStore] {
        var stores: [[String]: TrustStore] = [:]
        for names in Set(plan.events.map { $0.trusted ?? allRoots }) {
            let anchors = names.flatMap { Self.anchors($0, plan, authorities, roots) }
            stores[names] = try TrustStore(anchors, remembers: true)
        }
        return stores
    }

    /// As devices trust the certificate that it stands for, or else as they trust their maker's roots.
    private static func anchors(
        _ name: String,
        _ plan: Plan,
        _ authorities: [String: Authority],
        _ roots: TrustStore
    ) -> [TrustAnchor] {
        guard let own = authorities[name]?.certificate else { return [] }
        let original = plan.authorities.first { $0.name == name }?.certificate
        let origins = roots.anchors.filter { $0.certificate == original }.map(\.origin)
        return (origins.isEmpty ? [.system] : origins).map { TrustAnchor(own, origin: $0) }
    }

    /// Every authority with a certificate that is valid throughout the plan; the reader has refused circles.
    private static func authorities(_ plan: Plan, _ standInKeys: inout StandInKeys) throws -> [String: Authority] {
        let start = plan.events.first?.instant ?? Date(timeIntervalSince1970: 0)
        var keys: [String: PrivateKey] = [:]
        var owners: [Pin: String] = [:]
        for authority in plan.authorities where authority.key == nil {
            keys[authority.name] = try standInKeys.key(for: authority.pin, authority.type)
            if let pin = authority.pin { owners[pin] = owners[pin] ?? authority.name }
        }
        var made: [String: Authority] = [:]
        var waiting = plan.authorities
        var known: [Original: Authority] = [:]
        while !waiting.isEmpty {
            let ready = waiting.filter { $0.issuer.map { made[$0] != nil } ?? true }
            guard !ready.isEmpty else { return made }
            for authority in ready {
                // Two certificates of one authority have its key and its name.
                let owner = authority.key ?? authority.pin.flatMap { owners[$0] } ?? authority.name
                guard let key = keys[owner] else { continue }
                let issuer = authority.issuer.flatMap { made[$0] }
                let original = authority.certificate.map { Original(of: $0, issuer: issuer?.certificate) }
                let template = CertificateTemplate.authority(named: owner, now: start)
                let standIn =
                    try original.flatMap { known[$0] } ?? issuer?.authority(template, key: key)
                    ?? Authority(root: template, key: key)
                made[authority.name] = standIn
                if let original { known[original] = standIn }
            }
            waiting.removeAll { authority in ready.contains { $0.name == authority.name } }
        }
        return made
    }

    /// What an app meets that asks at an instant for what an event shows.
    package func situation(event index: Int, at instant: Date) throws -> Situation {
        switch plan.events[index].shown {
        case .chain(let chain): return Situation(chain: chain, store: roots, host: host, at: instant)
        case .minted(let key, let issuer, let sent):
            // The reader has refused names that are not declared.
            guard let key = keys[key], let issuer = authorities[issuer],
                let store = stores[plan.events[index].trusted ?? allRoots]
            else { return Situation(chain: [], store: roots, host: host, at: instant) }
            let template = CertificateTemplate.leaf(names: [SubjectName(host)], now: instant)
            var chain = try issuer.identity(template, key: key).chain
            if let sent { chain = chain.prefix(1) + sent.compactMap { authorities[$0]?.certificate } }
            return Situation(chain: chain, store: store, host: host, at: instant)
        }
    }

    /// A version's rules, for what an event shows.
    package func rules(_ rules: any PinRules, event index: Int) -> any PinRules {
        guard case .minted = plan.events[index].shown else { return rules }
        return rules.mapPins { standIns[$0] ?? $0 }
    }

    /// The same with production's own pin, where it is known.
    package func original(_ needed: NeededPin) -> NeededPin {
        var needed = needed
        needed.pin = originals[needed.pin] ?? needed.pin
        return needed
    }

    /// A pin that would have let a version in, in words: production's own where it is known.
    package func words(_ needed: NeededPin, event index: Int) -> String {
        guard case .minted = plan.events[index].shown else {
            let pin = needed.match == .key ? "\(needed.pin)" : "certificate \(needed.pin.hex)"
            return "\(pin) (\(needed.certificate.subject.asOneLine))"
        }
        let name = (names[needed.pin] ?? names[needed.certificate.pin])?.asOneLine
        guard let original = originals[needed.pin] else {
            let what = needed.match == .key ? "the pin" : "the certificate"
            return name.map { "\(what) of '\($0)'" } ?? "\(what) of \(needed.certificate.subject.asOneLine)"
        }
        return "\(needed.match == .key ? "\(original)" : "certificate \(original.hex)")"
            + (name.map { " ('\($0)')" } ?? "")
    }
}

/// A certificate of production's that has one stand-in, whatever names a plan gives it.
private struct Original: Hashable {
    var certificate: Pin
    var issuer: Pin?

    init(of certificate: Certificate, issuer: Certificate?) {
        (self.certificate, self.issuer) = (certificate.fingerprint, issuer?.fingerprint)
    }
}

/// The keys that stand for production's: one for each pin, whatever names a plan gives it.
private struct StandInKeys {
    private var keys: [Pin: PrivateKey] = [:]

    mutating func key(for pin: Pin?, _ type: KeyType) throws -> PrivateKey {
        if let pin, let key = keys[pin] { return key }
        let key = try PrivateKey(type)
        if let pin { keys[pin] = key }
        return key
    }
}
