import Foundation
import Pinning
import Scenarios
import TLSCore
import TestSupport
import Testing
import Witness

@testable import MitmHarness

/// What somebody's own test does with the library: the same as in the README.
@Suite struct HarnessTests {
    @Test func `a pinned client accepts its own server and refuses an attacker its device trusts`() async throws {
        let pki = try PKI.standard(host: "localhost")

        try await withMitmProxy(presenting: pki.today) { proxy in
            let app = APIClient(proxy, trust: pki.trust, pins: [pki.today.pin])
            #expect(await proxy.watch { try await app.ping() }.wire == .accepted)
            proxy.present(pki.attacker)
            #expect(await proxy.watch { try await app.ping() }.wire.isRejected)
        }
    }

    @Test func `a client without pins accepts the attacker its device trusts, and no stranger`() async throws {
        let pki = try PKI.standard(host: "localhost")

        try await withMitmProxy(presenting: pki.attacker) { proxy in
            let app = APIClient(proxy, trust: pki.trust, pins: [])
            #expect(await proxy.watch { try await app.ping() }.wire == .accepted)
            proxy.present(pki.stranger)
            #expect(await proxy.watch { try await app.ping() }.wire.isRejected)
            proxy.present(pki.selfSigned)
            #expect(await proxy.watch { try await app.ping() }.wire.isRejected)
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
            #expect(await proxy.watch { try await app.ping() }.wire == .accepted)
            proxy.present(try #require(shown[event]))
            let reaction = await proxy.watch { try await app.ping() }.wire

            #expect(reaction == .accepted || !survives)
            #expect(reaction.isRejected || survives)
        }
    }

    @Test func `watching nobody sees nobody`() async throws {
        let pki = try PKI.standard(host: "localhost")

        let watched = try await withMitmProxy(presenting: pki.today) { proxy in await proxy.watch {} }

        #expect(watched.wire == .inconclusive(.nobodyConnected))
        #expect(watched.observations.isEmpty)
    }

    @Test(.timeLimit(.minutes(10)))
    func `J9: watching does not wait for the end of a connection that has carried a request`() async throws {
        let pki = try PKI.standard(host: "localhost")
        let client = PoolingClient()

        try await withMitmProxy(presenting: pki.today) { proxy in
            let endpoint = Endpoint(proxy, trust: pki.trust, policy: .unpinned)
            let served = await proxy.watch(patience: .seconds(3600)) { try await client.attempt(endpoint) }
            proxy.present(pki.stranger)
            let attacked = await proxy.watch { try await client.attempt(endpoint) }

            #expect(served.wire == .accepted)
            #expect(served.observations.map(\.isClosed) == [false])
            #expect(attacked.wire.isRejected)
        }
        await client.finish()
    }

    @Test(.timeLimit(.minutes(10)))
    func `J9: a step does not wait for the end of a connection that has carried a request`() async throws {
        let steps = "- { present: today }\n- { present: forged }\n- { present: rotated }"

        let result = try await playSteps(steps, PoolingClient(), patience: .seconds(3600))

        // A client without pins, and so the last is a fail: its earlier connections are not what counts for it.
        #expect(result.steps.map(\.judgement.grounds) == [.obeyed, .obeyed, .acceptedWhatItsPolicyForbids])
    }

    @Test func `a scenario judges a client that is a Swift function`() async throws {
        let runner = try Runner(
            ScenarioFile(parsing: HarnessTests.story, file: "story.yaml"),
            options: HarnessTests.patient
        )
        let scenario = try #require(runner.file.scenario(named: "attack"))

        let good = try await runner.play(scenario, policy: "pinned", attempt: { try await APIClient($0).ping() }) {
            switch $0 {
            case .success: .succeeded
            case .failure(let error as APIClient.Refused): error.blamesPin ? .refusedPin : .refused
            case .failure: .failed
            }
        }
        let careless = try await runner.play(scenario, policy: "pinned") { endpoint in
            var endpoint = endpoint
            endpoint.configuration = UniformPolicy(.unpinned)
            try await APIClient(endpoint).ping()
        }

        #expect(good.steps.map(\.judgement.verdict) == [.pass, .pass])
        #expect(good.steps.map(\.consequence) == [.served, .protected])
        #expect(good.steps.map(\.attribution) == [nil, .pin])
        #expect(careless.steps.map(\.judgement.verdict) == [.pass, .fail])
        #expect(careless.steps.last?.judgement.grounds == .talkedToTheWrongServer)
        #expect(careless.steps.last?.consequence == .intercepted)
    }

    @Test(arguments: [
        (ClientAnswer.refusedPin, Judgement(.pass, .obeyed)),
        // Nothing but the pin forbids it, and it could have said that it was the pin.
        (.refused, Judgement(.inconclusive, .pinNotTried)),
        (.failed, Judgement(.inconclusive, .failedOtherwise)),
    ])
    func `J3: a function that can tell a refusal, and tells of another failure, has not refused`(
        answer: ClientAnswer,
        judgement: Judgement
    ) async throws {
        struct Trouble: Error {}
        let runner = try Runner(
            ScenarioFile(parsing: HarnessTests.story, file: "story.yaml"),
            options: HarnessTests.patient
        )
        let scenario = try #require(runner.file.scenario(named: "attack"))

        let result = try await runner.play(scenario, policy: "pinned") { endpoint in
            // Shakes hands with the attacker, and withholds its request.
            guard case .answered(let line) = await TLSExchange(obeying: endpoint).run(endpoint) else { throw Trouble() }
            return line
        } answer: {
            (try? $0.get()) == nil ? answer : .succeeded
        }

        #expect(result.steps.map(\.judgement) == [Judgement(.pass, .obeyed), judgement])
    }

    @Test func `J4: a function's connections that our time limit cuts are not its doing`() async throws {
        var options = RunnerOptions()
        options.timeout = .seconds(3)
        let runner = try Runner(ScenarioFile(parsing: HarnessTests.story, file: "story.yaml"), options: options)
        let scenario = try #require(runner.file.scenario(named: "attack"))

        let result = try await runner.play(scenario, policy: "pinned") { endpoint in
            // Shakes hands, and waits until it is asked to end.
            var (exchange, patient) = (TLSExchange(trust: nil) { _ in Decision(.accept, .trusted) }, endpoint)
            exchange.order = .judgeOnly
            patient.timeout = .seconds(60)
            _ = await exchange.run(patient)
        } answer: { _ in
            .refused
        }

        // Which of our doubts it is depends on how far a busy machine came.
        #expect(result.steps.map(\.judgement.verdict) == [.inconclusive, .inconclusive])
        #expect(result.steps.first?.attempts.first?.report.account == "ended by our timeout")
    }

    @Test func `keys are made once for many scenarios`() async throws {
        let runner = try Runner(
            ScenarioFile(parsing: HarnessTests.story, file: "story.yaml"),
            options: HarnessTests.patient
        )
        let scenario = try #require(runner.file.scenario(named: "attack"))
        let shown = Record<[ConnectionEvent]>()

        for _ in 0..<2 {
            let result = try await runner.play(scenario, policy: "pinned") { try await APIClient($0).ping() }
            shown.append(
                result.steps.flatMap(\.attempts).flatMap(\.observations).flatMap(\.events).filter(\.isPresented)
            )
        }

        // An epoch is the step's place, so whole events are compared: fingerprints, too.
        #expect(shown.all.first?.isEmpty == false)
        #expect(shown.all.first == shown.all.last)
    }

    @Test func `a scenario names the policy it does not have`() async throws {
        let runner = try Runner(
            ScenarioFile(parsing: HarnessTests.story, file: "story.yaml"),
            options: HarnessTests.patient
        )
        let scenario = try #require(runner.file.scenario(named: "attack"))

        let error = await #expect(throws: ScenarioFileError.self) {
            try await runner.play(scenario, policy: "pined") { _ in }
        }

        #expect(error?.description == "story.yaml:15:5: no policy 'pined'; did you mean 'pinned'?")
    }

    /// A limit that a slow machine does not reach.
    fileprivate static let patient = RunnerOptions(timeout: .seconds(60))

    fileprivate static let story = """
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
    struct Refused: Error { let blamesPin: Bool }

    let endpoint: Endpoint

    init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    init(_ proxy: MitmProxyHandle, trust: TrustStore, pins: [Pin]) {
        let policy = pins.isEmpty ? .unpinned : PinPolicy(requirements: [PinRequirement(pins: pins)])
        endpoint = Endpoint(proxy, trust: trust, policy: policy)
    }

    func ping() async throws {
        let report = try await ReferenceClient().attempt(endpoint)
        if report.word != .succeeded { throw Refused(blamesPin: report.blamesPin == true) }
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

/// As apps are written: everything belongs to the main actor.
@MainActor
@Suite struct MainActorTests {
    @MainActor private final class Screen {
        var pings = 0
        func ping(_ endpoint: Endpoint) async throws {
            pings += 1
            try await APIClient(endpoint).ping()
        }
    }

    @Test func `a client of the main actor is watched from there`() async throws {
        let pki = try PKI.standard(host: "localhost")
        // Neither sent nor shared.
        var pings = 0

        let watched = try await withMitmProxy(presenting: pki.today) { proxy in
            let endpoint = Endpoint(proxy, trust: pki.trust, policy: .unpinned)
            return await proxy.watch {
                try await APIClient(endpoint).ping()
                pings += 1
                return pings
            }
        }

        #expect(watched.wire == .accepted)
        #expect(try watched.result.get() == 1)
    }

    @Test func `what an attempt throws is told beside what the wire saw`() async throws {
        let pki = try PKI.standard(host: "localhost")

        let watched = try await withMitmProxy(presenting: pki.stranger) { proxy in
            await proxy.watch { try await APIClient(proxy, trust: pki.trust, pins: []).ping() }
        }

        #expect(watched.wire.isRejected)
        #expect(throws: APIClient.Refused.self) { try watched.result.get() }
    }

    @Test func `a scenario is played to a client of the main actor`() async throws {
        let runner = try Runner(
            ScenarioFile(parsing: HarnessTests.story, file: "story.yaml"),
            options: HarnessTests.patient
        )
        let scenario = try #require(runner.file.scenario(named: "attack"))
        let screen = Screen()

        let result = try await runner.play(scenario, policy: "pinned") { try await screen.ping($0) }

        #expect(result.steps.map(\.judgement.verdict) == [.pass, .pass])
        #expect(screen.pings == 2)
    }
}

extension ConnectionEvent {
    fileprivate var isPresented: Bool { if case .presented = self { true } else { false } }
}
