import COpenSSL

/// A key pair. Whoever holds it can prove to be the server that its certificates name.
///
/// In a PinDrill scenario the *key* is the noun and a certificate only an adjective: renewing keeps the key, rotating
/// takes another one, attacking uses a key that somebody else holds. Every named key is a distinct key.
package final class PrivateKey: Sendable {
    let evp: Owned
    /// The same key as `X509_set_pubkey` likes it: of a key in the form of OpenSSL 3 it decodes the public half anew for
    /// each certificate, which takes longer than all the rest of minting.
    let forCertificates: Owned
    /// The DER `SubjectPublicKeyInfo` (RFC 5280 section 4.1.2.7): what a public-key pin hashes.
    package let publicKey: [UInt8]
    /// The public-key pin: SHA-256 over `publicKey`.
    package let pin: Pin

    private init(owning pointer: OpaquePointer) {
        let evp = Owned(pointer) { EVP_PKEY_free($0) }
        self.evp = evp
        forCertificates = pd_legacy_key(pointer).map { legacy in Owned(legacy) { EVP_PKEY_free($0) } } ?? evp
        publicKey = derBytes { i2d_PUBKEY(pointer, $0) }
        pin = Pin(hashing: publicKey)
    }

    /// A key that somebody else has read.
    convenience init(borrowing pointer: OpaquePointer) {
        EVP_PKEY_up_ref(pointer)  // balanced by the initializer, which takes one over
        self.init(owning: pointer)
    }

    /// Makes a new key. P-256 takes some 20 µs, RSA-2048 some 100 ms: never make RSA keys on an event loop.
    package convenience init(_ type: KeyType = .p256) throws(OpenSSLError) {
        _ = OpenSSL.isReady
        ERR_clear_error()
        let made: OpaquePointer? =
            switch type {
            case .p256: pd_new_ec_key("P-256")
            case .p384: pd_new_ec_key("P-384")
            case .p521: pd_new_ec_key("P-521")
            case .ed25519: pd_new_edwards_key("ED25519")
            case .ed448: pd_new_edwards_key("ED448")
            case .rsa1024: pd_new_rsa_key(1024)
            case .rsa2048: pd_new_rsa_key(2048)
            case .rsa3072: pd_new_rsa_key(3072)
            case .rsa4096: pd_new_rsa_key(4096)
            }
        self.init(owning: try require(made, "make a \(type.rawValue) key"))
    }

    /// The key of somebody who has seen a certificate and not the key: the public half is that of `other`, and what it
    /// signs is worth nothing.
    package convenience init(pretending other: PrivateKey) throws(OpenSSLError) {
        ERR_clear_error()
        self.init(owning: try require(pd_pretended_key(other.evp.pointer), "pretend to have a key"))
    }

    /// A key in unencrypted PEM.
    package convenience init(pem: String) throws(OpenSSLError) {
        _ = OpenSSL.isReady
        ERR_clear_error()
        let text = Array(pem.utf8)
        let bio = try require(BIO_new_mem_buf(text, Int32(clamping: text.count)), "read a private key")
        defer { BIO_free(bio) }
        // An empty password keeps OpenSSL from asking the terminal.
        var password: CChar = 0
        self.init(owning: try require(PEM_read_bio_PrivateKey(bio, nil, nil, &password), "read a private key"))
    }

    /// PKCS#8 PEM, unencrypted: for files of mode 0600 only, never for a log.
    package func pem() throws(OpenSSLError) -> String {
        try textFromBIO { PEM_write_bio_PKCS8PrivateKey($0, evp.pointer, nil, nil, 0, nil, nil) }
    }

    var signatureKind: SignatureKind {
        switch EVP_PKEY_get_base_id(evp.pointer) {
        case EVP_PKEY_RSA: .rsa
        case EVP_PKEY_EC: .ecdsa
        default: .edwards
        }
    }

    /// Ed25519 and Ed448 sign the message itself; every other key signs a digest.
    var signsDigests: Bool { ![EVP_PKEY_ED25519, EVP_PKEY_ED448].contains(EVP_PKEY_get_base_id(evp.pointer)) }
}

extension PrivateKey: Hashable {
    package static func == (left: PrivateKey, right: PrivateKey) -> Bool { left.publicKey == right.publicKey }
    package func hash(into hasher: inout Hasher) { hasher.combine(publicKey) }
}

extension PrivateKey {
    /// Its type; `nil` for one that no scenario file can declare.
    package var type: KeyType? {
        switch keyDescription(evp.pointer) {
        case "EC 256": .p256
        case "EC 384": .p384
        case "EC 521": .p521
        case let name: KeyType(rawValue: name.lowercased().replacing(" ", with: ""))
        }
    }
}
