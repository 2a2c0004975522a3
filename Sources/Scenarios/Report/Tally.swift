/// What trials amount to, counted as they finish.
struct Tally: Hashable, Sendable {
    var planned: Int
    var scenarios: Coverage
    var trials = 0
    /// Of steps, as are all that follow.
    var verdicts: [Verdict: Int] = [:]
    var consequences: [Consequence: Int] = [:]
    var undeclaredBreaches = 0
    var undeclaredOutages = 0

    init(planned: Int, _ scenarios: Coverage = Coverage()) {
        self.planned = planned
        self.scenarios = scenarios
    }

    init(_ report: Report) {
        self.init(planned: report.planned, report.scenarios)
        for trial in report.kept { trial.add(to: &self) }
        for trial in report.trials { add(trial) }
    }

    mutating func add(_ trial: TrialResult) {
        trials += 1
        for step in trial.steps {
            let trialStep = Report.TrialStep(trial: trial, step: step)
            verdicts[step.judgement.verdict, default: 0] += 1
            consequences[step.consequence, default: 0] += 1
            undeclaredBreaches += trialStep.isUndeclaredBreach ? 1 : 0
            undeclaredOutages += trialStep.isUndeclaredOutage ? 1 : 0
        }
    }
}
