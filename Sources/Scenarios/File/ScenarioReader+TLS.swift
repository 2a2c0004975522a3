import Pinning
import TLSCore

/// `tls` and `variants`.
extension ScenarioReader {
    /// `variants: { attacker-keys: [rsa2048], owner-keys: [p384], tls: [1.2] }`.
    func variants(_ node: YAMLNode) -> [Variant] {
        guard let fields = fields(of: node, called: "the variants", known: ["attacker-keys", "owner-keys", "tls"])
        else { return [] }
        let types = { (key: String) -> [KeyType] in
            fields[key].flatMap { self.several($0, of: "key types") { self.choice($0, "a key type") } } ?? []
        }
        let versions = fields["tls"].flatMap { several($0, of: "versions of TLS", version) } ?? []
        if node.isEmptyMapping { report("these variants change nothing; leave 'variants' out", at: node) }
        return types("attacker-keys").map(Variant.attackerKeys) + types("owner-keys").map(Variant.ownerKeys)
            + versions.map(Variant.tls)
    }

    /// A list of at least one, and of none twice.
    private func several<Value: Hashable>(_ node: YAMLNode, of expected: String, _ read: (YAMLNode) -> Value?)
        -> [Value]?
    {
        if node.isEmptyList { report("an empty list changes nothing; leave it out", at: node) }
        var known: Set<Value> = []
        return list(node, of: expected)?.compactMap { value in
            guard let found = read(value) else { return nil }
            if known.insert(found).inserted { return found }
            report("'\(value.scalar ?? "")' is listed twice", at: value)
            return nil
        }
    }

    /// A variant changes what attackers do: without one it would say everything twice.
    func findNeedlessVariants(_ scenarios: [Scenario], in blueprint: Blueprint) {
        for scenario in scenarios where !scenario.variants.isEmpty {
            let attacks = scenario.steps.filter { $0.showsAttacker(in: blueprint) }
            if attacks.isEmpty, scenario.variants.contains(where: \.isAboutAttackers) {
                report(
                    "scenario '\(scenario.name)' shows no attacker's chain, so its variants change nothing",
                    at: scenario.location
                )
            }
            for case .tls(let version) in scenario.variants where attacks.contains(where: { $0.offer.versions != nil })
            {
                report(
                    "a step of scenario '\(scenario.name)' has its own 'tls', so it has no variant in \(version)",
                    at: scenario.location
                )
            }
        }
    }

    /// `tls: 1.2`, or `tls: { version: 1.2, groups: P-521 }`.
    func offer(_ node: YAMLNode) -> (version: TLSVersion?, limits: TLSOffer) {
        guard node.kind == .mapping else { return (version(node), TLSOffer()) }
        let known = ["version", "ciphers", "groups", "dh", "alpn", "client-certificate"]
        guard let fields = fields(of: node, called: "the step's TLS", known: known) else { return (nil, TLSOffer()) }
        if node.isEmptyMapping { report("these settings limit nothing; leave 'tls' out", at: node) }
        var limits = TLSOffer(
            ciphers: fields["ciphers"].map { words($0, "a cipher suite") } ?? (fields["dh"] == nil ? [] : ["DHE"]),
            groups: fields["groups"].map { words($0, "a key-exchange group") } ?? [],
            finiteFieldBits: fields["dh"].flatMap(finiteFieldBits),
            applicationProtocols: fields["alpn"].flatMap(protocols),
            clientCertificate: fields["client-certificate"].flatMap { choice($0, "a demand") }
        )
        if let stranger = limits.obstacle(except: TLSOffer.knownElsewhere) {
            report("OpenSSL knows nothing of \(stranger)", at: fields["ciphers"] ?? fields["groups"] ?? node)
        }
        var version: TLSVersion?
        if let node = fields["version"] {
            if case .list(let ends) = node.content {
                let range = ends.compactMap(self.version)
                if range.count == 2, range[0] < range[1] {
                    limits.versions = range[0]...range[1]
                } else {
                    report("expected the lowest and the highest version of TLS, as in [1.0, 1.2]", at: node)
                }
            } else {
                version = self.version(node)
            }
        }
        if let node = fields["ciphers"] ?? fields["dh"], let own = limits.versionsOfCiphers {
            let spoken = version.map { $0...$0 } ?? limits.versions
            if let spoken, !own.overlaps(spoken) {
                report("these cipher suites belong to other versions of TLS than the step speaks", at: node)
            }
            // Else the client could choose a version in which nothing is limited.
            if version == nil, limits.versions == nil { version = own.upperBound }
        }
        return (version, limits)
    }

    /// `resumption: true`, or the way in which clients come back.
    func resumption(_ node: YAMLNode) -> (isOn: Bool, way: SessionTickets.Way)? {
        if let way = node.scalar.flatMap(SessionTickets.Way.init) { return (true, way) }
        if node.scalar == "true" || node.scalar == "false" { return (node.scalar == "true", .ticket) }
        let ways = SessionTickets.Way.allCases.map(\.rawValue).joined(separator: ", ")
        report("expected true, false or how sessions are resumed: \(ways)", at: node)
        return nil
    }

    /// The file's own `tls: { alpn: [h2, http/1.1], client-certificate: required, client-roots: clients.pem }`.
    func limits(ofAll node: YAMLNode, in file: inout ScenarioFile) {
        let known = ["alpn", "client-certificate", "client-roots"]
        guard let fields = fields(of: node, called: "the TLS of all steps", known: known) else { return }
        if node.isEmptyMapping { report("these settings limit nothing; leave 'tls' out", at: node) }
        file.applicationProtocols = fields["alpn"].flatMap(protocols)
        file.clientRoots = fields["client-roots"].flatMap(roots)
        let demand: ClientCertificateDemand? = fields["client-certificate"].flatMap { choice($0, "a demand") }
        for scenario in file.scenarios.indices {
            for step in file.scenarios[scenario].steps.indices {
                let own = file.scenarios[scenario].steps[step].limits.clientCertificate
                file.scenarios[scenario].steps[step].limits.clientCertificate = own ?? demand
            }
        }
    }

    /// `none`, `h2`, or `[h2, http/1.1]`, of which the server picks the first that the client offers.
    func protocols(_ node: YAMLNode) -> [String]? {
        let known = ["http/1.1", "h2"]
        guard case .list = node.content else {
            return choice(node, "what the server picks", among: [("none", [])] + known.map { ($0, [$0]) })
        }
        return several(node, of: "application protocols") {
            choice($0, "an application protocol", among: known.map { ($0, $0) })
        }
    }

    /// `handshake: { delay: 1s }`, or `handshake: { hang: client-hello, times: 1 }`.
    func handshakeFault(_ node: YAMLNode) -> HandshakeFault? {
        let stops = HandshakeFault.Stop.allCases
        let known = ["delay"] + stops.map(\.rawValue) + ["times"]
        guard let fields = fields(of: node, called: "the handshake", known: known) else { return nil }
        let times = fields["times"].flatMap { integer($0, in: 1...1_000_000, "a number of connections") }
        let kinds =
            [fields["delay"].map { delay($0).map(HandshakeFault.Kind.delay) }]
            + stops.map { stop in
                fields[stop.rawValue].map { choice($0, "a message of the handshake").map { .stop(stop, after: $0) } }
            }
        let named = kinds.compactMap(\.self)
        if named.count != 1 {
            report(
                "a handshake has either a 'delay', or the message after which it does 'hang', 'reset' or 'close'",
                at: node
            )
        }
        return named.first?.map { HandshakeFault($0, times: times) }
    }

    /// Who gets no handshake finished is shown nothing, so an attacker there would attack nobody; nor may one
    /// whose chain no hello likes best.
    func findHiddenAttackers(_ scenarios: [Scenario], in blueprint: Blueprint) {
        for step in scenarios.flatMap(\.steps) where step.showsAttacker(in: blueprint) {
            if let handshake = step.handshake, handshake.showsNothing, handshake.times == nil {
                report(
                    "nobody is shown this attacker's chain, because no handshake is finished: say which, as in times: 1",
                    at: step.location
                )
            }
            if step.isChosenByHello {
                report(
                    "whether this attacker's chain is ever shown depends on the hello: give it a step of its own",
                    at: step.location
                )
            }
        }
    }

    private func finiteFieldBits(_ node: YAMLNode) -> Int? {
        let bits = integer(node, in: 1024...2048, "a number of bits")
        guard let bits, ![1024, 2048].contains(bits) else { return bits }
        report("a group has 1024 or 2048 bits here", at: node)
        return nil
    }

    /// One word, or a list of them.
    private func words(_ node: YAMLNode, _ expected: String) -> [String] {
        guard case .list(let values) = node.content else { return text(node, expected).map { [$0] } ?? [] }
        if values.isEmpty { report("an empty list limits nothing; leave it out", at: node) }
        return values.compactMap { text($0, expected) }
    }

    private func version(_ node: YAMLNode) -> TLSVersion? {
        let versions = Dictionary(
            uniqueKeysWithValues: TLSVersion.allCases.map { ($0.description.replacing("TLS ", with: ""), $0) }
        )
        if let text = node.scalar, let version = versions[text] { return version }
        let known = versions.keys.sorted().joined(separator: ", ")
        report("expected a version of TLS: \(known)", at: node)
        return nil
    }
}
