import TestSupport
import Testing
import Witness

@testable import Scenarios

/// A client that was served, met an attacker, and never connects again.
@Suite struct `Who stays away` {
    @Test(arguments: [ClientReport.Word.refused, .failed])
    func `after a refusal, and ends as it did there, locks its users out`(word: ClientReport.Word) {
        let trial = Results.trial(Self.served, Self.refused(word, exit: 7), Self.away(word, exit: 7))

        #expect(trial.steps.map(\.judgement) == [Self.pass, Self.pass, Judgement(.fail, .stayedAway)])
        #expect(trial.steps.last?.consequence == .lockedOut)
    }

    @Test func `may do so without a program that ends`() {
        let trial = Results.trial(Self.served, Self.refused(.refused, exit: nil), Self.away(.refused, exit: nil))

        #expect(trial.verdict == .fail)
    }

    @Test func `and comes back, does nothing wrong`() {
        let trial = Results.trial(Self.served, Self.refused(.refused, exit: 7), Self.served)

        #expect(trial.verdict == .pass)
    }

    static let unproven: [[StepResult]] = [
        // Another end: perhaps it crashed.
        [served, refused(.refused, exit: 7), away(.refused, exit: 8)],
        [served, refused(.refused, exit: 7), away(.failed, exit: 7)],
        [served, refused(.failed, exit: nil), away(.failed, exit: nil)],
        // It was never served, or turned nobody away before.
        [refused(.refused, exit: 7), away(.refused, exit: 7)],
        [served, away(.refused, exit: 7)],
        [served, away(.refused, exit: 7), refused(.refused, exit: 7)],
        // It went somewhere.
        [
            served, refused(.refused, exit: 7),
            step(.accepted("today"), [Connection.accepting("today", to: "mirror.acme.example")], .refused, exit: 7),
        ],
        // It stays away from an attacker.
        [served, refused(.refused, exit: 7), step(.rejected("forged", by: .attacker), [], .refused, exit: 7)],
    ]

    @Test(arguments: unproven)
    func `for another reason proves nothing`(steps: [StepResult]) {
        let trial = Results.trial(steps: steps, scenario: "attack", policy: "pinned", client: "curl")

        #expect(trial.verdict == .inconclusive)
        #expect(!trial.steps.contains { $0.judgement.grounds == .stayedAway })
    }

    private static let pass = Judgement(.pass, .obeyed)
    private static let served = step(.accepted("today"), [Connection.accepting()], .succeeded, exit: 0)

    private static func refused(_ word: ClientReport.Word, exit: Int32?) -> StepResult {
        step(.rejected("forged", by: .attacker), [Connection.alerting("forged")], word, exit: exit)
    }

    private static func away(_ word: ClientReport.Word, exit: Int32?) -> StepResult {
        step(.accepted("today"), [], word, exit: exit)
    }

    private static func step(
        _ shown: ShownChain,
        _ connections: [Observation],
        _ word: ClientReport.Word,
        exit: Int32?
    ) -> StepResult {
        var report = ClientReport(word)
        report.ending = exit.map { .exited($0) }
        return Results.step(shown, connections, report)
    }
}
