package import Foundation
package import TLSCore

/// Keys and roots that outlive a run, by the names of a scenario file: what is baked into a test build, and what devices
/// install. No other certificate is kept: they are minted when they are shown.
package struct Keyring: Sendable {
    package struct Key: Sendable {
        package var type: KeyType
        package var holder: Holder
        package var made: Date
        package var key: PrivateKey
    }

    package struct Root: Sendable {
        package var certificate: Certificate
        /// Whose key it holds: its own name, unless it borrows another's.
        package var key: String
        package var holder: Holder
        /// Who makes a device trust it; `nil`: no store of the file does, and none should.
        package var anchor: TrustAnchor.Origin?
    }

    /// The host under test.
    package var host = ""
    package var keys: [String: Key] = [:]
    package var roots: [String: Root] = [:]

    package init() {}

    /// Makes what a file declares and is not kept yet.
    ///
    /// - Returns: the names of what is new.
    /// - Throws: `Mismatch` where something of another kind is kept under a name.
    @discardableResult
    package mutating func complete(for file: ScenarioFile, terms: RootTerms, now: Date) throws -> [String] {
        try checkKinds(file.blueprint)
        host = file.host
        let pki = PKI(file.blueprint, now: now, keyring: self, terms: terms)
        var new: [String] = []
        for (name, type, holder) in file.blueprint.ownKeys where keys[name] == nil {
            keys[name] = Key(type: type, holder: holder, made: now, key: try pki.key(named: name))
            new.append(name)
        }
        for root in file.blueprint.authorities where root.isKeepable {
            let anchor = file.blueprint.anchor(root.name)
            guard roots[root.name] == nil else {
                roots[root.name]?.anchor = anchor
                continue
            }
            roots[root.name] = Root(
                certificate: try pki.authority(named: root.name, at: .zero).certificate,
                key: PKI.lender(of: root, in: file.blueprint),
                holder: pki.holder(ofAuthority: root.name) ?? root.holder,
                anchor: anchor
            )
            if !new.contains(root.name) { new.append(root.name) }
        }
        return new
    }

    /// Takes a key that exists already, and for a root its certificate; roots that held the key before are made anew.
    ///
    /// - Throws: `Mismatch` where the file declares no such thing, or something of another kind.
    package mutating func adopt(
        _ name: String,
        _ key: PrivateKey,
        _ certificates: [Certificate],
        for file: ScenarioFile,
        terms: RootTerms,
        now: Date
    ) throws -> [String] {
        let root = file.blueprint.authority(named: name)
        guard let (_, type, holder) = file.blueprint.ownKeys.first(where: { $0.name == name }) else {
            let advice = root?.key.map { "'\(name)' has the key of '\($0)'; import that" }
            throw Mismatch(description: advice ?? "the file declares no key and no root '\(name)'")
        }
        guard key.type == type else {
            let own = key.type?.rawValue ?? "of a type that no file can declare"
            throw Mismatch(
                description: "the key is \(own), and '\(name)' is declared as \(type.rawValue): "
                    + "write 'type: \(own)' in the file"
            )
        }
        (keys[name], host) = (Key(type: type, holder: holder, made: now, key: key), file.host)
        for (other, kept) in roots where kept.key == name { roots[other] = nil }
        if let root {
            guard root.isKeepable else {
                throw Mismatch(description: "'\(name)' is no root that can be kept: only roots outlive a run")
            }
            let own = certificates.first { $0.publicKey == key.publicKey }
            guard let certificate = own else {
                throw Mismatch(description: "the certificate of '\(name)' is missing: devices must know this very one")
            }
            guard certificate.isSelfSigned, certificate.isAuthority else {
                throw Mismatch(description: "'\(certificate.subject)' is no root: it does not vouch for itself")
            }
            guard certificate.validity.notBefore <= now, now < certificate.validity.notAfter else {
                throw Mismatch(description: "'\(certificate.subject)' is not valid today")
            }
            let anchor = file.blueprint.anchor(name)
            roots[name] = Root(certificate: certificate, key: name, holder: holder, anchor: anchor)
        }
        return try complete(for: file, terms: terms, now: now)
    }

    /// Makes new keys under old names, and new certificates for the roots that hold them.
    ///
    /// - Parameter keepsKeys: only the certificates of roots are made anew, with their keys.
    /// - Returns: the names of what is new.
    package mutating func rotate(
        _ names: [String],
        keepsKeys: Bool,
        for file: ScenarioFile,
        terms: RootTerms,
        now: Date
    ) throws -> [String] {
        let lenders = Set(names.map { roots[$0]?.key ?? $0 })
        if !keepsKeys { for name in lenders { keys[name] = nil } }
        for (name, root) in roots where keepsKeys ? names.contains(name) : lenders.contains(root.key) {
            roots[name] = nil
        }
        return try complete(for: file, terms: terms, now: now)
    }

    package mutating func remove(_ names: [String]) {
        for name in names {
            keys[name] = nil
            for (root, kept) in roots where root == name || kept.key == name { roots[root] = nil }
        }
    }

    /// Everything that is kept, in alphabetical order.
    package var names: [String] { Set(keys.keys).union(roots.keys).sorted() }

    /// Something of another kind than the file's is kept under a name.
    package struct Mismatch: Error, CustomStringConvertible {
        package let description: String
    }

    private func checkKinds(_ blueprint: Blueprint) throws(Mismatch) {
        for (name, type, holder) in blueprint.ownKeys {
            guard let kept = keys[name] else { continue }
            if kept.type != type {
                throw Mismatch(
                    description:
                        "the key '\(name)' is kept as \(kept.type.rawValue), and is \(type.rawValue) in this file; "
                        + "'pindrill certs rotate \(name)' makes another"
                )
            }
            if kept.holder != holder {
                throw Mismatch(
                    description:
                        "the key '\(name)' is kept as the \(kept.holder.rawValue)'s, and is the \(holder.rawValue)'s "
                        + "in this file; 'pindrill certs rotate \(name)' makes another"
                )
            }
        }
    }

    /// Whether all that a file declares is kept, and still holds.
    ///
    /// - Throws: `Mismatch`.
    package func check(_ file: ScenarioFile, now: Date) throws(Mismatch) {
        let blueprint = file.blueprint
        try checkKinds(blueprint)
        let missing =
            blueprint.ownKeys.map(\.name).filter { keys[$0] == nil }
            + blueprint.authorities.filter { $0.isKeepable && roots[$0.name] == nil }.map(\.name)
        guard missing.isEmpty else {
            let names = missing.uniqued.map { "'\($0)'" }.joined(separator: ", ")
            throw Mismatch(description: "\(names) of this file is not kept; 'pindrill certs init' adds it")
        }
        let coverable = NameConstraints(covering: file)
        let names = file.signedNames.filter(coverable.allow)
        for root in blueprint.authorities.filter(\.isKeepable) {
            guard let kept = roots[root.name] else { continue }
            guard kept.certificate.pin == keys[kept.key]?.key.pin,
                kept.key == PKI.lender(of: root, in: blueprint)
            else {
                throw Mismatch(
                    description:
                        "the root '\(root.name)' does not hold the key '\(PKI.lender(of: root, in: blueprint))'; "
                        + "'pindrill certs rotate --keep-key \(root.name)' makes it anew"
                )
            }
            try check(kept, root, coversAll: names)
            let (begin, end) = kept.certificate.validity
            guard now < end, begin <= now else {
                let day = end.formatted(.iso8601.year().month().day())
                throw Mismatch(
                    description: now < end
                        ? "the root '\(root.name)' is not valid yet: is this machine's clock right?"
                        : "the root '\(root.name)' ended on \(day); 'pindrill certs rotate --keep-key \(root.name)' "
                            + "renews it, and devices must be given it again"
                )
            }
        }
    }
}

extension Keyring {
    private func check(_ kept: Root, _ root: AuthorityDeclaration, coversAll names: [SubjectName]) throws(Mismatch) {
        guard !root.isConstrainedByFile, let own = kept.certificate.nameConstraints,
            let name = names.first(where: { !own.allow($0) })
        else { return }
        throw Mismatch(
            description:
                "the root '\(root.name)' may vouch for \(own.permitted.map(\.constraint).joined(separator: ", ")), "
                + "and this file has it sign '\(name)'; 'pindrill certs rotate --keep-key \(root.name)' makes it anew, and "
                + "devices must be given it again"
        )
    }
}

extension SubjectName {
    /// As a name constraint, in which an address has its mask behind it.
    package var constraint: String {
        guard case .ip(let bytes) = self else { return "\(self)" }
        let bits = bytes.suffix(bytes.count / 2).reduce(0) { $0 + $1.nonzeroBitCount }
        return "\(SubjectName.ip(Array(bytes.prefix(bytes.count / 2))))/\(bits)"
    }
}

/// What a root is held to that devices are to trust for longer than a run.
package struct RootTerms: Sendable {
    package static let usualDays = 90

    package var days: Int
    /// `nil`: it may vouch for every name, which is asked for in words.
    package var constraints: NameConstraints?

    package init(days: Int = usualDays, constraints: NameConstraints?) {
        self.days = days
        self.constraints = constraints
    }

    func apply(to template: inout CertificateTemplate) {
        template.notAfter = template.notBefore + TimeInterval(days + 1) * CertificateTemplate.day
        guard let constraints else { return }
        // What the file itself says of a root is what its stories are about.
        template.nameConstraints =
            template.nameConstraints.map { own in
                NameConstraints(
                    permitted: own.permitted.isEmpty ? constraints.permitted : own.permitted,
                    excluded: own.excluded + constraints.excluded
                )
            } ?? constraints
    }
}

extension AuthorityDeclaration {
    /// Whether it is a root whose certificate can be the same in every run, and be constrained.
    fileprivate var isKeepable: Bool { issuer == nil && valid == nil && isAuthority && !traits.isVersion1 }

    /// Whether its constraints are what a story is about.
    var isConstrainedByFile: Bool { !traits.permitted.isEmpty }
}

extension Blueprint {
    /// Every key that is nobody else's.
    fileprivate var ownKeys: [(name: String, type: KeyType, holder: Holder)] {
        keys.map { ($0.name, $0.type, $0.holder) }
            + authorities.filter { $0.key == nil }.map { ($0.name, $0.keyType, $0.holder) }
    }

    /// Who makes some device trust an authority; `nil` where no store does.
    fileprivate func anchor(_ authority: String) -> TrustAnchor.Origin? {
        stores.flatMap(\.anchors).first { $0.authority == authority }?.origin
    }
}
