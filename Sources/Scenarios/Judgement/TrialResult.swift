/// What came of one scenario, policy and client.
public struct TrialResult: Hashable, Sendable {
    public var scenario: String
    public var policy: String
    public var client: String
    /// The embedded client judged itself: this proves the catalogue, never a real client.
    public var isModel: Bool
    public var steps: [StepResult]
    public var duration: Duration
    /// What was played, as it is declared.
    package var trial: Trial

    /// Takes the steps as they were run, and applies the control rule to them.
    package init(_ trial: Trial, steps: [StepResult], duration: Duration) {
        self.trial = trial
        scenario = trial.scenario.name
        policy = trial.policy.name
        client = trial.client.name
        isModel = trial.client.kind == .reference
        self.steps = steps.holdingToControls()
        self.duration = duration
    }

    /// A trial that could not even be planned.
    package init(_ trial: Trial, brokenDown error: any Error, duration: Duration = .zero) {
        let steps = trial.scenario.steps.map { step in
            StepResult(
                PlannedStep(step: step, shownChains: []),
                untried: Judgement(.inconclusive, .couldNotRun("\(error)"))
            )
        }
        self.init(trial, steps: steps, duration: duration)
    }

    /// The worst of the steps' verdicts.
    public var verdict: Verdict { steps.map(\.judgement.verdict).max() ?? .skipped }

    /// Whether the client did what its declaration says that it does otherwise than its policy demands; `nil` where it
    /// says nothing, or nothing was tried.
    package var deviatesAsDeclared: Bool? {
        guard let deviation = trial.deviation, steps.contains(where: { !$0.attempts.isEmpty }) else { return nil }
        return verdict == deviation.verdict
    }
}

extension [StepResult] {
    /// A refusal counts only beside an acceptance by the same client, of the same host, with the same store: a broken
    /// client, a poisoned environment or a wrong host name would otherwise pass every attack.
    func holdingToControls() -> [StepResult] {
        let proven = Set(
            filter { $0.planned.isAcceptance && $0.judgement == Judgement(.pass, .obeyed) }.map(\.planned.scene)
        )
        return map { result in
            // Where a client may do either and accepts, it has proven all there is.
            guard result.planned.needsControl, result.judgement.verdict == .pass,
                result.attempts.contains(where: \.isRefusal), !proven.contains(result.planned.provingScene)
            else { return result }
            var result = result
            result.judgement = Judgement(.inconclusive, .noControl)
            return result
        }
    }
}
