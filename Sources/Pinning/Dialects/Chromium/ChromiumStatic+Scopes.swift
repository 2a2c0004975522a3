import Foundation
import TLSCore

extension ChromiumStatic {
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
