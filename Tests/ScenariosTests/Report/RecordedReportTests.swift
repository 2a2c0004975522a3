import Foundation
import TestSupport
import Testing

@testable import Scenarios

@Suite struct `A report that is read again` {
    private let report = Growth("everything", Results.everything, scenarios: Coverage(played: 3, known: 7)).report

    private var read: RecordedReport {
        get throws { try RecordedReport(parsing: Data(report.document(.json, exitStatus: 1))) }
    }

    @Test func `is the same value`() throws {
        #expect(try read == RecordedReport(report, exitStatus: 1))
    }

    @Test(arguments: [ReportKind.json, .jsonl, .junit, .html, .markdown, .sarif])
    func `makes the same report of every kind`(kind: ReportKind) throws {
        let live = String(decoding: try report.document(kind, exitStatus: 1), as: UTF8.self)

        #expect(try read.document(kind) == live)
    }

    @Test func `is shown as its run showed it`() throws {
        let read = try read
        for isVerbose in [false, true] {
            let text = TextReport(isVerbose: isVerbose)

            #expect(text.renderMatrix(read) == text.renderMatrix(report))
            #expect(text.renderSummary(read) == text.renderSummary(report))
            #expect(read.trials.map { text.render($0) } == report.trials.map { text.render($0) })
        }
    }

    @Test func `ends with the same exit status`() throws {
        for trial in Results.everything {
            let alone = Results.report(trial)
            let read = try RecordedReport(parsing: Data(alone.document(.json, exitStatus: 0)))

            for conditions in [Set<FailureCondition>(), [.outage], [.unproven]] {
                #expect(read.exitStatus(failingOn: conditions) == alone.exitStatus(failingOn: conditions))
            }
        }
    }

    @Test func `of an earlier release is read, and a rejection of unproven cause is not taken for proven`() throws {
        let trial = Results.trial(Results.served, Results.strayed)
        let text = String(decoding: try Results.report(trial).document(.json, exitStatus: 0), as: UTF8.self)
        let earlier = text.split(separator: "\n").filter { !$0.contains("\"presents\"") }.joined(separator: "\n")

        let (now, then) = (
            try RecordedReport(parsing: Data(text.utf8)), try RecordedReport(parsing: Data(earlier.utf8))
        )

        #expect(now.exitStatus(failingOn: [.unproven]) == 0)
        #expect(then.exitStatus(failingOn: [.unproven]) == 1)
        #expect(then.exitStatus() == 0)
    }

    @Test func `of a later version is refused by name`() throws {
        let text = String(decoding: try report.document(.json, exitStatus: 1), as: UTF8.self)

        let error = #expect(throws: RecordedReport.UnknownVersion.self) {
            try RecordedReport(parsing: Data(text.changing("  \"version\" : 1,", to: "  \"version\" : 2,").utf8))
        }

        #expect(error?.description == "this report is of version 2, and this release knows version 1")
    }

    @Test func `of lines is whole after every trial`() throws {
        let growth = Growth(
            "three",
            [Results.trial(Results.served), Results.trial(Results.fooled, scenario: "b")],
            planned: 3
        )

        let read = try growth.texts(.jsonl).map { try RecordedReport(parsing: Data($0.utf8)) }

        #expect(read.map(\.trials.count) == [0, 1, 2, 2, 2])
        #expect(read.map(\.interrupted) == [true, true, true, true, true])
        #expect(read.map(\.summary.trials) == [0, 1, 2, 2, 2])
    }

    /// It connects to nothing either, but an address is not what it lacks.
    @Test func `leaves a command that could not be put together to its own words`() {
        let report = ClientReport(.nothing, account: "not run: {pin} has several values here")
        let silent = ClientReport(.nothing, account: "exit 0")

        let steps = [silent, report].map { RecordedTrial(Results.trial(Results.step(Results.today, [], $0))).steps[0] }

        #expect(steps.map(\.verdict) == [.inconclusive, .inconclusive])
        #expect(steps[0].nextStep?.hasPrefix("give the client {url}") == true)
        #expect(steps[1].nextStep == nil)
    }

    @Test func `without times and hashes is the same as that of another run`() throws {
        let other = Results.everything.map { trial in
            var trial = trial
            trial.duration += .milliseconds(7)
            for index in trial.steps.indices { trial.steps[index].duration += .milliseconds(3) }
            return trial
        }
        var later = report
        later.trials = other
        later.started += 60
        later.duration += .seconds(1)

        let (one, two) = (RecordedReport(report, exitStatus: 1), RecordedReport(later, exitStatus: 1))

        #expect(try one.document(.json) != two.document(.json))
        #expect(try one.document(.json, isStable: true) == two.document(.json, isStable: true))
        let read = try RecordedReport(parsing: Data(one.document(.json, isStable: true).utf8))
        #expect(read.trials.map(\.verdict) == one.trials.map(\.verdict))
    }
}

@Suite struct `Indented JSON` {
    @Test func `is as the encoder writes it`() throws {
        for trial in Results.everything.map({ RecordedTrial($0) }) {
            let line = Array(try trial.asJSONLine().utf8)

            let indented = String(decoding: JSONIndentation.indented(line[...], by: 4), as: UTF8.self)

            #expect("\n" + indented == (try JSONReport().entry(trial, isFirst: true)))
        }
    }
}
