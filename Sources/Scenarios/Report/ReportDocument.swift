package import Foundation

/// A kind of report that is written to a file.
package enum ReportKind: String, CaseIterable, Sendable {
    /// Everything, as `docs/reports.md` describes it.
    case json
    /// What continuous integration shows as tests.
    case junit
    /// What each client does, as a page to read.
    case conformance

    /// The same as `json`, a line for each trial.
    case jsonl
    /// A page for a browser, with all the evidence.
    case html
    /// For a pull request.
    case markdown
    /// For code scanning.
    case sarif

    fileprivate func format(
        failingOn conditions: Set<FailureCondition>,
        place: ReportPlace = .asTheRunWroteIt
    ) -> any ReportFormat {
        switch self {
        case .json: JSONReport()
        case .junit: JUnitReport(failingOn: conditions)
        case .conformance: ConformanceReport()
        case .jsonl: JSONLinesReport()
        case .html: HTMLReport(failingOn: conditions, place: place)
        case .markdown: MarkdownReport(failingOn: conditions, place: place)
        case .sarif: SARIFReport(failingOn: conditions)
        }
    }

    /// Whether it says what the scenarios are about, and what their servers show.
    package var tellsStories: Bool { [.json, .jsonl, .html].contains(self) }

    /// Whether each trial is added to it as it ends; else it is written when the run is over.
    fileprivate var grows: Bool {
        switch self {
        case .json, .jsonl, .junit: true
        case .conformance, .html, .markdown, .sarif: false
        }
    }
}

extension RecordedReport {
    /// All of a report of some kind.
    ///
    /// - Parameters:
    ///   - isStable: leaves out what is another in every run.
    ///   - place: where it lies for programs.
    package func document(
        _ kind: ReportKind,
        isStable: Bool = false,
        place: ReportPlace = .asTheRunWroteIt
    ) throws -> String {
        try kind.format(failingOn: conditions, place: place).document(isStable ? stable : self)
    }

    /// What else made its steps fail, as its command line says.
    package var conditions: Set<FailureCondition> {
        let words = command ?? []
        let behind = zip(words, words.dropFirst()).filter { $0.0 == "--fail-on" }.map(\.1)
        let beside = words.filter { $0.hasPrefix("--fail-on=") }.map { String($0.dropFirst("--fail-on=".count)) }
        return Set((behind + beside).compactMap(FailureCondition.init))
    }
}

/// How one kind of report is put together. A document is an opening, an entry for each trial and a closing.
protocol ReportFormat: Sendable {
    /// Says what is known before the first trial, and the trials that an earlier run has finished.
    func opening(_ report: RecordedReport) throws -> String
    func entry(_ trial: RecordedTrial, isFirst: Bool) throws -> String
    /// - Parameter summary: what the trials before it amount to.
    func closing(_ summary: RecordedReport.Summary, _ end: ReportDocument.End) throws -> String
    /// All of it, its trials in the order of the file.
    func document(_ report: RecordedReport) throws -> String
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
        /// What the run took until now, in milliseconds.
        var duration: Int64
        /// `nil`: the run is still going on, as far as anybody can tell.
        var exitStatus: Int32?
        var isInterrupted: Bool

        init(duration: Duration) {
            self.duration = duration.milliseconds
            isInterrupted = true
        }

        init(_ report: RecordedReport) {
            duration = report.duration
            exitStatus = report.exitStatus
            isInterrupted = report.interrupted
        }
    }

    /// What to write where. Nothing before it changes, and nothing stays behind it.
    package struct Edit: Hashable, Sendable {
        /// Where, in bytes from the start of the document.
        package var offset: Int
        package var bytes: [UInt8]
    }

    private let kind: ReportKind
    private let format: any ReportFormat
    private let isStable: Bool
    private var report: Report
    private var summary: RecordedReport.Summary
    /// How many bytes come before the closing.
    private var length = 0

    /// - Parameters:
    ///   - planned: how many trials the run is to have, where that is known already.
    ///   - kept: what an earlier run has finished.
    ///   - command: the words of the command line that began the run.
    ///   - conditions: what else makes a step fail.
    ///   - isStable: leaves out what is another in every run.
    package init(
        _ kind: ReportKind,
        file: String,
        started: Date,
        planned: Int = 0,
        kept: [RecordedTrial] = [],
        command: [String] = [],
        shard: RecordedReport.Shard? = nil,
        failingOn conditions: Set<FailureCondition> = [],
        isStable: Bool = false
    ) {
        self.isStable = isStable
        self.kind = kind
        format = kind.format(failingOn: conditions)
        report = Report(file: file, started: started, duration: .zero, trials: [], planned: planned, command: command)
        report.kept = kept
        report.shard = shard
        summary = RecordedReport(report, exitStatus: nil).summary
    }

    /// The document of a run that has not finished any trial.
    ///
    /// - Parameters:
    ///   - planned: how many trials it is to have, where that has become known since.
    ///   - scenarios: as much of the file as it is to play, where that has.
    ///   - versions: what clients say of theirs, where they were asked.
    ///   - stories: what its scenarios show, where that was looked at.
    ///   - shard: which part of a run it is, where several share one.
    package mutating func begin(
        planned: Int? = nil,
        _ scenarios: Coverage? = nil,
        versions: [String: String] = [:],
        stories: [RecordedScenario] = [],
        shard: RecordedReport.Shard? = nil
    ) throws -> Edit {
        if let shard { report.shard = shard }
        if let planned { report.planned = planned }
        if let scenarios { report.scenarios = scenarios }
        report.versions = versions
        report.stories = stories
        report.shard = shard
        let recorded = recorded(report, exitStatus: nil)
        summary = recorded.summary
        length = 0
        return try edit(adding: format.opening(recorded), duration: .zero)
    }

    /// Adds a trial that is finished, and says that more are to come.
    ///
    /// - Parameter duration: what the run took until now.
    package mutating func add(_ trial: TrialResult, duration: Duration) throws -> Edit {
        let trial = isStable ? RecordedTrial(trial).stable : RecordedTrial(trial)
        let entry = try format.entry(trial, isFirst: summary.trials == 0)
        summary.add(trial)
        return try edit(adding: entry, duration: isStable ? .zero : duration)
    }

    private func recorded(_ report: Report, exitStatus: Int32?) -> RecordedReport {
        let recorded = RecordedReport(report, exitStatus: exitStatus)
        return isStable ? recorded.stable : recorded
    }

    private mutating func edit(adding text: String, duration: Duration) throws -> Edit {
        let closing = try format.closing(summary, End(duration: duration))
        let edit = Edit(offset: length, bytes: Array((text + closing).utf8))
        length += text.utf8.count
        return edit
    }

    /// Says that the run is over, and leaves the trials in the order in which they were added. A kind that does not grow
    /// is written whole.
    package func end(_ report: Report, exitStatus: Int32) throws -> Edit {
        guard kind.grows else { return try finished(report, exitStatus: exitStatus) }
        let end = End(recorded(report, exitStatus: exitStatus))
        return Edit(offset: length, bytes: Array(try format.closing(summary, end).utf8))
    }

    /// The document of a run that is over, its trials in the order of the file.
    package func finished(_ report: Report, exitStatus: Int32) throws -> Edit {
        let text =
            kind == .conformance
            ? ConformanceReport().page(report) : try format.document(recorded(report, exitStatus: exitStatus))
        return Edit(offset: 0, bytes: Array(text.utf8))
    }
}
