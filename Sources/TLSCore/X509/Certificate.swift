import COpenSSL
public import Foundation

/// A certificate: a public key, the names it may be used for, and the signature of whoever vouches for that.
///
/// Two certificates are equal when their DER is. Facts are read from the DER on demand.
public final class Certificate: Sendable {
    let x509: Owned
    /// The whole certificate in DER.
    public let der: [UInt8]
    /// SHA-256 over `der`: the *certificate pin*, or fingerprint.
    public let fingerprint: Pin

    /// Takes over a reference to the certificate.
    init(owning pointer: OpaquePointer) {
        x509 = Owned(pointer) { X509_free($0) }
        der = derBytes { i2d_X509(pointer, $0) }
        fingerprint = Pin(hashing: der)
    }

    /// SHA-1 over `der` in lower-case hexadecimal: what some clients still pin.
    package var sha1: String {
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        _ = SHA1(der, der.count, &digest)
        return hexadecimal(digest)
    }

    /// Reads exactly one DER certificate; anything behind it is an error.
    package convenience init(der: [UInt8]) throws(OpenSSLError) {
        let parsed = try whole(der, "read a DER certificate") {
            d2i_X509(nil, $0, $1)
        } free: {
            X509_free($0)
        }
        X509_up_ref(parsed.pointer)  // balanced by the initializer, which takes one over
        self.init(owning: parsed.pointer)
    }

    /// OpenSSL's own form: a certificate, and what its owner trusts it for (`X509_get0_reject_objects(3)`), which is
    /// left out.
    convenience init(trusted der: [UInt8]) throws(OpenSSLError) {
        let parsed = try whole(der, "read a trusted certificate") {
            d2i_X509_AUX(nil, $0, $1)
        } free: {
            X509_free($0)
        }
        try self.init(der: derBytes { i2d_X509(parsed.pointer, $0) })
    }

    /// One PEM `CERTIFICATE` block.
    public var pem: String { PEM.encode(self) }

    /// The DER `SubjectPublicKeyInfo` as it stands in the certificate.
    public var publicKey: [UInt8] {
        derBytes { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(x509.pointer), $0) }
    }

    /// The public-key pin: SHA-256 over `publicKey`, for any kind of key.
    public var pin: Pin { Pin(hashing: publicKey) }

    /// The subject in RFC 2253 form, as in `CN=api.acme.example`.
    public var subject: String { text(of: X509_get_subject_name(x509.pointer)) }

    /// The issuer in RFC 2253 form.
    public var issuer: String { text(of: X509_get_issuer_name(x509.pointer)) }

    /// The first instant at which the certificate is valid, and the last (RFC 5280 section 4.1.2.5: both inclusive;
    /// OpenSSL refuses the last one already).
    /// A date that cannot be read is the end of time, so that it is never mistaken for a valid one.
    public var validity: (notBefore: Date, notAfter: Date) {
        (
            date(of: X509_get0_notBefore(x509.pointer)) ?? .distantFuture,
            date(of: X509_get0_notAfter(x509.pointer)) ?? .distantPast
        )
    }

    /// Whether basic constraints (or version 1) make this certificate an authority (`X509_check_ca(3)`).
    public var isAuthority: Bool { X509_check_ca(x509.pointer) != 0 }

    /// Whether the certificate vouches for itself: self-issued, and signed with its own key.
    public var isSelfSigned: Bool { X509_self_signed(x509.pointer, 1) == 1 }

    /// The kind of key and its size, as in `EC 256`, `RSA 2048` or `ED25519`.
    public var keyDescription: String { TLSCore.keyDescription(X509_get0_pubkey(x509.pointer)) }

    /// The subject key identifier (RFC 5280 section 4.2.1.2), where there is one.
    package var keyIdentifier: [UInt8]? { X509_get0_subject_key_id(x509.pointer).map(Self.bytes) }

    /// The serial number without its sign, big-endian.
    package var serial: [UInt8] { X509_get0_serialNumber(x509.pointer).map(Self.bytes) ?? [] }

    private static func bytes(of string: UnsafePointer<ASN1_STRING>) -> [UInt8] {
        Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
    }

    private func date(of time: UnsafePointer<ASN1_TIME>?) -> Date? {
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard let epoch = ASN1_TIME_set(nil, 0) else { return nil }
        defer { ASN1_STRING_free(epoch) }
        guard let time, ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Date(timeIntervalSince1970: Double(days) * 86400 + Double(seconds))
    }
}

extension Certificate: Hashable {
    public static func == (left: Certificate, right: Certificate) -> Bool { left.fingerprint == right.fingerprint }
    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}
