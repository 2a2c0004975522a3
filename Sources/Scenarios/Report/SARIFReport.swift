/// A report for code scanning: each step that went wrong, or proved nothing, is a result where the scenario file declares it.
struct SARIFReport: ReportFormat {
    private let conditions: Set<FailureCondition>

    init(failingOn conditions: Set<FailureCondition>) { self.conditions = conditions }

    func opening(_ report: RecordedReport) throws -> String {
        try log([], .init(exitStatus: 130, complaint: "the run that writes this log is not finished, or was killed"))
    }

    func entry(_ trial: RecordedTrial, isFirst: Bool) -> String { "" }
    func closing(_ summary: RecordedReport.Summary, _ end: ReportDocument.End) -> String { "" }

    func document(_ report: RecordedReport) throws -> String {
        let results = report.trials.flatMap { trial in
            // Nobody expects what went wrong where the client deviates as the file says.
            trial.deviation?.seen == true ? [] : trial.steps.compactMap { result($0, in: trial, of: report.file) }
        }
        let status = report.exitStatus ?? report.exitStatus(failingOn: conditions)
        let complaint = report.interrupted ? "the run was interrupted: trials are missing" : nil
        return try log(results, .init(exitStatus: status, complaint: complaint))
    }

    private func log(_ results: [SARIFLog.Result], _ invocation: SARIFLog.Invocation) throws -> String {
        let rules = StepRule.allCases.map { rule in
            SARIFLog.Rule(id: rule.rawValue, summary: rule.summary, markdown: "\(rule.summary)\n\nFix: \(rule.fix)")
        }
        return try SARIFLog(version: nil, rules: rules, results: results, invocation: invocation).text()
    }

    private func result(_ step: RecordedStep, in trial: RecordedTrial, of file: String) -> SARIFLog.Result? {
        guard let (rule, level) = finding(step) else { return nil }
        let words = [
            "\(trial.client), \(trial.policy), \(trial.scenario): the server presents \(step.title) at \(step.at). \(step.grounds).",
            step.advice.map { "\($0)." }, step.nextStep.map { "Next: \($0)." },
        ]
        return SARIFLog.Result(
            rule: rule.rawValue,
            level,
            words.compactMap(\.self).joined(separator: " "),
            path: step.file ?? file,
            line: step.line,
            identity: [rule.rawValue, trial.name, step.host, step.at, step.title].joined(separator: " ")
        )
    }

    private func finding(_ step: RecordedStep) -> (StepRule, SARIFLog.Level)? {
        if step.isUndeclaredBreach { return (.attackerGetsIn, .error) }
        if step.isUndeclaredOutage {
            return (.locksUsersOut, step.verdict == .fail || conditions.contains(.outage) ? .error : .warning)
        }
        if step.verdict == .fail { return (.disobeysPolicy, .error) }
        if conditions.contains(.unproven), step.isUnprovenRefusal { return (.unprovenRejection, .error) }
        return step.verdict == .inconclusive ? (.provesNothing, .warning) : nil
    }
}

/// What can come of a step that somebody should look at.
private enum StepRule: String, CaseIterable {
    case attackerGetsIn = "run-attacker-gets-in"
    case locksUsersOut = "run-locks-users-out"
    case disobeysPolicy = "run-disobeys-policy"
    case unprovenRejection = "run-unproven-rejection"
    case provesNothing = "run-inconclusive"

    var summary: String {
        switch self {
        case .attackerGetsIn: "The client talked to an attacker."
        case .locksUsersOut: "The client refused its own server."
        case .disobeysPolicy: "The client did not do what its pin policy demands."
        case .unprovenRejection: "The client refused, and it is not known whether its pins did it."
        case .provesNothing: "The step proved nothing."
        }
    }

    var fix: String {
        switch self {
        case .attackerGetsIn: "correct how the client compares its pins; `pindrill replay` plays the trial again."
        case .locksUsersOut: "pin the next key before it is used, or declare `locks-out` where it is meant."
        case .disobeysPolicy: "correct the client, or give the policy that it really has."
        case .unprovenRejection: "declare how the client says that it was the pin (`refused-pin`)."
        case .provesNothing: "see what the step says; it has the next thing to try."
        }
    }
}
