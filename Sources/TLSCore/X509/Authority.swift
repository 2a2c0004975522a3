package import Foundation

/// A certificate authority: somebody with a key, and a certificate that lets the key vouch for others.
///
/// ```
///   root        vouches for itself; devices trust it (a *trust anchor*)
///    └─ issuing  vouched for by the root; signs the servers' certificates
///        └─ leaf  the server's own: an `Identity`
/// ```
package struct Authority: Sendable {
    package let key: PrivateKey
    /// This authority's certificate first, then those above it, the root last.
    package let path: [Certificate]
    /// The certificates that a server sends for this authority: its path without the root, which clients have.
    package let sentPath: [Certificate]

    /// This authority's own certificate.
    package var certificate: Certificate { path[0] }

    /// A root: an authority that vouches for itself.
    package init(root template: CertificateTemplate, key: PrivateKey) throws(OpenSSLError) {
        self.init(key: key, path: [try .mint(template, for: key, issuer: nil)])
    }

    /// A root with the usual fields and a new P-256 key.
    package init(rootNamed name: String, now: Date) throws(OpenSSLError) {
        try self.init(root: .authority(named: name, now: now), key: PrivateKey())
    }

    /// A root whose certificate exists already, and holds the key's public half.
    package init(root certificate: Certificate, key: PrivateKey) { self.init(key: key, path: [certificate]) }

    private init(key: PrivateKey, path: [Certificate]) {
        self.key = key
        self.path = path
        sentPath = path.filter { !$0.isSelfSigned }
    }

    /// Vouches for another authority: an intermediate, or, with the key and the name of an existing root, its
    /// cross-signed twin.
    package func authority(_ template: CertificateTemplate, key: PrivateKey) throws(OpenSSLError) -> Authority {
        Authority(key: key, path: [try sign(template, for: key)] + path)
    }

    /// Vouches for a server: the identity that shows the new leaf, and every authority between it and the root.
    package func identity(
        _ template: CertificateTemplate,
        key: PrivateKey,
        label: String? = nil
    ) throws(OpenSSLError) -> Identity {
        Identity(
            key: key,
            chain: [try sign(template, for: key)] + sentPath,
            label: label ?? template.commonName
        )
    }

    private func sign(_ template: CertificateTemplate, for key: PrivateKey) throws(OpenSSLError) -> Certificate {
        try .mint(template, for: key, issuer: (certificate, self.key))
    }
}
