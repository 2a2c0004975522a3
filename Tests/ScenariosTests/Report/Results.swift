import Foundation
import Pinning
import TLSCore
import TestSupport
import Witness

@testable import Scenarios

/// Results written out by hand, each of another kind.
enum Results {
    static let today = ShownChain.accepted("today")
    static let forged = ShownChain.rejected("forged", by: .attacker)

    static let served = step(
        today,
        [Connection.accepting()],
        ClientReport(.succeeded, account: "exit 0", output: "hello\n")
    )
    static let control = step(
        today,
        [Connection.accepting()],
        ClientReport(.succeeded, account: "exit 0"),
        isControl: true
    )
    static let protected = step(
        forged,
        [Connection.alerting("forged")],
        ClientReport(.refused, blamesPin: true, account: "exit 90"),
        milliseconds: 34
    )
    static let fooled = step(
        forged,
        [Connection.accepting("forged")],
        ClientReport(.succeeded, account: "exit 0"),
        at: .days(75)
    )
    static let leaked = step(
        forged,
        [Connection.accepting("forged")],
        ClientReport(.refused, blamesPin: true, account: "exit 90")
    )
    static let unpinned = step(
        .accepted("forged", by: .attacker),
        [Connection.accepting("forged")],
        ClientReport(.succeeded)
    )
    static let lockedOut = step(
        .rejected("rotated"),
        [Connection.withholding("rotated")],
        ClientReport(.refused, blamesPin: false)
    )
    static let strict = step(today, [Connection.alerting()], ClientReport(.refused, account: "exit 60"))
    static let absent = step(today, [], ClientReport(.nothing, account: "timed out"))
    static let strayed = step(
        forged,
        [Connection.alerting("forged"), Connection.accepting("today", to: "tracker.example\u{1B}[2J:443")],
        ClientReport(.failed, account: "exit 7", output: "one\ntwo \u{1B}[31mred\n"),
        note: "the tracker is not pinned"
    )
    /// Refuses, and asks the same attacker under another name.
    static let sidestepped = step(
        forged,
        [Connection.alerting("forged"), Connection.accepting("forged", to: "other.example")],
        ClientReport(.refused, account: "exit 60")
    )
    static let muttered = step(
        forged,
        [Connection.alerting("forged"), Connection.mumbling("forged", to: "other.example")],
        ClientReport(.refused, account: "exit 60")
    )
    static let skipped = StepResult(
        PlannedStep(step: .presenting("today"), shownChains: [today]),
        untried: Judgement(.skipped, .skipped("'curl' is not installed"))
    )

    static func step(
        _ shown: ShownChain,
        _ connections: [Observation],
        _ report: ClientReport,
        at time: StoryTime = .zero,
        isControl: Bool = false,
        milliseconds: Int = 21,
        note: String? = nil
    ) -> StepResult {
        var step = Step.presenting(shown.chain, at: time)
        step.note = note
        return StepResult(
            PlannedStep(step: step, isControl: isControl, shownChains: [shown]),
            attempts: [attempt(connections, report, [shown])],
            duration: .milliseconds(milliseconds)
        )
    }

    static func trial(
        _ steps: StepResult...,
        scenario: String = "attack",
        policy: String = "pinned",
        client: String = "curl"
    ) -> TrialResult {
        trial(steps: steps, scenario: scenario, policy: policy, client: client)
    }

    static func trial(steps: [StepResult], scenario: String, policy: String, client: String) -> TrialResult {
        TrialResult(
            Trial(
                scenario: Scenario(name: scenario, store: "phone", steps: steps.map(\.planned.step)),
                policy: PolicyDeclaration(name: policy),
                client: ClientDeclaration(
                    name: client,
                    kind: client == "reference" ? .reference : .command(CommandDeclaration(run: client))
                )
            ),
            steps: steps,
            duration: .milliseconds(55)
        )
    }

    static func report(_ trials: TrialResult..., planned: Int? = nil, scenarios: Coverage = Coverage()) -> Report {
        Report(
            file: "scenarios.yaml",
            started: Date(timeIntervalSince1970: 1_790_000_000),
            duration: .milliseconds(1234),
            trials: trials,
            planned: planned ?? trials.count,
            scenarios: scenarios
        )
    }
}

extension StepResult {
    /// The same result of a step that declares what it does to people.
    func declaring(locksOut: Claim? = nil, intercepts: Claim? = nil) -> StepResult {
        var copy = self
        copy.planned.step.locksOut = locksOut
        copy.planned.step.intercepts = intercepts
        return copy
    }
}
