import Pinning
import TLSCore
import TestSupport
import Testing
import Witness

@testable import Scenarios

@Suite struct `A control` {
    @Test(arguments: Story.table)
    func `decides what a refusal is worth`(_ story: Story) {
        let trial = Trial(
            scenario: Scenario(name: "story", store: "phone", steps: story.steps.map(\.planned.step)),
            policy: PolicyDeclaration(name: "pinned"),
            client: ClientDeclaration(name: "tool", kind: .command(CommandDeclaration(run: "tool")))
        )

        let result = TrialResult(trial, steps: story.steps, duration: .zero)

        #expect(result.steps.map(\.judgement) == story.judgements)
        #expect(result.verdict == story.verdict)
    }

    @Test func `is no matter where a trial could not be planned`() {
        let trial = Trial(
            scenario: Scenario(name: "story", store: "phone", steps: [.presenting("today"), .presenting("forged")]),
            policy: PolicyDeclaration(name: "pinned"),
            client: ClientDeclaration(name: "reference", kind: .reference)
        )

        let result = TrialResult(trial, brokenDown: Trouble(description: "no port is free"))

        let broken = Judgement(.inconclusive, .couldNotRun("no port is free"))
        #expect(result.steps.map(\.judgement) == [broken, broken])
        #expect(result.verdict == .inconclusive)
        #expect(result.isModel)
    }
}

/// The steps of a trial as they went, and the verdicts after the control rule.
struct Story: CustomTestStringConvertible {
    var testDescription: String
    var steps: [StepResult]
    var judgements: [Judgement]
    var verdict: Verdict

    init(_ name: String, _ steps: [StepResult], _ judgements: [Judgement], _ verdict: Verdict) {
        testDescription = name
        self.steps = steps
        self.judgements = judgements
        self.verdict = verdict
    }

    private static let pass = Judgement(.pass, .obeyed)
    private static let noControl = Judgement(.inconclusive, .noControl)
    private static let strict = Judgement(.fail, .refusedWhatItsPolicyAccepts)
    private static let after = Judgement(.inconclusive, .failedAfterAccepting)
    private static let wrong = Judgement(.fail, .talkedToTheWrongServer)

    private static func step(
        _ shown: ShownChain,
        _ connection: Observation,
        _ word: ClientReport.Word,
        store: String = "phone",
        isControl: Bool = false
    ) -> StepResult {
        let planned = PlannedStep(
            step: .presenting(shown.chain, store: store),
            isControl: isControl,
            shownChains: [shown]
        )
        return StepResult(planned, attempts: [attempt([connection], ClientReport(word), [shown])], duration: .zero)
    }

    private static let served = step(.accepted("today"), Connection.accepting(), .succeeded)
    private static let inserted = step(.accepted("today"), Connection.accepting(), .succeeded, isControl: true)
    private static let broken = step(.accepted("today"), Connection.alerting(), .failed)
    private static let unclear = step(.accepted("today"), Connection.accepting(), .failed)
    private static let elsewhere = step(.accepted("today"), Connection.accepting(), .succeeded, store: "attacked")
    private static let lenient = step(.accepted("forged", by: .attacker), Connection.accepting("forged"), .succeeded)
    private static let refused = step(
        .rejected("forged", by: .attacker),
        Connection.alerting("forged"),
        .refused
    )
    private static let lockedOut = step(.rejected("rotated"), Connection.alerting("rotated"), .refused)
    private static let fooled = step(
        .rejected("forged", by: .attacker),
        Connection.accepting("forged"),
        .succeeded
    )
    private static let weakAccepted = step(.tolerated("weak"), Connection.accepting("weak"), .succeeded)
    private static let weakRefused = step(.tolerated("weak"), Connection.alerting("weak"), .refused)
    private static let otherHost: StepResult = {
        let planned = PlannedStep(
            step: .presenting("today", host: "shop.acme.example"),
            shownChains: [.accepted("today")]
        )
        let result = AttemptResult(
            [Connection.accepting("today", to: "shop.acme.example")],
            report: ClientReport(.succeeded),
            shownChains: planned.shownChains,
            host: "shop.acme.example"
        )
        return StepResult(planned, attempts: [result], duration: .zero)
    }()

    static let table: [Story] = [
        Story("declared before", [served, refused], [pass, pass], .pass),
        Story("declared after", [refused, served], [pass, pass], .pass),
        Story("inserted", [inserted, refused], [pass, pass], .pass),
        Story("none", [refused], [noControl], .inconclusive),
        Story("none, for an owner's chain too", [lockedOut], [noControl], .inconclusive),
        Story("none, and a failure stays one", [fooled], [wrong], .fail),
        Story("failing", [broken, refused], [strict, noControl], .fail),
        Story("inconclusive", [unclear, refused], [after, noControl], .inconclusive),
        Story("one of two", [broken, served, refused], [strict, pass, pass], .fail),
        Story("with another store", [elsewhere, refused], [pass, noControl], .inconclusive),
        Story("for another host", [otherHost, refused], [pass, noControl], .inconclusive),
        Story("of an attacker's chain", [lenient, refused], [pass, noControl], .inconclusive),
        Story("that the stack decides", [weakAccepted, refused], [pass, noControl], .inconclusive),
        Story("not needed where the stack decides and accepts", [weakAccepted], [pass], .pass),
        Story("needed where the stack decides and refuses", [weakRefused], [noControl], .inconclusive),
        Story("before what the stack refuses", [served, weakRefused], [pass, pass], .pass),
        Story("shared by many", [served, refused, lockedOut, refused], [pass, pass, pass, pass], .pass),
        Story(
            "skipped",
            [StepResult(served.planned, untried: Judgement(.skipped, .skipped("no curl")))],
            [Judgement(.skipped, .skipped("no curl"))],
            .skipped
        ),
    ]
}

private struct Trouble: Error, CustomStringConvertible {
    var description: String
}
