package import TLSCore

/// A key that certificates can be issued for: `evil: { by: attacker }`.
package struct KeyDeclaration: Hashable, Sendable {
    package var name: String
    package var type: KeyType
    package var holder: Holder
    /// Pins of production's keys that this key stands for in imported policies.
    package var standsFor: [Pin]
    package var location: SourceLocation

    package init(
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
