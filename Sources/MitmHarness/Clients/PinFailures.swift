import Foundation
package import Pinning
import Synchronization
import TLSCore

/// The failures of a client's pins, and the reports of them as TrustKit writes them.
package final class PinFailures: Sendable {
    private let noted = Mutex<[(host: String, chain: [Certificate])]>([])

    package init() {}

    /// The same exchange, of which failures are noted.
    package func watching(_ exchange: TLSExchange, at endpoint: Endpoint) -> TLSExchange {
        var watched = exchange
        watched.judge = { [self] seen in
            let decision = exchange.judge(seen)
            if decision.isRefusalByPin || decision.reason == .reportedOnly {
                let chain = seen.verified.isEmpty ? seen.presented : seen.verified
                noted.withLock { $0.append((endpoint.name, chain)) }
            }
            return decision
        }
        return watched
    }

    /// What is to be told of them; nothing where nobody takes it.
    package func reports(of endpoint: Endpoint) -> [TrustKitReport] {
        guard !endpoint.collector.isEmpty else { return [] }
        let app = TrustKitReport.App(bundle: "org.pindrill", version: "1", platformVersion: "1", vendor: "PinDrill")
        return noted.withLock(\.self).map { host, chain in
            TrustKitReport(
                chain,
                from: host,
                pins: endpoint.configuration.pins.map(\.pin),
                enforces: endpoint.configuration.scope(for: host)?.failure != .report,
                by: app,
                on: "IOS",
                at: endpoint.instant
            )
        }
    }
}

extension TrustKitReport {
    /// Posts it to a URL such as `http://127.0.0.1:8080/report`.
    package func post(to url: String) async {
        guard let url = URL(string: url), let port = url.port, let json = try? JSONEncoder().encode(self) else {
            return
        }
        await PlainConnection(port: port).post(String(decoding: json, as: UTF8.self), to: url.path)
    }
}
