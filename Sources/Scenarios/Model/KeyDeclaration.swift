public import TLSCore

/// A key that certificates can be issued for: `evil: { by: attacker }`.
public struct KeyDeclaration: Hashable, Sendable {
    public var name: String
    public var type: KeyType
    public var holder: Holder
    /// Pins of production's keys that this key stands for in imported policies.
    public var standsFor: [Pin]
    public var location: SourceLocation

    public init(
        name: String,
        type: KeyType = .p256,
        holder: Holder = .owner,
        standsFor: [Pin] = [],
        location: SourceLocation = .code
    ) {
        self.name = name
        self.type = type
        self.holder = holder
        self.standsFor = standsFor
        self.location = location
    }
}
