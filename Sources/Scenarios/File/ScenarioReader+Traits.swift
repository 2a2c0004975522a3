import Pinning
import TLSCore

/// What is particular about the certificate of a chain or an authority.
extension ScenarioReader {
    static let traits = [
        "cn", "digest", "signature", "serial", "path-length", "usage", "extended-usage", "permitted", "excluded",
        "extensions", "version", "must-staple", "issuer-url",
    ]

    func traits(_ fields: [String: YAMLNode]) -> CertificateTraits {
        var traits = CertificateTraits()
        traits.commonName = fields["cn"].flatMap { prose($0, "a common name") }
        traits.digest = fields["digest"].flatMap { choice($0, "a digest") }
        traits.signature = fields["signature"].flatMap { choice($0, "a bad signature") }
        traits.serial = fields["serial"].flatMap { choice($0, "an odd serial number") }
        traits.authority = fields["ca"].flatMap(authority)
        traits.pathLength = fields["path-length"].flatMap { integer($0, in: 0...100, "a path length") }
        traits.usage = fields["usage"].map { Set(uses($0, "a key usage", Self.keyUsages)) }
        traits.extendedUsage = fields["extended-usage"].map(extendedUsage)
        traits.permitted = fields["permitted"].flatMap(certificateNames) ?? []
        traits.excluded = fields["excluded"].flatMap(certificateNames) ?? []
        traits.extensions = fields["extensions"].flatMap { list($0, of: "extensions")?.compactMap(extensionOf) } ?? []
        traits.isVersion1 = fields["version"].flatMap { integer($0, in: 1...3, "a version") }.map { $0 == 1 } ?? false
        traits.mustStaple = fields["must-staple"].flatMap(boolean) ?? false
        traits.issuerURL = fields["issuer-url"].flatMap { text($0, "a URL") }
        if let node = fields["version"], traits.isVersion1 {
            let lost = Self.traits.filter { !["cn", "digest", "signature", "serial", "version"].contains($0) }
            for key in lost where fields[key] != nil {
                report("'\(key)' means nothing in version 1, which has no extensions", at: node)
            }
        }
        return traits
    }

    private func authority(_ node: YAMLNode) -> CertificateTraits.Authority? {
        guard node.scalar != "absent" else { return .absent }
        return boolean(node).map { $0 ? .yes : .no }
    }

    private static let keyUsages = KeyUsage.allCases.map { (words(of: "\($0)"), $0) }

    /// RFC 5280 section 4.2.1.12.
    private static let extendedUsages = [
        ("server", CertificateTemplate.serverAuthentication), ("client", CertificateTemplate.clientAuthentication),
        ("code", "1.3.6.1.5.5.7.3.3"), ("email", "1.3.6.1.5.5.7.3.4"), ("any", "2.5.29.37.0"),
    ]

    /// `crlSign` as `crl-sign`.
    private static func words(of name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
    }

    /// A list of uses, or `none` for no extension.
    private func uses<Use>(_ node: YAMLNode, _ expected: String, _ known: [(String, Use)]) -> [Use] {
        if node.scalar == "none" { return [] }
        if node.isEmptyList { report("an empty list says nothing; write none to leave the extension out", at: node) }
        return list(node, of: "uses, or none")?.compactMap { choice($0, expected, among: known) } ?? []
    }

    private func extendedUsage(_ node: YAMLNode) -> [String] {
        var own: [(String, String)] = []
        if case .list(let values) = node.content {
            own = values.compactMap(\.scalar).filter(Self.isIdentifier).map { ($0, $0) }
        }
        return uses(node, "an extended key usage", Self.extendedUsages + own)
    }

    private static func isIdentifier(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-2](\.\d{1,9})+/) != nil
    }

    /// `{ id: 1.2.3.4, critical: true, value: 0500 }`.
    private func extensionOf(_ node: YAMLNode) -> CertificateExtension? {
        let known = ["id", "critical", "value"]
        guard let fields = fields(of: node, called: "the extension", known: known, required: ["id"]),
            let id = fields["id"]
        else { return nil }
        guard let identifier = id.scalar, Self.isIdentifier(identifier) else {
            report("expected an object identifier such as 1.3.6.1.4.1.55555.1", at: id)
            return nil
        }
        // DER's NULL.
        var value: [UInt8] = [5, 0]
        if let node = fields["value"] {
            guard let bytes = prose(node, "hexadecimal digits").flatMap(Self.bytes) else {
                report("expected pairs of hexadecimal digits", at: node)
                return nil
            }
            value = bytes
        }
        return CertificateExtension(
            identifier,
            isCritical: fields["critical"].flatMap(boolean) ?? false,
            value: value
        )
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// A digest that the issuer's kind of key cannot sign, or that changes nothing.
    func findImpossibleDigests(in blueprint: Blueprint) {
        func check(
            _ digest: CertificateTemplate.Digest?,
            signedBy type: KeyType?,
            _ name: String,
            _ place: SourceLocation
        ) {
            guard let digest, let type else { return }
            if [.ed25519, .ed448].contains(type) {
                report("\(name) is signed by a key of type \(type.rawValue), which has its own digest", at: place)
            } else if digest == .md5, !type.rawValue.hasPrefix("rsa") {
                report("\(name) is signed by a key of type \(type.rawValue), and only RSA signs with MD5", at: place)
            }
        }
        for authority in blueprint.authorities {
            let signer = authority.issuer ?? authority.name
            check(
                authority.traits.digest,
                signedBy: blueprint.keyType(of: signer),
                "authority '\(authority.name)'",
                authority.location
            )
        }
        for chain in blueprint.chains {
            let signer = if case .authority(let name) = chain.issuer { name } else { chain.key }
            check(chain.traits.digest, signedBy: blueprint.keyType(of: signer), "chain '\(chain.name)'", chain.location)
        }
    }
}
