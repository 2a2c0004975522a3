import Foundation
import TestSupport
import Testing
import Witness

@testable import Scenarios

/// A run whose reports are looked at after every trial.
struct Growth: CustomTestStringConvertible {
    var testDescription: String
    var trials: [TrialResult]
    var report: Report

    /// - Parameters:
    ///   - planned: more than there are, for a run that was interrupted.
    ///   - scenarios: how much of a larger file it is.
    init(_ name: String, _ trials: [TrialResult], planned: Int? = nil, scenarios: Coverage = Coverage()) {
        testDescription = name
        self.trials = trials
        report = Results.report()
        report.trials = trials
        report.planned = planned ?? trials.count
        report.scenarios = scenarios
    }

    /// What stands on disk at the beginning, after each trial, once the run is over, and in the order of the file.
    func texts(_ kind: ReportKind) throws -> [String] {
        var document = report.opened(kind)
        let status = report.exitStatus()
        var edits = [try document.begin(planned: report.planned, report.scenarios)]
        for trial in trials { edits.append(try document.add(trial, duration: .milliseconds(7))) }
        edits.append(try document.end(report, exitStatus: status))
        edits.append(try document.finished(report, exitStatus: status))

        var disk: [UInt8] = []
        return try edits.map { edit in
            disk.replaceSubrange(edit.offset..., with: edit.bytes)
            return try #require(String(validating: disk, as: UTF8.self))
        }
    }

    static let table = [
        Growth("nothing planned", []),
        Growth("nothing finished", [], planned: 2),
        Growth("one of two finished", [Results.trial(Results.served)], planned: 2),
        Growth("everything there is", Results.everything),
        Growth("a part of a file", Results.everything, scenarios: Coverage(played: 3, known: 7)),
    ]
}

extension Report {
    fileprivate func opened(_ kind: ReportKind, failingOn conditions: Set<FailureCondition> = []) -> ReportDocument {
        ReportDocument(kind, file: file, started: started, planned: planned, failingOn: conditions)
    }

    /// All of a report, once the run is over.
    func document(
        _ kind: ReportKind,
        exitStatus: Int32,
        failingOn conditions: Set<FailureCondition> = []
    ) throws -> [UInt8] {
        try opened(kind, failingOn: conditions).finished(self, exitStatus: exitStatus).bytes
    }
}

extension Results {
    /// Every kind of step, and a trial that could not be planned.
    static var everything: [TrialResult] {
        let trial = Trial(
            scenario: Scenario(name: "broken", store: "phone", steps: [.presenting("today")]),
            policy: PolicyDeclaration(name: "pinned"),
            client: ClientDeclaration(name: "reference", kind: .reference)
        )
        let twin = attempt([Connection.accepting("forged")], ClientReport(.succeeded), [forged])
        var proven = protected
        proven.twin = twin
        return [
            Results.trial(control, protected, proven, fooled, leaked),
            Results.trial(unpinned, unpinned.declaring(intercepts: Claim(.all)), client: "wget"),
            Results.trial(lockedOut, lockedOut.declaring(locksOut: Claim(.all)), strict, absent, strayed),
            Results.trial(skipped, scenario: "later"),
            Results.trial(scenario: "empty"),
            TrialResult(trial, brokenDown: CancellationError()),
        ]
    }
}
