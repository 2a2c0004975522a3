/// `shared-key`.
extension Lint {
    /// Keys of leaves that authorities use as well: a pin on the leaf would be a pin on the authority.
    func sharedKeys() -> [LintFinding] {
        blueprint.keys.filter { $0.holder == .owner }.compactMap { key in
            let chains = blueprint.chains.filter { $0.key == key.name }.map(\.name)
            let authorities = blueprint.authorities.filter { owner(of: $0.name) == key.name }.map(\.name)
            guard let chain = chains.first, let authority = authorities.first else { return nil }
            return LintFinding(
                .sharedKey,
                Subject(.key, key.name),
                at: key.location,
                "the key '\(key.name)' belongs to a server (chain '\(chain)') and to the authority '\(authority)': "
                    + "a pin on the server's key cannot be told from a pin on the authority",
                fix: "give the authority a key of its own"
            )
        }
    }
}
