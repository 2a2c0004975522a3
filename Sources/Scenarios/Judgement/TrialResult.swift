import Foundation
import Pinning
import TLSCore
import Witness

/// What came of one scenario, policy and client.
public struct TrialResult: Hashable, Sendable {
    public var scenario: String
    public var policy: String
    public var client: String
    /// The embedded client judged itself: this proves the catalogue, never a real client.
    public var isModel: Bool
    public var steps: [StepResult]
    /// What the trial showed to be wrong with the file, as sentences with the line to write.
    public var findings: [String]
    public var duration: Duration
    /// What was played, as it is declared.
    package var trial: Trial

    /// Takes the steps as they were run, and applies the control rule to them.
    package init(_ trial: Trial, steps: [StepResult], duration: Duration) {
        self.trial = trial
        scenario = trial.scenario.name
        policy = trial.policy.name
        client = trial.client.name
        isModel = trial.client.kind == .reference
        findings = steps.broadPinRule(of: trial.client).map { [$0] } ?? []
        let judged = steps.doubtingStrangers().believingPins(findings.isEmpty).failingWhoStaysAway()
            .sparingWhoTakesNoDot().tellingWhoCannotBeAsked().holdingToControls()
        self.steps = trial.client.isAttended ? judged.holdingToStacks() : judged
        self.duration = duration
    }

    /// A trial that could not even be planned.
    package init(_ trial: Trial, brokenDown error: any Error, duration: Duration = .zero) {
        let steps = trial.scenario.steps.map { step in
            StepResult(
                PlannedStep(step: step, shownChains: []),
                untried: Judgement(.inconclusive, .couldNotRun("\(error)"))
            )
        }
        self.init(trial, steps: steps, duration: duration)
    }

    /// The worst of the steps' verdicts.
    public var verdict: Verdict { steps.map(\.judgement.verdict).max() ?? .skipped }

    /// Whether the client did what its declaration says that it does otherwise than its policy demands; `nil` where it
    /// says nothing, or what it says could not be tried, or does not always happen.
    package var deviatesAsDeclared: Bool? {
        guard let deviation = trial.deviation, steps.contains(where: { !$0.attempts.isEmpty }),
            ![.notApplicable, .skipped].contains(verdict), !(deviation.isOccasional && verdict == .pass)
        else { return nil }
        return verdict == deviation.verdict
    }
}

extension StepResult {
    /// Whether the client was seen to accept its own server here.
    fileprivate var isProof: Bool {
        // A session that was resumed is no acceptance of what the step shows.
        (judgement == Judgement(.pass, .obeyed) || judgement.grounds == .speaksNoHTTP) && planned.mayProve
            && (planned.isAcceptance || !attempts.contains(where: \.isRefusal))
    }

    /// Whether the client rejected here, or gave up before it had connected to anybody.
    fileprivate var turnsAway: Bool {
        judgement.verdict != .fail
            && attempts.contains { attempt in
                attempt.isRefusal
                    || attempt.wire == .inconclusive(.nobodyConnected)
                        && [.refused, .failed].contains(attempt.report.word)
            }
    }

    /// The first refusal that the client calls its pins' doing where they cannot have been: they match, or there are none.
    fileprivate var vainBlame: AttemptResult? {
        attempts.first { attempt in
            let seen = planned.shownChains.filter { shown in attempt.observations.contains { $0.shown == shown.chain } }
            return attempt.isRefusal && attempt.report.blamesPin == true && !seen.isEmpty
                && seen.allSatisfy { $0.decision.demand != .accept && ($0.pinsMatch || !planned.isPinned) }
        }
    }
}

extension [StepResult] {
    /// That the client blames its pins where they match: then its word for them proves nothing, here and elsewhere.
    fileprivate func broadPinRule(of client: ClientDeclaration) -> String? {
        guard let place = first(where: { $0.vainBlame != nil }), let vain = place.vainBlame else { return nil }
        let why = place.planned.isPinned ? "a pin matches there" : "nothing is pinned there"
        let finding =
            "it says at '\(place.planned.step.present.joined(separator: ", "))' that its pins rejected, and \(why): "
            + "its word for them proves nothing in this trial"
        guard case .command(let command) = client.kind, let rule = command.refusedPin else {
            return finding + "; let it say so only where a pin is missing"
        }
        // What it prints where nothing but the pins can have refused.
        let line = lazy.filter { $0.planned.shownChains.allSatisfy(\.decision.isRefusalByPin) }
            .compactMap { $0.attempts.first { $0.report.blamesPin == true }?.report.lastLine }.first
        guard let line, line != vain.report.lastLine else {
            return finding
                + "; 'refused-pin' is too broad: name in its 'text' what it prints for a pin alone, or leave it "
                + "out if it prints the same for every rejection"
        }
        let exits = rule.exit.isEmpty ? "" : "exit: [\(rule.exit.map(String.init).joined(separator: ", "))], "
        return finding + "; 'refused-pin' is too broad, write refused-pin: { \(exits)text: '\(line.asQuotedPattern)' }"
    }

    /// Takes a client's word for its pins only where it was never seen to give it in vain.
    fileprivate func believingPins(_ isBelieved: Bool) -> [StepResult] {
        isBelieved
            ? self
            : map { result in
                guard result.attribution == .pin, result.twin == nil else { return result }
                var result = result
                result.attribution = .unproven
                return result
            }
    }

    /// A stranger's name that a client asks for wherever it is, such as that of its analytics, is not our host under
    /// another name; one that it asks for only where our host was refused may be.
    fileprivate func doubtingStrangers() -> [StepResult] {
        let usual = Set(
            filter { $0.planned.isAcceptance && $0.judgement.verdict == .pass }.flatMap(\.attempts).flatMap(\.elsewhere)
                .compactMap { $0.target?.lowercased() }
        )
        return map { result in
            let strangers = result.attempts.flatMap(\.strangers).filter { !usual.contains($0) }
            guard result.judgement.verdict == .pass, let name = strangers.first,
                result.attempts.contains(where: \.isRefusal)
            else { return result }
            var result = result
            result.judgement = Judgement(.inconclusive, .askedAnotherName(name))
            if result.consequence < .unknown { result.consequence = .unknown }
            return result
        }
    }

    /// Who was served, then turned somebody away, and from then on ends as it did there without a connection to anybody,
    /// remembers it: its users are kept from their own server.
    fileprivate func failingWhoStaysAway() -> [StepResult] {
        var served: Set<PlannedStep.Scene> = []
        var refusals: Set<ClientReport.Manner> = []
        return map { result in
            var result = result
            if result.judgement == Judgement(.inconclusive, .wireProvesNothing(.nobodyConnected)),
                result.planned.isAcceptance, served.contains(result.planned.provenScene),
                let manner = result.decisive?.report.manner, refusals.contains(manner)
            {
                result.judgement = Judgement(.fail, .stayedAway)
                result.consequence = Swift.max(result.consequence, .lockedOut)
            }
            if result.isProof { served.insert(result.planned.provenScene) }
            refusals.formUnion(result.attempts.filter(\.wire.isRejected).compactMap(\.report.manner))
            return result
        }
    }

    /// Who turns its own server away where the host is written with a dot at its end, and accepts it where it is not, has
    /// judged nobody under such a name.
    fileprivate func sparingWhoTakesNoDot() -> [StepResult] {
        guard contains(where: { $0.planned.isAcceptance && $0.isProof }),
            contains(where: { $0.planned.step.writesDot && $0.planned.mayProve && $0.turnsAway })
        else { return self }
        return map { result in
            guard result.planned.step.writesDot, result.judgement.verdict != .fail else { return result }
            var result = result
            result.judgement = Judgement(.notApplicable, .takesNoDot)
            if result.consequence != .intercepted { result.consequence = .unknown }
            return result
        }
    }

    /// Who turns its own server away where that asks for a certificate of the client's, and accepts it where it does not, has
    /// refused no chain (RFC 8446 section 4.4.2 has it answer that it has none).
    fileprivate func tellingWhoCannotBeAsked() -> [StepResult] {
        let served = Set(filter { $0.isProof && !$0.planned.provenScene.asks }.map(\.planned.provenScene))
        return map { result in
            guard result.planned.provenScene.asks, served.contains(result.planned.provenScene.unasked),
                result.judgement.grounds == .refusedWhatItsPolicyAccepts,
                !result.attempts.contains(where: { $0.report.blamesPin == true })
            else { return result }
            var result = result
            result.judgement = Judgement(result.planned.isControl ? .inconclusive : .fail, .cannotBeAsked)
            return result
        }
    }

    /// A refusal counts only beside an acceptance by the same client, of the same host, with the same store: a broken
    /// client, a poisoned environment or a wrong host name would otherwise pass every attack.
    func holdingToControls() -> [StepResult] { holdingOwnToControls().holdingOthersToControls() }

    /// The same of other hosts: who refused there must have accepted there.
    private func holdingOthersToControls() -> [StepResult] {
        let passed = filter { $0.judgement == Judgement(.pass, .obeyed) }.map(\.planned.acceptableElsewhere)
        let proven = Set(passed.joined() + filter(\.isProof).flatMap(\.planned.provenScenes))
        return map { result in
            guard result.judgement.verdict == .pass, result.attempts.contains(where: \.isRefusal),
                !proven.isSuperset(of: result.planned.refusableElsewhere)
            else { return result }
            var result = result
            result.judgement = Judgement(.inconclusive, .noControl)
            return result
        }
    }

    private func holdingOwnToControls() -> [StepResult] {
        let proven = Set(filter(\.isProof).flatMap(\.planned.provenScenes))
        // Who talks to the genuine server has not shown that he trusts a root of ours.
        let seen = Set(filter { $0.isProof && !$0.planned.isGenuine }.flatMap(\.planned.provenScenes))
        let unspoken = unspoken(beside: proven)
        return map { result in
            let scene = result.planned.mayProve ? result.planned.provenScene : result.planned.provingScene
            if let how = unspoken[scene], result.judgement.verdict != .fail,
                result.endOfHandshakes.map({ ($0 == .hangingUp) == (how == .hangingUp) }) == true
            {
                var result = result
                result.judgement = Judgement(.notApplicable, .breaksOffVersion(how))
                result.consequence = .unknown
                return result
            }
            // Where a client may do either and accepts, it has proven all there is.
            guard result.planned.needsControl, result.judgement.verdict == .pass,
                result.attempts.contains(where: \.isRefusal), !seen.contains(result.planned.provingScene)
            else { return result }
            let isBlind = proven.contains(result.planned.provingScene)
            guard !isBlind || result.attribution != .pin else { return result }
            var result = result
            result.judgement = Judgement(.inconclusive, isBlind ? .blindControl : .noControl)
            return result
        }
    }
}

extension [StepResult] {
    /// An app on a device has several TLS stacks, and its device more: a refusal counts where one of those that refused was
    /// seen to accept. What went to the genuine server through us shows its stack, too.
    fileprivate func holdingToStacks() -> [StepResult] {
        let known = Set(
            filter(\.isProof).flatMap(\.attempts).flatMap(\.observations)
                .filter { [.accepted, .blind].contains($0.reaction) }.compactMap(\.stack)
        )
        // Of what is passed through unread no hello is known.
        guard !known.isEmpty else { return self }
        return map { result in
            let refusals = result.attempts.flatMap(\.observations).filter(\.reaction.isRejected)
            guard result.judgement.verdict == .pass, !refusals.isEmpty,
                !refusals.contains(where: { $0.stack.map(known.contains) == true })
            else { return result }
            var result = result
            result.judgement = Judgement(.inconclusive, .anotherStack)
            return result
        }
    }

    /// Where the client's TLS library breaks off an old version of TLS whoever speaks it, and how: it did so
    /// with its own server, which it accepts in another version. OpenSSL's security level 2 sends `internal_error` once
    /// it sees that a key exchange is signed over SHA-1, as TLS 1.0 and 1.1 have it (SSL_CTX_set_security_level(3)).
    fileprivate func unspoken(beside proven: Set<PlannedStep.Scene>) -> [PlannedStep.Scene: BreakOff] {
        let endings = filter { $0.planned.mayProve && !$0.planned.isAcceptance }.compactMap { result in
            result.endOfHandshakes.map { (result.planned.provenScene, $0) }
        }
        return Dictionary(endings) { first, _ in first }.filter { scene, how in
            how.isAboutHandshake && !proven.contains(scene)
                && proven.contains { ($0.host, $0.store) == (scene.host, scene.store) }
        }
    }
}

extension StepResult {
    /// How the client broke off, where that is how it ended every connection of every attempt, none of
    /// them past its handshake. Many clients call that a refusal; what they accept in another version they cannot mean,
    /// unless they blame their pins.
    fileprivate var endOfHandshakes: BreakOff? {
        let endings = attempts.map { attempt -> BreakOff? in
            guard attempt.report.word != .succeeded, attempt.elsewhere.isEmpty,
                !planned.mayProve || attempt.report.blamesPin != true
            else { return nil }
            let ends = attempt.observations.map(\.breakingOff)
            // By an alert and without one are two ways.
            guard !ends.contains(nil), Set(ends.map { $0 == .hangingUp }).count == 1 else { return nil }
            return ends.first ?? nil
        }
        return endings.contains(nil) ? nil : endings.first ?? nil
    }
}

extension Observation {
    /// What the TLS stack behind it looks like (JA4); `nil` where no hello came.
    fileprivate var stack: String? { hello?.fingerprint?.stack }

    /// How the client ended the handshake.
    fileprivate var breakingOff: BreakOff? {
        guard !events.contains(where: { if case .established = $0 { true } else { false } }) else { return nil }
        return switch reaction {
        case .rejected(.alert(let alert)), .inconclusive(.protocolAlert(let alert)): .alert(alert)
        case .rejected(.hungUp): .hangingUp
        default: nil
        }
    }
}

extension BreakOff {
    /// Whether it says that the handshake cannot go on, and not that a certificate is bad (RFC 5246 section 7.2.2):
    /// handshake_failure, illegal_parameter, protocol_version, insufficient_security, internal_error.
    fileprivate var isAboutHandshake: Bool {
        switch self {
        case .alert(let alert): [40, 47, 70, 71, 80].contains(alert.number)
        case .hangingUp: true
        }
    }
}

extension String {
    /// As a regular expression that finds just this, for single quotes of YAML.
    fileprivate var asQuotedPattern: String {
        NSRegularExpression.escapedPattern(for: self).replacing("'", with: "''")
    }
}
