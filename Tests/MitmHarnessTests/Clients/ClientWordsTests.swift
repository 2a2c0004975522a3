import TestSupport
import Testing

@testable import MitmHarness
@testable import Scenarios

@Suite struct `The words of a program` {
    @Test(arguments: [
        ("echo bad pin; exit 0", ClientReport.Word.refused), ("echo fine; exit 0", .succeeded),
        ("echo bad pin; exit 1", .refused), ("echo fine; exit 1", .failed),
    ])
    func `H21: count at exit status 0 where a rule asks for nothing else`(
        script: String,
        word: ClientReport.Word
    ) async throws {
        var command = scripted(script)
        command.refused = OutcomeRule(text: ["bad"])
        command.refusedPin = OutcomeRule(text: ["bad pin"])

        let report = try await report(command)

        #expect(report.word == word)
        #expect(report.blamesPin == (word == .succeeded ? nil : word == .refused))
    }

    @Test(arguments: [
        // Who says both has come through.
        ("echo bad, then ok; exit 0", ClientReport.Word.succeeded), ("echo ok; exit 0", .succeeded),
        ("echo bad; exit 0", .refused), ("exit 0", .failed), ("echo ok; exit 1", .failed),
        ("echo ok, bad; exit 1", .refused),
    ])
    func `H21: may be those of success`(script: String, word: ClientReport.Word) async throws {
        var command = scripted(script)
        command.succeeded = OutcomeRule(text: ["ok"])
        command.refused = OutcomeRule(text: ["bad"])

        #expect(try await report(command).word == word)
    }

    @Test func `H21: say nothing at exit status 0 where a rule asks for a status`() async throws {
        var command = scripted("echo bad; exit 0")
        command.refused = OutcomeRule(exit: [1], text: ["bad"])

        #expect(try await report(command).word == .succeeded)
    }

    @Test(
        arguments: [
            (
                OutcomeRule(exit: [60]),
                "exit 1 is not in 'refused': if this is how it rejects, write refused: { exit: [60, 1] }"
            ),
            (
                OutcomeRule(exit: [1], text: ["pin"]),
                "exit 1 is in 'refused', but none of its texts was printed: if this is how it rejects, add its words to 'text'"
            ),
            (
                OutcomeRule(text: ["pin"]),
                "exit 1, and none of the texts of 'refused' was printed: if this is how it rejects, add its words"
            ),
            (nil, "exit 1 is not in 'refused': if this is how it rejects, write refused: { exit: [1] }"),
        ] as [(OutcomeRule?, String)]
    )
    func `H27: that no rule knows are told with the line to write`(rule: OutcomeRule?, advice: String) async throws {
        var command = scripted("echo one; echo TLS trouble; exit 1")
        command.refused = rule

        let report = try await report(command)

        #expect(report.word == .failed)
        #expect(report.account == "exit 1: TLS trouble")
        #expect(report.advice == advice)
    }

    @Test func `H21: are told where it cannot tell`() async throws {
        var silent = scripted("exit 0")
        silent.isSilent = true

        #expect(try await report(silent).account == "exit 0, and it is 'silent'")
        #expect(
            try await report(scripted("exit 0")).advice?.hasSuffix("one that cannot tell needs silent: true") == true
        )
    }

    private func report(_ command: CommandDeclaration) async throws -> ClientReport {
        let result = try await playSteps(
            "- { present: today }",
            CommandClient(command, inherited: ["PATH": searchPath])
        )
        return try #require(result.steps.first?.attempts.first).report
    }
}
