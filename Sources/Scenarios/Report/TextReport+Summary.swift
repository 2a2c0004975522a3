import Pinning
import TLSCore

extension TextReport {
    /// More steps are not told in full: the marks and the reports have them all.
    private static let mostAccounts = 20

    /// The whole of a run: what came of each trial as a mark, and all that is known of the steps that failed or proved
    /// nothing.
    package func renderMatrix(_ report: Report) -> String { matrix(Summarized(report, of: self)) }

    /// The same of a run that is over.
    package func renderMatrix(_ report: RecordedReport) -> String { matrix(Summarized(report)) }

    /// What a person needs to know who has read each step: failures, breaches and outages first, then the counts.
    package func renderSummary(_ report: Report) -> String { summary(Summarized(report, of: self)) }

    /// The same of a run that is over.
    package func renderSummary(_ report: RecordedReport) -> String { summary(Summarized(report)) }

    private func matrix(_ report: Summarized) -> String {
        let table = ResultMatrix(report.report.trials).lines(style, width: width)
        let steps = report.undeclared
        let failed = accounts(of: steps.filter { $0.step.verdict == .fail }, "Failed")
        let doubtful = accounts(of: steps.filter(\.step.isDoubtful), "Inconclusive") + breakdowns(of: steps)
        let rest =
            mended(report) + failed + breachesAndOutages(steps) + unproven(steps) + doubtful + thefts(report)
            + ending(report)
        return (table + (table.isEmpty ? [] : [""]) + rest).joined(separator: "\n") + "\n"
    }

    private func summary(_ report: Summarized) -> String {
        let steps = report.undeclared
        let failed = section("Failed", steps.filter { $0.step.verdict == .fail }) {
            "\($0.step.grounds) (\($0.step.consequence.rawValue))"
        }
        let doubtful =
            section("Inconclusive", steps.filter(\.step.isDoubtful)) { $0.step.grounds } + breakdowns(of: steps)
        let lines =
            mended(report) + failed + breachesAndOutages(steps) + unproven(steps) + doubtful + ending(report)
        return lines.joined(separator: "\n") + "\n"
    }

    /// A report, and every step of it.
    private struct Summarized {
        var report: RecordedReport
        var steps: [Told]

        init(_ report: RecordedReport) {
            self.report = report
            steps = report.steps.map { Told(trial: $0.trial, step: $0.step) }
        }

        /// Of a run that goes on from an earlier one: what it has played itself.
        init(_ report: Report, of text: TextReport) {
            self.report = RecordedReport(report, exitStatus: nil)
            self.report.trials.removeFirst(report.kept.count)
            steps = report.trials.flatMap(text.told)
        }

        var undeclared: [Told] { steps.filter { $0.trial.deviation?.seen != true } }
    }

    /// What kept steps from being played, each reason once.
    private func breakdowns(of steps: [Told]) -> [String] {
        let reasons = steps.filter { $0.step.breakdown == true }.map(\.step.grounds)
        guard !reasons.isEmpty else { return [] }
        return [style.heading("Not played")] + counted(reasons) + [""]
    }

    /// Each reason once, with the number of its steps.
    private func counted(_ reasons: [String]) -> [String] {
        reasons.uniqued.flatMap { reason in
            let number = reasons.count { $0 == reason }
            return hanging("  \(reason) (\(number) \(number == 1 ? "step" : "steps"))")
        }
    }

    /// A line for each step, which names all policies under which the same came of it.
    private func section(_ title: String, _ some: [Told], _ words: (Told) -> String) -> [String] {
        guard !some.isEmpty else { return [] }
        let lines = some.grouped { $0.isAlike($1) }.map { alike in
            let policies = alike.map(\.trial.policy).uniqued.joined(separator: ", ")
            return "  \(alike[0].trial.scenario) · \(policies) · \(alike[0].trial.client), "
                + "\(alike[0].step.name): \(words(alike[0]))"
        }
        return [style.heading(title)] + lines.uniqued.flatMap(hanging) + [""]
    }

    /// A line with the margin that it has, and what follows of it further in.
    private func hanging(_ line: String) -> [String] {
        let margin = String(line.prefix { $0 == " " })
        let lines = line.wrapped(to: width - 2, indent: margin)
        return lines.prefix(1) + lines.dropFirst().map { "  " + $0 }
    }

    /// All about some steps, worst for people first, with what the client said last and what to do. What came of the same
    /// step under other policies is told once.
    private func accounts(of steps: [Told], _ title: String) -> [String] {
        guard !steps.isEmpty else { return [] }
        let told = steps.grouped { $0.isAlike($1) }.enumerated()
            .sorted { ($1.element[0].step.consequence, $0.offset) < ($0.element[0].step.consequence, $1.offset) }
            .map(\.element)
        var lines = [style.heading(steps.count == 1 ? title : "\(title) (\(steps.count) steps)")]
        for alike in told.prefix(Self.mostAccounts) {
            lines += account(of: alike[0], otherPolicies: alike.dropFirst().map(\.trial.policy).uniqued)
        }
        let left = told.dropFirst(Self.mostAccounts).reduce(0) { $0 + $1.count }
        if left > 0 { lines.append("and \(left) more: --verbose tells of every step") }
        return lines + [""]
    }

    private func account(of told: Told, otherPolicies: [String]) -> [String] {
        let step = told.step
        var more: [String] = []
        if let attempt = step.decisive, attempt.word != .succeeded, let said = attempt.lastLine?.printable,
            !attempt.account.contains(said)
        {
            more.append("it said last: \(said)")
        }
        if step.advice == nil, let next = step.nextStep { more.append(next) }
        if !otherPolicies.isEmpty { more.append("the same with \(otherPolicies.joined(separator: ", "))") }
        return render(told.trial, [told]).split(whereSeparator: \.isNewline).map(String.init)
            + more.flatMap { $0.wrapped(to: width, indent: .spaces(step.verdict.rawValue.count + 4)) }
    }

    /// What was stolen in steps that no account tells of: those that passed, and those that deviate as declared.
    private func thefts(_ report: Summarized) -> [String] {
        let steps = report.steps.filter { told in
            let isTold = [.fail, .inconclusive].contains(told.step.verdict) && told.trial.deviation?.seen != true
            return !isTold && !told.stolen.isEmpty
        }
        return showsStolen ? accounts(of: steps, "Stolen") : []
    }

    private func mended(_ report: Summarized) -> [String] {
        let lines = report.report.trials.compactMap { trial in
            trial.deviation.flatMap { deviation in
                deviation.seen
                    ? nil
                    : "  \(trial.name): declared to be '\(deviation.verdict.rawValue)', and it is "
                        + "'\(trial.verdict.rawValue)': correct its 'deviates'"
            }
        }
        guard !lines.isEmpty else { return [] }
        return [style.heading("Deviations that did not happen")] + lines.flatMap(hanging) + [""]
    }

    private func breachesAndOutages(_ all: [Told]) -> [String] {
        // What failed has been told.
        let steps = all.filter { $0.step.verdict != .fail }
        return section("Breaches the file does not declare", steps.filter(\.step.isUndeclaredBreach)) {
            "an attacker got its users' data, \($0.step.blame("allows"))"
        }
            + section("Outages the file does not declare", steps.filter(\.step.isUndeclaredOutage)) {
                "its users were kept from their own server, \($0.step.blame("demands"))"
            }
    }

    /// What each client lacks, and in how many steps it matters.
    private func notApplicable(_ all: [Told]) -> [String] {
        let steps = all.filter { $0.step.verdict == .notApplicable }
        guard !steps.isEmpty else { return [] }
        let reasons = steps.map { "\($0.trial.client): \($0.step.grounds)" }
        return [style.heading("Not applicable")] + counted(reasons) + [""]
    }

    private func unproven(_ steps: [Told]) -> [String] {
        section("Refusals of unproven cause", steps.filter(\.step.isUnprovenRefusal)) { _ in
            "the pins alone demand it, and nobody knows whether it was their doing: declare refused-pin"
        }
    }

    private func ending(_ report: Summarized) -> [String] {
        var lines = notApplicable(report.undeclared)
        let trials = report.report.trials
        let findings = trials.flatMap { trial in (trial.findings ?? []).map { "  \(trial.client): \($0.printable)" } }
        if !findings.isEmpty {
            lines += [style.heading("To mend in the file")] + findings.uniqued.flatMap(hanging) + [""]
        }
        let skipped = trials.filter { $0.verdict == .skipped }.map { trial in
            "  \(trial.client): \(trial.steps.first { $0.verdict == .skipped }?.grounds ?? "it has no steps")"
        }
        if !skipped.isEmpty { lines += [style.heading("Skipped")] + skipped.uniqued.flatMap(hanging) + [""] }
        return lines + counts(report)
    }

    /// How many of some steps the file declares; nothing where it declares none.
    private func declared(_ count: Int, but undeclared: Int) -> String {
        count > undeclared ? " (\(count - undeclared) declared)" : ""
    }

    private func counts(_ summarized: Summarized) -> [String] {
        let (report, steps) = (summarized.report, summarized.steps.map(\.step))
        let unexpected = summarized.undeclared.map(\.step)
        func count(_ verdict: Verdict) -> Int { steps.count { $0.verdict == verdict } }
        func count(_ consequence: Consequence) -> Int {
            steps.count { $0.consequence == consequence && $0.verdict != .skipped }
        }
        func words(_ verdict: Verdict, _ word: String) -> String {
            let number = count(verdict)
            let text = "\(number) \(word)" + declared(number, but: unexpected.count { $0.verdict == verdict })
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
        let (planned, scenarios) = (report.summary.planned, report.summary.coverage)
        let trials = report.interrupted ? "\(report.trials.count) of \(planned)" : "\(report.trials.count)"
        return [
            "Interrupted: the rest was not tried.",
            "\(trials) \(planned == 1 ? "trial" : "trials"), \(steps.count) \(steps.count == 1 ? "step" : "steps") in \(report.duration) ms: "
                + verdicts.joined(separator: ", "),
        ].dropFirst(report.interrupted ? 0 : 1) + hanging("For their users: \(people)")
            + (scenarios.left > 0 ? ["\(scenarios.words) played (--all plays every one)."] : [])
    }
}

extension RecordedStep {
    /// What a breach or an outage has to do with the policy.
    fileprivate func blame(_ verb: String) -> String {
        switch verdict {
        case .pass where shown.contains { $0.host == nil && $0.demand == .either }:
            "as its policy allows: TLS libraries differ"
        case .pass: "as its policy \(verb)"
        case .fail: "against its policy"
        case .skipped, .notApplicable, .inconclusive: "and nothing proves that its policy \(verb) it"
        }
    }
}

extension TextReport.Told {
    /// Whether the same came of the same step of a scenario, under another policy.
    fileprivate func isAlike(_ other: TextReport.Told) -> Bool {
        trial.scenario == other.trial.scenario && trial.client == other.trial.client && step.isAlike(other.step)
    }
}

extension RecordedStep {
    /// Whether the same came of the same declaration.
    func isAlike(_ other: RecordedStep) -> Bool {
        verdict == other.verdict && grounds == other.grounds && consequence == other.consequence
            && (at, host, store, title, note, line) == (
                other.at, other.host, other.store, other.title, other.note, other.line
            )
    }
}

extension Array {
    /// Those that are alike together, in the order of the first of each.
    func grouped(by isAlike: (Element, Element) -> Bool) -> [[Element]] {
        reduce(into: []) { groups, element in
            if let index = groups.firstIndex(where: { isAlike($0[0], element) }) {
                groups[index].append(element)
            } else {
                groups.append([element])
            }
        }
    }
}
