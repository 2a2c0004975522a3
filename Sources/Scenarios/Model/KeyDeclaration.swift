package import TLSCore

/// A key that certificates can be issued for: `evil: { by: attacker }`.
package struct KeyDeclaration: NamedDeclaration {
    package var name: String
    package var type: KeyType = .p256
    package var holder: Holder = .owner
    /// Pins of production's keys that this key stands for in imported policies.
    package var standsFor: [Pin] = []
    package var location: SourceLocation = .code
}
