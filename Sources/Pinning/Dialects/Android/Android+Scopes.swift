import TLSCore

extension AndroidNetworkSecurity {
    package var scopes: [PinScope] {
        domainConfigs.flatMap(\.withNested).flatMap { config in
            config.domains.map { scope(of: $0.name, in: config) }
        }
    }

    package func scope(for host: String) -> PinScope? {
        guard let name = rules.name(for: AndroidRules.normalised(host)) else { return nil }
        let config = domainConfigs.flatMap(\.withNested).first { $0.domains.contains { $0.name == name } }
        return config.map { config in
            var scope = scope(of: name, in: config)
            if config.pinSet == nil { scope.written = scope.lists }
            return scope
        }
    }

    /// A pin set that is inherited is written elsewhere.
    private func scope(of name: String, in config: DomainConfig) -> PinScope {
        let rule = rules.rule(for: name)
        let written = config.pinSet.map { [PinScope.List(keys: $0.pins.map(\.pin))] } ?? []
        return PinScope(
            name,
            keyPath: config.name,
            line: configLines[config.name],
            written: written,
            lists: rule.pins.isEmpty ? [] : [PinScope.List(keys: rule.pins)],
            expires: rule.expires
        )
    }
}
