import Foundation

/// A report as programs read it: `docs/reports.md` describes it, `docs/report.schema.json` defines it.
///
/// UTF-8, indented, keys in a fixed order, so that two reports can be compared line by line.
struct JSONReport: ReportFormat {
    func opening(_ report: RecordedReport) throws -> String {
        let kept = try report.trials.enumerated().map { try entry($1, isFirst: $0 == 0) }
        return try Self.opening(ReportHead(report)) + kept.joined()
    }

    static func opening(_ head: ReportHead) throws -> String {
        try head.asJSON().dropLast("\n}\n".count) + ",\n  \"trials\" : ["
    }

    func entry(_ trial: RecordedTrial, isFirst: Bool) throws -> String {
        (isFirst ? "\n" : ",\n") + String(try trial.asJSON().dropLast()).indented(by: 4)
    }

    func closing(_ summary: RecordedReport.Summary, _ end: ReportDocument.End) throws -> String {
        try Self.closing(ReportEnd(summary, end))
    }

    static func closing(_ end: ReportEnd) throws -> String {
        (end.summary.trials == 0 ? "],\n" : "\n  ],\n") + (try end.asJSON().dropFirst("{\n".count))
    }

    func document(_ report: RecordedReport) throws -> String {
        try opening(report) + (try closing(report.summary, ReportDocument.End(report)))
    }
}

/// What of a report is known before its first trial.
struct ReportHead: Codable {
    var version = 1
    var file: String
    var started: Date
    var versions: [String: String]?
    var command: [String]?
    var shard: RecordedReport.Shard?
    var scenarios: [RecordedScenario]?

    init(_ report: RecordedReport) {
        file = report.file
        started = report.started
        versions = report.versions
        command = report.command
        shard = report.shard
        scenarios = report.scenarios
    }
}

/// What of a report is known behind its last trial.
struct ReportEnd: Codable {
    var duration: Int64
    var exitStatus: Int32?
    var interrupted: Bool
    var summary: RecordedReport.Summary

    init(_ summary: RecordedReport.Summary, _ end: ReportDocument.End) {
        duration = end.duration
        exitStatus = end.exitStatus
        interrupted = end.isInterrupted
        self.summary = summary
    }

    init(duration: Int64, exitStatus: Int32, interrupted: Bool, summary: RecordedReport.Summary) {
        self.duration = duration
        self.exitStatus = exitStatus
        self.interrupted = interrupted
        self.summary = summary
    }
}

extension Encodable {
    /// Every JSON that is printed or written: UTF-8, indented, keys in a fixed order, with a line feed at its end.
    package func asJSON() throws -> String { try asJSON([.prettyPrinted]) }

    /// The same as one line.
    func asJSONLine() throws -> String { try asJSON([]) }

    private func asJSON(_ formatting: JSONEncoder.OutputFormatting) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
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
