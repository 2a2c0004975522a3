import MitmHarness
import TestSupport
import Testing
import Witness

@testable import Scenarios

/// Origins and budgets of scenario files, met by real curl.
@Suite(.enabled(if: Tool("curl") != nil, "curl is not installed")) struct `H13: A real curl` {
    private static func command(_ options: String = "") -> CommandDeclaration {
        CommandDeclaration(
            run: "curl --silent --show-error --fail --max-time 60 --cacert {trust} --pinnedpubkey {pins} "
                + "--connect-to ::{endpoint} \(options) {url}",
            refused: OutcomeRule(exit: [60, 90]),
            refusedPin: OutcomeRule(exit: [90])
        )
    }

    private static func step(_ answer: String, _ more: String = "") -> String {
        "- { present: today, origin: { 'GET /*': \(answer) }\(more) }"
    }

    @Test func `that follows a redirect to http speaks in the clear, and one that does not follow passes`() async throws
    {
        let step = Self.step("{ redirect: 'http://{host}:{port}/landing' }")

        let naive = try await playSteps(step, CommandClient(Self.command("--location")))
        let careful = try await playSteps(step, CommandClient(Self.command("--location --proto-redir =https")))

        #expect(naive.steps.map(\.judgement) == [Judgement(.fail, .spokeInTheClear)])
        #expect(careful.steps.map(\.judgement) == [Judgement(.pass, .obeyed)])
        #expect(careful.steps.first?.decisive?.report.word == .failed)
    }

    @Test func `that comes again after 503 passes, and so does one that gives up`() async throws {
        let step = Self.step("{ status: 503, times: 1 }")

        let patient = try await playSteps(step, CommandClient(Self.command("--retry 2 --retry-delay 1")))
        let other = try await playSteps(step, CommandClient(Self.command()))

        #expect(patient.verdict == .pass && other.verdict == .pass)
        #expect(
            patient.steps.flatMap(\.attempts).flatMap(\.observations).flatMap(\.requests).map(\.status) == [503, 200]
        )
        #expect(other.steps.first?.decisive?.report.word == .failed)
    }

    @Test func `that calls a broken answer a rejection has rejected nobody, unless it blames its pins`() async throws {
        let step = Self.step("{ failure: no-answer }")
        var broad = Self.command()
        broad.refused = OutcomeRule(exit: [52, 60, 90])
        var blaming = broad
        blaming.refusedPin = OutcomeRule(exit: [52, 90])

        let passing = try await playSteps(step, CommandClient(broad))
        let failing = try await playSteps(step, CommandClient(blaming))
        let unprovoked = try await playSteps(
            "- { present: today }",
            CommandClient(
                CommandDeclaration(run: "sh -c '\(Self.command().run) && exit 60'", refused: OutcomeRule(exit: [60]))
            )
        )

        #expect(passing.steps.map(\.judgement) == [Judgement(.pass, .obeyed)])
        #expect(passing.steps.map(\.consequence) == [.unknown])
        #expect(failing.steps.map(\.judgement) == [Judgement(.fail, .refusedTooLate)])
        #expect(unprovoked.steps.map(\.judgement) == [Judgement(.fail, .refusedTooLate)])
    }

    @Test func `that comes again and again is a storm beyond its budget, and none within`() async throws {
        var storm = Self.command()
        storm.run =
            "sh -c 'for i in 1 2 3 4; do curl -s --cacert $PINDRILL_TRUST --connect-to ::$PINDRILL_ENDPOINT "
            + "$PINDRILL_URL && exit 0; done; exit 1'"

        let beyond = try await playSteps(
            Self.step("{ failure: no-answer }", ", budget: { connections: 3 }"),
            CommandClient(storm)
        )
        let within = try await playSteps(
            Self.step("{ failure: no-answer }", ", budget: { connections: 4, requests: 4 }"),
            CommandClient(storm)
        )
        let asking = try await playSteps(
            Self.step("{ failure: no-answer }", ", budget: { requests: 3 }"),
            CommandClient(storm)
        )

        #expect(beyond.verdict == .fail)
        #expect("\(beyond.steps[0].judgement.grounds)".hasPrefix("retry storm: 4 connections in "))
        #expect("\(beyond.steps[0].judgement.grounds)".hasSuffix(", and the budget is 3"))
        #expect(within.verdict == .pass)
        #expect("\(asking.steps[0].judgement.grounds)".hasPrefix("retry storm: 4 requests in "))
    }
}
