import MitmHarness
import TestSupport
import Testing

@testable import Scenarios

@Suite(.enabled(if: Tool("curl") != nil, "curl is not installed")) struct `A client that lives through a trial` {
    /// Remembers a rejection while it lives, or writes it down.
    private static func play(remembering memory: String, restart: Bool) async throws -> TrialResult {
        let script =
            "bad=; while read url; do if test -n \"$bad\" || test -e bad; then echo refused; elif curl --silent --max-time 60 "
            + "--cacert {trust} --pinnedpubkey {pins} --connect-to ::{endpoint} \"$url\" >/dev/null; then echo succeeded; "
            + "else \(memory); echo refused; fi; done"
        let steps = """
            - { present: today, store: attacked }
            - { present: forged, store: attacked }
            - { present: today, store: attacked, restart: \(restart) }
            """
        return try await playSteps(steps, CommandClient(CommandDeclaration(run: "sh -c '\(script)'", lifetime: .trial)))
    }

    @Test(
        arguments: [("bad=1", false, Verdict.fail), ("bad=1", true, .pass), ("touch bad", true, .fail)]
    )
    func `is started anew where a step says so`(memory: String, restart: Bool, verdict: Verdict) async throws {
        let result = try await Self.play(remembering: memory, restart: restart)

        #expect(result.steps.prefix(2).map(\.judgement.verdict) == [.pass, .pass])
        #expect(result.steps.last?.judgement.verdict == verdict)
    }
}
