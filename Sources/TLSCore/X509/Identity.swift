/// What a server proves itself with: a private key, and the chain of certificates that it shows for it.
///
/// The first certificate is the server's own (the *leaf*) and holds the public half of `key`. The others help a client
/// find its way from the leaf to a root it trusts; the root itself is usually not sent.
public struct Identity: Sendable {
    package var key: PrivateKey
    /// Leaf first, in the order sent. It may hold anything: a real leaf behind an attacker's is the classic fraud.
    public var chain: [Certificate]
    /// The OCSP response that is stapled to the handshake where the client asks for one (RFC 6066 section 8).
    package var staple: [UInt8]?
    /// What reports call it.
    public var label: String

    /// - Precondition: `chain` is not empty, and its first certificate holds `key`'s public half.
    package init(key: PrivateKey, chain: [Certificate], label: String) {
        precondition(chain.first?.pin == key.pin, "the first certificate must hold the identity's key")
        self.key = key
        self.chain = chain
        self.label = label
    }

    /// An identity that nobody vouches for but itself.
    package init(
        selfSigned template: CertificateTemplate,
        key: PrivateKey,
        label: String? = nil
    ) throws(OpenSSLError) {
        let leaf = try Certificate.mint(template, for: key, issuer: nil)
        self.init(key: key, chain: [leaf], label: label ?? template.commonName)
    }

    /// The server's own certificate.
    public var leaf: Certificate { chain[0] }

    /// The public-key pin of the leaf.
    public var pin: Pin { key.pin }
}
