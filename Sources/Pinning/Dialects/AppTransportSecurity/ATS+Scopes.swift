extension ATSConfiguration {
    package var scopes: [PinScope] { domains.map { scope(of: $0, host: $0.loneliestHost) } }

    package func scope(for host: String) -> PinScope? {
        let reaching = domains(reaching: host)
        guard let nearest = reaching.max(by: { $0.name.utf8.count < $1.name.utf8.count }) else { return nil }
        var scope = scope(of: nearest, host: host)
        scope.written = reaching.flatMap(\.written)
        scope.otherKeyPaths = reaching.map { Domain.keyPath + $0.name }
        return scope
    }

    private func scope(of domain: Domain, host: String) -> PinScope {
        PinScope(
            domain.name,
            keyPath: Domain.keyPath + domain.name,
            line: domainLines[domain.name],
            host: host,
            written: domain.written,
            lists: policy(for: host).requirements.map { PinScope.List(keys: $0.pins, position: $0.position) }
        )
    }
}

extension ATSConfiguration.Domain {
    static let keyPath = "NSAppTransportSecurity.NSPinnedDomains."

    /// One below it where it includes subdomains, because the entries of its parents do not reach that one.
    fileprivate var loneliestHost: String { includesSubdomains ? PinScope.anyHost(below: name) : name }

    fileprivate var written: [PinScope.List] {
        [
            leaf.map { PinScope.List(keys: $0, position: .leaf) },
            authority.map { PinScope.List(keys: $0, position: .authority) },
        ].compactMap(\.self)
    }
}
