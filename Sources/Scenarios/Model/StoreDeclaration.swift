public import TLSCore

/// What a device trusts: `attacked: { system: [acme-root], user: [mallory] }`.
public struct StoreDeclaration: Hashable, Sendable {
    /// An authority that the device trusts, and who made it do so.
    public struct Anchor: Hashable, Sendable {
        public var authority: String
        public var origin: TrustAnchor.Origin

        public init(_ authority: String, origin: TrustAnchor.Origin = .system) {
            self.authority = authority
            self.origin = origin
        }
    }

    public var name: String
    /// In file order; never empty, and no authority twice.
    public var anchors: [Anchor]
    public var location: SourceLocation

    public init(name: String, anchors: [Anchor], location: SourceLocation = .code) {
        self.name = name
        self.anchors = anchors
        self.location = location
    }

    /// The names of the anchors of one origin, in file order.
    public func anchors(from origin: TrustAnchor.Origin) -> [String] {
        anchors.filter { $0.origin == origin }.map(\.authority)
    }
}
