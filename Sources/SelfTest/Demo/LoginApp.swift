package import MitmHarness
import Scenarios

/// An app that signs somebody in: a real client, with a password to lose.
package struct LoginApp: ClientUnderTest {
    package static let password = "correct-horse-42"

    private let exchange: @Sendable (Endpoint) -> TLSExchange

    package init(_ exchange: @escaping @Sendable (Endpoint) -> TLSExchange) {
        self.exchange = exchange
    }

    /// It does what its pins demand.
    package static let obedient = LoginApp { TLSExchange(obeying: $0) }
    /// It compares its pins with whatever was sent.
    package static let searchingWhatWasSent = LoginApp { .searchingWhatWasSent($0) }

    package var takesPins: Bool { true }

    package func attempt(
        _ endpoint: Endpoint,
        beforeEnding: @escaping BeforeEnding
    ) async throws(CancellationError) -> ClientReport {
        let start = ContinuousClock.now
        var exchange = exchange(endpoint)
        exchange.request = { host in
            let form = "user=alice&password=\(Self.password)"
            return ["POST /login HTTP/1.1\r\nhost: \(host)\r\ncontent-length: \(form.utf8.count)\r\n\r\n\(form)"]
        }
        let outcome = await exchange.run(endpoint, beforeEnding: beforeEnding)
        if Task.isCancelled { throw CancellationError() }
        return ClientReport(outcome, duration: ContinuousClock.now - start)
    }
}
