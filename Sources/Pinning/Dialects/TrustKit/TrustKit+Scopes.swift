extension TrustKitConfiguration {
    package var scopes: [PinScope] { domains.map { scope(of: $0) } }

    package func scope(for host: String) -> PinScope? { domain(for: host).map { scope(of: $0) } }

    func scope(of domain: Domain) -> PinScope {
        guard case .pinned(let policy) = domain.rule else {
            return PinScope(
                domain.name,
                keyPath: "\(keyPath).\(domain.name)",
                line: domainLines[domain.name],
                written: []
            )
        }
        return PinScope(
            domain.name,
            keyPath: "\(keyPath).\(domain.name)",
            line: domainLines[domain.name],
            host: policy.includesSubdomains ? PinScope.anyHost(below: domain.name) : domain.name,
            written: [PinScope.List(keys: policy.keys)],
            failure: policy.enforcesPinning ? .block : .report,
            expires: policy.expiration
        )
    }
}
