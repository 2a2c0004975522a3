public import TLSCore

/// A key that certificates can be issued for: `evil: { by: attacker }`.
public struct KeyDeclaration: Hashable, Sendable {
    public var name: String
    public var type: KeyType
    public var holder: Holder
    public var location: SourceLocation

    public init(name: String, type: KeyType = .p256, holder: Holder = .owner, location: SourceLocation = .code) {
        self.name = name
        self.type = type
        self.holder = holder
        self.location = location
    }
}
