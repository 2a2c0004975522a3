import Foundation
import Mustache

/// A report as one page that needs nothing else: no file beside it, no network, and no script to be read whole.
///
/// What comes from clients, servers and files stands as the text of elements only, escaped by the template, and never in
/// an attribute: swift-mustache escapes by characters, and a quotation mark with a combining accent is another character.
struct HTMLReport: ReportFormat {
    private let conditions: Set<FailureCondition>
    private let place: ReportPlace

    /// So many trials are told in full, the worst first; of the others the JSON report knows more.
    private static let mostTold = 300

    init(failingOn conditions: Set<FailureCondition>, place: ReportPlace = .asTheRunWroteIt) {
        self.conditions = conditions
        self.place = place
    }

    func opening(_ report: RecordedReport) throws -> String {
        var view = frame(report)
        view["headline"] = "The run that writes this page is not finished, or was killed."
        view["outcome"] = Headline.Outcome.doubt.rawValue
        return try PageParts.template("page.mustache").render(view)
    }

    func entry(_ trial: RecordedTrial, isFirst: Bool) -> String { "" }
    func closing(_ summary: RecordedReport.Summary, _ end: ReportDocument.End) -> String { "" }

    func document(_ report: RecordedReport) throws -> String {
        let page = try PageParts.template("page.mustache")
        let trial = try PageParts.template("trial.mustache")
        let brief = try PageParts.template("brief.mustache")
        let tree = try PageParts.template("tree.mustache")
        var view = frame(report)
        let headline = Headline(report, failingOn: conditions)
        view["headline"] = headline.text
        view["outcome"] = headline.outcome.rawValue
        view["remarks"] = (report.circumstances + [report.replayAdvice(at: place)].compactMap(\.self)).map(\.printable)
        guard !report.trials.isEmpty else { return page.render(view) }
        view.merge(MatrixView(report).view) { $1 }
        view["hasTrials"] = true
        view["consequences"] = Consequence.allCases.reversed().map { consequence in
            let steps = report.steps.map(\.step).filter { $0.consequence == consequence && $0.verdict != .skipped }
            let undeclared = consequence.isHarm ? "\(steps.count { !$0.declared })" : "–"
            return [
                "words": consequence.fate, "steps": steps.count, "undeclared": undeclared,
                "harm": consequence.isHarm && !steps.isEmpty ? "harm" : "",
            ]
        }
        var trees = Trees(report)
        let told = report.trials.enumerated().map { (number: $0 + 1, mark: ResultMatrix.Mark($1), trial: $1) }
            .sorted { ($1.mark, $0.number) < ($0.mark, $1.number) }
        var text = ""
        for (rank, entry) in told.enumerated() {
            let isBad = entry.mark >= .outage && rank < Self.mostTold
            let view = TrialView(report, entry.trial, entry.number, entry.mark, place: place, isFull: isBad)
                .view(&trees) { chain in tree.render(Trees.view(of: chain, number: nil)) }
            text += (isBad ? trial : brief).render(view)
        }
        view["trials"] = text
        view["hasTrees"] = !trees.used.isEmpty
        view["trees"] = trees.used.enumerated().map { tree.render(Trees.view(of: $1, number: $0 + 1)) }.joined()
        return page.render(view)
    }

    private func frame(_ report: RecordedReport) -> [String: Any] {
        [
            "title": "PinDrill: \(report.file.printable)",
            "style": PageParts.style,
            "script": PageParts.script,
            "security": PageParts.security(style: PageParts.style, script: PageParts.script),
            "hasTrials": false,
        ]
    }
}

extension RecordedReport {
    /// When, how and by what it was made, a sentence each.
    var circumstances: [String] {
        let words = command.map { "pindrill \($0.map(CommandTemplate.quoted).joined(separator: " "))" }
        let clients = (versions ?? [:]).sorted { $0.key < $1.key }.map { "\($0): \($1)" }
        return [
            "\(trials.count) of \(summary.planned) trials of \(file), begun at \(started.formatted(.iso8601)), in \(duration) ms.",
            words.map { "Command: \($0)" },
            clients.isEmpty ? nil : "Versions: \(clients.joined(separator: "; "))",
            summary.coverage.left > 0 ? "\(summary.coverage.words) played (--all plays every one)." : nil,
        ].compactMap { $0 }
    }
}
