import Foundation
import Pinning
import Synchronization
import TLSCore
import TestSupport
import Testing
import Witness

@testable import MitmHarness
@testable import Scenarios

/// An app on a device, and somebody who makes its attempts and says how it took them.
@Suite struct `An attended client` {
    /// Has a device make each attempt, and says what the device said, or what a script has in its place.
    private final class Tester: Attendant {
        /// What the device does in an attempt.
        private let device: @Sendable (Endpoint, Int) async throws(CancellationError) -> ClientReport?
        private let script: [AttendedWord?]
        let attempts = Mutex<[AttendedAttempt]>([])

        init(
            _ script: [AttendedWord?] = [],
            device: @escaping @Sendable (Endpoint, Int) async throws(CancellationError) -> ClientReport? = obeying
        ) {
            self.script = script
            self.device = device
        }

        func attend(_ attempt: AttendedAttempt) async throws(CancellationError) -> (AttendedWord, note: String) {
            let index = attempts.withLock { attempts in
                attempts.append(attempt)
                return attempts.count - 1
            }
            let report = try await device(attempt.endpoint, index)
            let word: AttendedWord = report?.word == .succeeded ? .worked : .refused
            return ((index < script.count ? script[index] : nil) ?? word, note: "seen \(index)")
        }
    }

    @Sendable private static func obeying(_ endpoint: Endpoint, _: Int) async throws(CancellationError) -> ClientReport?
    {
        try await ReferenceClient().attempt(endpoint)
    }

    /// Pins nothing, and has a root of the attacker's.
    @Sendable private static func careless(_ endpoint: Endpoint, _: Int) async throws(CancellationError)
        -> ClientReport?
    {
        let exchange = TLSExchange(trust: endpoint.store, checksHost: true, checksDates: true) { _ in
            Decision(.accept, .trusted)
        }
        return ClientReport(await exchange.run(endpoint, beforeEnding: { _ in }), duration: .zero)
    }

    /// Obeys with another TLS stack, by what it offers.
    @Sendable private static func older(_ endpoint: Endpoint) async -> ClientReport? {
        var exchange = TLSExchange(obeying: endpoint)
        exchange.settings.versions = .tls1_2 ... .tls1_2
        return ClientReport(await exchange.run(endpoint, beforeEnding: { _ in }), duration: .zero)
    }

    /// Talks to somebody else.
    @Sendable private static func talking(_ endpoint: Endpoint) async throws(CancellationError) -> ClientReport? {
        var other = endpoint
        other.host = "other.example"
        return try await ReferenceClient().attempt(other)
    }

    private static func play(_ steps: String, _ tester: Tester) async throws -> TrialResult {
        let text = Catalogue.storyText(steps).changing("kind: reference", to: "kind: attended, ask: Log in.")
        let catalogue = try Catalogue(text, file: "story.yaml")
        let runner = catalogue.runner(.quick) { try Runner.client($0, attendant: tester) }
        return try #require(await runner.run(catalogue.file.trials).first)
    }

    private static let attack = "- { present: today, store: attacked }\n- { present: forged, store: attacked }"

    /// They held on to each other, and a server that drills for a day filled up.
    @Test func `that is over is remembered without the proxy that it was played on`() async throws {
        let text = Catalogue.storyText(Self.attack).changing("kind: reference", to: "kind: attended, ask: Log in.")
        let catalogue = try Catalogue(text, file: "story.yaml")
        let trial = try #require(catalogue.file.trials.first)
        let session = DrillSession(trial, app: ReferenceClient())
        let runner = catalogue.runner(.quick) { try Runner.client($0, attendant: session) }

        await session.take(runner.run([trial]).first)

        #expect(session.state.phase == .finished)
        #expect(session.state.scene?.observations() == [])
        #expect(!session.state.connections.isEmpty)
    }

    @Test func `passes where it rejects an attacker, and fails where it does not`() async throws {
        let tester = Tester()
        let good = try await Self.play(Self.attack, tester)
        let bad = try await Self.play(Self.attack, Tester(device: Self.careless))

        #expect(good.steps.map(\.judgement) == [Judgement(.pass, .obeyed), Judgement(.pass, .obeyed)])
        #expect(good.steps.map(\.consequence) == [.served, .protected])
        #expect(good.steps.last?.attribution == .unproven)
        #expect(bad.steps.map(\.judgement.verdict) == [.pass, .fail])
        #expect(bad.steps.last?.consequence == .intercepted)
        let told = tester.attempts.withLock(\.self)
        #expect(told.map(\.ask) == ["Log in.", "Log in."])
        #expect(told.map(\.number) == [1, 2] && told.map(\.count) == [2, 2])
        #expect(good.steps.flatMap(\.attempts).map(\.report.output) == ["seen 0", "seen 1"])
        // Between the two presentations lies another, of nothing.
        let epochs = good.steps.flatMap(\.attempts).flatMap(\.observations).flatMap(\.events).compactMap { event in
            if case .presented(_, _, let epoch) = event { epoch } else { nil }
        }
        #expect(try epochs.last == #require(epochs.first) + 2)
    }

    @Test func `protects by its pin only where that is said`() async throws {
        let result = try await Self.play(Self.attack, Tester([nil, .refusedPin]))

        #expect(result.steps.last?.attribution == .pin)
    }

    @Test func `proves nothing where only another TLS stack rejected`() async throws {
        let other = Tester { endpoint, index async throws(CancellationError) in
            index == 0 ? try await Self.obeying(endpoint, index) : await Self.older(endpoint)
        }
        let both = Tester { endpoint, index async throws(CancellationError) in
            if index > 0 { _ = await Self.older(endpoint) }
            return try await Self.obeying(endpoint, index)
        }

        let doubtful = try await Self.play(Self.attack, other)
        #expect(doubtful.steps.last?.judgement == Judgement(.inconclusive, .anotherStack))
        let sure = try await Self.play(Self.attack, both)
        #expect(sure.steps.last?.judgement == Judgement(.pass, .obeyed))
    }

    @Test func `tries again, and what was seen stays`() async throws {
        // First it gives its request away, then it obeys.
        let leaky = Tester([nil, .again, nil]) { endpoint, index async throws(CancellationError) in
            index == 1 ? try await Self.careless(endpoint, index) : try await Self.obeying(endpoint, index)
        }
        // First nobody connects at all.
        let absent = Tester([nil, .again, nil]) { endpoint, index async throws(CancellationError) in
            index == 1 ? nil : try await Self.obeying(endpoint, index)
        }

        let bad = try await Self.play(Self.attack, leaky)
        #expect(bad.steps.last?.judgement.verdict == .fail)
        #expect(bad.steps.last?.attempts.count == 2)
        let good = try await Self.play(Self.attack, absent)
        #expect(good.steps.last?.judgement == Judgement(.pass, .obeyed))
        #expect(good.steps.last?.attempts.count == 1)
    }

    @Test func `asks again where its device came for other hosts only`() async throws {
        let tester = Tester([nil, .again, .refusedPin]) { endpoint, index async throws(CancellationError) in
            index == 1 ? try await Self.talking(endpoint) : try await Self.obeying(endpoint, index)
        }
        // Where nobody wants another attempt, this one is what there is.
        let silent = Tester([nil, .refused]) { endpoint, index async throws(CancellationError) in
            index == 1 ? try await Self.talking(endpoint) : try await Self.obeying(endpoint, index)
        }

        let good = try await Self.play(Self.attack, tester)
        #expect(good.steps.map(\.judgement) == [Judgement(.pass, .obeyed), Judgement(.pass, .obeyed)])
        #expect(good.steps.last?.attempts.count == 1)
        let doubtful = try await Self.play(Self.attack, silent)
        #expect(doubtful.steps.last?.judgement == Judgement(.inconclusive, .wireProvesNothing(.onlyElsewhere)))
    }

    @Test func `may show an older answer, which proves nothing beside what the wire saw`() async throws {
        let remembering = Tester([nil, .worked])
        let locked = Tester([nil, .worked], device: Self.obeying)

        let forged = try await Self.play(Self.attack, remembering)
        #expect(forged.steps.last?.judgement == Judgement(.inconclusive, .witnessesDisagree))
        #expect(forged.steps.last?.advice?.contains("older answer") == true)
        let own = try await Self.play("- { present: today }\n- { present: rotated, at: 1d }", locked)
        #expect(own.steps.last?.judgement.verdict == .inconclusive, "\(own.steps.last?.judgement as Any)")
        // What the attacker has read was no older answer.
        let bad = try await Self.play(Self.attack, Tester([nil, .worked], device: Self.careless))
        #expect(bad.steps.last?.judgement == Judgement(.fail, .talkedToTheWrongServer))
    }

    @Test func `leaves a step out, which proves nothing`() async throws {
        let idle = Tester([nil, .skip]) { endpoint, index async throws(CancellationError) in
            index == 0 ? try await Self.obeying(endpoint, index) : nil
        }
        let leaky = Tester([nil, .skip], device: Self.careless)

        let left = try await Self.play(Self.attack, idle)
        #expect(left.steps.last?.judgement == Judgement(.inconclusive, .leftOut))
        // What left the device has left it.
        let bad = try await Self.play(Self.attack, leaky)
        #expect(bad.steps.last?.judgement.verdict == .fail)
    }

    @Test func `goes back a step, and what was seen stays`() async throws {
        let tester = Tester([nil, .back, nil, nil]) { endpoint, index async throws(CancellationError) in
            index == 1 ? nil : try await Self.obeying(endpoint, index)
        }
        let result = try await Self.play(Self.attack, tester)

        #expect(tester.attempts.withLock { $0.map(\.number) } == [1, 2, 1, 2])
        #expect(result.steps.map(\.attempts.count) == [2, 1])
        #expect(result.steps.map(\.judgement.verdict) == [.pass, .pass])
        // Nobody came the first time: going back makes up for it.
        let late = Tester([.failed, .back, nil, nil]) { endpoint, index async throws(CancellationError) in
            index < 2 ? nil : try await Self.obeying(endpoint, index)
        }
        let good = try await Self.play(Self.attack, late)
        #expect(good.steps.map(\.attempts.count) == [1, 1])
        #expect(good.steps.map(\.judgement.verdict) == [.pass, .pass])
    }

    @Test func `is shown nothing between attempts`() async throws {
        let catalogue = try Catalogue.story(Self.attack)
        let step = try #require(catalogue.file.scenarios.first?.steps.last)
        let pki = catalogue.oracle.pki
        try await Stage.with(pki, limits: .quick) { stage in
            func connect() async throws -> Observation? {
                let endpoint = Endpoint(
                    host: step.host,
                    port: stage.proxy.port,
                    store: try pki.store(named: step.store, at: step.at),
                    configuration: try catalogue.oracle.configuration(
                        of: catalogue.file.policies[0],
                        in: step,
                        instant: Date()
                    ),
                    step: "1",
                    folder: stage.folder,
                    timeout: .seconds(10),
                    instant: Date()
                )
                _ = try await ReferenceClient().attempt(endpoint)
                return try await stage.proxy.settle().first
            }

            try await stage.present(step)
            #expect(try await connect()?.shown == "forged")
            try await stage.rest(from: step)
            let seen = try #require(try await connect())
            #expect(seen.shown == nil)
            #expect(seen.reaction == .inconclusive(.nothingPresented))
        }
    }

    @Test func `is skipped by name where nobody attends it`() async throws {
        let text = Catalogue.storyText(Self.attack).changing("kind: reference", to: "kind: attended")
        let catalogue = try Catalogue(text, file: "story.yaml")
        let result = try #require(
            await catalogue.runner(.quick) { try Runner.client($0) }.run(catalogue.file.trials).first
        )

        #expect(result.verdict == .skipped)
        #expect(result.steps.first?.judgement.grounds.description == "nobody attends it; play it with 'pindrill drill'")
    }
}
