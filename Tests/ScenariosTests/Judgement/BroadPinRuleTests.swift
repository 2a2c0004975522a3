import TestSupport
import Testing

@testable import Pinning
@testable import Scenarios

@Suite struct `A client that blames its pins` {
    @Test func `H3: where they match is not believed anywhere in the trial`() {
        let vain = trial(attempts(matching: true, "exit 60: expired", "exit 60: no pin"))
        let honest = trial(attempts(matching: false, "exit 60: expired", "exit 60: no pin"))

        #expect(vain.steps.map(\.attribution) == [nil, .unproven, .unproven])
        #expect(vain.steps.map(\.judgement.verdict) == [.pass, .pass, .pass])
        #expect(vain.findings.count == 1)
        #expect(honest.steps.map(\.attribution) == [nil, .pin, .pin])
        #expect(honest.findings == [])
    }

    @Test func `H3: is told which line to write`() {
        let told = trial(attempts(matching: true, "expired (10)", "it's no pin (20)"))
        let alike = trial(attempts(matching: true, "error", "error"))

        #expect(
            told.findings == [
                "it says at 'expired' that its pins rejected, and a pin matches there: its word for them proves nothing in "
                    + "this trial; 'refused-pin' is too broad, write refused-pin: { exit: [60], text: 'it''s no pin "
                    + "\\(20\\)' }"
            ]
        )
        #expect(alike.findings.first?.hasSuffix("leave it out if it prints the same for every rejection") == true)
        #expect(TextReport().renderSummary(Results.report(told)).contains("To mend in the file\n  curl: it says at"))
    }

    @Test func `H3: where nothing is pinned is not believed either`() {
        var steps = attempts(matching: false, "a", "b")
        steps[1].planned.isPinned = false

        #expect(trial(steps).steps.last?.attribution == .unproven)
        #expect(trial(steps).findings.first?.contains("nothing is pinned there") == true)
    }

    @Test func `H3: may refuse its own server wrongly and still know what its pins are`() {
        var steps = attempts(matching: false, "a", "b")
        var accepted = ShownChain.accepted("today")
        accepted.pinsMatch = true
        steps.append(Results.step(accepted, [Connection.alerting()], ClientReport(.refused, blamesPin: true)))

        #expect(trial(steps).findings == [])
    }

    @Test(arguments: [("own", true), ("forged", false), ("foreign", false), ("short", false)])
    func `H3: is held against what the oracle knows of the pins`(chain: String, isMatch: Bool) throws {
        let step = Step.presenting(chain)

        let shown = try Oracle(World.pki()).decide(Policies.leaf, step: step, instant: Sample.now)

        #expect(shown.map(\.decision.demand) == [.reject])
        #expect(shown.map(\.pinsMatch) == [isMatch])
    }

    /// A control, an expired chain, and one that only the pins forbid; the client blames its pins for both.
    private func attempts(matching: Bool, _ expired: String, _ forged: String) -> [StepResult] {
        var chain = ShownChain.rejected("expired")
        chain.pinsMatch = matching
        let byPin = ShownChain(
            chain: "forged",
            key: "evil",
            holder: .attacker,
            decision: Decision(.reject, .noPinMatches(PinRequirement(pins: [])))
        )
        return [
            Results.served,
            Results.step(
                chain,
                [Connection.alerting("expired")],
                ClientReport(.refused, blamesPin: true, output: "\(expired)\n")
            ),
            Results.step(
                byPin,
                [Connection.alerting("forged")],
                ClientReport(.refused, blamesPin: true, output: "\(forged)\n")
            ),
        ]
    }

    private func trial(_ steps: [StepResult]) -> TrialResult {
        let rule = OutcomeRule(exit: [60])
        return TrialResult(
            Trial(
                scenario: Scenario(name: "story", store: "phone", steps: steps.map(\.planned.step)),
                policy: PolicyDeclaration(name: "pinned"),
                client: ClientDeclaration(
                    name: "curl",
                    kind: .command(CommandDeclaration(run: "curl", refusedPin: rule))
                )
            ),
            steps: steps,
            duration: .zero
        )
    }
}
