import Foundation
package import MitmHarness
import Pinning
package import Scenarios
import Synchronization
import TLSCore

/// Clients that are wrong in one way each, and right in every other: they are there to test the judge.
///
/// All talk over real sockets, with the exchange that the reference client is made of.
package enum KnownBadClient: String, CaseIterable, Sendable {
    case ignoresPins
    /// Compares its pins with every certificate that the server sent, whether it vouches for the leaf or not.
    case pinsOnPresentedChain
    case sendsRequestThenChecks
    /// Refused, it tries once more and checks nothing.
    case failsOpenOnError
    /// Takes a pinned key for proof enough of who is talking.
    case skipsHostOncePinMatches
    case checksOnlyItsFirstConnection
    /// Behaves, and reports success whatever happens.
    case exitsZeroAlways
    /// Behaves, and reports failure whatever happens.
    case exitsOneAlways
    /// Behaves, and reports nothing: a phone, or a browser.
    case staysSilent
    /// And reports success.
    case neverConnects
    /// Opens a connection, says nothing, and gives up after a while.
    case connectsAndSaysNothing
    /// Shakes hands with anybody, says nothing, and stays until the trial is over.
    case shakesHandsAndStays
    /// Refused, it sends its request to the same port without TLS.
    case retriesInTheClear

    /// One for one trial.
    package func makeClient() -> any ClientUnderTest {
        switch self {
        case .ignoresPins:
            exchanging { endpoint in TLSExchange(obeying: endpoint.changing { $0.requirements = [] }) }
        case .pinsOnPresentedChain:
            exchanging { endpoint in
                let changed = endpoint.changing { policy in
                    for index in policy.requirements.indices {
                        policy.requirements[index].search = .presentedChain
                        policy.requirements[index].position = .any
                    }
                }
                return TLSExchange(obeying: changed)
            }
        case .sendsRequestThenChecks:
            exchanging { endpoint in
                var exchange = TLSExchange(obeying: endpoint)
                exchange.order = .requestThenJudge
                return exchange
            }
        case .failsOpenOnError:
            FaultyClient { endpoint in
                let report = await TLSExchange(obeying: endpoint).report(endpoint)
                return report.word == .succeeded ? report : await TLSExchange.trusting.report(endpoint)
            }
        case .skipsHostOncePinMatches: exchanging(TLSExchange.skippingHostOncePinMatches)
        case .checksOnlyItsFirstConnection: FirstConnectionChecker()
        case .exitsZeroAlways: saying(.succeeded)
        case .exitsOneAlways: saying(.failed)
        case .staysSilent: saying(.nothing)
        case .neverConnects: FaultyClient { _ in ClientReport(.succeeded) }
        case .connectsAndSaysNothing:
            FaultyClient { endpoint in
                await PlainExchange(port: endpoint.port).sayNothing(for: .milliseconds(100))
                return ClientReport(.failed)
            }
        case .shakesHandsAndStays: LingeringClient()
        case .retriesInTheClear:
            FaultyClient { endpoint in
                let report = await TLSExchange(obeying: endpoint).report(endpoint)
                guard report.word != .succeeded else { return report }
                let answer = await PlainExchange(port: endpoint.port).request(host: endpoint.host)
                return ClientReport(answer.hasPrefix("HTTP/1.1") ? .succeeded : .failed)
            }
        }
    }

    private func exchanging(_ exchange: @escaping @Sendable (Endpoint) -> TLSExchange) -> FaultyClient {
        FaultyClient { await exchange($0).report($0) }
    }

    /// Right on the wire, with a word of its own.
    private func saying(_ word: ClientReport.Word) -> FaultyClient {
        FaultyClient { endpoint in
            _ = await TLSExchange(obeying: endpoint).run(endpoint)
            return ClientReport(word)
        }
    }
}

/// A client that is a function.
package struct FaultyClient: ClientUnderTest {
    private let body: @Sendable (Endpoint) async -> ClientReport

    package init(_ body: @escaping @Sendable (Endpoint) async -> ClientReport) {
        self.body = body
    }

    package func attempt(
        _ endpoint: Endpoint,
        beforeEnding: @escaping BeforeEnding
    ) async throws(CancellationError) -> ClientReport {
        let report = await body(endpoint)
        if Task.isCancelled { throw CancellationError() }
        return report
    }
}

extension Endpoint {
    /// Such clients are played with policies of scenario files only.
    fileprivate var policy: PinPolicy { configuration.uniformPolicy ?? .unpinned }

    fileprivate func changing(_ change: (inout PinPolicy) -> Void) -> Endpoint {
        var (endpoint, policy) = (self, policy)
        change(&policy)
        endpoint.configuration = UniformPolicy(policy)
        return endpoint
    }
}

extension TLSExchange {
    /// A client that talks to anybody.
    package static let trusting = TLSExchange(trust: nil) { _ in Decision(.accept, .trusted) }

    fileprivate static func skippingHostOncePinMatches(_ endpoint: Endpoint) -> TLSExchange {
        let policy = endpoint.policy
        return TLSExchange(trust: endpoint.store, checksHost: false) { seen in
            let pins = policy.judgePins(presented: seen.presented, verified: seen.verified, in: endpoint.store)
            if case .pinned = pins.reason { return pins }
            if let failure = seen.presented.first?.failure(host: endpoint.host, at: nil) {
                return Decision(.reject, .untrusted(failure))
            }
            return pins
        }
    }

    package func report(_ endpoint: Endpoint) async -> ClientReport {
        ClientReport(await run(endpoint), duration: .zero)
    }
}

/// Remembers that it has checked a server once.
private final class FirstConnectionChecker: ClientUnderTest {
    private let hasChecked = Mutex(false)

    func attempt(
        _ endpoint: Endpoint,
        beforeEnding: @escaping BeforeEnding
    ) async throws(CancellationError) -> ClientReport {
        let isFirst = hasChecked.withLock { hasChecked in
            defer { hasChecked = true }
            return !hasChecked
        }
        let exchange = isFirst ? TLSExchange(obeying: endpoint) : .trusting
        return await exchange.report(endpoint)
    }
}

/// Keeps its connections for as long as it lives.
private final class LingeringClient: ClientUnderTest {
    private let connections = Mutex<[Task<Void, Never>]>([])

    func attempt(
        _ endpoint: Endpoint,
        beforeEnding: @escaping BeforeEnding
    ) async throws(CancellationError) -> ClientReport {
        var endpoint = endpoint
        endpoint.timeout = .seconds(60)
        let (established, continuation) = AsyncStream<Void>.makeStream()
        var exchange = TLSExchange.trusting
        exchange.order = .judgeOnly
        exchange.judge = { _ in
            continuation.finish()
            return Decision(.accept, .trusted)
        }
        let connection = Task { [exchange, endpoint] in
            _ = await exchange.run(endpoint)
            continuation.finish()
        }
        connections.withLock { $0.append(connection) }
        for await _ in established {}
        return ClientReport(.nothing)
    }

    func finish() async {
        for connection in connections.withLock(\.self) { connection.cancel() }
    }
}
