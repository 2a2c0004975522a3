public import Foundation
public import MitmProxy
import NIOCore
public import TLSCore
public import Witness

/// Runs some test code beside a proxy on loopback that shows its clients `identity`, until told otherwise.
///
/// ```swift
/// let pki = try PKI.standard(host: "localhost")
/// try await withMitmProxy(presenting: pki.today) { proxy in
///     let app = APIClient(url: proxy.url, trust: pki.trustPEM, pins: [pki.today.pin])
///     #expect(await proxy.watch { try await app.ping() }.wire == .accepted)
///     proxy.present(pki.attacker)
///     #expect(await proxy.watch { try await app.ping() }.wire.isRejected)
/// }
/// ```
///
/// No test framework is imported, so Swift Testing, XCTest and plain programs all can use it. The order matters: the
/// refusal counts because the same client was seen to accept just before.
///
/// - Parameters:
///   - port: where to listen; 0 lets the system choose.
///   - origin: what the server answers.
/// - Throws: `ProxyError` when it cannot listen, and what `body` throws.
public func withMitmProxy<Result>(
    presenting identity: Identity,
    port: Int = 0,
    origin: Origin = Origin(),
    isolation: isolated (any Actor)? = #isolation,
    _ body: (MitmProxyHandle) async throws -> Result
) async throws -> Result {
    let proxy = try await InterceptingProxy.start(
        ProxyConfiguration(port: port, origin: origin),
        presenting: Presentation(identity)
    )
    let result: Result
    do {
        result = try await body(MitmProxyHandle(proxy, host: identity.leaf.names.first?.description ?? "localhost"))
    } catch {
        await proxy.stop()
        throw error
    }
    await proxy.stop()
    return result
}

/// A running proxy, as a test sees it.
public struct MitmProxyHandle: Sendable {
    private let proxy: InterceptingProxy
    /// The first name of the identity that the proxy was started with.
    public let host: String

    init(_ proxy: InterceptingProxy, host: String) {
        self.proxy = proxy
        self.host = host
    }

    /// On 127.0.0.1 and, where the machine has IPv6, on ::1.
    public var port: Int { proxy.port }

    /// `https://host:port/`. A host that is not `localhost` must be mapped to loopback by the client, with an option of
    /// its own or through `proxyURL`.
    public var url: URL { URL(string: "https://\(host):\(port)/") ?? URL(filePath: "/") }

    /// The same listener as an HTTP proxy that knows `CONNECT`: every host then leads here.
    public var proxyURL: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

    /// Shows this identity to every ClientHello from now on. Connections that are open are closed.
    public func present(_ identity: Identity) {
        proxy.present(Presentation(identity))
    }

    /// Runs a client's attempt and says what the wire saw of it, and what the attempt returned or threw: a refusal is what
    /// many tests are after.
    public func watch<Value>(
        patience: Duration = .seconds(2),
        isolation: isolated (any Actor)? = #isolation,
        _ attempt: () async throws -> Value
    ) async -> WatchedAttempt<Value> {
        let before = proxy.observations()
        let result: Result<Value, any Error>
        do { result = .success(try await attempt()) } catch { result = .failure(error) }
        let after = (try? await proxy.settle(patience: TimeAmount(patience))) ?? proxy.observations()
        return WatchedAttempt(after.since(before), result)
    }
}

/// What the wire saw of one attempt, and what the client made of it.
public struct WatchedAttempt<Value> {
    /// Each connection, in the order they came.
    public let observations: [Observation]
    /// What they amount to, taken together.
    public let wire: Wire
    /// What the attempt returned or threw.
    public let result: Result<Value, any Error>

    init(_ observations: [Observation], _ result: Result<Value, any Error>) {
        self.observations = observations
        self.result = result
        wire = Wire(observations)
    }
}

extension WatchedAttempt: Sendable where Value: Sendable {}
