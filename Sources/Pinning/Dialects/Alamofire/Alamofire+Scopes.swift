import TLSCore

extension Alamofire {
    package var scopes: [PinScope] { hosts.map(scope) }

    package func scope(for host: String) -> PinScope? { hosts.first { $0.name == host }.map(scope) }

    private func scope(of host: Host) -> PinScope {
        PinScope(
            host.name,
            line: hostLines[host.name],
            written: host.evaluator.lists,
            checks: host.evaluator.checks
        )
    }
}

extension Alamofire.Evaluator {
    fileprivate var lists: [PinScope.List] {
        switch self {
        case .pinnedCertificates(let pinned, _, _, _):
            // A certificate of a server stands nowhere but at the beginning of a path.
            let areServers = !pinned.isEmpty && pinned.allSatisfy { $0.certificate?.isAuthority == false }
            let digests = pinned.map { PinnedDigest($0.pin, of: .certificate) }
            return [PinScope.List(digests, position: areServers ? .leaf : .any)]
        case .publicKeys(let pins, _, _): return [PinScope.List(keys: pins)]
        case .composite(let evaluators): return evaluators.flatMap(\.lists)
        case .default, .revocation, .disabled: return []
        }
    }

    /// What it leaves unchecked is not checked at all but for App Transport Security.
    fileprivate var checks: PinPolicy.Checks {
        switch self {
        case .disabled: []
        case .default(let validateHost), .revocation(_, let validateHost, _):
            validateHost ? .all : [.path, .validity]
        case .pinnedCertificates(_, _, let performDefaultValidation, let validateHost),
            .publicKeys(_, let performDefaultValidation, let validateHost):
            validateHost ? .all : performDefaultValidation ? [.path, .validity] : []
        case .composite(let evaluators): evaluators.reduce([]) { $0.union($1.checks) }
        }
    }
}
