import Scenarios
import Testing

@Suite struct `The exit status of a run` {
    @Test(arguments: Ending.table)
    func `is the highest that applies`(_ ending: Ending) {
        #expect(ending.report.exitStatus() == ending.status)
        #expect(ending.report.exitStatus(failingOn: [.outage]) == ending.failingOnOutage)
    }
}

/// A report, and the exit status without and with `--fail-on outage`.
struct Ending: CustomTestStringConvertible {
    var testDescription: String
    var report: Report
    var status: Int32
    var failingOnOutage: Int32

    init(_ name: String, _ steps: [StepResult], planned: Int = 1, _ status: Int32, failingOnOutage: Int32? = nil) {
        testDescription = name
        var trial = Results.trial()
        // As they stand: the control rule has its own tests.
        trial.steps = steps
        report = Results.report(trial, planned: planned)
        self.status = status
        self.failingOnOutage = failingOnOutage ?? status
    }

    private static let breach = Results.unpinned
    private static let outage = Results.lockedOut
    private static let pinned = Claim(.policies(["other", "pinned"]))
    private static let other = Claim(.policies(["other"]))

    static let table: [Ending] = [
        Ending("all passed", [Results.served, Results.protected], 0),
        Ending("one failed", [Results.served, Results.fooled], 1),
        Ending("failed, and its breach is declared", [Results.fooled.declaring(intercepts: Claim(.all))], 1),
        Ending("a breach", [Results.served, breach], 1),
        Ending("a breach, declared", [Results.served, breach.declaring(intercepts: pinned)], 0),
        Ending("a breach, declared of all", [breach.declaring(intercepts: Claim(.all))], 0),
        Ending("a breach, declared of others", [breach.declaring(intercepts: other)], 1),
        Ending("a breach, declared as an outage", [breach.declaring(locksOut: pinned)], 1),
        Ending("an outage", [Results.served, outage], 0, failingOnOutage: 1),
        Ending("an outage, declared", [outage.declaring(locksOut: pinned)], 0),
        Ending("an outage, declared of others", [outage.declaring(locksOut: other)], 0, failingOnOutage: 1),
        Ending("inconclusive", [Results.served, Results.absent], 2),
        Ending("inconclusive, and an outage", [Results.absent, outage], 2, failingOnOutage: 1),
        Ending("inconclusive, and a failure", [Results.absent, Results.strict], 1),
        Ending("one skipped", [Results.served, Results.skipped], 0),
        Ending("all skipped", [Results.skipped], 2),
        Ending("nothing", [], 2),
        Ending("interrupted", [Results.served], planned: 2, 130),
        Ending("interrupted after a failure", [Results.fooled], planned: 2, 130),
    ]
}
