/// A declaration of a file, by its kind and name.
package struct Subject: Hashable, Sendable {
    /// What a name can be the name of.
    package enum Kind: String, CaseIterable, Sendable {
        case key, authority, store, chain, policy, client, scenario
    }

    package var kind: Kind
    package var name: String

    package init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }
}
