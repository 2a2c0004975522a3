import Pinning
import TLSCore
package import Witness

/// A report as people read it: what matters, worst first, and each step on request.
package struct TextReport: Sendable {
    private let style: TextStyle
    /// Where lines are wrapped, between words.
    private let width: Int
    /// Shows what each client printed, and every connection.
    private let isVerbose: Bool

    /// Shows what attackers got.
    private let showsStolen: Bool

    /// So much of a connection is shown.
    package static let mostStolenBytes = 2048

    package init(
        style: TextStyle = TextStyle(isColoured: false),
        width: Int = 100,
        isVerbose: Bool = false,
        showsStolen: Bool = false
    ) {
        self.showsStolen = showsStolen
        self.style = style
        self.width = width
        self.isVerbose = isVerbose
    }

    // MARK: A trial

    /// The trial's name, and two lines for each step: what it shows and demands, and what came of it.
    package func render(_ trial: TrialResult) -> String { render(trial, trial.steps) }

    private func render(_ trial: TrialResult, _ steps: [StepResult]) -> String {
        let model = trial.isModel ? style.aside("  (model: proves the catalogue, not a client)") : ""
        let heading =
            style.heading("\(trial.scenario) · \(trial.policy) · \(trial.client)") + model + deviation(of: trial)
        let reasons = Set(steps.map(\.judgement))
        if let only = reasons.first, reasons.count == 1, only.verdict == .skipped || only.grounds.isBreakdown {
            let lines = "\(only.grounds)".wrapped(to: width - only.verdict.rawValue.count - 4, indent: "")
            let margin = String.spaces(only.verdict.rawValue.count + 4)
            let said =
                "  \(style.verdict(only.verdict, only.verdict.rawValue))  " + lines.joined(separator: "\n\(margin)")
            return "\(heading)\n\(said)\n"
        }
        let rows = steps.map(columns)
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = zip(steps, rows).flatMap { step, row in
            self.lines(step, row, widths, policy: trial.policy) + remarks(on: step, .spaces(widths[0] + 4))
                + (showsStolen ? stolen(in: step, .spaces(widths[0] + 4)) : [])
                + (isVerbose ? details(of: step, .spaces(widths[0] + 4)) : [])
        }
        let findings = trial.findings.flatMap { $0.printable.wrapped(to: width, indent: "  ") }
        return ([heading] + lines + findings).joined(separator: "\n") + "\n"
    }

    private func deviation(of trial: TrialResult) -> String {
        guard let deviation = trial.trial.deviation, let isSeen = trial.deviatesAsDeclared else { return "" }
        let words = isSeen ? "deviates as declared" : "declared to deviate (\(deviation.verdict.rawValue))"
        return style.aside("  (\(words): \(deviation.because))")
    }

    /// Verdict, chain, key, demand.
    private func columns(_ step: StepResult) -> [String] {
        let planned = step.planned
        let demands = (planned.shownChains + planned.others).map { shown in
            "\(shown.otherHost.map { "\($0) " } ?? "")\(shown.decision.demand.phrase): \(shown.decision)"
        }
        return [
            step.judgement.verdict.rawValue,
            name(planned),
            planned.shownChains.map { "\($0.holder.rawValue)'s \($0.key)" }.unique.joined(separator: ", "),
            demands.unique.joined(separator: "; "),
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
    private func meaning(of step: StepResult, under policy: String) -> String {
        let consequence = step.consequence.rawValue + (step.isDeclared(for: policy) ? " (declared)" : "")
        let isResult = step.consequence == .lockedOut || step.consequence == .protected
        return switch step.attribution {
        case .pin?: "\(consequence)\(isResult ? "" : "; rejected") by the pin"
        case .configuration?: "\(consequence)\(isResult ? "" : "; rejected") by its settings"
        case .other?: "\(consequence)\(isResult ? "" : "; rejected"), not by the pin"
        case .unproven?: "\(consequence)\(isResult ? "" : "; rejected"), by the pin: unproven"
        case nil: consequence
        }
    }

    /// What is shown, whose it is and what must be done with it; below, what the witnesses say and what it means.
    private func lines(_ step: StepResult, _ row: [String], _ widths: [Int], policy: String) -> [String] {
        let margin = String.spaces(widths[0] + 4)
        let column = margin.count + widths[1] + widths[2] + 4
        let name = "  \(style.step(step, row[0].padded(to: widths[0])))  \(row[1].padded(to: widths[1]))  "
        var lines: [String]
        if column > width / 2 {
            lines = [name + row[2]] + row[3].wrapped(to: width, indent: margin + "  ")
        } else {
            let demand = row[3].wrapped(to: width, indent: .spaces(column))
            lines = [name + row[2].padded(to: widths[2]) + "  " + (demand.first ?? "").dropFirst(column)]
            lines += demand.dropFirst()
        }
        let attempt = step.decisive
        let seen = "wire: \(attempt.map { "\($0.wire)" } ?? "-"); client: \(attempt.map { said($0.report) } ?? "-")"
        lines += seen.wrapped(to: width, indent: margin)
        let (meaning, time) = (meaning(of: step, under: policy), step.duration.inMilliseconds)
        let end = "\(style.consequence(step.consequence, meaning))  \(time)"
        if (lines.last?.count ?? width) + meaning.count + time.count + 4 > width { return lines + [margin + end] }
        lines[lines.count - 1] += "  \(end)"
        return lines
    }

    /// Why a verdict is no pass, and what the author noted.
    private func remarks(on step: StepResult, _ indent: String) -> [String] {
        var lines: [String] = []
        if let note = step.planned.step.note { lines.append("note: \(note)") }
        // The line above has said already what the wire saw.
        let isSaid = step.decisive.map { "\($0.wire)" == "\(step.judgement.grounds)" } ?? false
        if step.judgement.verdict != .pass, !isSaid { lines.append("\(step.judgement.grounds)") }
        lines += step.leakage.map(\.printable)
        if step.judgement.verdict != .pass {
            let missing = step.missing.map { "\($0)".printable }.unique
            lines += missing.prefix(10).map { "asked for \($0) and got 404: declare it in 'origin:'" }
        }
        if let advice = step.advice { lines.append(advice.printable) }
        let elsewhere = step.attempts.flatMap(\.elsewhere).compactMap(\.target?.printable).unique
        if !elsewhere.isEmpty { lines.append("also connected to: \(elsewhere.joined(separator: ", "))") }
        return lines.flatMap { $0.wrapped(to: width, indent: indent) }
    }

    /// What each attacker read, line by line, cut off at a size that is told.
    private func stolen(in step: StepResult, _ indent: String) -> [String] {
        step.stolen.flatMap { theft in
            let part =
                theft.bytes.count < theft.count
                ? "the first \(theft.bytes.count) of \(theft.count) bytes" : "\(theft.count) bytes"
            let lines = String(decoding: theft.bytes, as: UTF8.self).replacing("\r\n", with: "\n")
                .split(separator: "\n", omittingEmptySubsequences: false)
            return ["\(indent)\(theft.thief) got \(part):"]
                + lines.flatMap { $0.escaped.cut(to: width - indent.count - 4) }.map { "\(indent)  > \($0)" }
        }
    }

    /// A connection in one line.
    package static func line(_ observation: Observation) -> String {
        let request = observation.requestLine.map { ", “\($0.printable)”" } ?? ""
        return
            "connection to \(observation.target?.printable ?? "nobody named"): shown \(observation.shown ?? "nothing"), "
            + "\(observation.reaction)\(request)"
    }

    private func details(of step: StepResult, _ indent: String) -> [String] {
        step.attempts.enumerated().flatMap { index, attempt in
            let name = step.attempts.count > 1 ? "attempt \(index + 1), " : ""
            let connections = (attempt.observations + attempt.elsewhere).map { "\(indent)\(name)\(Self.line($0))" }
            let stacks = (attempt.observations + attempt.elsewhere).compactMap { $0.hello?.fingerprint?.stack }.uniqued
            let kinds =
                stacks.count < 2
                ? []
                : [
                    "\(indent)\(name)its connections look like \(stacks.count) TLS stacks: \(stacks.joined(separator: ", "))"
                ]
            let output = attempt.report.output.split(whereSeparator: \.isNewline).suffix(20)
                .map { "\(indent)| \(String($0).printable)" }
            return connections + kinds + output
        }
    }

    // MARK: The summary

    /// More steps are not told in full: the marks and the reports have them all.
    private static let mostAccounts = 20

    /// The whole of a run: what came of each trial as a mark, and all that is known of the steps that failed or proved
    /// nothing.
    package func renderMatrix(_ report: Report) -> String {
        let table = ResultMatrix(report.trials).lines(style, width: width)
        let steps = report.undeclaredSteps
        let failed = accounts(of: steps.filter { $0.step.judgement.verdict == .fail }, "Failed")
        let doubtful = accounts(of: steps.filter(\.isDoubtful), "Inconclusive") + breakdowns(of: steps)
        let rest =
            mended(report) + failed + breachesAndOutages(report) + unproven(report) + doubtful + thefts(report)
            + ending(report)
        return (table + (table.isEmpty ? [] : [""]) + rest).joined(separator: "\n") + "\n"
    }

    /// What a person needs to know who has read each step: failures, breaches and outages first, then the counts.
    package func renderSummary(_ report: Report) -> String {
        let steps = report.undeclaredSteps
        let failed = section("Failed", steps.filter { $0.step.judgement.verdict == .fail }) {
            "\($0.step.judgement.grounds) (\($0.step.consequence.rawValue))"
        }
        let doubtful =
            section("Inconclusive", steps.filter(\.isDoubtful)) { "\($0.step.judgement.grounds)" }
            + breakdowns(of: steps)
        let lines =
            mended(report) + failed + breachesAndOutages(report) + unproven(report) + doubtful + ending(report)
        return lines.joined(separator: "\n") + "\n"
    }

    /// What kept steps from being played, each reason once.
    private func breakdowns(of steps: [Report.TrialStep]) -> [String] {
        let reasons = steps.map(\.step.judgement.grounds).filter(\.isBreakdown).map { "\($0)" }
        guard !reasons.isEmpty else { return [] }
        return [style.heading("Not played")] + counted(reasons) + [""]
    }

    /// Each reason once, with the number of its steps.
    private func counted(_ reasons: [String]) -> [String] {
        reasons.unique.flatMap { reason in
            let number = reasons.count { $0 == reason }
            return hanging("  \(reason) (\(number) \(number == 1 ? "step" : "steps"))")
        }
    }

    /// A line for each step, which names all policies under which the same came of it.
    private func section(_ title: String, _ some: [Report.TrialStep], _ words: (Report.TrialStep) -> String) -> [String]
    {
        guard !some.isEmpty else { return [] }
        let lines = some.grouped { $0.isAlike($1) }.map { alike in
            let policies = alike.map(\.trial.policy).unique.joined(separator: ", ")
            return "  \(alike[0].trial.scenario) · \(policies) · \(alike[0].trial.client), "
                + "\(name(alike[0].step.planned)): \(words(alike[0]))"
        }
        return [style.heading(title)] + lines.unique.flatMap(hanging) + [""]
    }

    /// A line with the margin that it has, and what follows of it further in.
    private func hanging(_ line: String) -> [String] {
        let margin = String(line.prefix { $0 == " " })
        let lines = line.wrapped(to: width - 2, indent: margin)
        return lines.prefix(1) + lines.dropFirst().map { "  " + $0 }
    }

    /// All about some steps, worst for people first, with what the client said last and what to do. What came of the same
    /// step under other policies is told once.
    private func accounts(of steps: [Report.TrialStep], _ title: String) -> [String] {
        guard !steps.isEmpty else { return [] }
        let told = steps.grouped { $0.isAlike($1) }.enumerated()
            .sorted { ($1.element[0].step.consequence, $0.offset) < ($0.element[0].step.consequence, $1.offset) }
            .map(\.element)
        var lines = [style.heading(steps.count == 1 ? title : "\(title) (\(steps.count) steps)")]
        for alike in told.prefix(Self.mostAccounts) {
            lines += account(of: alike[0], otherPolicies: alike.dropFirst().map(\.trial.policy).unique)
        }
        let left = told.dropFirst(Self.mostAccounts).reduce(0) { $0 + $1.count }
        if left > 0 { lines.append("and \(left) more: --verbose tells of every step") }
        return lines + [""]
    }

    private func account(of trialStep: Report.TrialStep, otherPolicies: [String]) -> [String] {
        let (trial, step) = (trialStep.trial, trialStep.step)
        var more: [String] = []
        if let report = step.decisive?.report, report.word != .succeeded, let said = report.lastLine?.printable,
            !report.account.contains(said)
        {
            more.append("it said last: \(said)")
        }
        if step.advice == nil, let next = step.judgement.grounds.nextStep(in: trial.trial.scenario) {
            more.append(next)
        }
        if !otherPolicies.isEmpty { more.append("the same with \(otherPolicies.joined(separator: ", "))") }
        return render(trial, [step]).split(whereSeparator: \.isNewline).map(String.init)
            + more.flatMap { $0.wrapped(to: width, indent: .spaces(step.judgement.verdict.rawValue.count + 4)) }
    }

    /// What was stolen in steps that no account tells of: those that passed, and those that deviate as declared.
    private func thefts(_ report: Report) -> [String] {
        let told = Set([Verdict.fail, .inconclusive])
        let steps = report.steps.filter { trialStep in
            let isTold = told.contains(trialStep.step.judgement.verdict) && trialStep.trial.deviatesAsDeclared != true
            return !isTold && !trialStep.step.stolen.isEmpty
        }
        return showsStolen ? accounts(of: steps, "Stolen") : []
    }

    private func mended(_ report: Report) -> [String] {
        let mended = report.trials.filter { $0.deviatesAsDeclared == false }
        guard !mended.isEmpty else { return [] }
        let lines = mended.map {
            let declared = $0.trial.deviation?.verdict.rawValue ?? ""
            return "  \($0.scenario) · \($0.policy) · \($0.client): declared to be '\(declared)', and it is "
                + "'\($0.verdict.rawValue)': correct its 'deviates'"
        }
        return [style.heading("Deviations that did not happen")] + lines.flatMap(hanging) + [""]
    }

    private func breachesAndOutages(_ report: Report) -> [String] {
        // What failed has been told.
        let steps = report.undeclaredSteps.filter { $0.step.judgement.verdict != .fail }
        return section("Breaches the file does not declare", steps.filter(\.isUndeclaredBreach)) {
            "an attacker got its users' data, \($0.blame("allows"))"
        }
            + section("Outages the file does not declare", steps.filter(\.isUndeclaredOutage)) {
                "its users were kept from their own server, \($0.blame("demands"))"
            }
    }

    /// What each client lacks, and in how many steps it matters.
    private func notApplicable(_ report: Report) -> [String] {
        let steps = report.undeclaredSteps.filter { $0.step.judgement.verdict == .notApplicable }
        guard !steps.isEmpty else { return [] }
        let reasons = steps.map { "\($0.trial.client): \($0.step.judgement.grounds)" }
        return [style.heading("Not applicable")] + counted(reasons) + [""]
    }

    private func unproven(_ report: Report) -> [String] {
        section("Refusals of unproven cause", report.undeclaredSteps.filter(\.isUnprovenRefusal)) { _ in
            "the pins alone demand it, and nobody knows whether it was their doing: declare refused-pin"
        }
    }

    private func ending(_ report: Report) -> [String] {
        var lines = notApplicable(report)
        let findings = report.trials.flatMap { trial in trial.findings.map { "  \(trial.client): \($0.printable)" } }
        if !findings.isEmpty {
            lines += [style.heading("To mend in the file")] + findings.unique.flatMap(hanging) + [""]
        }
        let skipped = report.trials.filter { $0.verdict == .skipped }.map { trial in
            let grounds = trial.steps.first { $0.judgement.verdict == .skipped }?.judgement.grounds
            return "  \(trial.client): \(grounds.map { "\($0)" } ?? "it has no steps")"
        }
        if !skipped.isEmpty { lines += [style.heading("Skipped")] + skipped.unique.flatMap(hanging) + [""] }
        return lines + counts(report)
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
        ].dropFirst(report.wasInterrupted ? 0 : 1) + hanging("For their users: \(people)")
            + (report.scenarios.left > 0 ? ["\(report.scenarios.words) played (--all plays every one)."] : [])
    }
}

extension Grounds {
    /// Whether it tells of this machine, and of no client.
    fileprivate var isBreakdown: Bool { if case .couldNotRun = self { true } else { false } }
}

extension Report.TrialStep {
    fileprivate var isDoubtful: Bool {
        step.judgement.verdict == .inconclusive && !step.judgement.grounds.isBreakdown
    }

    /// What a breach or an outage has to do with the policy.
    fileprivate func blame(_ verb: String) -> String {
        switch step.judgement.verdict {
        case .pass where step.planned.shownChains.contains { $0.decision.demand == .either }:
            "as its policy allows: TLS libraries differ"
        case .pass: "as its policy \(verb)"
        case .fail: "against its policy"
        case .skipped, .notApplicable, .inconclusive: "and nothing proves that its policy \(verb) it"
        }
    }
}

extension Decision.Demand {
    var phrase: String {
        switch self {
        case .accept: "must accept"
        case .reject: "must reject"
        case .either: "may do either"
        }
    }
}

extension Report.TrialStep {
    /// Whether the same came of the same step of a scenario, under another policy.
    fileprivate func isAlike(_ other: Report.TrialStep) -> Bool {
        trial.scenario == other.trial.scenario && trial.client == other.trial.client
            && step.planned.step == other.step.planned.step && step.judgement == other.step.judgement
            && step.consequence == other.step.consequence
    }
}

extension TextStyle {
    /// Colour follows the people: a verdict is no good news to those who are locked out or intercepted.
    fileprivate func step(_ step: StepResult, _ text: String) -> String {
        step.judgement.verdict == .pass && step.consequence > .unknown
            ? consequence(step.consequence, text) : verdict(step.judgement.verdict, text)
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

extension StringProtocol {
    /// With a name in the place of each character that could steer a terminal, or hide what stands beside it.
    fileprivate var escaped: String {
        unicodeScalars.map { scalar in
            scalar.steersTerminal && scalar != "\t" ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
    }

    /// In pieces of so many characters; one empty piece where there is nothing.
    fileprivate func cut(to width: Int) -> [SubSequence] {
        var (pieces, rest) = ([prefix(width)], dropFirst(width))
        while !rest.isEmpty {
            pieces.append(rest.prefix(width))
            rest = rest.dropFirst(width)
        }
        return pieces
    }
}

extension String {
    /// Without what could steer a terminal: clients, and attackers of the terminal's owner, choose such texts.
    fileprivate var printable: String {
        String(UnicodeScalarView(unicodeScalars.map { $0.steersTerminal && $0 != "\t" ? "\u{FFFD}" : $0 }))
    }
}

extension Array {
    /// Those that are alike together, in the order of the first of each.
    fileprivate func grouped(by isAlike: (Element, Element) -> Bool) -> [[Element]] {
        reduce(into: []) { groups, element in
            if let index = groups.firstIndex(where: { isAlike($0[0], element) }) {
                groups[index].append(element)
            } else {
                groups.append([element])
            }
        }
    }
}

extension Sequence<String> {
    /// Each value once, in the order of its first appearance.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
