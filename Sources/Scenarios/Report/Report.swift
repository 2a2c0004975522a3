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

/// Which part of a run a report is of.
package struct ReportedShard: Hashable, Encodable, Sendable {
    /// The first is 1.
    package var index: Int
    package var of: Int
    /// Of all parts together; `nil` until the file is read.
    package var trialsInAll: Int?

    package init(_ shard: Shard, trialsInAll: Int? = nil) {
        index = shard.index
        of = shard.count
        self.trialsInAll = trialsInAll
    }
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
    package var kept: [KeptTrial] = []
    /// How many trials the run was to have, kept ones included.
    package var planned: Int
    /// `nil`: it is the whole of a run.
    package var shard: ReportedShard?
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

    /// A step together with the trial it belongs to.
    package struct TrialStep: Hashable, Sendable {
        package var trial: TrialResult
        package var step: StepResult
    }

    /// Those of trials in which the client did not deviate as it is declared to: nobody expects what went wrong in them.
    package var undeclaredSteps: [TrialStep] {
        let unexpected = trials.filter { $0.deviatesAsDeclared != true }
        return unexpected.flatMap { trial in trial.steps.map { TrialStep(trial: trial, step: $0) } }
    }

    /// Clients that named no host where they were after one.
    package var clientsWithoutServerName: [String] {
        trials.filter { trial in
            trial.steps.contains { step in
                step.planned.step.host.contains(".")
                    && step.attempts.flatMap(\.observations).contains(where: \.isUnnamed)
            }
        }.map(\.client).uniqued
    }

    /// Every step of every trial.
    package var steps: [TrialStep] { trials.flatMap { trial in trial.steps.map { TrialStep(trial: trial, step: $0) } } }
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

extension Report.TrialStep {
    /// Whether an attacker got people's data, and whether the file said that this policy lets that happen.
    package var isUndeclaredBreach: Bool {
        step.consequence == .intercepted && !step.isDeclared(for: trial.policy)
    }

    /// Whether people were kept from their own server, and the file did not say that this policy makes that happen.
    package var isUndeclaredOutage: Bool {
        step.consequence == .lockedOut && !step.isDeclared(for: trial.policy)
    }
}

extension Report.TrialStep {
    /// Whether a refusal passed that the pins alone demand, and nobody knows whether it was their doing.
    package var isUnprovenRefusal: Bool {
        step.judgement.verdict == .pass && step.attribution == .unproven
            && (step.planned.shownChains + step.planned.others).contains(where: \.decision.isRefusalByPin)
    }
}

/// What besides a failed verdict and an undeclared breach makes a run fail.
package enum FailureCondition: String, CaseIterable, Sendable {
    /// Somebody is locked out where the file does not say so.
    case outage
    /// A refusal that the pins alone demand may have had another cause.
    case unproven
}

extension Report {
    /// The exit status of `pindrill run`, the highest that applies: 130 interrupted, 1 a verdict failed or somebody was
    /// intercepted where the file did not say so, or a client did not deviate as declared, 2 something proved nothing or nothing was tried, 0.
    package func exitStatus(failingOn conditions: Set<FailureCondition> = []) -> Int32 {
        if wasInterrupted { return 130 }
        let earlier = kept.map { $0.exitStatus(failingOn: conditions) }
        if earlier.contains(1) || trials.contains(where: { $0.deviatesAsDeclared == false }) { return 1 }
        let steps = undeclaredSteps
        if steps.contains(where: { $0.step.judgement.verdict == .fail || $0.isUndeclaredBreach }) { return 1 }
        if conditions.contains(.outage), steps.contains(where: \.isUndeclaredOutage) { return 1 }
        if conditions.contains(.unproven), steps.contains(where: \.isUnprovenRefusal) { return 1 }
        if earlier.contains(2) || steps.contains(where: { $0.step.judgement.verdict == .inconclusive }) { return 2 }
        // A control that we inserted was not asked for.
        return kept.contains(where: \.hasPassed)
            || self.steps.contains { $0.step.judgement.verdict == .pass && !$0.step.planned.isControl } ? 0 : 2
    }
}
