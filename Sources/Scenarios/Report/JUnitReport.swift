/// A report as continuous integration shows it. `docs/reports.md` tells which viewers' rules it follows, and why.
///
/// A suite is a scenario, and a test case is a step. While the run goes on every trial is a suite of its own, under the
/// same name, because each suite says how many failures it has.
struct JUnitReport: ReportFormat {
    private let conditions: Set<FailureCondition>

    init(failingOn conditions: Set<FailureCondition>) {
        self.conditions = conditions
    }

    func opening(_ report: RecordedReport) -> String {
        Self.declaration + "<testsuites\(attributes([("name", report.file)]))>\n"
    }

    func entry(_ trial: RecordedTrial, isFirst: Bool) -> String { suite(trial.scenario, [trial]) }

    func closing(_ summary: RecordedReport.Summary, _ end: ReportDocument.End) -> String {
        (end.isInterrupted ? Self.interruption : "") + omission(summary.coverage) + "</testsuites>\n"
    }

    func document(_ report: RecordedReport) -> String {
        let suites = report.trials.bySuite
        let counts = Counts(report.trials.flatMap { $0.steps.map(outcome(of: $0)) })
        let total =
            [("name", report.file)]
            + counts.attributes(isInterrupted: report.interrupted, isPartial: report.summary.coverage.left > 0)
        return Self.declaration + "<testsuites\(attributes(total + [("time", report.duration.inSeconds)]))>\n"
            + suites.map { suite($0[0].scenario, $0) }.joined() + closing(report.summary, ReportDocument.End(report))
    }

    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    /// A test case that is there only to be red: a run that was cut off must not look like one that passed.
    private static let interruption = """
          <testsuite name="pindrill" tests="1" failures="0" errors="1" skipped="0" time="0.000">
            <testcase classname="pindrill.run" name="every trial was tried" time="0.000">
              <error type="interrupted" message="the run ended before all of its trials">\
        The run ended before all of its trials: the rest was not tried.</error>
            </testcase>
          </testsuite>

        """

    /// A test case that is there only to be seen: a part of the catalogue must not look like all of it.
    private func omission(_ scenarios: Coverage) -> String {
        guard scenarios.left > 0 else { return "" }
        return """
              <testsuite name="pindrill" tests="1" failures="0" errors="0" skipped="1" time="0.000">
                <testcase classname="pindrill.run" name="every scenario was played" time="0.000">
                  <skipped message="\(scenarios.words) played">\
            \(scenarios.words) played (--all plays every one).</skipped>
                </testcase>
              </testsuite>

            """
    }

    // MARK: A scenario

    private func suite(_ name: String, _ trials: [RecordedTrial]) -> String {
        let counts = Counts(trials.flatMap { $0.steps.map(outcome(of: $0)) })
        let time = trials.reduce(0) { $0 + $1.duration }.inSeconds
        let cases = trials.flatMap { trial in
            zip(trial.steps, trial.steps.titles).map { testCase($0, titled: $1, in: trial) }
        }
        return "  <testsuite\(attributes([("name", name)] + counts.attributes() + [("time", time)]))>\n"
            + cases.joined() + "  </testsuite>\n"
    }

    private func testCase(_ step: RecordedStep, titled title: String, in trial: RecordedTrial) -> String {
        var named = [
            ("classname", "\(trial.scenario).\(trial.client)"),
            ("name", "\(trial.policy): \(title)"),
            ("time", step.duration.inSeconds),
        ]
        if let file = step.file, let line = step.line { named += [("file", file), ("line", "\(line)")] }
        let account = StepAccount(step, of: trial).text
        let content =
            switch outcome(of: trial)(step) {
            // GitLab shows what stands within the element, the others its message too.
            case .failed(let type, let message):
                "<failure\(attributes([("type", type), ("message", message)]))>\(account.xmlText)</failure>"
            case .erred(let type, let message):
                "<error\(attributes([("type", type), ("message", message)]))>\(account.xmlText)</error>"
            case .skipped(let message):
                "<skipped\(attributes([("message", message)]))>\(message.xmlText)</skipped>"
            case .passed: "<system-out>\(account.xmlText)</system-out>"
            }
        return "    <testcase\(attributes(named))>\n      \(content)\n    </testcase>\n"
    }

    private func attributes(_ pairs: [(String, String)]) -> String {
        pairs.map { " \($0)=\"\($1.xmlAttribute)\"" }.joined()
    }

    // MARK: What a step counts as

    private enum Outcome {
        case passed
        case failed(type: String, message: String)
        case erred(type: String, message: String)
        case skipped(String)
    }

    /// As `Report.exitStatus` counts it: a failure is status 1, an error status 2.
    private func outcome(of trial: RecordedTrial) -> (RecordedStep) -> Outcome {
        { step in
            if let deviation = trial.deviation {
                if !deviation.seen, step == trial.steps.last {
                    let message =
                        "declared to be '\(deviation.verdict.rawValue)', and the trial is '\(trial.verdict.rawValue)'"
                    return .failed(type: "deviation", message: message)
                }
                if deviation.seen {
                    let isPass = step.verdict == .pass
                    return isPass ? .passed : .skipped("deviates as declared: \(deviation.because)")
                }
            }
            if step.verdict == .fail { return .failed(type: "fail", message: step.grounds) }
            if step.isUndeclaredBreach {
                let message = "an attacker got its users' data, and the file does not declare that"
                return .failed(type: "intercepted", message: message)
            }
            if conditions.contains(.outage), step.isUndeclaredOutage {
                let message = "its users were kept from their own server, and the file does not declare that"
                return .failed(type: "locked-out", message: message)
            }
            if conditions.contains(.unproven), step.isUnprovenRefusal {
                return .failed(type: "unproven", message: "it rejected, and that its pins made it is not proven")
            }
            return switch step.verdict {
            case .inconclusive: .erred(type: "inconclusive", message: step.grounds)
            case .skipped, .notApplicable: .skipped(step.grounds)
            case .pass, .fail: .passed
            }
        }
    }

    private struct Counts {
        private var tests = 0
        private var failures = 0
        private var errors = 0
        private var skipped = 0

        init(_ outcomes: [Outcome]) {
            for outcome in outcomes {
                tests += 1
                switch outcome {
                case .failed: failures += 1
                case .erred: errors += 1
                case .skipped: skipped += 1
                case .passed: break
                }
            }
        }

        /// - Parameters:
        ///   - isInterrupted: counts the test case that says so.
        ///   - isPartial: counts the test case that says that scenarios were left out.
        func attributes(isInterrupted: Bool = false, isPartial: Bool = false) -> [(String, String)] {
            let (erred, omitted) = (isInterrupted ? 1 : 0, isPartial ? 1 : 0)
            return [
                ("tests", "\(tests + erred + omitted)"), ("failures", "\(failures)"), ("errors", "\(errors + erred)"),
                ("skipped", "\(skipped + omitted)"),
            ]
        }
    }
}

extension [RecordedTrial] {
    /// Those of each scenario together, in the order in which the scenarios first appear.
    fileprivate var bySuite: [[RecordedTrial]] {
        var order: [String] = []
        var suites: [String: [RecordedTrial]] = [:]
        for trial in self {
            if suites[trial.scenario] == nil { order.append(trial.scenario) }
            suites[trial.scenario, default: []].append(trial)
        }
        return order.compactMap { suites[$0] }
    }
}

extension [RecordedStep] {
    /// A name for each, unique in its trial and the same in every run. An inserted control bears the number of the step
    /// that it was inserted for, so that the numbers are those of the file.
    fileprivate var titles: [String] {
        var number = 1
        return map { step in
            let title = "\(number) \(step.title)\(step.at == "0d" ? "" : " at \(step.at)")"
            if step.control { return "control \(title)" }
            number += 1
            return title
        }
    }
}

extension Int64 {
    /// Of milliseconds, as in `0.021`: XML wants no local decimal sign.
    fileprivate var inSeconds: String {
        let fraction = "\(self % 1000)"
        return "\(self / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}
