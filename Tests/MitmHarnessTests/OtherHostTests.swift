import MitmHarness
import TestSupport
import Testing
import Witness

@testable import Scenarios

/// Redirects to a host that has a chain of its own.
@Suite(.enabled(if: Tool("curl") != nil, "curl is not installed")) struct `H13: A redirect to another host` {
    private static func play(_ options: String, also chain: String, policy: String = "") async throws -> StepResult {
        let command = CommandDeclaration(
            run: "curl --silent --fail --max-time 60 --cacert {trust} --connect-to ::{endpoint} \(options) {url}",
            refused: OutcomeRule(exit: [60, 90]),
            refusedPin: OutcomeRule(exit: [90])
        )
        let step = """
            - present: today
              store: attacked
              also: { other.example: \(chain) }
              origin: { "GET /*": { redirect: "https://other.example:{port}/landing" } }
            """
        return try await #require(playSteps(step, CommandClient(command)).steps.first)
    }

    @Test func `is judged by that host's chain`() async throws {
        let pinned = try await Self.play("--location --pinnedpubkey {pins}", also: "forged")
        let naive = try await Self.play("--location", also: "forged")

        #expect(pinned.judgement == Judgement(.pass, .obeyed))
        #expect(pinned.consequence == .protected)
        #expect(pinned.attribution == .pin)
        #expect(naive.judgement == Judgement(.fail, .talkedToTheWrongServer))
        #expect(naive.consequence == .intercepted)
    }

    @Test func `to a good chain must be followed, and one that is not followed proves nothing`() async throws {
        let followed = try await Self.play("--location --pinnedpubkey {pins}", also: "today")
        let left = try await Self.play("--pinnedpubkey {pins}", also: "today")

        #expect(followed.judgement == Judgement(.pass, .obeyed))
        #expect(followed.consequence == .served)
        #expect(left.judgement == Judgement(.inconclusive, .neverCame("other.example")))
    }
}
