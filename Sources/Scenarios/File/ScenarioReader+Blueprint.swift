import Pinning
import TLSCore

/// `keys`, `authorities`, `stores` and `chains`.
extension ScenarioReader {
    func key(_ declaration: Declaration) -> KeyDeclaration? {
        guard
            let fields = fields(
                of: declaration.value,
                called: "key '\(declaration.name)'",
                known: ["type", "by", "stands-for", "allow"]
            )
        else { return nil }
        allow(fields["allow"], for: Subject(.key, declaration.name))
        return KeyDeclaration(
            name: declaration.name,
            type: fields["type"].flatMap { choice($0, "a key type") } ?? .p256,
            holder: fields["by"].flatMap { choice($0, "a holder") } ?? .owner,
            standsFor: fields["stands-for"].map(standsFor) ?? [],
            location: declaration.location
        )
    }

    func authority(_ declaration: Declaration) -> AuthorityDeclaration? {
        let known =
            [
                "issuer", "subject", "key", "type", "by", "ca", "valid", "levels", "key-identifier", "stands-for",
                "allow",
            ]
            + Self.traits
        guard let fields = fields(of: declaration.value, called: "authority '\(declaration.name)'", known: known)
        else { return nil }
        allow(fields["allow"], for: Subject(.authority, declaration.name))
        if let type = fields["type"], fields["key"] != nil {
            report("'type' means nothing beside 'key': the key has its type already", at: type.location)
        }
        if let levels = fields["levels"], fields["issuer"] == nil {
            report("a root has one level; give it an 'issuer'", at: levels)
        }
        var traits = traits(fields)
        traits.keyIdentifierOf = fields["key-identifier"].flatMap { reference($0, to: .authority) }
        return AuthorityDeclaration(
            name: declaration.name,
            issuer: fields["issuer"].flatMap { reference($0, to: .authority) },
            subject: fields["subject"].flatMap(subject) ?? .own,
            key: fields["key"].flatMap { reference($0, to: .key, .authority) },
            keyType: fields["type"].flatMap { choice($0, "a key type") } ?? .p256,
            holder: fields["by"].flatMap { choice($0, "a holder") } ?? .owner,
            isAuthority: traits.authority != .no,
            valid: fields["valid"].flatMap(window),
            levels: fields["levels"].flatMap { integer($0, in: 2...90, "a number of levels") } ?? 1,
            traits: traits,
            standsFor: fields["stands-for"].map(standsFor) ?? [],
            location: declaration.location
        )
    }

    /// What looks like a name must be one, or a slip of the pen would be a certificate's subject.
    private func subject(_ node: YAMLNode) -> AuthorityDeclaration.Subject? {
        guard let text = text(node, "the name of an authority, or a subject") else { return nil }
        guard !Self.isName(text) else { return reference(node, to: .authority).map { .copied(from: $0) } }
        // RFC 5280 appendix A: ub-common-name.
        guard (1...64).contains(text.unicodeScalars.count) else {
            report("a subject has 1 to 64 characters", at: node)
            return nil
        }
        return .literal(text)
    }

    func store(_ declaration: Declaration) -> StoreDeclaration? {
        let name = "store '\(declaration.name)'"
        let problemCount = problems.count
        let origins = TrustAnchor.Origin.allCases.map(\.rawValue)
        guard
            let fields = fields(of: declaration.value, called: name, known: origins + ["allow"]),
            case .mapping(let entries) = declaration.value.content
        else { return nil }
        allow(fields["allow"], for: Subject(.store, declaration.name))
        var anchors: [StoreDeclaration.Anchor] = []
        var known: Set<String> = []
        for word in entries.compactMap(\.key.scalar) {
            guard let origin = TrustAnchor.Origin(rawValue: word), let node = fields[word] else { continue }
            for (value, authority) in anchorNames(node) {
                if known.insert(authority).inserted {
                    anchors.append(StoreDeclaration.Anchor(authority, origin: origin))
                } else {
                    report("'\(authority)' is an anchor of this store already", at: value)
                }
            }
        }
        if anchors.isEmpty, problems.count == problemCount {
            report("\(name) has no anchors: nothing would be trusted", at: declaration.value.location)
        }
        return StoreDeclaration(name: declaration.name, anchors: anchors, location: declaration.location)
    }

    private func anchorNames(_ node: YAMLNode) -> [(YAMLNode, String)] {
        (list(node, of: "authorities") ?? []).compactMap { value in
            reference(value, to: .authority).map { (value, $0) }
        }
    }

    func chain(_ declaration: Declaration) -> ChainDeclaration? {
        let name = "chain '\(declaration.name)'"
        let own = ["issuer", "valid", "names", "ca", "serial-of"] + Self.traits
        let known = own + ["key", "ocsp", "leaf", "mirror", "send", "append", "omit", "order", "allow"]
        let isBorrowed = declaration.value.has("leaf")
        let required = isBorrowed ? [] : ["key", "issuer"]
        guard let fields = fields(of: declaration.value, called: name, known: known, required: required)
        else { return nil }
        allow(fields["allow"], for: Subject(.chain, declaration.name))
        for key in own where isBorrowed {
            guard let node = fields[key] else { continue }
            report("'\(key)' means nothing beside 'leaf': that chain's leaf is shown as it is", at: node)
        }
        if let mirror = fields["mirror"] {
            if isBorrowed {
                report("'mirror' means nothing beside 'leaf': that chain's leaf is shown as it is", at: mirror)
            }
            for key in own where key != "issuer" {
                guard let node = fields[key] else { continue }
                report("'\(key)' means nothing beside 'mirror': that chain's is copied", at: node)
            }
        }
        if let node = fields["ocsp"], fields["issuer"]?.scalar == "self" {
            report("nobody answers for a certificate that signs itself", at: node)
        }
        if let node = fields["serial-of"], fields["serial"] != nil {
            report("'serial-of' says it already: leave 'serial' out", at: node)
        }
        if let node = fields["omit"], fields["send"] != nil {
            report("'omit' means nothing beside 'send', which names all that is sent", at: node)
        }
        var traits = traits(fields)
        traits.serialOf = fields["serial-of"].flatMap { reference($0, to: .chain) }
        return ChainDeclaration(
            name: declaration.name,
            key: fields["key"].flatMap { reference($0, to: .key) } ?? "",
            issuer: fields["issuer"].flatMap(issuer) ?? .selfSigned,
            valid: fields["valid"].flatMap(window),
            names: fields["names"].flatMap(certificateNames),
            traits: traits,
            stapled: fields["ocsp"].flatMap { choice($0, "a status") },
            leafOf: fields["leaf"].flatMap { reference($0, to: .chain) },
            mirrors: fields["mirror"].flatMap(chainOrGenuine),
            send: fields["send"].flatMap {
                list($0, of: "authorities and chains")?.compactMap { reference($0, to: .authority, .chain) }
            },
            append: fields["append"].map(appended) ?? [],
            omit: fields["omit"].flatMap { references($0, to: .authority) } ?? [],
            order: fields["order"].flatMap { choice($0, "an order") } ?? .normal,
            location: declaration.location
        )
    }

    /// A list of chains, or the genuine server's alone.
    private func appended(_ node: YAMLNode) -> [String] {
        if node.scalar == UpstreamDeclaration.chain { return chainOrGenuine(node).map { [$0] } ?? [] }
        return list(node, of: "chains")?.compactMap(chainOrGenuine) ?? []
    }

    /// A chain of the file's, or the genuine server's, which is no declaration.
    private func chainOrGenuine(_ node: YAMLNode) -> String? {
        guard node.scalar == UpstreamDeclaration.chain,
            names.kind(of: UpstreamDeclaration.chain, among: [.chain]) == nil
        else {
            return reference(node, to: .chain)
        }
        // A pack cannot know who includes it.
        if node.file != sources.first?.file, !hasGenuine { missingGenuine = missingGenuine ?? node.location }
        if hasGenuine || missingGenuine != nil { return UpstreamDeclaration.chain }
        report("the file has no genuine server to copy; write 'upstream: { url: …, trust: … }' at the top", at: node)
        return nil
    }

    /// Gives chains that borrow a leaf what that leaf is made of.
    func lendLeaves(_ chains: [ChainDeclaration]) -> [ChainDeclaration] {
        chains.map { chain in
            guard let name = chain.leafOf, let lender = chains.first(where: { $0.name == name }) else { return chain }
            if let other = lender.leafOf {
                report("'\(name)' borrows its leaf itself; name '\(other)' instead", at: chain.location)
            }
            var chain = chain
            if chain.key == lender.key {
                report("'\(chain.key)' is the key of '\(name)' already; leave it out", at: chain.location)
            }
            if chain.key.isEmpty { chain.key = lender.key }
            chain.issuer = lender.issuer
            (chain.valid, chain.names, chain.traits) = (lender.valid, lender.names, lender.traits)
            return chain
        }
    }

    private func issuer(_ node: YAMLNode) -> ChainDeclaration.Issuer? {
        if node.scalar == "self" { return .selfSigned }
        return reference(node, to: .authority).map { .authority($0) }
    }

    /// An empty list makes a leaf without names, which no client should accept.
    func certificateNames(_ node: YAMLNode) -> [String]? {
        list(node, of: "DNS names")?.compactMap { value in
            guard let text = text(value, "a DNS name") else { return nil }
            guard let problem = DeclaredName.problem(text) else { return DNSName.pattern(text) ?? text }
            report("'\(text.prefix(80))' \(problem)", at: value)
            return nil
        }
    }
}
