import Foundation

/// A report of which each line is JSON: first what was known before the first trial, then the trials, and last what they
/// amount to. It can be read piece by piece, so that shards of any size are merged in little memory.
///
/// A trial's line begins with its place among the trials of all shards, where it has one.
struct JSONLinesReport: ReportFormat {
    func opening(_ report: RecordedReport) throws -> String {
        try ReportHead(report).asJSONLine() + report.trials.map { try entry($0, isFirst: false) }.joined()
    }

    func entry(_ trial: RecordedTrial, isFirst: Bool) throws -> String {
        var trial = trial
        guard let place = trial.place else { return try trial.asJSONLine() }
        trial.place = nil
        return Self.placeMark + "\(place)," + (try trial.asJSONLine().dropFirst())
    }

    func closing(_ summary: RecordedReport.Summary, _ end: ReportDocument.End) throws -> String {
        try ReportEnd(summary, end).asJSONLine()
    }

    func document(_ report: RecordedReport) throws -> String {
        try opening(report) + (try closing(report.summary, ReportDocument.End(report)))
    }

    static let placeMark = "{\"place\":"
}

extension RecordedReport {
    /// Whether a report is of lines: the indented form has an opening brace alone in its first.
    static func isOfLines(_ report: Data) -> Bool {
        let line = report.prefix { $0 != UInt8(ascii: "\n") }
        return line.count > 2 && line.first == UInt8(ascii: "{") && line.count < report.count
    }

    init(parsingLines report: Data) throws {
        let lines = report.split(separator: UInt8(ascii: "\n"))
        guard lines.count >= 2 else { throw ShardError("it ends in its first line") }
        let head = try Self.decoder.decode(ReportHead.self, from: lines[0])
        let end = try Self.decoder.decode(ReportEnd.self, from: lines[lines.count - 1])
        self.init(
            head,
            try lines.dropFirst().dropLast().map { try Self.decoder.decode(RecordedTrial.self, from: $0) },
            end
        )
    }

    init(_ head: ReportHead, _ trials: [RecordedTrial], _ end: ReportEnd) {
        version = head.version
        file = head.file
        started = head.started
        versions = head.versions
        command = head.command
        shard = head.shard
        scenarios = head.scenarios
        self.trials = trials
        duration = end.duration
        exitStatus = end.exitStatus
        interrupted = end.interrupted
        summary = end.summary
    }
}
