import Foundation
import MitmHarness
import Pinning
import Scenarios
import TLSCore
import TestSupport
import Testing
import Witness

/// What somebody's own test does with the library: the same as in the README.
@Suite struct HarnessTests {
    @Test func `a pinned client accepts its own server and refuses an attacker its device trusts`() async throws {
        let pki = try PKI.standard(host: "localhost")

        try await withMitmProxy(presenting: pki.today) { proxy in
            let app = APIClient(proxy, trust: pki.trust, pins: [pki.today.pin])
            #expect(await proxy.watch { try await app.ping() }.reaction == .accepted)
            proxy.present(pki.attacker)
            #expect(await proxy.watch { try await app.ping() }.reaction.isRejected)
        }
    }

    @Test func `a client without pins accepts the attacker its device trusts, and no stranger`() async throws {
        let pki = try PKI.standard(host: "localhost")

        try await withMitmProxy(presenting: pki.attacker) { proxy in
            let app = APIClient(proxy, trust: pki.trust, pins: [])
            #expect(await proxy.watch { try await app.ping() }.reaction == .accepted)
            proxy.present(pki.stranger)
            #expect(await proxy.watch { try await app.ping() }.reaction.isRejected)
            proxy.present(pki.selfSigned)
            #expect(await proxy.watch { try await app.ping() }.reaction.isRejected)
        }
    }

    @Test(arguments: [("renewed", true), ("rotated", false), ("newCA", false)])
    func `a leaf pin survives a renewal that keeps the key, and nothing else`(event: String, survives: Bool)
        async throws
    {
        let pki = try PKI.standard(host: "localhost")
        let shown = ["renewed": pki.renewed, "rotated": pki.rotated, "newCA": pki.newCA]

        try await withMitmProxy(presenting: pki.today) { proxy in
            let app = APIClient(proxy, trust: pki.trust, pins: [pki.today.pin])
            #expect(await proxy.watch { try await app.ping() }.reaction == .accepted)
            proxy.present(try #require(shown[event]))
            let reaction = await proxy.watch { try await app.ping() }.reaction

            #expect(reaction == .accepted || !survives)
            #expect(reaction.isRejected || survives)
        }
    }

    @Test func `watching nobody sees nobody`() async throws {
        let pki = try PKI.standard(host: "localhost")

        let sighting = try await withMitmProxy(presenting: pki.today) { proxy in await proxy.watch {} }

        #expect(sighting.reaction == .inconclusive(.nobodyConnected))
        #expect(sighting.observations.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func `J9: watching does not wait for the end of a connection that has carried a request`() async throws {
        let pki = try PKI.standard(host: "localhost")
        let client = PoolingClient()

        try await withMitmProxy(presenting: pki.today) { proxy in
            let endpoint = Endpoint(proxy, trust: pki.trust, policy: .unpinned)
            let served = await proxy.watch(patience: .seconds(3600)) { try await client.attempt(endpoint) }
            proxy.present(pki.stranger)
            let attacked = await proxy.watch { try await client.attempt(endpoint) }

            #expect(served.reaction == .accepted)
            #expect(served.observations.map(\.isClosed) == [false])
            #expect(attacked.reaction.isRejected)
        }
        await client.finish()
    }

    @Test(.timeLimit(.minutes(1)))
    func `J9: a step does not wait for the end of a connection that has carried a request`() async throws {
        let steps = "- { present: today }\n- { present: forged }\n- { present: rotated }"

        let result = try await playSteps(steps, PoolingClient(), patience: .seconds(3600))

        // A client without pins, and so the last is a fail: its earlier connections are not what counts for it.
        #expect(result.steps.map(\.judgement.grounds) == [.obeyed, .obeyed, .acceptedWhatItsPolicyForbids])
    }

    @Test func `a scenario judges a client that is a Swift function`() async throws {
        let file = try ScenarioFile(parsing: HarnessTests.story, file: "story.yaml")
        let scenario = try #require(file.scenario(named: "attack"))

        let good = try await scenario.run(from: file, policy: "pinned", isRefusal: { $0 is APIClient.Refused }) {
            try await APIClient($0).ping()
        }
        let careless = try await scenario.run(from: file, policy: "pinned") { endpoint in
            var endpoint = endpoint
            endpoint.configuration = UniformPolicy(.unpinned)
            try await APIClient(endpoint).ping()
        }

        #expect(good.steps.map(\.judgement.verdict) == [.pass, .pass])
        #expect(good.steps.map(\.consequence) == [.served, .protected])
        #expect(careless.steps.map(\.judgement.verdict) == [.pass, .fail])
        #expect(careless.steps.last?.judgement.grounds == .talkedToTheWrongServer)
        #expect(careless.steps.last?.consequence == .intercepted)
    }

    @Test func `a scenario names the policy it does not have`() async throws {
        let file = try ScenarioFile(parsing: HarnessTests.story, file: "story.yaml")
        let scenario = try #require(file.scenario(named: "attack"))

        let error = await #expect(throws: ScenarioFileError.self) {
            try await scenario.run(from: file, policy: "pined") { _ in }
        }

        #expect(error?.description == "story.yaml:15:5: no policy 'pined'; did you mean 'pinned'?")
    }

    private static let story = """
        version: 1
        host: localhost
        keys: { leaf: {}, evil: { by: attacker } }
        authorities: { root: {}, mallory: { by: attacker } }
        stores: { phone: { system: [root], user: [mallory] } }
        chains:
          today:  { key: leaf, issuer: root }
          forged: { key: evil, issuer: mallory }
        policies:
          pinned: { pins: [leaf] }
        clients:
          reference: { kind: reference }
        scenarios:
          # An attack on a device that trusts the attacker's root.
          - name: attack
            steps:
              - { present: today }
              - { present: forged }
        """
}

/// Stands for somebody's own networking code: an HTTPS client that trusts a store and pins keys.
private struct APIClient {
    struct Refused: Error {}

    let endpoint: Endpoint

    init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    init(_ proxy: MitmProxyHandle, trust: TrustStore, pins: [Pin]) {
        let policy = pins.isEmpty ? .unpinned : PinPolicy(requirements: [PinRequirement(pins: pins)])
        endpoint = Endpoint(proxy, trust: trust, policy: policy)
    }

    func ping() async throws {
        if try await ReferenceClient().attempt(endpoint).word != .succeeded { throw Refused() }
    }
}

extension Endpoint {
    /// What a client needs to know of a proxy that a test started.
    init(_ proxy: MitmProxyHandle, trust: TrustStore, policy: PinPolicy) {
        self.init(
            host: proxy.host,
            port: proxy.port,
            store: trust,
            configuration: UniformPolicy(policy),
            step: "1",
            folder: URL(filePath: "/nonexistent"),
            timeout: .seconds(60),
            instant: Date()
        )
    }
}
