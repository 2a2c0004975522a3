import TLSCore

/// The keys and certificates that a file's stories need, by name; nothing is minted yet.
///
/// Keys are nouns, certificates are adjectives: a renewal is the same key under a new certificate, a rotation another
/// key, an attack a key that somebody else holds. Keys and authorities share one namespace.
package struct Blueprint: Hashable, Sendable {
    /// All lists are in file order.
    @ByName package var keys: [KeyDeclaration] = []
    @ByName package var authorities: [AuthorityDeclaration] = []
    /// The first is the one that a scenario uses when it names none.
    @ByName package var stores: [StoreDeclaration] = []
    @ByName package var chains: [ChainDeclaration] = []

    package init(
        keys: [KeyDeclaration] = [],
        authorities: [AuthorityDeclaration] = [],
        stores: [StoreDeclaration] = [],
        chains: [ChainDeclaration] = []
    ) {
        self.keys = keys
        self.authorities = authorities
        self.stores = stores
        self.chains = chains
    }

    package func key(named name: String) -> KeyDeclaration? { _keys[name] }
    package func authority(named name: String) -> AuthorityDeclaration? { _authorities[name] }
    package func store(named name: String) -> StoreDeclaration? { _stores[name] }
    package func chain(named name: String) -> ChainDeclaration? { _chains[name] }

    /// The type of a key's or an authority's key; `nil` when the blueprint declares no such thing.
    func keyType(of name: String) -> KeyType? {
        var name = name
        var visited: Set<String> = []
        while visited.insert(name).inserted, let lender = authority(named: name)?.key { name = lender }
        return key(named: name)?.type ?? authority(named: name)?.keyType
    }

    /// Whether a chain shows a certificate whose key its holder does not have.
    package func isCopied(_ chain: ChainDeclaration) -> Bool {
        chain.leafOf.flatMap(self.chain)?.key ?? chain.key != chain.key
    }

    /// The chains that a chain has something of.
    func sources(of chain: ChainDeclaration) -> [String] {
        chain.append + (chain.send ?? []) + [chain.leafOf, chain.mirrors].compactMap(\.self)
    }

    /// Whether a chain is the genuine server's, or has something of it; the loader has refused cycles.
    package func needsGenuine(_ name: String) -> Bool {
        chain(named: name).map { $0.isGenuine || sources(of: $0).contains(where: needsGenuine) } ?? false
    }

    /// Whether a chain copies a genuine server's, and the file names none.
    func lacksGenuine(_ name: String) -> Bool {
        chain(named: name).map { $0.isMissing || sources(of: $0).contains(where: lacksGenuine) } ?? false
    }

    /// Who holds the chain's leaf key; `nil` when the blueprint declares no such key.
    package func holder(of chain: ChainDeclaration) -> Holder? { key(named: chain.key)?.holder }
}
