package import TLSCore

/// What a server shows: a key, and who vouches for it: `today: { key: leaf-1, issuer: acme-issuing }`.
///
/// The chain is the leaf and its intermediates, without the root. Whoever holds the leaf's key holds the chain.
package struct ChainDeclaration: NamedDeclaration {
    /// Who signs the leaf's certificate.
    package enum Issuer: Hashable, Sendable {
        case authority(String)
        /// The leaf's own key, written `self`.
        case selfSigned
    }

    /// The order in which the certificates are sent.
    package enum Order: String, CaseIterable, Sendable {
        /// Leaf first, as RFC 8446 section 4.4.2 demands.
        case normal
        case reversed
    }

    package var name: String
    /// The leaf's key.
    package var key: String
    package var issuer: Issuer
    /// `nil`: fresh at each step, 199 days.
    package var valid: StoryWindow?
    /// The names of the leaf, as the file writes them; `nil`: the step's host.
    package var names: [String]?
    package var traits = CertificateTraits()
    /// The OCSP response about the leaf that is stapled to the handshake; `nil`: none.
    package var stapled: OCSPStatus?
    /// The chain whose very leaf certificate this one shows, in other company; `issuer`, `valid`, `names` and `traits`
    /// are then that chain's, and so is `key`, unless somebody else shows a copy without having the key.
    package var leafOf: String?
    /// The chain whose leaf's names, dates and extensions this leaf copies; it then has none of its own.
    package var mirrors: String?
    /// The authorities, and the chains whose leaves, are sent behind the leaf, in this order; `nil`: those on the way to
    /// the root.
    package var send: [String]?
    /// Chains sent whole behind this one, in this order.
    package var append: [String] = []
    /// Authorities of this chain whose certificates are not sent.
    package var omit: [String] = []
    package var order: Order = .normal
    package var location: SourceLocation = .code
    /// Whether it is the genuine server's, which nobody mints.
    package var isGenuine = false
    /// Whether it stands for the genuine server's in a file that names none: what copies it is not played.
    package var isMissing = false
}
