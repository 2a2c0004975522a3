import Pinning
import TLSCore

/// A report as people read it: a line for each step while the run goes on, and at the end what matters, worst first.
public struct TextReport: Sendable {
    private let style: TextStyle
    /// Shows what each client printed, and every connection.
    private let isVerbose: Bool

    public init(style: TextStyle = TextStyle(isColoured: false), isVerbose: Bool = false) {
        self.style = style
        self.isVerbose = isVerbose
    }

    // MARK: A trial

    /// The trial's name and a line for each step.
    public func render(_ trial: TrialResult) -> String {
        let model = trial.isModel ? style.aside("  (model: proves the catalogue, not a client)") : ""
        let heading = style.heading("\(trial.scenario) · \(trial.policy) · \(trial.client)") + model
        let reasons = Set(trial.steps.map(\.judgement))
        if let only = reasons.first, reasons.count == 1, only.verdict == .skipped {
            return "\(heading)\n  \(style.verdict(.skipped, "skipped"))  \(only.grounds)\n"
        }
        let rows = trial.steps.map(columns)
        let widths = (0..<(rows.first?.count ?? 0)).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = zip(trial.steps, rows).flatMap { step, row in
            [line(step, row, widths)] + remarks(on: step) + (isVerbose ? details(of: step) : [])
        }
        return ([heading] + lines).joined(separator: "\n") + "\n"
    }

    /// Verdict, chain, key, demand, wire, word, consequence, time.
    private func columns(_ step: StepResult) -> [String] {
        let planned = step.planned
        let attempt = step.decisive
        let demands = planned.showings.map { "must \($0.decision.demand.phrase): \($0.decision)" }
        return [
            step.judgement.verdict.rawValue,
            planned.step.present.joined(separator: ", ") + (planned.isControl ? " (control)" : ""),
            planned.showings.map { "\($0.holder.rawValue)'s \($0.key)" }.unique.joined(separator: ", "),
            demands.unique.joined(separator: "; "),
            "wire: \(attempt.map { "\($0.wire)" } ?? "-")",
            "client: \(attempt.map { "\($0.report.word.rawValue) (\($0.report.account))" } ?? "-")",
            meaning(of: step),
            step.duration.inMilliseconds,
        ]
    }

    private func meaning(of step: StepResult) -> String {
        switch step.attribution {
        case .pin?: "\(step.consequence.rawValue) by the pin"
        case .other?: "\(step.consequence.rawValue), not by the pin"
        case .unproven?: "\(step.consequence.rawValue), by the pin: unproven"
        case nil: step.consequence.rawValue
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
        if step.judgement.verdict != .pass { lines.append("        \(step.judgement.grounds)") }
        let elsewhere = step.attempts.flatMap(\.elsewhere).compactMap(\.target).unique
        if !elsewhere.isEmpty { lines.append("        also connected to: \(elsewhere.joined(separator: ", "))") }
        return lines
    }

    private func details(of step: StepResult) -> [String] {
        step.attempts.enumerated().flatMap { index, attempt in
            let name = step.attempts.count > 1 ? "attempt \(index + 1), " : ""
            let connections = (attempt.observations + attempt.elsewhere).map { observation in
                let request = observation.requestLine.map { ", “\($0)”" } ?? ""
                return "        \(name)connection to \(observation.target ?? "nobody named"): "
                    + "shown \(observation.shown ?? "nothing"), \(observation.reaction)\(request)"
            }
            let output = attempt.report.output.split(whereSeparator: \.isNewline).suffix(20).map { "        | \($0)" }
            return connections + output
        }
    }

    // MARK: The summary

    /// What a person needs to know: failures, breaches and outages first, then the counts.
    public func renderSummary(_ report: Report) -> String {
        let findings = report.findings
        var lines: [String] = []
        func section(_ title: String, _ some: [Report.Finding], _ words: (Report.Finding) -> String) {
            guard !some.isEmpty else { return }
            lines.append(style.heading(title))
            lines += some.map { "  \(name($0)): \(words($0))" }.unique
            lines.append("")
        }
        section("Failed", findings.filter { $0.step.judgement.verdict == .fail }) {
            "\($0.step.judgement.grounds) (\($0.step.consequence.rawValue))"
        }
        section("Breaches the file does not declare", findings.filter(\.isUndeclaredBreach)) {
            "users were intercepted; the client \($0.step.judgement.verdict == .pass ? "obeyed a policy that allows it" : "disobeyed its policy")"
        }
        section("Outages the file does not declare", findings.filter(\.isUndeclaredOutage)) {
            "users were locked out; \($0.step.judgement.verdict == .pass ? "the policy demands it" : "the policy does not demand it")"
        }
        section("Inconclusive", findings.filter { $0.step.judgement.verdict == .inconclusive }) {
            "\($0.step.judgement.grounds)"
        }
        section("Skipped", report.trials.filter { $0.verdict == .skipped }.compactMap(Report.Finding.init(first:))) {
            "\($0.step.judgement.grounds)"
        }
        return (lines + counts(report)).joined(separator: "\n") + "\n"
    }

    private func name(_ finding: Report.Finding) -> String {
        "\(finding.trial.scenario) · \(finding.trial.policy) · \(finding.trial.client), "
            + "\(finding.step.planned.step.present.joined(separator: ", "))"
            + (finding.step.planned.isControl ? " (control)" : "")
    }

    private func counts(_ report: Report) -> [String] {
        let findings = report.findings
        func count(_ verdict: Verdict) -> Int { findings.count { $0.step.judgement.verdict == verdict } }
        func count(_ consequence: Consequence) -> Int { findings.count { $0.step.consequence == consequence } }
        let verdicts = [
            style.verdict(.pass, "\(count(.pass)) passed"),
            count(.fail) > 0 ? style.verdict(.fail, "\(count(.fail)) failed") : "0 failed",
            count(.inconclusive) > 0
                ? style.verdict(.inconclusive, "\(count(.inconclusive)) inconclusive") : "0 inconclusive",
            "\(count(.skipped)) skipped",
        ]
        let people =
            "\(count(.served)) served, \(count(.protected)) protected, \(count(.lockedOut)) locked out, "
            + "\(count(.intercepted)) intercepted, \(count(.unknown)) unknown"
        let trials = report.wasInterrupted ? "\(report.trials.count) of \(report.planned)" : "\(report.trials.count)"
        return [
            "Interrupted: the rest was not tried.",
            "\(trials) \(report.planned == 1 ? "trial" : "trials"), \(findings.count) steps in \(report.duration.inMilliseconds): "
                + verdicts.joined(separator: ", "),
            "For their users: \(people)",
        ].dropFirst(report.wasInterrupted ? 0 : 1).map { $0 }
    }
}

extension Report.Finding {
    fileprivate init?(first trial: TrialResult) {
        guard let step = trial.steps.first else { return nil }
        self.init(trial: trial, step: step)
    }
}

extension Decision.Demand {
    fileprivate var phrase: String {
        switch self {
        case .accept: "accept"
        case .reject: "reject"
        case .either: "do either"
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

extension Sequence<String> {
    /// Each value once, in the order of its first appearance.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
