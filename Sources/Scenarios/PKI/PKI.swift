public import Foundation
package import Pinning
import Synchronization
public import TLSCore

/// What a blueprint declares, minted: keys, certificates, trust stores, and policies that name them.
///
/// Keys and certificates are made when they are first asked for, and the same question gets the same one. Nobody's clock is moved: at story time `+90d`, declared validity windows lie 90
/// days earlier than at day 0.
public final class PKI: Sendable {
    package let blueprint: Blueprint
    /// The real instant that is day 0 for a window that is not shifted.
    public let now: Date
    private let keys: [String: LazyKey]
    /// From the pins of production's keys to the names of the keys and authorities that stand for them.
    private let standIns: [Pin: String]
    /// The certificates of roots that outlive a run, by name; `nil` where nothing does.
    let keptRoots: [String: Certificate]?
    /// What roots that are minted here are held to.
    private let terms: RootTerms?
    /// The genuine server's chain as it was seen, and the roots that vouch for it; `nil`: it was not asked.
    package let genuine: Genuine?
    private let minted = Mutex(Minted())
    /// Authorities that no story moves; a client keeps its roots, whatever its clock says.
    private let lasting: Lasting

    private final class Lasting: Sendable {
        let now: Date
        let authorities = Mutex<[String: Authority]>([:])

        init(now: Date) { self.now = now }
    }

    package struct Genuine: Hashable, Sendable {
        package var chain: [Certificate]
        package var roots: [Certificate]

        package init(chain: [Certificate], roots: [Certificate]) {
            self.chain = chain
            self.roots = roots
        }
    }

    private struct Minted {
        var authorities: [Moment: Authority] = [:]
        var identities: [Moment: Identity] = [:]
        var stores: [Moment: TrustStore] = [:]
        var variants: [Variant: PKI] = [:]
        var client: Identity?
        var free: PKI?
        var moved: [StoryTime: PKI] = [:]
    }

    /// A declared name at a story time, for a host.
    private struct Moment: Hashable {
        var name: String
        var at: StoryTime
        var host = ""
    }

    /// The blueprint's names must be declared in it, as a `ScenarioFile`'s are.
    package convenience init(_ blueprint: Blueprint, now: Date) throws {
        self.init(blueprint, now: now, known: [:])
    }

    /// The same with keys that were made before, and that others may be given in turn: RSA keys take long.
    package convenience init(_ blueprint: Blueprint, now: Date, keys: inout Keys) {
        self.init(blueprint, now: now, known: keys.byName)
        keys.byName.merge(self.keys) { $1 }
    }

    /// Keys by their declared names, whether they were made yet or not.
    package struct Keys: Sendable {
        fileprivate var byName: [String: LazyKey] = [:]

        package init() {}
    }

    /// The same with keys and roots that outlive a run.
    ///
    /// - Parameter terms: for the roots that are not in the keyring.
    package convenience init(_ blueprint: Blueprint, now: Date, keyring: Keyring, terms: RootTerms? = nil) {
        self.init(
            blueprint,
            now: now,
            known: keyring.keys.mapValues { LazyKey($0.type, $0.key) },
            roots: keyring.roots.mapValues(\.certificate),
            terms: terms
        )
    }

    /// - Parameter known: keys that exist already; those of a type that is no longer declared are made anew.
    private init(
        _ blueprint: Blueprint,
        now: Date,
        known: [String: LazyKey],
        roots: [String: Certificate]? = nil,
        terms: RootTerms? = nil,
        genuine: Genuine? = nil,
        lasting: Lasting? = nil
    ) {
        self.lasting = lasting ?? Lasting(now: now)
        self.genuine = genuine
        self.blueprint = blueprint
        self.now = now
        self.keptRoots = roots
        self.terms = terms
        var keys: [String: LazyKey] = [:]
        func declare(_ name: String, _ type: KeyType) {
            keys[name] = known[name].flatMap { $0.type == type ? $0 : nil } ?? LazyKey(type)
        }
        for key in blueprint.keys { declare(key.name, key.type) }
        for authority in blueprint.authorities where authority.key == nil { declare(authority.name, authority.keyType) }
        // An authority may borrow another's key, which may be borrowed in turn.
        for authority in blueprint.authorities where authority.key != nil {
            keys[authority.name] = keys[PKI.lender(of: authority, in: blueprint)]
        }
        self.keys = keys
        var standIns: [Pin: String] = [:]
        for key in blueprint.keys { for pin in key.standsFor { standIns[pin] = key.name } }
        for authority in blueprint.authorities { for pin in authority.standsFor { standIns[pin] = authority.name } }
        self.standIns = standIns
    }

    /// The same keys under roots that were never kept.
    var free: PKI {
        guard keptRoots != nil else { return self }
        return minted.withLock { minted in
            let free = minted.free ?? PKI(blueprint, now: now, known: keys)
            minted.free = free
            return free
        }
    }

    static func lender(of authority: AuthorityDeclaration, in blueprint: Blueprint) -> String {
        var name = authority.name
        var visited: Set<String> = []
        while visited.insert(name).inserted, let lender = blueprint.authority(named: name)?.key { name = lender }
        return name
    }

    /// Who holds the key that an authority signs with.
    package func holder(ofAuthority name: String) -> Holder? {
        guard let authority = blueprint.authority(named: name) else { return nil }
        let lender = PKI.lender(of: authority, in: blueprint)
        return blueprint.key(named: lender)?.holder ?? blueprint.authority(named: lender)?.holder
    }

    /// The same in another variant: the keys that it leaves alone are these very ones.
    func varied(_ variant: Variant) throws -> PKI {
        if case .tls = variant { return self }
        return minted.withLock { minted in
            if let known = minted.variants[variant] { return known }
            let varied = PKI(blueprint.varied(variant), now: now, known: keys, genuine: genuine)
            minted.variants[variant] = varied
            return varied
        }
    }

    /// The same for a client whose clock has been moved: its now is later by so much.
    package func moved(by time: StoryTime) -> PKI {
        guard time != .zero else { return self }
        return minted.withLock { minted in
            if let known = minted.moved[time] { return known }
            let moved = PKI(
                blueprint,
                now: now + TimeInterval(time.seconds),
                known: keys,
                roots: keptRoots,
                terms: terms,
                genuine: genuine,
                lasting: lasting
            )
            minted.moved[time] = moved
            return moved
        }
    }

    /// What a chain would show that is valid now, and not for long: who takes it later has not looked at his clock.
    ///
    /// - Returns: `nil` where the chain's dates are not its own alone.
    package func ending(chain name: String, host: String) throws -> Identity? {
        guard
            let index = blueprint.chains.firstIndex(where: { $0.name == name && $0.leafOf == nil && $0.mirrors == nil }
            ),
            case .authority(let issuer) = blueprint.chains[index].issuer,
            blueprint.authority(named: issuer).map(isTimeless) == true
        else { return nil }
        var brief = blueprint
        brief.chains[index].valid = StoryWindow(from: .days(-1), to: .hours(1))
        return try PKI(brief, now: now, known: keys, lasting: lasting).identity(chain: name, at: .zero, host: host)
    }

    /// The same, where whatever trusts something trusts these as well.
    func trusting(_ anchors: [StoreDeclaration.Anchor]) -> PKI {
        var blueprint = blueprint
        for index in blueprint.stores.indices {
            let known = Set(blueprint.stores[index].anchors.map(\.authority))
            blueprint.stores[index].anchors += anchors.filter { !known.contains($0.authority) }
        }
        return PKI(
            blueprint,
            now: now,
            known: keys,
            roots: keptRoots,
            terms: terms,
            genuine: genuine,
            lasting: lasting
        )
    }

    /// The same, with what the genuine server shows.
    package func knowing(_ genuine: Genuine) -> PKI {
        PKI(blueprint, now: now, known: keys, roots: keptRoots, terms: terms, genuine: genuine)
    }

    /// What clients prove themselves with where a server asks for that. No authority of the file's knows it.
    package func clientIdentity() throws -> Identity {
        try minted.withLock { minted in
            if let known = minted.client { return known }
            var template = CertificateTemplate.leaf(names: [], now: now)
            template.commonName = "client"
            template.extendedKeyUsage = [CertificateTemplate.clientAuthentication]
            let made = try Identity(selfSigned: template, key: PrivateKey())
            minted.client = made
            return made
        }
    }

    /// The key of a declared key or authority.
    package func key(named name: String) throws -> PrivateKey { try found(keys[name], "key", name).get() }

    /// The authority as it stands at a story time.
    package func authority(named name: String, at time: StoryTime) throws -> Authority {
        let declaration = try found(blueprint.authority(named: name), "authority", name)
        // Without a window of the story it stays what it is, as in life: the same certificate at all times.
        let isTimeless = isTimeless(declaration)
        let time = isTimeless ? .zero : time
        let moment = Moment(name: name, at: time)
        let known =
            isTimeless ? lasting.authorities.withLock { $0[name] } : minted.withLock { $0.authorities[moment] }
        if let known { return known }
        let now = isTimeless ? lasting.now : now
        var template = CertificateTemplate.authority(named: commonName(of: declaration), now: now)
        if let window = declaration.valid { apply(window, at: time, to: &template) }
        if !declaration.isAuthority {
            let window = (template.notBefore, template.notAfter)
            template = .leaf(names: [SubjectName(template.commonName)], now: now)
            (template.notBefore, template.notAfter) = window
        }
        declaration.traits.apply(to: &template, host: "")
        if let other = declaration.traits.keyIdentifierOf {
            template.keyIdentifier = try authority(named: other, at: time).certificate.keyIdentifier
        }
        let key = try key(named: name)
        var made: Authority
        if let kept = keptRoots?[name] {
            made = Authority(root: kept, key: key)
        } else if let issuer = declaration.issuer {
            made = try authority(named: issuer, at: time)
            for level in 1..<declaration.levels {
                var upper = template
                upper.commonName += " \(level)"
                made = try made.authority(upper, key: key)
            }
            made = try made.authority(template, key: key)
        } else {
            terms?.apply(to: &template)
            made = try Authority(root: template, key: key)
        }
        return isTimeless
            ? lasting.authorities.withLock { [made] in $0.remember(made, for: name) }
            : minted.withLock { [made] in $0.authorities.remember(made, for: moment) }
    }

    /// What a server shows for a declared chain, at a story time, for a host.
    ///
    /// - Parameter asked: the name that a client asks for in place of the host. An attacker has a certificate for
    ///   whoever asks, where the file names none; what the owner shows stays. Not remembered: there is no end of names.
    package func identity(
        chain name: String,
        at time: StoryTime,
        host: String,
        asked: String? = nil
    ) throws -> Identity {
        let moment = Moment(name: name, at: time, host: host)
        if asked == nil, let known = minted.withLock({ $0.identities[moment] }) { return known }
        let declaration = try found(blueprint.chain(named: name), "chain", name)
        var identity = try leaf(of: declaration, at: time, host: host, asked: asked)
        if declaration.isGenuine, let genuine {
            identity.chain = genuine.chain
            return identity
        }
        if let sent = declaration.send {
            identity.chain =
                [identity.leaf]
                + (try sent.map { name in
                    blueprint.authority(named: name) == nil
                        ? try self.identity(chain: name, at: time, host: host).leaf
                        : try authority(named: name, at: time).certificate
                })
        }
        let omitted = try declaration.omit.map { try authority(named: $0, at: time).certificate }
        identity.chain.removeAll { omitted.contains($0) }
        // TLS sends the certificate of its own key first, whatever comes behind it.
        if declaration.order == .reversed { identity.chain[1...].reverse() }
        for other in declaration.append {
            identity.chain += try self.identity(chain: other, at: time, host: host, asked: asked).chain
        }
        identity.label = name
        if let status = declaration.stapled, case .authority(let issuer) = declaration.issuer {
            let issuer = try authority(named: issuer, at: time)
            identity.staple = try identity.leaf.ocspResponse(status, from: issuer, now: now)
        }
        guard asked == nil else { return identity }
        return minted.withLock { [identity] in $0.identities.remember(identity, for: moment) }
    }

    /// Whether a chain's leaf is for whoever asks: an attacker's, whose names the file does not say.
    package func followsName(_ chain: String) -> Bool {
        guard let chain = blueprint.chain(named: chain) else { return false }
        return chain.names == nil && chain.mirrors == nil && blueprint.holder(of: chain) == .attacker
    }

    /// The leaf with its usual company: minted, or another chain's.
    private func leaf(
        of declaration: ChainDeclaration,
        at time: StoryTime,
        host: String,
        asked: String?
    ) throws -> Identity {
        if let lender = declaration.leafOf {
            var lent = try identity(chain: lender, at: time, host: host, asked: asked)
            if blueprint.isCopied(declaration) { lent.key = try PrivateKey(pretending: lent.key) }
            lent.staple = nil
            guard case .authority(let issuer) = declaration.issuer else { return lent }
            let company = try authority(named: issuer, at: time).sentPath
            return Identity(key: lent.key, chain: [lent.leaf] + company, label: lent.label)
        }
        let name = blueprint.holder(of: declaration) == .attacker ? asked ?? host : host
        let names = (declaration.names ?? [name]).flatMap { DeclaredName.names($0, host: name) }
        var template = CertificateTemplate.leaf(names: names, now: now)
        if let window = declaration.valid { apply(window, at: time, to: &template) }
        declaration.traits.apply(to: &template, host: name)
        if let mirrored = declaration.mirrors {
            template = .mirroring(try identity(chain: mirrored, at: time, host: host).leaf)
        }
        if let other = declaration.traits.serialOf {
            template.serial = try identity(chain: other, at: time, host: host).leaf.serial
        }
        let key = try key(named: declaration.key)
        return switch declaration.issuer {
        case .authority(let issuer): try authority(named: issuer, at: time).identity(template, key: key)
        case .selfSigned: try Identity(selfSigned: template, key: key)
        }
    }

    /// What a device trusts, at a story time: the attackers' authorities first. A client that reads only the first of
    /// them would otherwise trust nobody but the owner, and look protected; so it fails its control.
    package func store(named name: String, at time: StoryTime) throws -> TrustStore {
        let moment = Moment(name: name, at: time)
        if let known = minted.withLock({ $0.stores[moment] }) { return known }
        let declaration = try found(blueprint.store(named: name), "store", name)
        let isAttackers = { (anchor: StoreDeclaration.Anchor) in self.holder(ofAuthority: anchor.authority) == .attacker
        }
        let ordered = declaration.anchors.filter(isAttackers) + declaration.anchors.filter { !isAttackers($0) }
        let anchors = try ordered.map { anchor in
            TrustAnchor(try authority(named: anchor.authority, at: time).certificate, origin: anchor.origin)
        }
        let made = try TrustStore(anchors + (genuine?.roots ?? []).map { TrustAnchor($0) }, remembers: true)
        return minted.withLock { $0.stores.remember(made, for: moment) }
    }

    /// A policy with the keys of this run: what it names in the scenario file, or what stands for production's keys. Pins
    /// of certificates are those of this story time and host.
    package func configuration(of policy: PolicyDeclaration, at time: StoryTime, host: String) throws -> any PinRules {
        switch policy.source {
        case .declared(let rules): UniformPolicy(try resolved(rules, at: time, host: host), on: rules.stack)
        case .imported(let imported): try configuration(imported, at: time, host: host)
        }
    }

    private func resolved(_ rules: PolicyRules, at time: StoryTime, host: String) throws -> PinPolicy {
        PinPolicy(
            requirements: try rules.requirements.filter { _ in rules.covers(host) }.map { requirement in
                PinRequirement(
                    pins: try requirement.pins.map { try pin($0, at: time, host: host) },
                    match: requirement.match,
                    position: requirement.position,
                    search: requirement.search
                )
            },
            checks: rules.checks,
            failure: rules.failure,
            exempt: rules.exempt
        )
    }

    private func configuration(
        _ policy: ImportedPolicy,
        at time: StoryTime,
        host: String
    ) throws -> any PinConfiguration {
        if policy.standIns.isEmpty, standIns.isEmpty { return policy.configuration }
        var ours: [Pin: Pin] = [:]
        for configured in policy.configuration.pins where ours[configured.pin] == nil {
            guard let name = standIn(for: configured.pin, of: policy) else { continue }
            ours[configured.pin] =
                switch configured.match {
                case .key: try key(named: name).pin
                case .certificate: try certificate(of: name, at: time, host: host).fingerprint
                }
        }
        return policy.configuration.mapPins { ours[$0] ?? $0 }
    }

    /// Whether a policy has pins for a host. Which keys stand in for them makes no difference, so none is made.
    func hasPins(_ policy: PolicyDeclaration, host: String) -> Bool {
        switch policy.source {
        case .declared(let rules): rules.covers(host) && !rules.requirements.isEmpty
        case .imported(let imported): imported.configuration.scope(for: host)?.lists.isEmpty == false
        }
    }

    /// The same policy with our keys in it already, for whoever asks often; certificates still differ with time and host.
    func settled(_ policy: PolicyDeclaration) throws -> PolicyDeclaration {
        guard case .imported(let imported) = policy.source,
            imported.configuration.pins.allSatisfy({ $0.match == .key })
        else { return policy }
        let configuration = try configuration(imported, at: .zero, host: "")
        let settled = ImportedPolicy(file: imported.file, configuration: configuration)
        return PolicyDeclaration(name: policy.name, .imported(settled), location: policy.location)
    }

    private func standIn(for pin: Pin, of policy: ImportedPolicy) -> String? { policy.standIns[pin] ?? standIns[pin] }

    /// The names of the keys and authorities whose keys a policy pins.
    func pinnedKeys(of policy: PolicyDeclaration) -> [String] {
        switch policy.source {
        case .declared(let rules):
            rules.requirements.flatMap(\.pins).compactMap { if case .key(let name) = $0 { name } else { nil } }
        case .imported(let imported): imported.configuration.pins.compactMap { standIn(for: $0.pin, of: imported) }
        }
    }

    /// The pins of an imported policy that nothing stands for, each once.
    func strangers(of policy: ImportedPolicy) -> [Pin] {
        policy.configuration.pins.map(\.pin).filter { standIn(for: $0, of: policy) == nil }.uniqued
    }

    /// An authority's certificate, or the leaf of the first chain that shows a key.
    private func certificate(of name: String, at time: StoryTime, host: String) throws -> Certificate {
        guard blueprint.authority(named: name) == nil else { return try authority(named: name, at: time).certificate }
        let chain = blueprint.chains.first { $0.key == name && $0.leafOf == nil }
        return try identity(chain: try found(chain, "chain with the key", name).name, at: time, host: host).leaf
    }

    /// The certificates that are pinned whole.
    package func certificates(in pins: [ConfiguredPin]) -> [Certificate] {
        let fingerprints = Set(pins.filter { $0.match == .certificate }.map(\.pin))
        guard !fingerprints.isEmpty else { return [] }
        return known.filter { fingerprints.contains($0.fingerprint) }
    }

    /// The certificates that were kept or made so far; the same one may be here twice.
    private var known: [Certificate] {
        let roots = lasting.authorities.withLock { $0.values.map(\.certificate) } + (keptRoots ?? [:]).values
        return roots
            + minted.withLock { $0.identities.values.flatMap(\.chain) + $0.authorities.values.map(\.certificate) }
    }

    /// Whether a digest may be that of a key or certificate of ours. What was never made has shown its digest to nobody.
    func mayKnow(_ digest: PinnedDigest) -> Bool {
        guard digest.algorithm == .sha256, let pin = Pin(digest: digest.digest) else { return true }
        return switch digest.match {
        case .key: name(of: pin) != nil
        case .certificate: known.contains { $0.fingerprint == pin }
        }
    }

    /// Whose key a pin is, by the name it was declared with; for reports.
    public func name(of pin: Pin) -> String? {
        let declared = blueprint.keys.map(\.name) + blueprint.authorities.map(\.name)
        // What was never made has shown its pin to nobody.
        return declared.first { keys[$0]?.made?.pin == pin }
    }

    private func pin(_ source: RequirementDeclaration.PinSource, at time: StoryTime, host: String) throws -> Pin {
        switch source {
        case .key(let name): try key(named: name).pin
        case .leafCertificate(let name): try identity(chain: name, at: time, host: host).leaf.fingerprint
        case .authorityCertificate(let name): try authority(named: name, at: time).certificate.fingerprint
        case .literal(let pin): pin
        }
    }

    /// Whether no certificate on the authority's path has a declared window; the loader has refused cycles.
    private func isTimeless(_ declaration: AuthorityDeclaration) -> Bool {
        guard declaration.valid == nil else { return false }
        return declaration.issuer.flatMap(blueprint.authority(named:)).map(isTimeless) ?? true
    }

    private func commonName(of declaration: AuthorityDeclaration) -> String {
        switch declaration.subject {
        // What a client prints of an attacker's certificate must not hold a word that a rule may look for.
        case .own where declaration.holder == .attacker:
            "Northwind \(blueprint.authorities.firstIndex { $0.name == declaration.name } ?? 0)"
        case .own: declaration.name
        case .literal(let text): text
        case .copied(let other):
            // A copy of a copy has the first one's name; the loader has refused cycles.
            blueprint.authority(named: other).map { $0.name == declaration.name ? other : commonName(of: $0) } ?? other
        }
    }

    private func apply(_ window: StoryWindow, at time: StoryTime, to template: inout CertificateTemplate) {
        template.notBefore = now + TimeInterval(window.from.seconds - time.seconds)
        template.notAfter = now + TimeInterval(window.to.seconds - time.seconds)
    }

    private func found<Value>(_ value: Value?, _ kind: String, _ name: String) throws -> Value {
        guard let value else { throw UnknownName(description: "no \(kind) '\(name)' is declared") }
        return value
    }

    /// A name that the blueprint does not declare.
    public struct UnknownName: Error, CustomStringConvertible, Sendable {
        public let description: String
    }
}

extension Dictionary {
    /// Keeps the first value: two threads that mint the same thing must go on with the same certificate.
    fileprivate mutating func remember(_ value: Value, for key: Key) -> Value {
        if let first = self[key] { return first }
        self[key] = value
        return value
    }
}

/// A key that is made when it is first asked for: a file may declare many, and RSA keys take long.
private final class LazyKey: Sendable {
    let type: KeyType
    private let key: Mutex<PrivateKey?>

    init(_ type: KeyType, _ made: PrivateKey? = nil) {
        self.type = type
        key = Mutex(made)
    }

    var made: PrivateKey? { key.withLock { $0 } }

    func get() throws -> PrivateKey {
        try key.withLock { key in
            if let key { return key }
            let made = try Self.make(type)
            key = made
            return made
        }
    }

    /// A key whose pin holds a `+` and a `/`: a URL, a shell and a regular expression read those as something else. By
    /// chance one pin in four has both, and a client that stumbles on them would be found on some days only.
    ///
    /// RSA keys take too long to make four of them.
    private static func make(_ type: KeyType) throws -> PrivateKey {
        let isSlow = type.rawValue.hasPrefix("rsa")
        while true {
            let key = try PrivateKey(type)
            let pin = key.pin.base64
            if isSlow || pin.contains("+") && pin.contains("/") { return key }
        }
    }
}
