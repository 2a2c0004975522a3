import MitmHarness
import TestSupport
import Testing

@testable import Scenarios

/// What a client asks of others, such as its analytics, beside its own host.
@Suite(.enabled(if: Tool("curl") != nil, "curl is not installed")) struct `H15: A client that asks a stranger as well` {
    private static let curl = "curl --silent --fail --max-time 60 --cacert {trust} --connect-to ::{endpoint}"
    private static let own = "\(curl) --pinnedpubkey {pins} {url}"
    private static let metrics = "\(curl) https://metrics.other:{port}/"

    private static func play(_ steps: String, _ script: String) async throws -> TrialResult {
        let client = try CommandClient(
            CommandDeclaration(
                run: "sh -c '\(script)'",
                refused: OutcomeRule(exit: [60, 90]),
                refusedPin: OutcomeRule(exit: [90])
            )
        )
        return try await playSteps(steps, client)
    }

    /// The attacker may show the stranger's clients a good certificate, for his root is trusted.
    @Test func `is believed where it does so in any case, and doubted where it does so once it was refused`()
        async throws
    {
        let steps = "- { present: today }\n- { present: forged, store: attacked }"

        let usual = try await Self.play(steps, "\(Self.own); told=$?; \(Self.metrics); exit $told")
        let special = try await Self.play(steps, "\(Self.own) || { told=$?; \(Self.metrics); exit $told; }")

        #expect(usual.steps.map(\.judgement.verdict) == [.pass, .pass, .pass])
        #expect(usual.steps.last?.consequence == .protected)
        #expect(special.steps.last?.judgement == Judgement(.inconclusive, .askedAnotherName("metrics.other")))
    }

    @Test func `is shown a step's chains in turn by its own host's connections`() async throws {
        let result = try await Self.play(
            "- { present: [today, forged], store: attacked }",
            "\(Self.metrics); \(Self.own) && \(Self.own)"
        )

        #expect(result.steps.last?.judgement == Judgement(.pass, .obeyed))
        #expect(result.steps.last?.consequence == .protected)
    }
}
