import Foundation
import MitmProxy
import NIOCore
import Scenarios
import TLSCore
import Witness

/// Where one trial is played: a proxy of its own, and a temporary folder of its own.
struct Stage {
    let proxy: InterceptingProxy
    let folder: URL
    private let pki: PKI
    private let origin: Origin
    private let routing: Routing
    private let upstream: Upstream?
    private let declaredListeners: [NamedListener]
    private let vouches: @Sendable ([Certificate]) -> Bool
    /// Who takes reports; `nil`: nobody.
    private(set) var collector: Collector?
    /// The client's own; `nil`: it shares ours.
    private(set) var network: IsolatedNetwork?
    /// The trial's own: nobody else can open its tickets, and no holder another's.
    private let tickets: [Holder: SessionTickets]

    /// Sets the stage, lets `body` play on it, and clears it away.
    static func with<Result>(
        _ pki: PKI,
        limits: RunnerOptions,
        clientTimeout: Duration = .zero,
        canary: Canary? = nil,
        hasCollector: Bool = false,
        takesEarlyData: Bool = false,
        name: String = "",
        isolates: Bool = false,
        startTLS: StartTLSDialect? = nil,
        applicationProtocols: [String]? = nil,
        _ body: (Stage) async throws -> Result
    ) async throws -> Result {
        TrialFolder.sweepOnce
        let folder = try TrialFolder()
        defer { folder.remove() }
        // The client's own time limit comes first: a connection that we end proves nothing.
        let patience = max(limits.timeout, clientTimeout) + .seconds(5)
        var configuration = ProxyConfiguration(
            port: limits.port,
            origin: limits.origin,
            handshakeTimeout: TimeAmount(patience),
            idleTimeout: TimeAmount(patience)
        )
        let tickets = try [Holder.owner: SessionTickets(), .attacker: SessionTickets()]
        configuration.canary = canary
        configuration.upstreamProxy = limits.upstreamProxy
        configuration.tls.secrets = limits.secrets
        configuration.tls.takesEarlyData = takesEarlyData
        configuration.capture = limits.capture?.interface(named: name)
        if let protocols = applicationProtocols ?? limits.applicationProtocols {
            configuration.tls.applicationProtocols = protocols
        }
        configuration.exposure = limits.exposure
        configuration.forwarders = limits.forwarders
        configuration.listeners = limits.listeners
        configuration.startTLS = startTLS
        configuration.page = limits.page
        let network = isolates ? try await IsolatedNetwork.open(in: folder.url, canary: canary) : nil
        if let network {
            configuration.opened = network.listeners
            configuration.nameOfAddress = { network.name(of: $0) }
        }
        let proxy = try await InterceptingProxy.start(configuration, presenting: Presentation(rules: []))
        var stage = Stage(
            proxy: proxy,
            folder: folder.url,
            pki: pki,
            origin: limits.origin,
            routing: limits.routing ?? Routing(),
            upstream: try limits.upstream.map {
                try Upstream($0, reachable: limits.routing?.reachable ?? [], limits.clock)
            },
            declaredListeners: limits.listeners,
            vouches: try Self.vouching(pki, limits),
            network: network,
            tickets: tickets
        )
        do {
            if hasCollector { stage.collector = try await Collector.start(on: network?.collector) }
            let result = try await body(stage)
            await stage.clear()
            return result
        } catch {
            await stage.clear()
            throw error
        }
    }

    /// By name. In a network of its own every port leads here.
    var listeners: [String: Int] {
        network == nil
            ? proxy.ports : Dictionary(declaredListeners.map { ($0.name, $0.place.port) }, uniquingKeysWith: { $1 })
    }

    /// Who vouches for clients: the file's roots, and we for what we hand out.
    private static func vouching(_ pki: PKI, _ limits: RunnerOptions) throws -> @Sendable ([Certificate]) -> Bool {
        let roots = try limits.clientRoots.map { try TrustStore($0.map { TrustAnchor($0) }) }
        return { [clock = limits.clock] chain in
            if let own = try? pki.clientIdentity().leaf, chain.first == own { return true }
            return roots?.evaluate(chain, host: nil, at: clock(), toleratesWeakness: true, isClients: true).isTrusted
                ?? false
        }
    }

    private func clear() async {
        await proxy.stop()
        await collector?.stop()
        await network?.close()
    }

    /// Shows a step's chains to everybody who connects from now on. Connections that clients kept are closed by then, so
    /// that none is taken for good enough to send the next request.
    ///
    /// - Parameter identity: what is shown in place of the step's chains.
    /// - Returns: the number of the presentation.
    @discardableResult
    func present(_ step: Step, showing identity: Identity? = nil) async throws -> Int {
        let pki = pki.moved(by: step.clock)
        if step.present.contains(where: { pki.blueprint.chain(named: $0)?.isGenuine == true }), let upstream {
            var presentation = Presentation(rules: [])
            presentation.routing = routing
            presentation.routing.tested = [step.host]
            presentation.routing.upstream = Routing.Place(host: upstream.host, port: upstream.port)
            return try await show(presentation)
        }
        let sources = try step.present.map { chain in
            let usual = try identity ?? pki.identity(chain: chain, at: step.at, host: step.host)
            guard pki.followsName(chain) else { return Presentation.Source.identity(usual) }
            let minter = Minter { [pki] asked in
                guard let name = DNSName.host(SubjectName.relative(asked)), name != step.host, name != "localhost"
                else {
                    return usual
                }
                return try pki.identity(chain: chain, at: step.at, host: step.host, asked: name)
            }
            return .minted(by: minter)
        }
        let selection: Presentation.Selection =
            sources.count == 1 ? .always(sources[0]) : step.isChosenByHello ? .byHello(sources) : .sequence(sources)
        var presentation = Presentation(selection, offer: step.offer)
        let others = try step.also.map { other in
            let identity = try pki.identity(chain: other.chain, at: step.at, host: other.host)
            return (Presentation.HostPattern.exactly(other.host), Presentation.Selection.always(.identity(identity)))
        }
        // Who is asked besides takes no turn of the host's.
        presentation.rules = others + [(.meaning(step.host), selection)] + presentation.rules
        if step.origin?.isRelay == true { presentation.relay = upstream }
        presentation.routing = routing
        presentation.routing.tested = Set([step.host] + step.also.map(\.host) + step.ledTo)
        presentation.origin = try step.origin.map { try origin.answering($0, host: step.host, port: proxy.port) }
        presentation.fault = step.handshake
        presentation.vouches = vouches
        if step.resumption {
            presentation.resumption = step.resumes
            presentation.tickets = { [pki, tickets] identity in
                pki.blueprint.chain(named: identity.label).flatMap(pki.blueprint.holder).flatMap { tickets[$0] }
            }
        }
        collector?.show(try pki.collector(trustedBy: step.store, at: step.at))
        return try await show(presentation)
    }

    /// Shows nothing to anybody: who comes for a host under test is turned away, others go where the routes say.
    func rest(from step: Step) async throws {
        var presentation = Presentation(rules: [])
        presentation.routing = routing
        presentation.routing.tested = Set([step.host] + step.also.map(\.host) + step.ledTo)
        _ = try await show(presentation)
    }

    private func show(_ presentation: Presentation) async throws -> Int {
        let epoch = proxy.present(presentation)
        // Closing is the loop's next task, and counting the one after it.
        _ = try await proxy.openCount
        return epoch.number
    }
}

extension Upstream {
    init(_ declared: UpstreamDeclaration, reachable: [AddressRange], _ now: @escaping @Sendable () -> Date) throws {
        let tls = try declared.tls.map { tls in
            TLS(
                trust: try TrustStore(tls.roots.map { TrustAnchor($0) }, remembers: true),
                name: tls.name,
                identity: try tls.certificate.map { certificate in
                    Identity(key: try PrivateKey(pem: certificate.key), chain: certificate.chain, label: "upstream")
                },
                now: now
            )
        }
        self.init(host: declared.host, port: declared.port, tls: tls, reachable: reachable)
    }
}
