package import TLSCore

/// A certificate authority: `mallory: { subject: acme-root }`.
package struct AuthorityDeclaration: NamedDeclaration {
    /// The name in an authority's certificate, which an attacker is free to copy.
    package enum Subject: Hashable, Sendable {
        /// The name it is declared by.
        case own
        /// The subject of another authority.
        case copied(from: String)
        /// A common name written out: any text that could not be the name of a declaration.
        case literal(String)
    }

    package var name: String
    /// The authority that signs this one's certificate; `nil` for a root, which signs its own.
    package var issuer: String?
    package var subject: Subject = .own
    /// The key or authority whose key it uses, so that two authorities can share one (a cross-signed root); `nil` for
    /// a key of its own.
    package var key: String?
    /// The type of its own key; says nothing where `key` names another.
    package var keyType: KeyType = .p256
    package var holder: Holder = .owner
    /// `false`: its certificate does not allow it to vouch for anybody, and it does so all the same.
    package var isAuthority: Bool = true
    /// `nil`: ten years, whatever the step's time.
    package var valid: StoryWindow?
    /// How many authorities in a row it stands for, each signed by the one before; all have its key, the last its name.
    package var levels: Int = 1
    package var traits = CertificateTraits()
    /// Pins of production's keys that this key stands for in imported policies.
    package var standsFor: [Pin] = []
    package var location: SourceLocation = .code
}
