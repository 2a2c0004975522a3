/// One extension as it will stand in a certificate (RFC 5280 section 4.2).
package struct CertificateExtension: Hashable, Sendable {
    /// The object identifier in dotted form, as in `2.5.29.17`.
    package var identifier: String
    package var isCritical: Bool
    /// The DER inside the extension's octet string. It is not checked: malformed values are a use.
    package var value: [UInt8]

    package init(_ identifier: String, isCritical: Bool = false, value: [UInt8]) {
        self.identifier = identifier
        self.isCritical = isCritical
        self.value = value
    }
}

/// What a key may be used for (key usage, RFC 5280 section 4.2.1.3); raw values are bit positions.
package enum KeyUsage: Int, CaseIterable, Sendable {
    case digitalSignature, nonRepudiation, keyEncipherment, dataEncipherment, keyAgreement, keyCertSign, crlSign
    case encipherOnly, decipherOnly
}

extension CertificateExtension {
    static func basicConstraints(isAuthority: Bool, pathLength: Int?) -> CertificateExtension {
        // `cA` is DEFAULT FALSE, so DER leaves it out for a leaf.
        let parts = isAuthority ? [DER.boolean(true)] + (pathLength.map { [DER.integer($0)] } ?? []) : []
        return CertificateExtension("2.5.29.19", isCritical: true, value: DER.sequence(parts))
    }

    static func keyUsage(_ usages: Set<KeyUsage>) -> CertificateExtension {
        let bits = KeyUsage.allCases.map { usages.contains($0) }
        return CertificateExtension("2.5.29.15", isCritical: true, value: DER.namedBits(bits))
    }

    /// Identifiers that OpenSSL cannot read are left out; minting refuses them before.
    static func extendedKeyUsage(_ identifiers: [String]) -> CertificateExtension {
        CertificateExtension("2.5.29.37", value: DER.sequence(identifiers.compactMap(DER.objectIdentifier)))
    }

    static func subjectAlternativeName(_ names: [SubjectName], isCritical: Bool) -> CertificateExtension {
        CertificateExtension("2.5.29.17", isCritical: isCritical, value: DER.sequence(names.map(\.der)))
    }

    /// Where the issuer's certificate can be fetched (authority information access, RFC 5280 section 4.2.2.1).
    package static func issuerLocation(_ url: String) -> CertificateExtension {
        // id-ad-caIssuers, and a GeneralName that is a URI.
        let access = DER.sequence([
            [6, 8, 0x2B, 6, 1, 5, 5, 7, 0x30, 2], DER.encode(tag: 0x86, Array(url.utf8)),
        ])
        return CertificateExtension("1.3.6.1.5.5.7.1.1", value: DER.sequence([access]))
    }

    static func subjectKeyIdentifier(_ identifier: [UInt8]) -> CertificateExtension {
        CertificateExtension("2.5.29.14", value: DER.octets(identifier))
    }

    static func authorityKeyIdentifier(_ identifier: [UInt8]) -> CertificateExtension {
        CertificateExtension("2.5.29.35", value: DER.sequence([DER.encode(tag: 0x80, identifier)]))
    }

    static func nameConstraints(_ constraints: NameConstraints) -> CertificateExtension {
        func subtrees(_ tag: UInt8, _ names: [SubjectName]) -> [[UInt8]] {
            names.isEmpty ? [] : [DER.encode(tag: tag, names.flatMap { DER.sequence([$0.der]) })]
        }
        let parts = subtrees(0xA0, constraints.permitted) + subtrees(0xA1, constraints.excluded)
        return CertificateExtension("2.5.29.30", isCritical: true, value: DER.sequence(parts))
    }
}

extension SubjectName {
    /// The `GeneralName` in DER: context tags 2 for a DNS name, 7 for an address.
    var der: [UInt8] {
        switch self {
        case .dns(let name): DER.encode(tag: 0x82, Array(name.utf8))
        case .ip(let bytes): DER.encode(tag: 0x87, bytes)
        case .other(let tag, let contents): DER.encode(tag: 0x80 | tag, contents)
        }
    }
}
