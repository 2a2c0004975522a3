package import Foundation
package import TLSCore

extension ChromiumStatic {
    package static var onlyKeyType: KeyType? { nil }

    package var refusesOtherHosts: Bool { false }

    package var bringsAnchors: Bool { false }

    package func remembered(from host: String, path: [Certificate]) -> Self { self }

    package func ownFindings(at instant: Date) -> [PolicyFinding] { [] }

    package func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] { [] }

    package var scopes: [PinScope] { hosts.map(scope) }

    package func scope(for host: String) -> PinScope? { self.host(for: host).map(scope) }

    private func scope(of host: Host) -> PinScope {
        PinScope(
            host.name,
            line: hostLines[host.name],
            host: host.includesSubdomains ? PinScope.anyHost(below: host.name) : host.name,
            written: host.required.isEmpty ? [] : [PinScope.List(keys: host.required)],
            expires: builtAt.map { $0 + ChromiumStatic.freshness }
        )
    }
}
