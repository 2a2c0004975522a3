package import Foundation

/// What a run found out, as its report tells of it: everything that any kind of report shows, live or long after.
///
/// The JSON report is this value, field by field: `docs/report.schema.json` defines it.
package struct RecordedReport: Codable, Hashable, Sendable {
    /// Which of several runs it is that share the trials of one.
    package struct Shard: Codable, Hashable, Sendable {
        /// From 1.
        package var index: Int
        package var of: Int
        /// Of all shards together; absent until the file is read.
        package var trialsInAll: Int?

        package init(index: Int, of count: Int, trialsInAll: Int) {
            self.index = index
            of = count
            self.trialsInAll = trialsInAll
        }

        package init(_ shard: Scenarios.Shard, trialsInAll: Int? = nil) {
            index = shard.index
            of = shard.count
            self.trialsInAll = trialsInAll
        }
    }

    package var version = 1
    package var file: String
    package var started: Date
    /// Absent where no client tells.
    package var versions: [String: String]?
    /// Absent where no command line began the run.
    package var command: [String]?
    /// Absent where one run played it all.
    package var shard: Shard?
    /// Those that were played: what they are about, and what their servers show. Absent where nobody looked at them.
    package var scenarios: [RecordedScenario]?
    package var trials: [RecordedTrial]
    /// In milliseconds.
    package var duration: Int64
    /// Absent while the run goes on.
    package var exitStatus: Int32?
    package var interrupted: Bool
    package var summary: Summary

    /// - Parameter exitStatus: `nil`: the run is still going on, as far as anybody can tell.
    package init(_ report: Report, exitStatus: Int32?) {
        file = report.file
        started = report.started
        versions = report.versions.isEmpty ? nil : report.versions
        command = report.command.isEmpty ? nil : report.command
        shard = report.shard
        scenarios = report.stories.isEmpty ? nil : report.stories
        trials = report.kept + report.trials.map(RecordedTrial.init)
        duration = report.duration.milliseconds
        self.exitStatus = exitStatus
        interrupted = report.wasInterrupted
        summary = Summary(trials, planned: report.planned, report.scenarios)
    }

    /// A JSON report, indented or of lines.
    ///
    /// - Throws: where it is none, or of a version that is not known here.
    package init(parsing json: Data) throws {
        self =
            try Self.isOfLines(json)
            ? RecordedReport(parsingLines: json) : Self.decoder.decode(RecordedReport.self, from: json)
        guard version == 1 else { throw UnknownVersion(version: version) }
    }

    /// How many milliseconds its trials took, by their names; of one that is there twice, the last time. Whatever a file
    /// claims, none takes more than a day.
    package var durations: [String: Int64] {
        Dictionary(trials.map { ($0.name, min(max($0.duration, 0), 86_400_000)) }) { $1 }
    }

    package struct UnknownVersion: Error, CustomStringConvertible {
        var version: Int
        package var description: String { "this report is of version \(version), and this release knows version 1" }
    }

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}

extension RecordedReport {
    /// Counts over trials; of steps, where nothing else is said.
    package struct Summary: Codable, Hashable, Sendable {
        struct Scenarios: Codable, Hashable, Sendable {
            var played: Int
            var notPlayed: Int
        }

        package var trials = 0
        package var planned: Int
        var scenarios: Scenarios
        package var verdicts: [String: Int]
        package var consequences: [String: Int]
        var undeclaredBreaches = 0
        var undeclaredOutages = 0

        init(_ trials: [RecordedTrial] = [], planned: Int, _ coverage: Coverage) {
            self.planned = planned
            scenarios = Scenarios(played: coverage.played, notPlayed: coverage.left)
            verdicts = Dictionary(uniqueKeysWithValues: Verdict.allCases.map { ($0.rawValue, 0) })
            consequences = Dictionary(uniqueKeysWithValues: Consequence.allCases.map { ($0.rawValue, 0) })
            for trial in trials { add(trial) }
        }

        mutating func add(_ trial: RecordedTrial) {
            trials += 1
            for step in trial.steps {
                verdicts[step.verdict.rawValue, default: 0] += 1
                consequences[step.consequence.rawValue, default: 0] += 1
                undeclaredBreaches += step.isUndeclaredBreach ? 1 : 0
                undeclaredOutages += step.isUndeclaredOutage ? 1 : 0
            }
        }

        var coverage: Coverage { Coverage(played: scenarios.played, known: scenarios.played + scenarios.notPlayed) }
    }
}

extension RecordedReport {
    /// A step together with the trial it belongs to.
    struct TrialStep {
        var trial: RecordedTrial
        var step: RecordedStep
    }

    var steps: [TrialStep] { trials.flatMap { trial in trial.steps.map { TrialStep(trial: trial, step: $0) } } }

    /// Those of trials in which the client did not deviate as it is declared to: nobody expects what went wrong in them.
    var undeclaredSteps: [TrialStep] { steps.filter { $0.trial.deviation?.seen != true } }

    /// The exit status of `pindrill run`, the highest that applies: 130 interrupted, 1 a verdict failed or somebody was
    /// intercepted where the file did not say so, or a client did not deviate as declared, 2 something proved nothing or
    /// nothing was tried, 0.
    package func exitStatus(failingOn conditions: Set<FailureCondition> = []) -> Int32 {
        if interrupted { return 130 }
        let statuses = trials.map { $0.exitStatus(failingOn: conditions) }
        if statuses.contains(1) { return 1 }
        if statuses.contains(2) { return 2 }
        return trials.contains(where: \.hasPassed) ? 0 : 2
    }
}
