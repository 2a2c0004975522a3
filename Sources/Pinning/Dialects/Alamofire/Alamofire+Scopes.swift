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

extension Alamofire.PinnedCertificate {
    var digest: PinnedDigest {
        var digest = PinnedDigest(pin, of: .certificate)
        digest.isOfRoot = certificate.map { $0.isAuthority && $0.isSelfSigned } ?? false
        return digest
    }

    /// Where on a path it can stand, as far as it is known: a server's certificate stands at its beginning only.
    var position: PinRequirement.Position { certificate.map { $0.isAuthority ? .authority : .leaf } ?? .any }
}

extension Alamofire.Evaluator {
    var lists: [PinScope.List] {
        switch self {
        case .pinnedCertificates(let pinned, _, _, _):
            let positions = Set(pinned.map(\.position))
            let position = positions.count == 1 ? positions.first : nil
            return [PinScope.List(pinned.map(\.digest), position: position ?? .any)]
        case .publicKeys(let pins, _, _): return [PinScope.List(keys: pins)]
        case .composite(let evaluators): return evaluators.flatMap(\.lists)
        case .default, .revocation, .disabled: return []
        }
    }

    /// What it leaves unchecked is not checked at all but for App Transport Security.
    var checks: PinPolicy.Checks {
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
