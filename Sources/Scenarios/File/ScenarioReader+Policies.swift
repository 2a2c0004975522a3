import Pinning
import TLSCore

/// `policies`.
extension ScenarioReader {
    private static let scopeKeys = ["hosts", "include-subdomains"]
    private static let requirementKeys = ["pins", "match", "position", "search"]
    private static let checks: [(String, PinPolicy.Checks)] = [
        ("path", .path), ("host", .host), ("validity", .validity), ("not-before", .notBefore),
        ("not-after", .notAfter),
    ]

    func policy(_ declaration: Declaration) -> PolicyDeclaration? {
        let own =
            Self.requirementKeys + Self.scopeKeys + ["require", "checks", "failure", "exempt", "stack", "unclaimed"]
        let known = own + ["file", "dialect", "device", "allow"]
        guard let fields = fields(of: declaration.value, called: "policy '\(declaration.name)'", known: known)
        else { return nil }
        allow(fields["allow"], for: Subject(.policy, declaration.name))
        if let file = fields["file"] {
            for key in own {
                guard let node = fields[key] else { continue }
                report("'\(key)' means nothing beside 'file', which says it all", at: node)
            }
            let imported = imported(
                file,
                dialect: fields["dialect"].flatMap { choice($0, "a dialect") },
                device: fields["device"].map(device) ?? AppDevice()
            )
            return imported.map {
                PolicyDeclaration(name: declaration.name, .imported($0), location: declaration.location)
            }
        }
        for key in ["dialect", "device"] {
            if let node = fields[key] { report("'\(key)' means nothing without 'file'", at: node) }
        }
        var rules = PolicyRules(
            requirements: requirements(fields, of: declaration),
            checks: fields["checks"].flatMap(checks) ?? .all,
            failure: fields["failure"].flatMap { choice($0, "a failure") } ?? .block,
            exempt: fields["exempt"].flatMap(origins) ?? [],
            stack: fields["stack"].flatMap { choice($0, "a TLS stack") } ?? .unknown
        )
        scope(fields, &rules)
        var policy = PolicyDeclaration(name: declaration.name, .declared(rules), location: declaration.location)
        policy.isUnclaimed = fields["unclaimed"].flatMap(boolean) ?? false
        return policy
    }

    /// Which hosts the pins are for.
    private func scope(_ fields: [String: YAMLNode], _ rules: inout PolicyRules) {
        if let node = fields["hosts"], let values = list(node, of: "hosts") {
            if values.isEmpty { report("an empty list pins no host; leave it out for all hosts", at: node) }
            if rules.requirements.isEmpty { report("'hosts' means nothing without pins", at: node) }
            rules.hosts = values.compactMap { hostName($0) }
        }
        guard let node = fields["include-subdomains"] else { return }
        if fields["hosts"] == nil { report("'include-subdomains' means nothing without 'hosts'", at: node) }
        rules.includesSubdomains = boolean(node) ?? false
    }

    /// One setting, or a list of them.
    private func device(_ node: YAMLNode) -> AppDevice {
        let values: [YAMLNode] = if case .list(let values) = node.content { values } else { [node] }
        do throws(AppDevice.ParseError) {
            return try AppDevice(parsing: values.compactMap { text($0, "a setting such as target-sdk=23") })
        } catch {
            report("\(error)", at: node)
            return AppDevice()
        }
    }

    private func imported(_ node: YAMLNode, dialect: Dialect?, device: AppDevice) -> ImportedPolicy? {
        guard let file = text(node, "the name of a file") else { return nil }
        guard !Self.leadsOut(file) else {
            report("\(file): \(Self.outside)", at: node)
            return nil
        }
        do {
            return ImportedPolicy(file: file, configuration: try files.policy(file, node.file, dialect, device))
        } catch {
            for line in "\(error)".split(whereSeparator: \.isNewline) { report(String(line), at: node) }
            return nil
        }
    }

    /// The pins of production's keys that a declared key stands for.
    func standsFor(_ node: YAMLNode) -> [Pin] {
        let values: [YAMLNode] = if case .list(let values) = node.content { values } else { [node] }
        return values.compactMap { value in
            guard let text = text(value, "a pin such as sha256/BASE64=") else { return nil }
            do throws(Pin.ParseError) {
                return try Pin(parsing: text)
            } catch {
                report("not a pin: \(error)", at: value)
                return nil
            }
        }
    }

    /// One requirement among the policy's own settings, or a list of them under `require`.
    private func requirements(_ fields: [String: YAMLNode], of declaration: Declaration) -> [RequirementDeclaration] {
        guard let require = fields["require"] else {
            if fields["pins"] != nil { return requirement(fields, at: declaration.location).map { [$0] } ?? [] }
            for key in Self.requirementKeys {
                if let node = fields[key] { report("'\(key)' means nothing without 'pins'", at: node) }
            }
            return []
        }
        for key in Self.requirementKeys {
            if let node = fields[key] { report("'\(key)' belongs in an entry of 'require'", at: node) }
        }
        let entries = list(require, of: "requirements") ?? []
        if require.isEmptyList {
            report("'require' is empty; write {} for a policy without pins", at: require)
        }
        return entries.compactMap { entry in
            self.fields(of: entry, called: "the requirement", known: Self.requirementKeys, required: ["pins"])
                .flatMap { requirement($0, at: entry.location) }
        }
    }

    private func requirement(_ fields: [String: YAMLNode], at location: SourceLocation) -> RequirementDeclaration? {
        guard let pins = fields["pins"], let values = list(pins, of: "pins") else { return nil }
        if values.isEmpty {
            report("no pin at all would reject every server; write {} for a policy without pins", at: pins)
        }
        let match = fields["match"].flatMap { choice($0, "a match") } ?? PinRequirement.Match.key
        return RequirementDeclaration(
            pins: values.compactMap { match == .key ? keyPin($0) : certificatePin($0) },
            match: match,
            position: fields["position"].flatMap { choice($0, "a position") } ?? .any,
            search: fields["search"].flatMap { choice($0, "a search") } ?? .verifiedPath,
            location: location
        )
    }

    private func keyPin(_ node: YAMLNode) -> RequirementDeclaration.PinSource? {
        if let text = literal(node) {
            do throws(Pin.ParseError) {
                return .literal(try Pin(parsing: text))
            } catch {
                report("not a pin: \(error)", at: node)
                return nil
            }
        }
        return reference(node, to: .key, .authority).map { .key(of: $0) }
    }

    private func certificatePin(_ node: YAMLNode) -> RequirementDeclaration.PinSource? {
        if literal(node) != nil {
            report("a written-out pin is the pin of a key; it needs 'match: key'", at: node)
            return nil
        }
        guard let name = reference(node, to: .chain, .authority) else { return nil }
        guard names.location(of: name, as: .chain) != nil else { return .authorityCertificate(of: name) }
        if names.location(of: name, as: .authority) != nil {
            report("'\(name)' is a chain and an authority; a certificate pin could mean either", at: node)
        }
        return .leafCertificate(ofChain: name)
    }

    /// `sha256/BASE64=`, or with two slashes as curl writes it.
    private func literal(_ node: YAMLNode) -> String? {
        guard let text = node.scalar, text.hasPrefix("sha256/") else { return nil }
        return text
    }

    private func checks(_ node: YAMLNode) -> PinPolicy.Checks? {
        list(node, of: "checks").map { PinPolicy.Checks($0.compactMap { choice($0, "a check", among: Self.checks) }) }
    }

    private func origins(_ node: YAMLNode) -> Set<TrustAnchor.Origin>? {
        list(node, of: "origins").map { Set($0.compactMap { choice($0, "an origin") }) }
    }
}
