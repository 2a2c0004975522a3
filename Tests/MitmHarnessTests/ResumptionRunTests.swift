import MitmHarness
import TestSupport
import Testing

@testable import Scenarios

/// Session resumption in a whole trial: real proxy, real handshakes.
@Suite struct `H11: In a trial with session tickets` {
    /// Obeys, and resumes.
    private struct Resuming: ClientUnderTest {
        var keepsRefused = false
        var judgesResumed = true
        let sessions = ClientSessions()

        func attempt(
            _ endpoint: Endpoint,
            beforeEnding: @escaping BeforeEnding
        ) async throws(CancellationError) -> ClientReport {
            var exchange = TLSExchange(obeying: endpoint)
            exchange.sessions = sessions
            exchange.keepsRefusedSessions = keepsRefused
            exchange.judgesResumed = judgesResumed
            return ClientReport(await exchange.run(endpoint, beforeEnding: beforeEnding), duration: .zero)
        }
    }

    private static var careless: Resuming { Resuming(keepsRefused: true, judgesResumed: false) }

    private static func attack(_ version: String, _ more: String) -> String {
        """
        - { present: today, store: attacked, tls: \(version) }
        - { present: forged, store: attacked, tls: \(version), attempts: 2\(more) }
        """
    }

    @Test(arguments: ["1.2", "1.3"], ["true", "session-id", "early-data"])
    func `the ticket of a refused handshake, used unchecked, is a breach`(version: String, way: String) async throws {
        let steps = Self.attack(version, ", resumption: \(way)")
        let bad = try await playSteps(steps, Self.careless)
        let judging = try await playSteps(steps, Resuming(keepsRefused: true))
        let choosing = try await playSteps(steps, Resuming(judgesResumed: false))

        #expect(bad.steps.map(\.judgement) == [Judgement(.pass, .obeyed), Judgement(.fail, .talkedToTheWrongServer)])
        #expect(bad.steps[1].consequence == .intercepted)
        #expect(bad.steps[1].attempts.flatMap(\.observations).map(\.shown) == ["forged", "forged"])
        #expect(bad.steps[1].attempts.flatMap(\.observations).map { $0.resumed != nil } == [false, true])
        #expect(judging.verdict == .pass && choosing.verdict == .pass)
        #expect(judging.steps[1].attempts.flatMap(\.observations).map { $0.resumed != nil } == [false, true])
        #expect(choosing.steps[1].attempts.flatMap(\.observations).allSatisfy { $0.resumed == nil })
    }

    @Test(arguments: ["1.2", "1.3"])
    func `a step that does not ask for them gives none`(version: String) async throws {
        let result = try await playSteps(Self.attack(version, ""), Self.careless)

        #expect(result.verdict == .pass)
        #expect(result.steps.flatMap(\.attempts).flatMap(\.observations).allSatisfy { $0.resumed == nil })
    }

    @Test(arguments: ["1.2", "1.3"], ["true", "session-id", "early-data"])
    func `the owner's ticket is worth nothing to an attacker`(version: String, way: String) async throws {
        let steps = """
            - { present: today, store: attacked, tls: \(version), resumption: \(way), attempts: 2 }
            - { present: forged, store: attacked, tls: \(version), resumption: \(way) }
            """
        let result = try await playSteps(steps, Self.careless)

        let resumed = result.steps.flatMap(\.attempts).flatMap(\.observations).map { $0.resumed != nil }
        #expect(resumed == [false, true, false])
        #expect(result.verdict == .pass)
        #expect(result.steps[1].consequence == .protected)
    }

    @Test(arguments: [("leaf-1", Verdict.inconclusive), ("leaf-1, leaf-2", .pass)])
    func `a session that outlives a rotation says so`(pins: String, verdict: Verdict) async throws {
        let text = Catalogue.storyText(
            """
            - { present: today, resumption: true }
            - { present: rotated, resumption: true }
            """
        )
        let catalogue = try Catalogue(
            text.changing("pins: [leaf-1]", to: "pins: [\(pins)]"),
            file: "story.yaml"
        )
        let trials = catalogue.file.trials
        let result = try #require(await catalogue.runner { _ in Resuming() }.run(trials).first)
        let fresh = try #require(await catalogue.runner { _ in ReferenceClient() }.run(trials).first)

        #expect(result.steps.map(\.judgement) == [Judgement(.pass, .obeyed), Judgement(verdict, .resumed("today"))])
        #expect(result.steps[1].consequence == .served)
        #expect(fresh.steps.map(\.judgement) == [Judgement(.pass, .obeyed), Judgement(.pass, .obeyed)])
        #expect(fresh.steps[1].consequence == (verdict == .pass ? .served : .lockedOut))
    }

    @Test(.enabled(if: Tool("curl") != nil, "curl is not installed"))
    func `a real curl comes back with its session, and still compares its pins`() async throws {
        let curl = CommandDeclaration(
            run: "curl --silent --show-error --max-time 60 --cacert {trust} --pinnedpubkey {pins} "
                + "--connect-to ::{endpoint} --header connection:close --retry 1 --retry-all-errors --retry-delay 1 "
                + "{url} {url}",
            refused: OutcomeRule(exit: [60, 90]),
            refusedPin: OutcomeRule(exit: [90])
        )
        let steps = """
            - { present: today, store: attacked, resumption: true }
            - { present: forged, store: attacked, resumption: true }
            """
        let result = try await playSteps(steps, CommandClient(curl))

        #expect(result.verdict == .pass)
        #expect(result.steps[0].attempts.flatMap(\.observations).map { $0.resumed != nil } == [false, true])
        #expect(result.steps[1].attempts.flatMap(\.observations).allSatisfy { $0.shown == "forged" })
    }
}
