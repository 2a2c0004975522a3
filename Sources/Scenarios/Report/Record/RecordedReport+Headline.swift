/// What came of a run, for who reads no further.
struct Headline {
    /// What it means for whether to go on.
    enum Outcome: String {
        case good, bad, doubt
    }

    let outcome: Outcome
    /// One sentence or a few, in plain words.
    let text: String

    init(_ report: RecordedReport, failingOn conditions: Set<FailureCondition>) {
        let statuses = report.trials.map { $0.exitStatus(failingOn: conditions) }
        let (count, failed, doubtful) = (statuses.count, statuses.count { $0 == 1 }, statuses.count { $0 == 2 })
        var words: [String] = []
        if report.interrupted { words.append("Interrupted: \(count) of \(Self.trials(report.summary.planned)) ended.") }
        if failed > 0 {
            words.append("Failed: \(failed) of \(Self.trials(count)).")
            let steps = report.undeclaredSteps.map(\.step)
            let (breaches, outages) = (
                steps.count(where: \.isUndeclaredBreach), steps.count(where: \.isUndeclaredOutage)
            )
            if breaches > 0 { words.append("An attacker got the users' data in \(Self.steps(breaches)).") }
            if outages > 0 { words.append("Users were kept from their own server in \(Self.steps(outages)).") }
        } else if doubtful > 0 {
            words.append("Not proven: \(doubtful) of \(Self.trials(count)) showed nothing.")
        } else if !report.trials.contains(where: \.hasPassed) {
            words.append("Not proven: nothing was tried.")
        } else if !report.interrupted {
            let skipped = report.trials.count { $0.verdict == .skipped }
            words.append(
                "Passed: nothing is wrong in \(Self.trials(count))\(skipped > 0 ? ", \(skipped) of them skipped" : "")."
            )
        }
        text = words.joined(separator: " ")
        outcome =
            failed > 0
            ? .bad : doubtful > 0 || report.interrupted || !report.trials.contains(where: \.hasPassed) ? .doubt : .good
    }

    private static func trials(_ count: Int) -> String { count == 1 ? "1 trial" : "\(count) trials" }
    private static func steps(_ count: Int) -> String { count == 1 ? "1 step" : "\(count) steps" }
}

/// Where `replay` finds what a page tells of: a report for programs, of JSON or of lines.
package enum ReportPlace: Hashable, Sendable {
    /// Where the command line of the run says.
    case asTheRunWroteIt
    case file(String)
    /// The run's own files have a part of it only, and no other was written.
    case nowhere
}

extension RecordedReport {
    private func path(at place: ReportPlace) -> String? {
        switch place {
        case .nowhere: return nil
        case .file(let path): return path
        case .asTheRunWroteIt: break
        }
        // As it was typed: `--report json=PATH` or `--report=json=PATH`.
        return (command ?? []).lazy.compactMap { word in
            ["json=", "jsonl=", "--report=json=", "--report=jsonl="].first(where: word.hasPrefix).map {
                String(word.dropFirst($0.count))
            }
        }.first { $0 != "-" }
    }

    /// The command that plays a trial again; `nil` where the report does not tell how it was played, or `replay` would have
    /// nothing to read.
    ///
    func replay(_ trial: RecordedTrial, at place: ReportPlace) -> String? {
        guard command != nil, let path = path(at: place) else { return nil }
        return "pindrill replay \(CommandTemplate.quoted(path)) \(CommandTemplate.quoted(trial.name))"
    }

    /// How to get such a command; `nil` where it is there, or there is no way.
    func replayAdvice(at place: ReportPlace) -> String? {
        guard command != nil, path(at: place) == nil else { return nil }
        return
            "To play a trial again, write a JSON report as well: --report json=PATH, and then pindrill replay PATH NUMBER."
    }
}

extension RecordedStep {
    /// In a word, what matters: a verdict is no good news to those who are locked out or intercepted.
    var outcome: String { verdict == .pass && consequence.isHarm ? consequence.rawValue : verdict.rawValue }
}

extension Consequence {
    /// What the users were, in words.
    var fate: String {
        switch self {
        case .served: "served"
        case .protected: "protected from an attacker"
        case .unknown: "served or not: nothing shows it"
        case .lockedOut: "locked out of their own server"
        case .intercepted: "intercepted by an attacker"
        }
    }

    /// Whether somebody was hurt.
    var isHarm: Bool { self > .unknown }
}
