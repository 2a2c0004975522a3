package import TLSCore

/// What a device trusts: `attacked: { system: [acme-root], user: [mallory] }`.
package struct StoreDeclaration: NamedDeclaration {
    /// An authority that the device trusts, and who made it do so.
    package struct Anchor: Hashable, Sendable {
        package var authority: String
        package var origin: TrustAnchor.Origin

        package init(_ authority: String, origin: TrustAnchor.Origin = .system) {
            self.authority = authority
            self.origin = origin
        }
    }

    package var name: String
    /// In file order; never empty, and no authority twice.
    package var anchors: [Anchor]
    package var location: SourceLocation = .code

    /// The names of the anchors of one origin, in file order.
    package func anchors(from origin: TrustAnchor.Origin) -> [String] {
        anchors.filter { $0.origin == origin }.map(\.authority)
    }
}
