package import Foundation

/// Everything that can be said in a certificate, with the defaults that Apple and the CA/Browser Forum accept today.
///
/// Change a field to mint what a careless or hostile authority might: nothing here is refused for being wrong.
package struct CertificateTemplate: Hashable, Sendable {
    /// The hash that the issuer signs (ignored by Ed25519 issuers, which have their own).
    package enum Digest: String, CaseIterable, Sendable {
        case sha256, sha384, sha512
        /// Refused by every current client.
        case sha1
        /// Refused by every current client; only an RSA issuer can sign it.
        case md5
    }

    /// The subject's common name. Clients take no host name from it any more; people read it.
    package var commonName: String
    /// The names the certificate may be used for (subject alternative name).
    package var names: [SubjectName]
    /// First instant of validity, to the second.
    package var notBefore: Date
    /// Last instant of validity, to the second (RFC 5280: inclusive).
    package var notAfter: Date
    /// Basic constraints: `nil` leaves the extension out.
    package var isAuthority: Bool?
    /// How many authorities may stand between this one and a leaf; `nil` sets no limit.
    package var pathLength: Int?
    /// `nil` leaves the extension out.
    package var keyUsage: Set<KeyUsage>?
    /// Dotted object identifiers; empty leaves the extension out.
    package var extendedKeyUsage: [String]
    package var nameConstraints: NameConstraints?
    /// Big-endian, positive; `nil` derives one from the other fields, so that equal requests mint equal serials.
    package var serial: [UInt8]?
    package var digest: Digest = .sha256
    /// Appended after the others, as they are.
    package var extraExtensions: [CertificateExtension] = []
    /// Flips a bit of the signature, as a forger without the issuer's key must.
    package var corruptsSignature: Bool = false
    /// Names another algorithm beside the signature than inside what is signed.
    package var mislabelsSignature = false
    package var isSerialNegative = false
    /// Version 1, which has no extensions.
    package var isVersion1 = false
    /// `nil`: the one that belongs to the key.
    package var keyIdentifier: [UInt8]?

    /// `id-kp-serverAuth` (RFC 5280 section 4.2.1.12).
    package static let serverAuthentication = "1.3.6.1.5.5.7.3.1"
    /// `id-kp-clientAuth`.
    package static let clientAuthentication = "1.3.6.1.5.5.7.3.2"
    package static let day: TimeInterval = 86400

    /// A server's certificate for `names`: 199 days (the CA/Browser Forum allows 200 since March 2026), backdated a
    /// day because client clocks are wrong.
    package static func leaf(names: [SubjectName], now: Date) -> CertificateTemplate {
        CertificateTemplate(
            commonName: names.first.flatMap { if case .other = $0 { nil } else { "\($0)" } } ?? "",
            names: names,
            notBefore: now - day,
            notAfter: now + 198 * day,
            isAuthority: false,
            keyUsage: [.digitalSignature],
            extendedKeyUsage: [serverAuthentication]
        )
    }

    /// What a forger can copy of a certificate: its common name, its dates, and all extensions but those that name keys.
    package static func mirroring(_ certificate: Certificate) -> CertificateTemplate {
        let keyIdentifiers = ["2.5.29.14", "2.5.29.35"]
        return CertificateTemplate(
            commonName: certificate.commonName,
            names: [],
            notBefore: certificate.validity.notBefore,
            notAfter: certificate.validity.notAfter,
            extendedKeyUsage: [],
            extraExtensions: certificate.extensions.filter { !keyIdentifiers.contains($0.identifier) }
        )
    }

    /// An authority's certificate: ten years, backdated a day.
    package static func authority(named commonName: String, now: Date) -> CertificateTemplate {
        CertificateTemplate(
            commonName: commonName,
            names: [],
            notBefore: now - day,
            notAfter: now + 3650 * day,
            isAuthority: true,
            keyUsage: [.keyCertSign, .crlSign],
            extendedKeyUsage: []
        )
    }
}
