import Pinning
import TestSupport
import Testing
import Witness

@testable import Scenarios

@Suite struct `The exit status of a run` {
    @Test(arguments: Ending.table)
    func `is the highest that applies`(_ ending: Ending) {
        #expect(ending.report.exitStatus() == ending.status)
        #expect(ending.report.exitStatus(failingOn: [.outage]) == ending.failingOnOutage)
        #expect(ending.report.exitStatus(failingOn: [.unproven]) == ending.failingOnUnproven)
    }
}

/// A report, and the exit status without and with each condition of `--fail-on`.
struct Ending: CustomTestStringConvertible {
    var testDescription: String
    var report: Report
    var status: Int32
    var failingOnOutage: Int32
    var failingOnUnproven: Int32

    init(
        _ name: String,
        _ steps: [StepResult],
        planned: Int = 1,
        _ status: Int32,
        failingOnOutage: Int32? = nil,
        failingOnUnproven: Int32? = nil
    ) {
        testDescription = name
        var trial = Results.trial()
        // As they stand: the control rule has its own tests.
        trial.steps = steps
        report = Results.report(trial, planned: planned)
        self.status = status
        self.failingOnOutage = failingOnOutage ?? status
        self.failingOnUnproven = failingOnUnproven ?? status
    }

    private static let breach = Results.unpinned
    private static let outage = Results.lockedOut

    /// A refusal that only the pins demand, by a client that says why or does not.
    private static func refusal(of shown: ShownChain = forgedForPins, blamesPin: Bool?) -> StepResult {
        Results.step(shown, [Connection.alerting("forged")], ClientReport(.refused, blamesPin: blamesPin))
    }
    private static let forgedForPins = ShownChain(
        chain: "forged",
        key: "evil",
        holder: .attacker,
        decision: Decision(.reject, .noPinMatches(PinRequirement(pins: [])))
    )
    private static let pinned = Claim(.policies(["other", "pinned"]))
    private static let other = Claim(.policies(["other"]))

    static let table: [Ending] = [
        Ending("all passed", [Results.served, Results.protected], 0),
        Ending("one failed", [Results.served, Results.fooled], 1),
        Ending("failed, and its breach is declared", [Results.fooled.declaring(intercepts: Claim(.all))], 1),
        Ending("a breach", [Results.served, breach], 1),
        Ending("J1: a request to the attacker under another name", [Results.sidestepped], 1),
        Ending("J2: bytes that the attacker got under another name", [Results.muttered], 2),
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
        Ending("a refusal that nobody explains", [refusal(blamesPin: nil)], 0, failingOnUnproven: 1),
        Ending("a refusal by the pins", [refusal(blamesPin: true)], 0),
        Ending("a refusal of what nobody trusts", [refusal(of: Results.forged, blamesPin: nil)], 0),
        Ending("an unproven refusal, and a failure", [refusal(blamesPin: nil), Results.strict], 1),
        Ending("one skipped", [Results.served, Results.skipped], 0),
        Ending("all skipped", [Results.skipped], 2),
        Ending("nothing", [], 2),
        Ending("interrupted", [Results.served], planned: 2, 130),
        Ending("interrupted after a failure", [Results.fooled], planned: 2, 130),
    ]
}
