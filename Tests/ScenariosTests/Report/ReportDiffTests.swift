import Testing

@testable import Scenarios

@Suite struct `The difference of two reports` {
    private func recorded(_ trials: TrialResult...) -> RecordedReport {
        var report = Results.report()
        report.trials = trials
        report.planned = trials.count
        return RecordedReport(report, exitStatus: nil)
    }

    private func text(_ old: RecordedReport, _ new: RecordedReport) -> String {
        TextReport(width: 200).render(ReportDiff(from: old, to: new))
    }

    @Test func `is empty where only times differ`() {
        var slow = Results.trial(Results.served, Results.protected)
        slow.duration = .seconds(9)

        let diff = ReportDiff(from: recorded(Results.trial(Results.served, Results.protected)), to: recorded(slow))

        #expect(diff.worse == 0)
        #expect(TextReport().render(diff) == "1 trial is as before; 0 worse, or new and bad.\n")
    }

    @Test func `names what is worse, with its steps, and what came and went`() {
        let old = recorded(
            Results.trial(Results.served, Results.protected, scenario: "a"),
            Results.trial(Results.served, Results.leaked, scenario: "b"),
            Results.trial(Results.served, scenario: "gone")
        )
        let new = recorded(
            Results.trial(Results.served, Results.leaked, scenario: "a"),
            Results.trial(Results.served, Results.protected, scenario: "b"),
            Results.trial(Results.fooled, scenario: "new")
        )

        #expect(ReportDiff(from: old, to: new).worse == 2)
        #expect(
            text(old, new) == """
                Worse (1 trial)
                  a · pinned · curl: right -> FAILED
                    forged: pass, protected by the pin -> fail, intercepted; rejected by the pin: a leak: data left before it noticed

                New (1 trial)
                  new · pinned · curl: FAILED

                Better (1 trial)
                  b · pinned · curl: FAILED -> right
                    forged: fail, intercepted; rejected by the pin -> pass, protected by the pin: did what its policy demands

                Gone (1 trial)
                  gone · pinned · curl: right

                0 trials are as before; 2 worse, or new and bad.

                """
        )
    }

    @Test func `counts as worse what is no longer tried, and what an old failure hid`() {
        let right = recorded(Results.trial(Results.served))
        let skipped = recorded(Results.trial(Results.skipped))
        let failing = recorded(Results.trial(Results.served, Results.leaked))
        let failingMore = recorded(Results.trial(Results.strict, Results.leaked))

        #expect(ReportDiff(from: right, to: skipped).worse == 1)
        #expect(ReportDiff(from: skipped, to: right).worse == 0)
        #expect(ReportDiff(from: failing, to: failingMore).worse == 1)
        #expect(ReportDiff(from: failingMore, to: failing).worse == 0)
    }

    @Test func `of a run that was cut off leaves out what it has not played`() {
        let old = recorded(Results.trial(Results.served), Results.trial(Results.served, scenario: "later"))
        var new = recorded(Results.trial(Results.served))
        new.interrupted = true

        #expect(ReportDiff(from: old, to: new).changes.isEmpty)
    }
}
