import Foundation
package import TLSCore

/// What is particular about one declared certificate: all that a careless or hostile authority may put into it.
///
/// `nil` and empty leave what is usual.
package struct CertificateTraits: Hashable, Sendable {
    /// How the issuer's signature is bad.
    package enum Signature: String, CaseIterable, Sendable {
        /// One bit is flipped.
        case corrupt
        /// The certificate says outside that another algorithm signed it than inside.
        case mislabelled
    }

    package enum Serial: String, CaseIterable, Sendable {
        case zero, negative
        /// Longer than the 20 octets of RFC 5280 section 4.1.2.2.
        case huge
    }

    /// Whether basic constraints make it an authority; `absent` leaves them out.
    package enum Authority: Hashable, Sendable {
        case yes, no, absent
    }

    /// The common name; with `{host}` and `{parent}`.
    package var commonName: String?
    package var digest: CertificateTemplate.Digest?
    package var signature: Signature?
    package var serial: Serial?
    /// The chain whose leaf's serial number it has.
    package var serialOf: String?
    package var authority: Authority?
    package var pathLength: Int?
    /// Empty leaves the extension out.
    package var usage: Set<KeyUsage>?
    /// Dotted object identifiers; empty leaves the extension out.
    package var extendedUsage: [String]?
    /// As `names` of a chain.
    package var permitted: [String] = []
    package var excluded: [String] = []
    package var extensions: [CertificateExtension] = []
    /// Version 1 has no extensions.
    package var isVersion1 = false
    /// Asks for a stapled OCSP response (TLS feature, RFC 7633).
    package var mustStaple = false
    /// Where the issuer's certificate is said to be (RFC 5280 section 4.2.2.1).
    package var issuerURL: String?
    /// The authority whose key identifier it claims to have.
    package var keyIdentifierOf: String?

    /// RFC 7633: `status_request` alone (RFC 6066 section 8).
    private static let tlsFeature = CertificateExtension("1.3.6.1.5.5.7.1.24", value: [0x30, 3, 2, 1, 5])

    func apply(to template: inout CertificateTemplate, host: String) {
        if let commonName { template.commonName = DeclaredName.filled(commonName, host: host) }
        if let digest { template.digest = digest }
        switch signature {
        case .corrupt: template.corruptsSignature = true
        case .mislabelled: template.mislabelsSignature = true
        case nil: break
        }
        switch serial {
        case .zero: template.serial = [0]
        case .negative: (template.serial, template.isSerialNegative) = ([0x4D, 0xA1], true)
        case .huge: template.serial = [UInt8](repeating: 0x7F, count: 40)
        case nil: break
        }
        switch authority {
        case .yes: template.isAuthority = true
        case .no: template.isAuthority = false
        case .absent: template.isAuthority = nil
        case nil: break
        }
        if let pathLength { template.pathLength = pathLength }
        if let usage { template.keyUsage = usage.isEmpty ? nil : usage }
        if let extendedUsage { template.extendedKeyUsage = extendedUsage }
        if !permitted.isEmpty || !excluded.isEmpty {
            template.nameConstraints = NameConstraints(
                permitted: permitted.flatMap { DeclaredName.names($0, host: host) },
                excluded: excluded.flatMap { DeclaredName.names($0, host: host) }
            )
        }
        template.extraExtensions += extensions
        if mustStaple { template.extraExtensions.append(Self.tlsFeature) }
        if let issuerURL { template.extraExtensions.append(.issuerLocation(issuerURL)) }
        template.isVersion1 = isVersion1
    }
}
