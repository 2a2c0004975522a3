import Pinning
import TLSCore
import Witness

/// A report as people read it: a line for each step while the run goes on, and at the end what matters, worst first.
package struct TextReport: Sendable {
    private let style: TextStyle
    /// Shows what each client printed, and every connection.
    private let isVerbose: Bool

    package init(style: TextStyle = TextStyle(isColoured: false), isVerbose: Bool = false) {
        self.style = style
        self.isVerbose = isVerbose
    }

    // MARK: A trial

    /// The trial's name and a line for each step.
    package func render(_ trial: TrialResult) -> String {
        let model = trial.isModel ? style.aside("  (model: proves the catalogue, not a client)") : ""
        let heading =
            style.heading("\(trial.scenario) · \(trial.policy) · \(trial.client)") + model + deviation(of: trial)
        let reasons = Set(trial.steps.map(\.judgement))
        if let only = reasons.first, reasons.count == 1, only.verdict == .skipped {
            return "\(heading)\n  \(style.verdict(.skipped, "skipped"))  \(only.grounds)\n"
        }
        let rows = trial.steps.map(columns)
        let widths = (0..<(rows.first?.count ?? 0)).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = zip(trial.steps, rows).flatMap { step, row in
            [line(step, row, widths)] + remarks(on: step) + (isVerbose ? details(of: step) : [])
        }
        return ([heading] + lines + trial.findings.map { "  \($0.printable)" }).joined(separator: "\n") + "\n"
    }

    private func deviation(of trial: TrialResult) -> String {
        guard let deviation = trial.trial.deviation, let isSeen = trial.deviatesAsDeclared else { return "" }
        let words = isSeen ? "deviates as declared" : "declared to deviate (\(deviation.verdict.rawValue))"
        return style.aside("  (\(words): \(deviation.because))")
    }

    /// Verdict, chain, key, demand, wire, word, consequence, time.
    private func columns(_ step: StepResult) -> [String] {
        let planned = step.planned
        let attempt = step.decisive
        let demands = (planned.shownChains + planned.others).map { shown in
            "\(shown.otherHost.map { "\($0) " } ?? "")\(shown.decision.demand.phrase): \(shown.decision)"
        }
        return [
            step.judgement.verdict.rawValue,
            name(planned),
            planned.shownChains.map { "\($0.holder.rawValue)'s \($0.key)" }.unique.joined(separator: ", "),
            demands.unique.joined(separator: "; "),
            "wire: \(attempt.map { "\($0.wire)" } ?? "-")",
            "client: \(attempt.map { said($0.report) } ?? "-")",
            meaning(of: step),
            step.duration.inMilliseconds,
        ]
    }

    /// What was presented, and at which story time unless that is day 0.
    private func name(_ planned: PlannedStep) -> String {
        let time = planned.step.at == .zero ? "" : " at \(planned.step.at)"
        return planned.step.shownInWords(", ") + time + (planned.isControl ? " (control)" : "")
    }

    private func said(_ report: ClientReport) -> String {
        report.account.isEmpty ? report.word.rawValue : "\(report.word.rawValue) (\(report.account.printable))"
    }

    /// The consequence, and what a refusal was due to. Who turns away and is served or intercepted all the same has not
    /// been so by the pin.
    private func meaning(of step: StepResult) -> String {
        let consequence = step.consequence.rawValue
        let isResult = step.consequence == .lockedOut || step.consequence == .protected
        return switch step.attribution {
        case .pin?: "\(consequence)\(isResult ? "" : "; refused") by the pin"
        case .other?: "\(consequence)\(isResult ? "" : "; refused"), not by the pin"
        case .unproven?: "\(consequence)\(isResult ? "" : "; refused"), by the pin: unproven"
        case nil: consequence
        }
    }

    private func line(_ step: StepResult, _ row: [String], _ widths: [Int]) -> String {
        let cells = zip(row, widths).enumerated().map { index, cell in
            let padded = cell.0.padded(to: index == row.count - 1 ? 0 : cell.1)
            return switch index {
            case 0: style.verdict(step.judgement.verdict, padded)
            case row.count - 2: style.consequence(step.consequence, padded)
            default: padded
            }
        }
        return "  " + cells.joined(separator: "  ")
    }

    /// Why a verdict is no pass, and what the author noted.
    private func remarks(on step: StepResult) -> [String] {
        var lines: [String] = []
        if let note = step.planned.step.note { lines.append("        note: \(note)") }
        // The line above has said already what the wire saw.
        let isSaid = step.decisive.map { "\($0.wire)" == "\(step.judgement.grounds)" } ?? false
        if step.judgement.verdict != .pass, !isSaid { lines.append("        \(step.judgement.grounds)") }
        lines += step.leakage.map { "        \($0.printable)" }
        if step.judgement.verdict != .pass {
            let missing = step.missing.map { "\($0)".printable }.unique
            lines += missing.prefix(10).map { "        asked for \($0) and got 404: declare it in 'origin:'" }
        }
        if let advice = step.advice { lines.append("        \(advice.printable)") }
        let elsewhere = step.attempts.flatMap(\.elsewhere).compactMap(\.target?.printable).unique
        if !elsewhere.isEmpty { lines.append("        also connected to: \(elsewhere.joined(separator: ", "))") }
        return lines
    }

    private func details(of step: StepResult) -> [String] {
        step.attempts.enumerated().flatMap { index, attempt in
            let name = step.attempts.count > 1 ? "attempt \(index + 1), " : ""
            let connections = (attempt.observations + attempt.elsewhere).map { observation in
                let request = observation.requestLine.map { ", “\($0.printable)”" } ?? ""
                return "        \(name)connection to \(observation.target?.printable ?? "nobody named"): "
                    + "shown \(observation.shown ?? "nothing"), \(observation.reaction)\(request)"
            }
            let output = attempt.report.output.split(whereSeparator: \.isNewline).suffix(20)
                .map { "        | \(String($0).printable)" }
            return connections + output
        }
    }

    // MARK: The summary

    /// What a person needs to know: failures, breaches and outages first, then the counts.
    package func renderSummary(_ report: Report) -> String {
        let steps = report.undeclaredSteps
        var lines: [String] = []
        func section(_ title: String, _ some: [Report.TrialStep], _ words: (Report.TrialStep) -> String) {
            guard !some.isEmpty else { return }
            lines.append(style.heading(title))
            lines += some.map { "  \(name($0)): \(words($0))" }.unique
            lines.append("")
        }
        let mended = report.trials.filter { $0.deviatesAsDeclared == false }
        if !mended.isEmpty {
            lines.append(style.heading("Deviations that did not happen"))
            lines += mended.map {
                let declared = $0.trial.deviation?.verdict.rawValue ?? ""
                return "  \($0.scenario) · \($0.policy) · \($0.client): declared to be '\(declared)', and it is "
                    + "'\($0.verdict.rawValue)': correct its 'deviates'"
            }
            lines.append("")
        }
        section("Failed", steps.filter { $0.step.judgement.verdict == .fail }) {
            "\($0.step.judgement.grounds) (\($0.step.consequence.rawValue))"
        }
        section("Breaches the file does not declare", steps.filter(\.isUndeclaredBreach)) {
            "an attacker got its users' data, \($0.step.judgement.verdict.blame("allows"))"
        }
        section("Outages the file does not declare", steps.filter(\.isUndeclaredOutage)) {
            "its users were kept from their own server, \($0.step.judgement.verdict.blame("demands"))"
        }
        section("Refusals of unproven cause", steps.filter(\.isUnprovenRefusal)) { _ in
            "the pins alone demand it, and nobody knows whether it was their doing: declare refused-pin"
        }
        section("Inconclusive", steps.filter { $0.step.judgement.verdict == .inconclusive }) {
            "\($0.step.judgement.grounds)"
        }
        section("Not applicable", steps.filter { $0.step.judgement.verdict == .notApplicable }) {
            "\($0.step.judgement.grounds)"
        }
        let findings = report.trials.flatMap { trial in trial.findings.map { "  \(trial.client): \($0.printable)" } }
        if !findings.isEmpty { lines += [style.heading("To mend in the file")] + findings.unique + [""] }
        let skipped = report.trials.filter { $0.verdict == .skipped }.map { trial in
            "  \(trial.client): \(trial.steps.first.map { "\($0.judgement.grounds)" } ?? "it has no steps")"
        }
        if !skipped.isEmpty { lines += [style.heading("Skipped")] + skipped.unique + [""] }
        return (lines + counts(report)).joined(separator: "\n") + "\n"
    }

    private func name(_ trialStep: Report.TrialStep) -> String {
        "\(trialStep.trial.scenario) · \(trialStep.trial.policy) · \(trialStep.trial.client), "
            + name(trialStep.step.planned)
    }

    /// How many of some steps the file declares; nothing where it declares none.
    private func declared(_ count: Int, but undeclared: Int) -> String {
        count > undeclared ? " (\(count - undeclared) declared)" : ""
    }

    private func counts(_ report: Report) -> [String] {
        let steps = report.steps
        func count(_ verdict: Verdict) -> Int { steps.count { $0.step.judgement.verdict == verdict } }
        func count(_ consequence: Consequence) -> Int {
            steps.count { $0.step.consequence == consequence && $0.step.judgement.verdict != .skipped }
        }
        func undeclared(_ verdict: Verdict) -> Int {
            report.undeclaredSteps.count { $0.step.judgement.verdict == verdict }
        }
        func words(_ verdict: Verdict, _ word: String) -> String {
            let number = count(verdict)
            let text = "\(number) \(word)" + declared(number, but: undeclared(verdict))
            return number > 0 ? style.verdict(verdict, text) : text
        }
        let verdicts = [
            style.verdict(.pass, "\(count(.pass)) passed"),
            words(.fail, "failed"), words(.inconclusive, "inconclusive"),
            "\(count(.skipped)) skipped",
            "\(count(.notApplicable)) not applicable",
        ].filter { count(.notApplicable) > 0 || !$0.hasSuffix("not applicable") }
        let outages = declared(count(.lockedOut), but: steps.count(where: \.isUndeclaredOutage))
        let breaches = declared(count(.intercepted), but: steps.count(where: \.isUndeclaredBreach))
        let people =
            "\(count(.served)) served, \(count(.protected)) protected, \(count(.lockedOut)) locked out\(outages), "
            + "\(count(.intercepted)) intercepted\(breaches), \(count(.unknown)) unknown"
        let trials = report.wasInterrupted ? "\(report.trials.count) of \(report.planned)" : "\(report.trials.count)"
        return [
            "Interrupted: the rest was not tried.",
            "\(trials) \(report.planned == 1 ? "trial" : "trials"), \(steps.count) \(steps.count == 1 ? "step" : "steps") in \(report.duration.inMilliseconds): "
                + verdicts.joined(separator: ", "),
            "For their users: \(people)",
            "\(report.scenarios.words) played (--all plays every one).",
        ].dropFirst(report.wasInterrupted ? 0 : 1).dropLast(report.scenarios.left > 0 ? 0 : 1).map { $0 }
    }
}

extension Verdict {
    /// What a breach or an outage has to do with the policy.
    fileprivate func blame(_ verb: String) -> String {
        switch self {
        case .pass: "as its policy \(verb)"
        case .fail: "against its policy"
        case .skipped, .notApplicable, .inconclusive: "and nothing proves that its policy \(verb) it"
        }
    }
}

extension Decision.Demand {
    fileprivate var phrase: String {
        switch self {
        case .accept: "must accept"
        case .reject: "must reject"
        case .either: "may do either"
        }
    }
}

extension Duration {
    /// As in `21 ms`.
    var inMilliseconds: String { "\(milliseconds) ms" }

    /// Whole milliseconds.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension String {
    /// Without what could steer a terminal: clients, and attackers of the terminal's owner, choose such texts.
    fileprivate var printable: String {
        String(UnicodeScalarView(unicodeScalars.map { $0.steersTerminal && $0 != "\t" ? "\u{FFFD}" : $0 }))
    }
}

extension Sequence<String> {
    /// Each value once, in the order of its first appearance.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
