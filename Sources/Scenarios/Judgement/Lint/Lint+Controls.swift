import Pinning

/// `no-control` and `no-trial`.
extension Lint {
    /// Refusals that no acceptance stands beside: the judge will call them inconclusive.
    func missingControls() -> [LintFinding] {
        var policies: [Uncontrolled: [String]] = [:]
        for play in plays {
            let accepted = Set(play.steps.filter(\.mayProve).flatMap(\.provenScenes))
            let lonely = play.steps.filter { $0.needsControl && !accepted.contains($0.scene) }
            // One finding for each host and store of a scenario; the first step stands for the others.
            var scenes: Set<PlannedStep.Scene> = []
            for step in lonely where scenes.insert(step.scene).inserted {
                policies[Uncontrolled(scenario: play.scenario.name, step: step.step), default: []]
                    .append(play.policy.name)
            }
        }
        return policies.map { place, policies in
            let several = policies.count > 1
            return LintFinding(
                .noControl,
                Subject(.scenario, place.scenario),
                at: place.step.location,
                "with the \(several ? "policies" : "policy") \(enumeration(of: policies)) a rejection here proves nothing: "
                    + "no chain of the owner is accepted for '\(place.step.host)' with the store "
                    + "'\(place.step.store)', and a broken client would reject as well",
                fix: "declare a chain of the owner that \(several ? "they accept" : "it accepts") there, "
                    + "or leave the \(several ? "policies" : "policy") out of the scenario"
            )
        }
    }

    private struct Uncontrolled: Hashable {
        var scenario: String
        var step: Step
    }

    /// Scenarios that are played to nobody.
    func emptyScenarios() -> [LintFinding] {
        let played = Set(trials.map(\.scenario.name))
        return file.scenarios.filter { !played.contains($0.name) }.map { scenario in
            LintFinding(
                .noTrial,
                Subject(.scenario, scenario.name),
                at: scenario.location,
                "scenario '\(scenario.name)' is never played: none of its clients can be given one of its policies",
                fix: "give it a policy and a client that go together"
            )
        }
    }
}
