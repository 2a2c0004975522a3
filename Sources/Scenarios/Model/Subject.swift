/// A declaration of a file, by its kind and name.
public struct Subject: Hashable, Sendable {
    /// What a name can be the name of.
    public enum Kind: String, CaseIterable, Sendable {
        case key, authority, store, chain, policy, client, scenario
    }

    public var kind: Kind
    public var name: String

    public init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }
}
