package import Foundation
import Pinning
import TLSCore
import Witness

/// How many of a file's scenarios a run plays.
package struct Coverage: Hashable, Sendable {
    package var played: Int
    package var known: Int

    package init(played: Int = 0, known: Int = 0) {
        self.played = played
        self.known = known
    }

    package init(of file: ScenarioFile, by trials: [Trial]) {
        played = Set(trials.map(\.scenario.name)).count
        known = file.playable.count
    }

    var left: Int { known - played }
    /// As in `17 of 28 scenarios`.
    var words: String { "\(played) of \(known) \(known == 1 ? "scenario" : "scenarios")" }
}

/// Everything that one run found out.
package struct Report: Hashable, Sendable {
    /// The scenario file, as its reader named it.
    package var file: String
    package var started: Date
    package var duration: Duration
    /// In the order of the file; of an interrupted run, those that finished.
    package var trials: [TrialResult]
    /// What an earlier run has finished, which this one goes on from.
    package var kept: [RecordedTrial] = []
    /// Which of several runs it is that share the trials of one; `nil`: it is the only one.
    package var shard: RecordedReport.Shard?
    /// What its scenarios are about, and what their servers show; none where nobody looked at them.
    package var stories: [RecordedScenario] = []
    /// How many trials the run was to have, kept ones included.
    package var planned: Int
    package var scenarios: Coverage
    /// What clients say of their versions, by name.
    package var versions: [String: String]
    /// The words of the command line behind the program's name; none where no command line began it.
    package var command: [String]

    package init(
        file: String,
        started: Date,
        duration: Duration,
        trials: [TrialResult],
        planned: Int,
        scenarios: Coverage = Coverage(),
        versions: [String: String] = [:],
        command: [String] = []
    ) {
        self.file = file
        self.started = started
        self.duration = duration
        self.trials = trials
        self.planned = planned
        self.scenarios = scenarios
        self.versions = versions
        self.command = command
    }

    package var wasInterrupted: Bool { trials.count + kept.count < planned }

    /// Clients that named no host where they were after one.
    package var clientsWithoutServerName: [String] {
        trials.filter { trial in
            trial.steps.contains { step in
                step.planned.step.host.contains(".")
                    && step.attempts.flatMap(\.observations).contains(where: \.isUnnamed)
            }
        }.map(\.client).uniqued
    }
}

extension StepResult {
    /// Whether the file says that what came of it hurts the users of this policy.
    func isDeclared(for policy: String) -> Bool {
        switch consequence {
        case .intercepted: planned.step.intercepts?.covers(policy: policy) == true
        case .lockedOut: planned.step.locksOut?.covers(policy: policy) == true
        case .served, .protected, .unknown: false
        }
    }
}

/// What besides a failed verdict and an undeclared breach makes a run fail.
package enum FailureCondition: String, CaseIterable, Sendable {
    /// Somebody is locked out where the file does not say so.
    case outage
    /// A refusal that the pins alone demand may have had another cause.
    case unproven
    /// A trial is worse than in an earlier report, or new and bad; nothing else then.
    case worse
}

extension Report {
    /// The exit status of `pindrill run`, as `RecordedReport` has it.
    package func exitStatus(failingOn conditions: Set<FailureCondition> = []) -> Int32 {
        RecordedReport(self, exitStatus: nil).exitStatus(failingOn: conditions)
    }
}
