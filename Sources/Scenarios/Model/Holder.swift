/// Whose hands a private key is in. It is what makes a presentation an attack.
package enum Holder: String, CaseIterable, Codable, Sendable {
    /// The organisation whose app and server these are.
    case owner
    case attacker
}
