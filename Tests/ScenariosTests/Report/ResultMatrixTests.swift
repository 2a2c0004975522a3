import TestSupport
import Testing

@testable import Scenarios

@Suite struct `The table of marks` {
    private let plain = TextStyle(isColoured: false)

    @Test func `has a row for each scenario, a column for each client and policy, and a mark for each trial`() {
        let trials = [
            trial(Results.served, scenario: "same", kind: "rotation"),
            trial(Results.served, scenario: "same", kind: "rotation", policy: "loose"),
            trial(Results.served, Results.fooled, scenario: "forged", kind: "attack"),
            trial(Results.served, Results.unpinned, scenario: "forged", kind: "attack", policy: "loose"),
            trial(Results.absent, scenario: "forged", kind: "attack", client: "long-client-name"),
            trial(Results.skipped, scenario: "forged", kind: "attack", client: "wget"),
        ]

        #expect(
            ResultMatrix(trials).lines(plain, width: 100) == [
                "           curl   long-client-name",
                "           1 2    1",
                "rotation",
                "  same     . .",
                "attack",
                "  forged   F I    ?",
                "",
                "Marks: . right, I INTERCEPTED, not declared, ? inconclusive, F FAILED.",
                "Policies: 1 pinned, 2 loose.",
            ]
        )
    }

    @Test(
        arguments: [
            (Results.served, "."), (Results.lockedOut, "L"), (Results.unpinned, "I"), (Results.absent, "?"),
            (Results.fooled, "F"), (Results.lockedOut.declaring(locksOut: Claim(.all)), "l"),
            (Results.unpinned.declaring(intercepts: Claim(.all)), "i"),
        ]
    )
    func `a mark says the worst of a trial, and whether the file declares it`(step: StepResult, mark: String) {
        let rows = ResultMatrix([trial(Results.served, step, scenario: "one", kind: nil)]).lines(plain, width: 100)

        #expect(rows[2] == "one   \(mark)")
    }

    @Test func `is red where people are locked out or intercepted, whatever the verdict`() {
        let colours = TextStyle(isColoured: true)
        func row(_ step: StepResult) -> String {
            ResultMatrix([trial(Results.served, step, scenario: "one", kind: nil)]).lines(colours, width: 100)[2]
        }

        #expect(row(Results.served) == "one   \u{1B}[32m.\u{1B}[0m")
        #expect(row(Results.unpinned) == "one   \u{1B}[31mI\u{1B}[0m")
        #expect(row(Results.lockedOut.declaring(locksOut: Claim(.all))) == "one   \u{1B}[31ml\u{1B}[0m")
    }

    @Test func `folds kinds in which there is nothing to see, once there are many rows`() {
        let good = (1...20).map { trial(Results.served, scenario: "good-\($0)", kind: "rotation") }
        let bad = (1...20).map { number in
            trial(number == 7 ? Results.absent : Results.served, scenario: "bad-\(number)", kind: "attack")
        }
        let declared = trial(
            Results.served,
            Results.lockedOut.declaring(locksOut: Claim(.all)),
            scenario: "declared",
            kind: "rotation"
        )

        let rows = ResultMatrix(good + [declared] + bad).lines(plain, width: 100)

        #expect(
            rows.dropFirst(2).prefix { !$0.isEmpty } == [
                "rotation: 21 scenarios   l", "attack", "  bad-7                  ?", "  19 more                .",
            ]
        )
    }

    @Test func `variants share the row of their scenario, which has the worst of their marks`() {
        var variant = trial(Results.absent, scenario: "forged [rsa2048]", kind: "attack")
        variant.trial.scenario.declaredName = "forged"

        let rows = ResultMatrix([trial(Results.served, scenario: "forged", kind: "attack"), variant])
            .lines(plain, width: 100)

        #expect(rows[2...3] == ["attack", "  forged   ?"])
    }

    @Test func `stays within its width, however many clients and policies there are`() {
        let trials = (1...6).flatMap { client in
            (1...30).map { policy in
                trial(
                    Results.served,
                    scenario: "one",
                    kind: "attack",
                    policy: "policy-\(policy)",
                    client: "client-\(client)"
                )
            }
        }

        let lines = ResultMatrix(trials).lines(plain, width: 80)

        #expect(lines.allSatisfy { $0.count <= 80 })
        // One for each trial, one in the legend, and one at the end of each of its two lists.
        #expect(lines.reduce(0) { $0 + $1.count { $0 == "." } } == 180 + 3)
    }

    private func trial(
        _ steps: StepResult...,
        scenario: String,
        kind: String?,
        policy: String = "pinned",
        client: String = "curl"
    ) -> TrialResult {
        var result = Results.trial(steps: steps, scenario: scenario, policy: policy, client: client)
        result.trial.scenario.tags = kind.flatMap(ScenarioTag.init).map { [$0] } ?? []
        return result
    }
}
