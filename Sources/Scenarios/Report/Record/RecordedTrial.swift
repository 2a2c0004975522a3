import Pinning
import TLSCore
import Witness

/// What a report says of one trial. Field names are the vocabulary of `docs/verdicts.md`; durations are in milliseconds.
package struct RecordedTrial: Codable, Hashable, Sendable {
    struct Deviation: Codable, Hashable, Sendable {
        var verdict: Verdict
        var because: String
        var seen: Bool
    }

    package var scenario: String
    /// The name by which its scenario was declared, where this is a variant of that.
    var base: String?
    /// Of its scenario; absent where it is of none.
    var kind: String?
    package var policy: String
    package var client: String
    /// Its place among the trials of all shards, from 1; absent where one run played them all.
    var place: Int?
    /// Those of others' catalogues that the scenario is about; absent where there are none.
    var controls: [String]?
    var model: Bool
    package var verdict: Verdict
    var duration: Int64
    var deviation: Deviation?
    var findings: [String]?
    var steps: [RecordedStep]

    package init(_ trial: TrialResult) {
        let story = trial.trial.scenario
        scenario = trial.scenario
        base = story.base == story.name ? nil : story.base
        kind = story.tags.lazy.map(\.name).first(where: ScenarioTag.kinds.contains)
        policy = trial.policy
        client = trial.client
        place = trial.trial.place
        let named = story.tags.filter(\.isControl).map(\.name)
        controls = named.isEmpty ? nil : named
        model = trial.isModel
        verdict = trial.verdict
        duration = trial.duration.milliseconds
        deviation = trial.trial.deviation.flatMap { declared in
            trial.deviatesAsDeclared.map { .init(verdict: declared.verdict, because: declared.because, seen: $0) }
        }
        findings = trial.findings.isEmpty ? nil : trial.findings
        steps = trial.steps.map { RecordedStep($0, in: trial) }
    }

    /// As reports name it.
    package var name: String { "\(scenario) · \(policy) · \(client)" }

    /// The worst exit status that it stands for; 0: nothing is wrong with it.
    func exitStatus(failingOn conditions: Set<FailureCondition>) -> Int32 {
        if let deviation { return deviation.seen ? 0 : 1 }
        let isBad = steps.contains { step in
            step.verdict == .fail || step.isUndeclaredBreach
                || conditions.contains(.outage) && step.isUndeclaredOutage
                || conditions.contains(.unproven) && step.isUnprovenRefusal
        }
        if isBad { return 1 }
        return steps.contains { $0.verdict == .inconclusive } ? 2 : 0
    }

    /// Whether something passed that was asked for: a control that we inserted was not.
    var hasPassed: Bool { steps.contains { $0.verdict == .pass && !$0.control } }
}

/// One presentation at one time, and what came of it.
struct RecordedStep: Codable, Hashable, Sendable {
    var at: String
    var host: String
    var store: String
    var control: Bool
    /// The names of what it presents, in words; absent in reports of earlier releases.
    var presents: String?
    /// Where it is declared; absent where no file does.
    var file: String?
    var line: Int?
    var shown: [RecordedChain]
    var verdict: Verdict
    var grounds: String
    /// Whether something on our side went wrong; absent: no.
    var breakdown: Bool?
    var advice: String?
    /// What a person does next; absent where nothing more can be said.
    var nextStep: String?
    var consequence: Consequence
    var declared: Bool
    var attribution: Attribution?
    /// What reached an attacker, or went in the clear, as sentences.
    var leaks: [String]?
    var note: String?
    var duration: Int64
    var attempts: [RecordedAttempt]
    var twin: RecordedAttempt?

    init(_ result: StepResult, in trial: TrialResult) {
        let step = result.planned.step
        at = step.at.description
        host = step.host
        store = step.store
        control = result.planned.isControl
        presents = step.shownInWords(", ")
        if step.location != .code { (file, line) = (step.location.file, step.location.line) }
        shown = (result.planned.shownChains + result.planned.others).map(RecordedChain.init)
        verdict = result.judgement.verdict
        grounds = result.judgement.grounds.description
        if case .couldNotRun = result.judgement.grounds { breakdown = true }
        advice = result.advice
        // Why a command could not be put together says what to do.
        let isMistaken = result.attempts.contains { $0.report.account.hasPrefix("not run: ") }
        nextStep = verdict == .pass || isMistaken ? nil : result.judgement.grounds.nextStep(in: trial.trial.scenario)
        consequence = result.consequence
        declared = result.isDeclared(for: trial.policy)
        attribution = result.attribution
        leaks = result.leakage.isEmpty ? nil : result.leakage
        note = step.note
        duration = result.duration.milliseconds
        attempts = result.attempts.map(RecordedAttempt.init)
        twin = result.twin.map(RecordedAttempt.init)
    }

    /// What it presents, in words.
    var title: String { presents ?? shown.map(\.chain).uniqued.joined(separator: ", ") }

    /// Whether an attacker got people's data, and the file does not say that this policy lets that happen.
    var isUndeclaredBreach: Bool { consequence == .intercepted && !declared }

    /// Whether people were kept from their own server, and the file does not say that this policy makes that happen.
    var isUndeclaredOutage: Bool { consequence == .lockedOut && !declared }

    /// Whether a refusal passed that the pins alone demand, and nobody knows whether it was their doing.
    var isUnprovenRefusal: Bool {
        verdict == .pass && attribution == .unproven
            // Reports of earlier releases do not tell what the pins alone demand: better one rejection too many.
            && (presents == nil || shown.contains { $0.pinsAlone == true })
    }

    /// Whether it failed to show anything, and not for a reason of ours.
    var isDoubtful: Bool { verdict == .inconclusive && breakdown != true }

    /// The attempt that the verdict comes from: the worst by verdict, among equals by consequence.
    var decisive: RecordedAttempt? {
        attempts.dropFirst().reduce(attempts.first) { worst, attempt in
            guard let worst else { return attempt }
            return attempt.badness > worst.badness ? attempt : worst
        }
    }

    /// What its client asked for, and the origin does not have, as in `GET /logo.png`.
    var missing: [String] {
        attempts.flatMap(\.connections).flatMap { $0.requests ?? [] }.filter(\.missing).map {
            "\($0.method) \($0.path)"
        }
    }
}

/// A chain, and what a correct client must do with it.
struct RecordedChain: Codable, Hashable, Sendable {
    var chain: String
    var host: String?
    var key: String
    var holder: Holder
    var demand: Decision.Demand
    var reason: String
    /// Whether it must be rejected for its pins alone; absent: no.
    var pinsAlone: Bool?

    init(_ shown: ShownChain) {
        chain = shown.chain
        host = shown.otherHost
        key = shown.key
        holder = shown.holder
        demand = shown.decision.demand
        reason = shown.decision.description
        pinsAlone = shown.decision.isRefusalByPin ? true : nil
    }
}

/// One try of the client.
struct RecordedAttempt: Codable, Hashable, Sendable {
    var wire: String
    var word: ClientReport.Word
    var account: String
    var output: String
    var verdict: Verdict
    /// Absent in reports of earlier releases.
    var consequence: Consequence?
    var duration: Int64
    var connections: [RecordedConnection]

    init(_ attempt: AttemptResult) {
        wire = attempt.wire.description
        word = attempt.report.word
        account = attempt.report.account
        output = attempt.report.output
        verdict = attempt.judgement.verdict
        consequence = attempt.consequence
        duration = attempt.report.duration.milliseconds
        connections =
            attempt.observations.map { RecordedConnection($0, counts: true) }
            + attempt.elsewhere.map { RecordedConnection($0, counts: false) }
    }

    fileprivate var badness: (Verdict, Consequence) { (verdict, consequence ?? .unknown) }

    /// The last that the client printed, one line of at most 200 characters.
    var lastLine: String? { ClientReport.lastLine(of: output) }
}
