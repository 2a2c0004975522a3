import Pinning
import TLSCore

/// A report for the place where a change is talked about: a pull request, or the summary of a job.
///
/// It is in GitHub's dialect (GFM). What clients and servers said stands in code spans and blocks, which know no markup,
/// no links and no mentions; other words are escaped.
package struct MarkdownReport: ReportFormat {
    private let conditions: Set<FailureCondition>
    /// In bytes.
    private let limit: Int
    private let place: ReportPlace

    /// A summary on GitHub may have 1 MiB.
    package static let limit = 1_000_000

    /// More rows are folded where there is nothing to see.
    private static let manyRows = 24
    /// So many trials have a column each.
    private static let mostColumns = 12

    package init(
        failingOn conditions: Set<FailureCondition>,
        limit: Int = MarkdownReport.limit,
        place: ReportPlace = .asTheRunWroteIt
    ) {
        self.conditions = conditions
        self.limit = limit
        self.place = place
    }

    func opening(_ report: RecordedReport) -> String {
        "## PinDrill: \(MarkdownText.literal(report.file))\n\nThe run that writes this page is not finished, or was killed.\n"
    }

    func entry(_ trial: RecordedTrial, isFirst: Bool) -> String { "" }
    func closing(_ summary: RecordedReport.Summary, _ end: ReportDocument.End) -> String { "" }

    package func document(_ report: RecordedReport) -> String {
        let headline = Headline(report, failingOn: conditions)
        let alert = [Headline.Outcome.good: "NOTE", .doubt: "WARNING", .bad: "CAUTION"][headline.outcome] ?? "NOTE"
        var parts = [
            "## PinDrill: \(MarkdownText.literal(report.file))",
            "> [!\(alert)]\n> **\(headline.text)**",
        ]
        if !report.trials.isEmpty { parts.append(people(report)) }
        let marks = matrix(report)
        if !marks.isEmpty { parts.append(marks.joined(separator: "\n")) }
        let told = accounts(report)
        let advice = told.isEmpty ? nil : report.replayAdvice(at: place)
        let ending = (report.circumstances + [advice].compactMap(\.self)).map { MarkdownText.literal($0) }
            .joined(separator: "  \n")
        var room = limit - ending.utf8.count - 200 - parts.reduce(0) { $0 + $1.utf8.count + 2 }
        // A matrix of thousands of clients alone may be too much.
        if room < 0, !marks.isEmpty {
            parts.removeLast()
            room += marks.joined(separator: "\n").utf8.count
        }
        if !told.isEmpty { parts.append("### What is to be looked at") }
        for (index, account) in told.enumerated() {
            room -= account.utf8.count + 2
            guard room > 0 else {
                parts.append("And \(told.count - index) more: the JSON report has them.")
                break
            }
            parts.append(account)
        }
        return (parts + [ending]).joined(separator: "\n\n") + "\n"
    }

    private func people(_ report: RecordedReport) -> String {
        let steps = report.steps.map(\.step).filter { $0.verdict != .skipped }
        let words = Consequence.allCases.reversed().compactMap { consequence -> String? in
            let count = steps.count { $0.consequence == consequence }
            guard count > 0 else { return nil }
            let declared = steps.count { $0.consequence == consequence && $0.declared }
            let told =
                "\(count) \(count == 1 ? "step" : "steps"): \(consequence.fate)\(declared > 0 ? " (\(declared) declared)" : "")"
            return consequence.isHarm && declared < count ? "**\(told)**" : told
        }
        return "For the users of these clients: \(words.joined(separator: "; "))."
    }

    /// A row for each scenario that needs attention, or all of a few; a column for each client and policy.
    private func matrix(_ report: RecordedReport) -> [String] {
        let marks = Dictionary(report.trials.map { ($0.name, ResultMatrix.Mark($0)) }) { first, _ in first }
        let places = report.trials.map { [$0.client, $0.policy] }.uniqued
        let scenarios = report.trials.map(\.scenario).uniqued
        func mark(_ scenario: String, _ place: [String]) -> ResultMatrix.Mark? {
            marks["\(scenario) · \(place[1]) · \(place[0])"]
        }
        let rows = scenarios.filter { scenario in
            scenarios.count <= Self.manyRows || places.contains { mark(scenario, $0).map { $0 >= .outage } == true }
        }
        let columns = places.filter { place in
            places.count <= Self.mostColumns || rows.contains { mark($0, place).map { $0 >= .outage } == true }
        }.prefix(Self.mostColumns)
        guard !rows.isEmpty, !columns.isEmpty else { return [] }
        let head = ["Scenario"] + columns.map { "\(MarkdownText.literal($0[0])) · \(MarkdownText.literal($0[1]))" }
        let lines = rows.prefix(200).map { scenario in
            [MarkdownText.literal(scenario)] + columns.map { mark(scenario, $0)?.sign ?? "" }
        }
        let left = [
            rows.count < scenarios.count
                ? "\(scenarios.count - rows.count) more scenarios in which nothing is wrong." : nil,
            rows.count > 200 ? "\(rows.count - 200) more scenarios in which something is." : nil,
            columns.count < places.count ? "\(places.count - columns.count) more clients and policies." : nil,
        ].compactMap { $0 }
        return ([head, head.map { _ in "---" }] + lines).map { "| \($0.joined(separator: " | ")) |" }
            + (left.isEmpty ? [] : ["", left.joined(separator: " ")])
    }

    /// A text for each step that somebody should look at, the worst first. What came of the same step under other policies is
    /// told once.
    private func accounts(_ report: RecordedReport) -> [String] {
        let steps = report.undeclaredSteps.filter { entry in
            let step = entry.step
            return step.verdict == .fail || step.verdict == .inconclusive || step.isUndeclaredBreach
                || step.isUndeclaredOutage
                || conditions.contains(.unproven) && step.isUnprovenRefusal
        }
        let told = steps.grouped { one, other in
            one.trial.scenario == other.trial.scenario && one.trial.client == other.trial.client
                && one.step.isAlike(other.step)
        }
        let mended = report.trials.compactMap { trial in
            trial.deviation.flatMap { deviation in
                deviation.seen
                    ? nil
                    : "- **\(MarkdownText.literal(trial.name))** was declared to be `\(deviation.verdict.rawValue)`, and is "
                        + "`\(trial.verdict.rawValue)`: correct its `deviates`."
            }
        }
        let findings = report.trials.flatMap { trial in
            (trial.findings ?? []).map {
                "- To mend in the file, for \(MarkdownText.literal(trial.client)): \(MarkdownText.literal($0))"
            }
        }.uniqued
        return mended
            + told.sorted {
                ($1[0].step.verdict, $1[0].step.consequence) < ($0[0].step.verdict, $0[0].step.consequence)
            }
            .map { account(of: $0, report) } + findings
    }

    private func account(of alike: [RecordedReport.TrialStep], _ report: RecordedReport) -> String {
        let (trial, step) = (alike[0].trial, alike[0].step)
        let policies = alike.map(\.trial.policy).uniqued.map { MarkdownText.literal($0) }.joined(separator: ", ")
        var lines = [
            "#### \(step.outcome): \(MarkdownText.literal(trial.scenario)) · \(policies) · \(MarkdownText.literal(trial.client))",
            "",
            "**\(MarkdownText.literal(step.name)): \(MarkdownText.literal(step.grounds)).** For its users: \(step.meaning).",
            "",
        ]
        lines += step.shown.map {
            "- Shown: \(MarkdownText.literal($0.chain)) (\($0.holder.rawValue)'s \(MarkdownText.literal($0.key))), to "
                + "\(MarkdownText.code($0.host ?? step.host)): \($0.demand.phrase), for \(MarkdownText.literal($0.reason))"
        }
        if let attempt = step.decisive {
            let account = attempt.account.isEmpty ? "" : " \(MarkdownText.code(attempt.account))"
            lines.append("- Wire: \(MarkdownText.literal(attempt.wire)). Client: \(attempt.word.rawValue)\(account)")
        }
        lines += (step.leaks ?? []).map { "- \(MarkdownText.literal($0))" }
        lines += step.missing.uniqued.prefix(10).map {
            "- Asked for \(MarkdownText.code($0)) and got 404: declare it in `origin:`"
        }
        if let next = step.advice ?? step.nextStep { lines.append("- What to do: \(MarkdownText.literal(next))") }
        if let file = step.file, let line = step.line {
            lines.append("- Declared at \(MarkdownText.code("\(file):\(line)"))")
        }
        if let again = report.replay(trial, at: place) { lines.append("- Play it again: \(MarkdownText.code(again))") }
        if let output = step.decisive?.output.suffix(2000), output.contains(where: { !$0.isWhitespace }) {
            lines += [
                "", "<details><summary>What the client said</summary>", "", MarkdownText.block(String(output)), "",
                "</details>",
            ]
        }
        return lines.joined(separator: "\n")
    }
}

extension ResultMatrix.Mark {
    /// In a cell of a table.
    fileprivate var sign: String {
        switch self {
        case .right: "✅"
        case .declaredOutage: "🔒 locked out (declared)"
        case .declaredBreach: "🔓 intercepted (declared)"
        case .failed: "❌ **failed**"
        case .breach: "❌ **intercepted**"
        case .outage: "❌ **locked out**"
        case .inconclusive: "❔ inconclusive"
        case .deviated: "deviates (declared)"
        case .notApplicable: "n/a"
        case .skipped: "skipped"
        }
    }
}
