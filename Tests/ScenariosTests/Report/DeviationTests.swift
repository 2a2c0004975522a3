import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Scenarios

/// What is said of a client's known deviations, and what comes of a trial.
@Suite struct `A known deviation` {
    private static let leaks = Deviation(scenarios: ["att*"], because: "It looks too late.")
    private static let mayLeak = Deviation(scenarios: ["att*"], isOccasional: true, because: "Its buffers race.")
    private static let isMute = Deviation(scenarios: ["attack"], verdict: .inconclusive, because: "It is mute.")

    @Test(arguments: [
        // As declared, and as nobody expected.
        ([Results.served, Results.leaked], leaks, true, Int32(0)),
        ([Results.served, Results.leaked], nil, nil, 1),
        ([Results.served, Results.absent], isMute, true, 0),
        ([Results.served, Results.absent], nil, nil, 2),
        // It has mended its ways, or found worse ones.
        ([Results.served, Results.protected], leaks, false, 1),
        ([Results.served, Results.absent], leaks, false, 1),
        ([Results.served, Results.leaked], isMute, false, 1),
        // Of others.
        ([Results.served, Results.leaked], Deviation(scenarios: ["other"], because: "."), nil, 1),
        (
            [Results.served, Results.leaked], Deviation(scenarios: ["attack"], policies: ["other"], because: "."), nil,
            1
        ),
        (
            [Results.served, Results.leaked], Deviation(scenarios: ["attack"], policies: ["pinned"], because: "."),
            true, 0
        ),
        // A race: it may obey, but do nothing else.
        ([Results.served, Results.leaked], mayLeak, true, 0),
        ([Results.served, Results.protected], mayLeak, nil, 0),
        ([Results.served, Results.absent], mayLeak, false, 1),
        // Nothing was tried.
        ([Results.skipped], leaks, nil, 2),
    ])
    func `fails nothing where it is seen, and the run where it is not`(
        steps: [StepResult],
        deviation: Deviation?,
        isSeen: Bool?,
        status: Int32
    ) throws {
        let report = Results.report(Self.trial(steps, deviation))

        #expect(report.trials[0].deviatesAsDeclared == isSeen)
        #expect(report.exitStatus(failingOn: [.unproven, .outage]) == status)
        let junit = String(decoding: try report.document(.junit, exitStatus: status), as: UTF8.self)
        #expect(junit.contains("<failure") == (status == 1))
        #expect(junit.contains("<error") == (status == 2 && isSeen == nil && steps != [Results.skipped]))
    }

    @Test(arguments: [
        // A scenario's variants are meant with it.
        ("attack", [Results.served, Results.leaked], true, Int32(0)),
        ("att*", [Results.served, Results.leaked], true, 0),
        ("attack [TLS 1.1]", [Results.served, Results.leaked], true, 0),
        // Others are not.
        ("attack [TLS 1.2]", [Results.served, Results.leaked], nil, 1),
        ("attacker", [Results.served, Results.leaked], nil, 1),
        // A client that mends its ways in one of them is told of.
        ("attack", [Results.served, Results.protected], false, 1),
        // One that lacks the version has mended nothing.
        ("attack", [Results.served, notApplicable], nil, 0),
        ("attack", [Results.served, notApplicable, Results.leaked], true, 0),
    ])
    func `covers a scenario's variants`(
        pattern: String,
        steps: [StepResult],
        isSeen: Bool?,
        status: Int32
    ) {
        var trial = Self.trial(steps, Deviation(scenarios: [pattern], because: "."))
        trial.trial.scenario.declaredName = "attack"
        trial.trial.scenario.name = "attack [TLS 1.1]"

        #expect(trial.deviatesAsDeclared == isSeen)
        #expect(Results.report(trial).exitStatus() == status)
    }

    @Test(arguments: [("attack [TLS 1.1]", nil, Int32(1)), ("attack", true, 0)])
    func `of a variant alone says nothing of its scenario`(pattern: String, isSeen: Bool?, status: Int32) {
        let trial = Self.trial([Results.served, Results.leaked], Deviation(scenarios: [pattern], because: "."))

        #expect(trial.deviatesAsDeclared == isSeen)
        #expect(Results.report(trial).exitStatus() == status)
    }

    private static let notApplicable = StepResult(
        PlannedStep(step: .presenting("forged"), shownChains: [Results.forged]),
        untried: Judgement(.notApplicable, .breaksOffVersion(.alert(Alert(80, isFatal: true))))
    )

    @Test func `hides nothing that another client does`() {
        let leaking = Self.trial([Results.served, Results.leaked], Self.leaks)
        let other = Results.trial(Results.served, Results.leaked, client: "other")

        #expect(Results.report(leaking).exitStatus() == 0)
        #expect(Results.report(leaking, other).exitStatus() == 1)
    }

    @Test func `is told of in words`() {
        let text = TextReport()
        let seen = Self.trial([Results.served, Results.leaked], Self.leaks)
        let unseen = Self.trial([Results.served, Results.protected], Self.leaks)

        #expect(text.render(seen).hasPrefix("attack · pinned · curl  (deviates as declared: It looks too late.)\n"))
        #expect(
            text.render(unseen).hasPrefix("attack · pinned · curl  (declared to deviate (fail): It looks too late.)\n")
        )
        #expect(
            text.renderSummary(Results.report(seen, unseen))
                == """
                Deviations that did not happen
                  attack · pinned · curl: declared to be 'fail', and it is 'pass': correct its 'deviates'

                2 trials, 4 steps in 1234 ms: 3 passed, 1 failed (1 declared), 0 inconclusive, 0 skipped
                For their users: 2 served, 1 protected, 0 locked out, 1 intercepted, 0 unknown

                """
        )
    }

    @Test func `stands in the JSON report`() throws {
        let report = Results.report(Self.trial([Results.served, Results.leaked], Self.leaks))

        let text = Data(try report.document(.json, exitStatus: 0))

        let deviation = try #require(
            try JSONDecoder().decode(JSONValue.self, from: text)["trials"]?.array?.first?["deviation"]
        )
        #expect(
            deviation
                == .object([
                    "verdict": .string("fail"), "because": .string("It looks too late."), "seen": .boolean(true),
                ])
        )
    }

    static func trial(_ steps: [StepResult], _ deviation: Deviation?) -> TrialResult {
        var trial = Results.trial()
        // As they stand: the control rule has its own tests.
        trial.steps = steps
        trial.trial.client.deviations = deviation.map { [$0] } ?? []
        return trial
    }
}
