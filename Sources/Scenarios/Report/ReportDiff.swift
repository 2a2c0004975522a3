import TLSCore

/// What changed from one report to a later one: trial by trial, and in each step by step. Words, times and hashes are no
/// change; verdicts, consequences and what a rejection was due to are.
package struct ReportDiff: Encodable, Sendable {
    /// What became of a trial.
    enum Kind: String, CaseIterable, Encodable, Sendable {
        case worse, better, changed
        /// It is in one of the reports only.
        case came, gone
    }

    struct Change: Encodable, Sendable {
        var trial: String
        var kind: Kind
        /// What can be said of it at worst; absent where it was, or is, not there.
        var before: String?
        var after: String?
        /// Whether it hurts somebody, or proves nothing, as a new one may.
        var isBad: Bool
        var steps: [StepChange]
    }

    struct StepChange: Encodable, Sendable {
        var step: String
        var before: String
        var after: String
        var grounds: String
    }

    private enum CodingKeys: String, CodingKey { case version, changes, same, worse }

    private let version = 1
    let changes: [Change]
    /// How many trials are as they were.
    let same: Int
    /// How many are worse than they were, or are new and bad.
    package let worse: Int

    package init(from old: RecordedReport, to new: RecordedReport) {
        let before = Dictionary(old.trials.map { ($0.name, $0) }) { first, _ in first }
        let names = Set(new.trials.map(\.name))
        let kept = new.trials.compactMap { trial -> Change? in
            guard let earlier = before[trial.name] else { return Change(came: trial) }
            return Change(from: earlier, to: trial)
        }
        // What a run that was cut off has not played is not gone.
        let left = new.interrupted ? [] : old.trials.filter { !names.contains($0.name) }
        changes = kept + left.map { Change(gone: $0) }
        same = new.trials.count - kept.count
        worse = changes.count { $0.kind == .worse || $0.kind == .came && $0.isBad }
    }
}

extension ReportDiff {
    /// What a run ends with if only what got worse counts: 1 something did, 130 it was interrupted, 2 nothing passed, 0.
    package func exitStatus(of new: RecordedReport) -> Int32 {
        if new.interrupted { return 130 }
        if worse > 0 { return 1 }
        return new.trials.contains(where: \.hasPassed) ? 0 : 2
    }
}

extension ReportDiff.Change {
    fileprivate init(came trial: RecordedTrial) {
        let mark = ResultMatrix.Mark(trial)
        self.init(trial: trial.name, kind: .came, after: mark.meaning, isBad: mark >= .outage, steps: [])
    }

    fileprivate init(gone trial: RecordedTrial) {
        self.init(trial: trial.name, kind: .gone, before: ResultMatrix.Mark(trial).meaning, isBad: false, steps: [])
    }

    /// `nil`: nothing changed.
    fileprivate init?(from old: RecordedTrial, to new: RecordedTrial) {
        let marks = (ResultMatrix.Mark(old), ResultMatrix.Mark(new))
        let pairs = Self.pairs(old.steps, new.steps)
        let changed = pairs.filter { !$0.isSame($1) }
        guard marks.0 != marks.1 || !changed.isEmpty else { return nil }
        // Who was right and is no longer tried has lost something, too.
        let isLost = marks.1 <= .notApplicable && marks.0 > .notApplicable
        let isWorse = isLost || marks.1 > marks.0 && marks.1 > .deviated || changed.contains { $1.isWorse(than: $0) }
        let isBetter = marks.1 < marks.0 || marks.0 == marks.1 && changed.allSatisfy { $0.isWorse(than: $1) }
        self.init(
            trial: new.name,
            kind: isWorse ? .worse : isBetter ? .better : .changed,
            before: marks.0.meaning,
            after: marks.1.meaning,
            isBad: marks.1 >= .outage,
            steps: changed.map {
                ReportDiff.StepChange(step: $1.name, before: $0.result, after: $1.result, grounds: $1.grounds)
            }
        )
    }

    /// The steps of the same declaration; a scenario may have lost some, or have others.
    private static func pairs(_ old: [RecordedStep], _ new: [RecordedStep]) -> [(RecordedStep, RecordedStep)] {
        var rest = old
        return new.compactMap { step in
            guard let index = rest.firstIndex(where: { $0.isSameStep(step) }) else { return nil }
            return (rest.remove(at: index), step)
        }
    }
}

extension RecordedStep {
    fileprivate var result: String { "\(verdict.rawValue), \(meaning)" }

    fileprivate func isSameStep(_ other: RecordedStep) -> Bool {
        (at, host, store, title) == (other.at, other.host, other.store, other.title) && control == other.control
    }

    fileprivate func isSame(_ other: RecordedStep) -> Bool {
        (verdict, consequence, attribution, declared) == (
            other.verdict, other.consequence, other.attribution, other.declared
        )
    }

    /// By the verdict, then by whom it hurts, then by what a rejection proves.
    fileprivate func isWorse(than other: RecordedStep) -> Bool {
        if verdict != other.verdict { return verdict > other.verdict }
        if consequence != other.consequence {
            return consequence > other.consequence && !(consequence.isHarm && declared)
        }
        return other.attribution.map { ($0 < (attribution ?? $0)) } ?? false
    }
}

extension TextReport {
    /// What changed, the worst first.
    package func render(_ diff: ReportDiff) -> String {
        let titles: [(ReportDiff.Kind, String)] = [
            (.worse, "Worse"), (.came, "New"), (.changed, "Otherwise"), (.better, "Better"), (.gone, "Gone"),
        ]
        let sections = titles.flatMap { kind, title -> [String] in
            let changes = diff.changes.filter { $0.kind == kind }
            guard !changes.isEmpty else { return [] }
            let count = changes.count == 1 ? "1 trial" : "\(changes.count) trials"
            return [style.heading("\(title) (\(count))")] + changes.flatMap { lines(of: $0) } + [""]
        }
        let same =
            "\(diff.same) \(diff.same == 1 ? "trial is" : "trials are") as before; \(diff.worse) worse, or new and bad."
        return (sections + [same]).joined(separator: "\n") + "\n"
    }

    private func lines(of change: ReportDiff.Change) -> [String] {
        let marks = [change.before, change.after].compactMap { $0 }.uniqued.joined(separator: " -> ")
        return ("\(change.trial): \(marks)".printable.wrapped(to: width, indent: "  "))
            + change.steps.flatMap {
                "\($0.step): \($0.before) -> \($0.after): \($0.grounds)".printable.wrapped(to: width, indent: "    ")
            }
    }
}
