import COpenSSL

/// Signed data with its content in it (CMS, RFC 5652), in DER.
package enum SignedMessage {
    /// - Throws: where the first certificate does not hold the key.
    package static func sign(
        _ content: [UInt8],
        key: PrivateKey,
        chain: [Certificate]
    ) throws(OpenSSLError) -> [UInt8] {
        guard let leaf = chain.first, leaf.publicKey == key.publicKey else {
            throw OpenSSLError(attempt: "sign: the first certificate does not hold this key", codes: [])
        }
        ERR_clear_error()
        let bio = try require(BIO_new_mem_buf(content, Int32(clamping: content.count)), "sign")
        defer { BIO_free(bio) }
        let others = pd_x509_stack_new()
        defer { pd_x509_stack_free(others) }
        for certificate in chain.dropFirst() { _ = pd_x509_stack_push(others, certificate.x509.pointer) }
        guard let made = PKCS7_sign(leaf.x509.pointer, key.evp.pointer, others, bio, PKCS7_BINARY) else {
            throw OpenSSLError.drain("sign")
        }
        defer { PKCS7_free(made) }
        return derBytes { i2d_PKCS7(made, $0) }
    }
}
