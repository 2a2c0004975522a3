import COpenSSL

extension PrivateKey {
    /// PKCS#8 PEM that a passphrase protects (PBES2 with AES-256).
    package func pem(passphrase: String) throws(OpenSSLError) -> String {
        let bytes = passphrase.utf8.map { CChar(bitPattern: $0) }
        return try textFromBIO {
            PEM_write_bio_PKCS8PrivateKey($0, evp.pointer, EVP_aes_256_cbc(), bytes, Int32(bytes.count), nil, nil)
        }
    }
}

/// PKCS#12 bundles (RFC 7292).
package enum PKCS12 {
    /// - Parameter key: left out of a bundle that is only to be trusted.
    package static func bundle(
        _ certificates: [Certificate],
        key: PrivateKey? = nil,
        name: String,
        passphrase: String
    ) throws(OpenSSLError) -> [UInt8] {
        _ = OpenSSL.isReady
        ERR_clear_error()
        let leaf = key.flatMap { key in certificates.first { $0.publicKey == key.publicKey } }
        let others = pd_x509_stack_new()
        defer { pd_x509_stack_free(others) }
        for certificate in certificates where certificate != leaf {
            _ = pd_x509_stack_push(others, certificate.x509.pointer)
        }
        let made = PKCS12_create(passphrase, name, key?.evp.pointer, leaf?.x509.pointer, others, 0, 0, 0, 0, 0)
        let bundle = try require(made, "make a PKCS#12")
        defer { PKCS12_free(bundle) }
        return derBytes { i2d_PKCS12(bundle, $0) }
    }
}

/// SHA-1 (FIPS 180-4), which old formats have as their checksum.
package func sha1(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
    _ = SHA1(bytes, bytes.count, &digest)
    return digest
}
