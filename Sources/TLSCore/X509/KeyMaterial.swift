import COpenSSL

/// Something that holds a public key, and so has a pin: a certificate, a key, or the request for a certificate.
///
/// A pin can be had before there is a certificate: it names the key, and whatever holds the same key has the same pin.
///
/// ```
///   private key ─ has ─▶ public key ◀─ asks for a certificate of ─ certificate request
///                            ▲
///                            └─ is vouched for by ─ certificate
/// ```
package struct KeyMaterial: Hashable, Sendable {
    /// What it was found in.
    package enum Kind: String, CaseIterable, Sendable {
        case certificate
        case publicKey
        case privateKey
        /// A request that a certificate be signed (PKCS#10, RFC 2986).
        case certificateRequest
    }

    package let kind: Kind
    /// Whom a certificate is for, or a request asks one for, in RFC 2253 form; a key has none.
    package let subject: String?
    /// The kind of key and its size, as in `EC 256`.
    package let keyDescription: String
    /// The DER `SubjectPublicKeyInfo`; of certificates, requests and public keys exactly as it stands there.
    package let publicKey: [UInt8]
    /// The certificate itself, where it is one.
    package let certificate: Certificate?
    /// The private key itself, where it is one. It is never printed.
    package let privateKey: PrivateKey?

    /// The public-key pin: SHA-256 over `publicKey`.
    package var pin: Pin { Pin(hashing: publicKey) }

    /// A certificate, for the key in it.
    package init(_ certificate: Certificate) {
        kind = .certificate
        subject = certificate.subject
        keyDescription = certificate.keyDescription
        publicKey = certificate.publicKey
        self.certificate = certificate
        privateKey = nil
    }

    /// A DER `SubjectPublicKeyInfo`, nothing behind it.
    init(publicKey der: [UInt8]) throws(OpenSSLError) {
        let parsed = try whole(der, "read a public key") {
            d2i_X509_PUBKEY(nil, $0, $1)
        } free: {
            X509_PUBKEY_free($0)
        }
        kind = .publicKey
        subject = nil
        keyDescription = TLSCore.keyDescription(X509_PUBKEY_get0(parsed.pointer))
        publicKey = derBytes { i2d_X509_PUBKEY(parsed.pointer, $0) }
        certificate = nil
        privateKey = nil
    }

    /// A public key of its own, or the public half of a private one. Takes the key over.
    init(owning key: OpaquePointer, kind: Kind) {
        defer { EVP_PKEY_free(key) }
        self.kind = kind
        subject = nil
        keyDescription = TLSCore.keyDescription(key)
        publicKey = derBytes { i2d_PUBKEY(key, $0) }
        certificate = nil
        privateKey = kind == .privateKey ? PrivateKey(borrowing: key) : nil
    }

    /// A DER certificate request, nothing behind it.
    init(request der: [UInt8]) throws(OpenSSLError) {
        let parsed = try whole(der, "read a certificate request") {
            d2i_X509_REQ(nil, $0, $1)
        } free: {
            X509_REQ_free($0)
        }
        kind = .certificateRequest
        subject = text(of: X509_REQ_get_subject_name(parsed.pointer))
        keyDescription = TLSCore.keyDescription(X509_REQ_get0_pubkey(parsed.pointer))
        publicKey = derBytes { i2d_X509_PUBKEY(X509_REQ_get_X509_PUBKEY(parsed.pointer), $0) }
        certificate = nil
        privateKey = nil
    }
}

/// The kind of a key and its size, as in `EC 256`, `RSA 2048` or `ED25519`.
func keyDescription(_ key: OpaquePointer?) -> String {
    guard let key else { return "unreadable key" }
    let name = EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown key"
    return name.hasPrefix("ED") ? name : "\(name) \(EVP_PKEY_get_bits(key))"
}

/// A name in RFC 2253 form; empty when it cannot be had.
func text(of name: OpaquePointer?) -> String {
    guard let name else { return "" }
    return (try? textFromBIO { pd_print_name($0, name) >= 0 ? 1 : 0 }) ?? ""
}

/// Runs an OpenSSL `d2i` function that has to use up all of the bytes.
func whole(
    _ der: [UInt8],
    _ attempt: String,
    _ parse: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?,
    free: @escaping @Sendable (OpaquePointer) -> Void
) throws(OpenSSLError) -> Owned {
    _ = OpenSSL.isReady
    ERR_clear_error()
    var rest = der.count
    let parsed = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
        guard let start = bytes.baseAddress else { return nil }
        var cursor: UnsafePointer<UInt8>? = start
        let value = parse(&cursor, bytes.count)
        rest -= cursor.map { $0 - start } ?? 0
        return value
    }
    let owned = Owned(try require(parsed, attempt), free: free)
    guard rest == 0 else { throw OpenSSLError(attempt: "\(attempt): \(rest) bytes follow it", codes: []) }
    return owned
}
