import Foundation

/// A report as programs read it: `docs/reports.md` describes it, `docs/report.schema.json` defines it.
///
/// UTF-8, indented, keys in a fixed order, so that two reports can be compared line by line.
struct JSONReport: ReportFormat {
    func opening(_ report: Report) throws -> String {
        let object = try Opening(report).asJSON().dropLast()
        let kept = report.kept.enumerated().map { ($0 == 0 ? "\n" : ",\n") + $1.json.indented(by: 4) }
        return object.dropLast("\n}".count) + ",\n  \"trials\" : [" + kept.joined()
    }

    func entry(_ trial: TrialResult, isFirst: Bool) throws -> String {
        (isFirst ? "\n" : ",\n") + String(try Trial(trial).asJSON().dropLast()).indented(by: 4)
    }

    func closing(_ tally: Tally, _ end: ReportDocument.End) throws -> String {
        let object = try Closing(tally, end).asJSON()
        return (tally.trials == 0 ? "],\n" : "\n  ],\n") + object.dropFirst("{\n".count)
    }

    func document(_ report: Report, exitStatus: Int32) throws -> String {
        let end = ReportDocument.End(report, exitStatus: exitStatus)
        var text = try opening(report)
        for (index, trial) in report.trials.enumerated() {
            text += try entry(trial, isFirst: index + report.kept.count == 0)
        }
        return text + (try closing(Tally(report), end))
    }

    private struct Opening: Encodable {
        var version = 1
        var file: String
        var started: Date
        /// Absent where no client tells.
        var versions: [String: String]?
        /// Absent where no command line began the run.
        var command: [String]?
        /// Absent where the run is whole.
        var shard: ReportedShard?

        init(_ report: Report) {
            file = report.file
            started = report.started
            versions = report.versions.isEmpty ? nil : report.versions
            command = report.command.isEmpty ? nil : report.command
            shard = report.shard
        }
    }

    private struct Closing: Encodable {
        var duration: Int64
        var exitStatus: Int32?
        var interrupted: Bool
        var summary: Summary

        init(_ tally: Tally, _ end: ReportDocument.End) {
            duration = end.duration.milliseconds
            exitStatus = end.exitStatus
            interrupted = end.isInterrupted
            summary = Summary(tally)
        }
    }

    private struct Scenarios: Encodable {
        var played: Int
        var notPlayed: Int
    }

    private struct Summary: Encodable {
        var trials: Int
        var planned: Int
        var scenarios: Scenarios
        var verdicts: [String: Int]
        var consequences: [String: Int]
        var undeclaredBreaches: Int
        var undeclaredOutages: Int

        init(_ tally: Tally) {
            trials = tally.trials
            planned = tally.planned
            scenarios = Scenarios(played: tally.scenarios.played, notPlayed: tally.scenarios.left)
            verdicts = Dictionary(
                uniqueKeysWithValues: Verdict.allCases.map { ($0.rawValue, tally.verdicts[$0, default: 0]) }
            )
            consequences = Dictionary(
                uniqueKeysWithValues: Consequence.allCases.map { ($0.rawValue, tally.consequences[$0, default: 0]) }
            )
            undeclaredBreaches = tally.undeclaredBreaches
            undeclaredOutages = tally.undeclaredOutages
        }
    }
}

extension Encodable {
    /// Every JSON that is printed or written: UTF-8, indented, keys in a fixed order, with a line feed at its end.
    package func asJSON() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
}

extension String {
    /// JSON has no line breaks within its strings.
    fileprivate func indented(by count: Int) -> String {
        let margin = String(repeating: " ", count: count)
        return split(separator: "\n", omittingEmptySubsequences: false).map { margin + $0 }.joined(separator: "\n")
    }
}
