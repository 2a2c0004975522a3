public import TLSCore

/// A certificate authority: `mallory: { subject: acme-root }`.
public struct AuthorityDeclaration: Hashable, Sendable {
    /// The name in an authority's certificate, which an attacker is free to copy.
    public enum Subject: Hashable, Sendable {
        /// The name it is declared by.
        case own
        /// The subject of another authority.
        case copied(from: String)
        /// A common name written out: any text that could not be the name of a declaration.
        case literal(String)
    }

    public var name: String
    /// The authority that signs this one's certificate; `nil` for a root, which signs its own.
    public var issuer: String?
    public var subject: Subject
    /// The key or authority whose key it uses, so that two authorities can share one (a cross-signed root); `nil` for
    /// a key of its own.
    public var key: String?
    /// The type of its own key; says nothing where `key` names another.
    public var keyType: KeyType
    public var holder: Holder
    /// `false`: its certificate does not allow it to vouch for anybody, and it does so all the same.
    public var isAuthority: Bool
    /// `nil`: ten years, whatever the step's time.
    public var valid: StoryWindow?
    /// Pins of production's keys that this key stands for in imported policies.
    public var standsFor: [Pin]
    public var location: SourceLocation

    public init(
        name: String,
        issuer: String? = nil,
        subject: Subject = .own,
        key: String? = nil,
        keyType: KeyType = .p256,
        holder: Holder = .owner,
        isAuthority: Bool = true,
        valid: StoryWindow? = nil,
        standsFor: [Pin] = [],
        location: SourceLocation = .code
    ) {
        self.name = name
        self.issuer = issuer
        self.subject = subject
        self.key = key
        self.keyType = keyType
        self.holder = holder
        self.isAuthority = isAuthority
        self.valid = valid
        self.standsFor = standsFor
        self.location = location
    }
}
