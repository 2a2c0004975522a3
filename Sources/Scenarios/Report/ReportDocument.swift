package import Foundation

/// A kind of report that is written to a file.
package enum ReportKind: String, CaseIterable, Sendable {
    /// Everything, as `docs/reports.md` describes it.
    case json
    /// What continuous integration shows as tests.
    case junit
    /// What each client does, as a page to read.
    case conformance

    fileprivate func format(failingOn conditions: Set<FailureCondition>) -> any ReportFormat {
        switch self {
        case .json: JSONReport()
        case .junit: JUnitReport(failingOn: conditions)
        case .conformance: ConformanceReport()
        }
    }
}

/// How one kind of report is put together. A document is an opening, an entry for each trial and a closing.
protocol ReportFormat: Sendable {
    /// Says what is known before the first trial.
    func opening(_ report: Report) throws -> String
    func entry(_ trial: TrialResult, isFirst: Bool) throws -> String
    /// - Parameter tally: what the trials before it amount to.
    func closing(_ tally: Tally, _ end: ReportDocument.End) throws -> String
    /// All of it, its trials in the order of the file.
    func document(_ report: Report, exitStatus: Int32) throws -> String
}

/// A report that grows by one trial at a time, and is whole whenever the run is cut off.
///
/// ```
///  opening │ entry │ entry │ closing
///                          └ the next edit starts here, with an entry and a new closing
/// ```
package struct ReportDocument: Sendable {
    /// How a document ends.
    struct End {
        /// What the run took until now.
        var duration: Duration
        /// `nil`: the run is still going on, as far as anybody can tell.
        var exitStatus: Int32?
        var isInterrupted: Bool

        init(duration: Duration) {
            self.duration = duration
            isInterrupted = true
        }

        init(_ report: Report, exitStatus: Int32) {
            duration = report.duration
            self.exitStatus = exitStatus
            isInterrupted = report.wasInterrupted
        }
    }

    /// What to write where. Nothing before it changes, and nothing stays behind it.
    package struct Edit: Hashable, Sendable {
        /// Where, in bytes from the start of the document.
        package var offset: Int
        package var bytes: [UInt8]
    }

    private let format: any ReportFormat
    private var report: Report
    private var tally: Tally
    /// How many bytes come before the closing.
    private var length = 0

    /// - Parameters:
    ///   - planned: how many trials the run is to have, where that is known already.
    ///   - kept: what an earlier run has finished.
    ///   - command: the words of the command line that began the run.
    ///   - conditions: what else makes a step fail.
    package init(
        _ kind: ReportKind,
        file: String,
        started: Date,
        planned: Int = 0,
        kept: [KeptTrial] = [],
        command: [String] = [],
        shard: ReportedShard? = nil,
        failingOn conditions: Set<FailureCondition> = []
    ) {
        format = kind.format(failingOn: conditions)
        report = Report(file: file, started: started, duration: .zero, trials: [], planned: planned, command: command)
        report.kept = kept
        report.shard = shard
        tally = Tally(report)
    }

    /// The document of a run that has not finished any trial.
    ///
    /// - Parameters:
    ///   - planned: how many trials it is to have, where that has become known since.
    ///   - scenarios: as much of the file as it is to play, where that has.
    ///   - versions: what clients say of theirs, where they were asked.
    package mutating func begin(
        planned: Int? = nil,
        _ scenarios: Coverage? = nil,
        versions: [String: String] = [:],
        shard: ReportedShard? = nil
    ) throws -> Edit {
        if let shard { report.shard = shard }
        if let planned { report.planned = planned }
        if let scenarios { report.scenarios = scenarios }
        report.versions = versions
        tally = Tally(report)
        length = 0
        return try edit(adding: format.opening(report), duration: .zero)
    }

    /// Adds a trial that is finished, and says that more are to come.
    ///
    /// - Parameter duration: what the run took until now.
    package mutating func add(_ trial: TrialResult, duration: Duration) throws -> Edit {
        let entry = try format.entry(trial, isFirst: tally.trials == 0)
        tally.add(trial)
        return try edit(adding: entry, duration: duration)
    }

    private mutating func edit(adding text: String, duration: Duration) throws -> Edit {
        let closing = try format.closing(tally, End(duration: duration))
        let edit = Edit(offset: length, bytes: Array((text + closing).utf8))
        length += text.utf8.count
        return edit
    }

    /// Says that the run is over, and leaves the trials in the order in which they were added.
    package func end(_ report: Report, exitStatus: Int32) throws -> Edit {
        let end = End(report, exitStatus: exitStatus)
        return Edit(offset: length, bytes: Array(try format.closing(tally, end).utf8))
    }

    /// The document of a run that is over, its trials in the order of the file.
    package func finished(_ report: Report, exitStatus: Int32) throws -> Edit {
        Edit(offset: 0, bytes: Array(try format.document(report, exitStatus: exitStatus).utf8))
    }
}
