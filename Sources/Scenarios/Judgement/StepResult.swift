import Pinning
package import TLSCore
public import Witness

/// What came of one try of a client.
public struct AttemptResult: Hashable, Sendable {
    /// The connections that were after the step's host, or named none.
    public var observations: [Observation]
    /// Connections that were after somebody else.
    public var elsewhere: [Observation]
    /// The names of strangers that it asked an attacker for.
    var strangers: [String]
    package var report: ClientReport
    /// What the collector was told meanwhile.
    package var collected: [CollectedReport] = []
    public var wire: Wire
    public var judgement: Judgement
    public var consequence: Consequence
    /// Whether the client turned somebody away, by either witness.
    public var isRefusal: Bool

    /// Judges an attempt.
    ///
    /// Where its connections were shown several chains, each chain is judged by the connections that saw it, and the
    /// worst verdict counts. The client's one word then speaks only for chains whose demand it fits: "refused" says
    /// nothing about the chain that it accepted on the way.
    ///
    /// - Parameters:
    ///   - isAboutVersion: whether the step limits what the server speaks, which the client may lack.
    ///   - fault: what goes wrong with handshakes, on purpose.
    ///   - isStranger: whether a connection elsewhere asked for a name that has nothing to do with the host, and was shown
    ///     a certificate that is good for that name.
    package init(
        _ all: [Observation],
        report: ClientReport,
        shownChains: [ShownChain],
        host: String,
        isAboutVersion: Bool = false,
        fault: HandshakeFault? = nil,
        isStranger: (Observation) -> Bool = { _ in false }
    ) {
        let observations = all.filter { $0.counts(for: host) }
        let elsewhere = all.filter { !$0.counts(for: host) }
        self.report = report
        self.observations = observations
        self.elsewhere = elsewhere
        wire = Wire(observations, elsewhere: elsewhere.count)
        strangers = []

        let seen = shownChains.filter { shown in observations.contains { $0.shown == shown.chain } }
        // Who was shown nothing may have been meant to see any of them.
        let encounters = (seen.isEmpty ? shownChains : seen).map { shown in
            // A connection that saw nothing belongs to every chain: it may have been meant for any.
            let own = observations.filter { $0.shown == nil || $0.shown == shown.chain }
            return Encounter(
                shown: shown,
                wire: Wire(own, elsewhere: elsewhere.count).breakingOff(shown.decision.demand, report.word),
                isSpare: own.allSatisfy(\.isSpare),
                hasConversed: own.contains(where: \.hasConversed)
            )
        }
        let isMixed = Set(encounters.map(\.shown.decision.demand)).count > 1
        let others = elsewhere.filter { $0.asks(attackersAmong: shownChains) }
        strangers = others.filter(isStranger).compactMap(\.target).map { $0.lowercased() }
        let leaks = elsewhere.filter { !others.contains($0) || !isStranger($0) }
            .compactMap { connection in connection.leak(to: shownChains, for: host).map { (connection, meaning: $0) } }
        let leak = leaks.map(\.meaning).max()
        // A token of ours is what was meant for the host, wherever it turns up.
        let leftToken = leaks.lazy.filter { $0.meaning == .intercepted }.compactMap { $0.0.leaks.first?.place }.first
        let speaksAnotherWay = leaks.allSatisfy { $0.0.isUnreadable || !$0.0.leaks.isEmpty && $0.0.shown == nil }
        if leak == nil, report.word != .succeeded, observations.lack(isAboutVersion, shownChains) {
            judgement = Judgement(.notApplicable, .notApplicable(wire.doubt ?? .nobodyConnected))
            // Its own server's users may say that they are kept out; of an attacker nothing was kept.
            let isOwners = shownChains.contains { $0.holder == .owner }
            consequence = isOwners ? Scenarios.consequence(for: .owner, wire: wire, word: report.word) : .unknown
            isRefusal = false
            return
        }
        if leak == nil, let judgement = observations.waiting(for: fault, report) {
            self.judgement = judgement
            consequence = .unknown
            isRefusal = false
            return
        }
        let hasUsed = encounters.contains { $0.isUse(word: report.word) }
        var judgement: Judgement?
        var consequence: Consequence?
        var isRefusal = report.word == .refused
        for encounter in encounters {
            let (shown, wire) = (encounter.shown, encounter.wire)
            // What a client opens and leaves alone, beside a connection that its word is about, is no refusal.
            let isUnused = hasUsed && encounter.isSpare && encounter.judgement(report.word).verdict != .pass
            var word = isMixed ? report.word.onlyIfFit(for: shown.decision.demand) : report.word
            // It may not want to go where the answer sends it.
            if word == .refused, shown.decision.demand != .reject, observations.areLedAway { word = .nothing }
            let isTrouble = observations.contains {
                $0.shown == shown.chain && $0.requests.contains(where: \.isTrouble)
            }
            // Many have one word for all that can go wrong, a broken answer too. Who blames the pins means them.
            if isTrouble, word == .refused, wire == .accepted, shown.holder == .owner, report.blamesPin != true,
                shown.decision.demand == .accept
            {
                word = .failed
                isRefusal = false
            }
            var verdict =
                isUnused ? Judgement(.inconclusive, .neverUsed(shown.chain)) : encounter.judgement(word)
            // An app that was turned away, or only its device's other stacks, may show what it has kept.
            if report.isUndated, word == .succeeded, wire.isRejected, verdict.verdict == .fail, leak == nil {
                verdict = Judgement(.inconclusive, .witnessesDisagree)
            }
            // Who was answered with trouble on purpose may well fail.
            if verdict.grounds == .failedAfterAccepting, isTrouble { verdict = Judgement(.pass, .obeyed) }
            // Who was led to a server that failed him may well fail, and has refused nobody. Who blames the pins means them.
            let fault =
                shown.decision.demand == .reject || verdict.verdict == .pass || report.blamesPin == true
                ? nil : observations.lazy.compactMap(\.upstreamFault).first
            if let fault {
                verdict = Judgement(.inconclusive, .wireProvesNothing(.connection(.closedByUs(.upstream(fault)))))
            }
            // An attacker has the request, whatever he answers.
            let isUncertified =
                shown.holder == .owner && shown.decision.demand != .reject && wire == .accepted
                && observations.contains { $0.shown == shown.chain && $0.lacksCertificate }
            if isUncertified { verdict = Judgement(.inconclusive, .lacksCertificate) }
            // The table lets nobody pass who turned away what he had to accept.
            if verdict.verdict == .pass, wire.isRejected || word == .refused {
                let hasLeaked = leak != nil && shown.holder == .attacker
                let leakage: Grounds? = hasLeaked ? (speaksAnotherWay ? .spokeAnotherWay : .acceptedElsewhere) : nil
                verdict = report.doubt(shown.decision, wire, leakage) ?? verdict
            }
            if let leftToken, shown.holder == .attacker, verdict.verdict != .fail,
                verdict.verdict != .pass || wire.isRejected
            {
                verdict = Judgement(.fail, .leakedToken(leftToken))
            }
            // It may have what the wire could not tell: its connections end with it.
            let isUnended = !report.leftRunning.isEmpty && (wire.isRejected || wire.doubt != nil)
            if isUnended, verdict.verdict != .fail || verdict.grounds == .refusedWhatItsPolicyAccepts {
                verdict = Judgement(.inconclusive, .leftRunning(report.leftRunning))
            }
            // Who never connected was neither served nor locked out by this server, whatever it says.
            let meaning =
                observations.isEmpty || isUnended || isUncertified || fault != nil
                ? Consequence.unknown : Scenarios.consequence(for: shown.holder, wire: wire, word: word)
            isRefusal = isRefusal || wire.isRejected && !isUnused
            judgement = judgement.map { verdict.verdict > $0.verdict ? verdict : $0 } ?? verdict
            if isUnused { continue }
            consequence = consequence.map { max($0, meaning) } ?? meaning
        }
        self.judgement = judgement ?? Judgement(.inconclusive, .wireProvesNothing(.nobodyConnected))
        self.consequence = max(consequence ?? .unknown, leak ?? .served)
        self.isRefusal = isRefusal
    }

    /// Whether nobody came for the host under test, nor took anything of it elsewhere: where whoever attends the client wants
    /// such an attempt once more, it says nothing.
    package var isVoid: Bool {
        switch wire.doubt {
        case .nobodyConnected: true
        // A device talks to others all day.
        case .onlyElsewhere: consequence == .unknown && strangers.isEmpty && collected.isEmpty
        default: false
        }
    }

    /// How bad it was: by the verdict, and among equal verdicts by the consequence.
    fileprivate func isWorse(than other: AttemptResult) -> Bool {
        (judgement.verdict, consequence) > (other.judgement.verdict, other.consequence)
    }
}

/// What the connections that saw one chain of an attempt came to.
private struct Encounter {
    var shown: ShownChain
    var wire: Wire
    /// Whether none of them carried a request or an alert, and the client ended them all.
    var isSpare: Bool
    /// Whether more than a handshake was passed through.
    var hasConversed: Bool

    func judgement(_ word: ClientReport.Word) -> Judgement {
        shown.isGenuine && shown.decision.demand == .accept
            ? judgeGenuine(wire, word: word, hasConversed: hasConversed)
            : judge(shown.decision.demand, wire: wire, word: word, of: shown.holder)
    }

    /// Whether this is what the client's word may be about: then the others may be spare.
    func isUse(word: ClientReport.Word) -> Bool {
        judgement(word).verdict == .pass || wire == .accepted
    }
}

extension Decision {
    /// Whether a client may do either, for a reason that is not about trust.
    fileprivate var isLeftToTheStack: Bool { if case .systemRule = reason { demand == .either } else { false } }
}

extension ClientReport {
    /// Why a refusal that the table lets pass proves nothing after all.
    ///
    /// - Parameter leakage: how what was meant for an attacker's victim may have reached him, or everybody, another way.
    fileprivate func doubt(_ decision: Decision, _ wire: Wire, _ leakage: Grounds?) -> Judgement? {
        if let leakage { return Judgement(.inconclusive, leakage) }
        guard word == .failed, canTellRefusal else { return nil }
        return switch wire {
        // A handshake that cannot be finished is no certificate's fault, and some call it a network error.
        case .rejected(.hungUp) where decision.reason == .untrusted(TrustFailure(.notItsKey)): nil
        // Nor is a limit of a library's, as GnuTLS's for a chain of 128 KB.
        case .rejected(.hungUp) where decision.isLeftToTheStack: nil
        case .rejected(.hungUp), .rejected(.withheldRequest): Judgement(.inconclusive, .failedOtherwise)
        default: nil
        }
    }
}

extension Observation {
    /// What a connection under another name means for people, where it may have taken to an attacker what was meant for
    /// `host`: a request to a chain of his is in his hands; nobody knows what other bytes were, nor a request in the
    /// clear to a host of the same owner. A stranger's name in the clear may be anything, such as a question about
    /// revocation, unless it has a token of ours in it. So may bytes that are no request, and datagrams that are not QUIC.
    fileprivate func leak(to shownChains: [ShownChain], for host: String) -> Consequence? {
        let attackers = shownChains.filter { $0.holder == .attacker }
        guard !attackers.isEmpty else { return nil }
        if reaction == .cleartext {
            if !leaks.isEmpty { return .intercepted }
            return target.map { PublicSuffixList.haveOneOwner($0, host) } ?? true ? .unknown : nil
        }
        if isUnreadable { return target.map { PublicSuffixList.haveOneOwner($0, host) } ?? true ? .unknown : nil }
        guard attackers.contains(where: { $0.chain == shown }) else { return nil }
        return reaction == .accepted ? .intercepted : bytesReceived > 0 ? .unknown : nil
    }
}

extension Observation {
    /// Whether bytes went to a place of the client's choice that are neither TLS nor a request.
    fileprivate var isUnreadable: Bool {
        if reaction == .inconclusive(.datagrams(isQUIC: false)) { return true }
        guard shown == nil, case .closed(by: .us, .protocolError)? = events.last else { return false }
        return events.contains { if case .redirected = $0 { true } else { false } }
    }

    /// Whether the client opened it, sent neither a request nor an alert, and closed it.
    var isSpare: Bool {
        switch reaction {
        case .rejected(.hungUp), .rejected(.withheldRequest): true
        case .inconclusive(.nothingPresented): events.last == .closed(by: .client, .ended)
        case .inconclusive(.datagrams(let isQUIC)): isQUIC
        default: false
        }
    }
}

extension Observation {
    /// Whether an attacker among those shown got anything through it.
    fileprivate func asks(attackersAmong shownChains: [ShownChain]) -> Bool {
        (reaction == .accepted || bytesReceived > 0)
            && shownChains.contains { $0.holder == .attacker && $0.chain == shown }
    }
}

extension [Observation] {
    /// Whether the client lacks what the step speaks, so that none of these judged a chain. The ciphers of every version
    /// are an attacker's own fault only, who chose the key, and do no harm where the client may do either.
    fileprivate func lack(_ isAboutVersion: Bool, _ shownChains: [ShownChain]) -> Bool {
        let isLack = { (connection: Observation) in Wire([connection]).isLack(ofVersion: isAboutVersion) }
        return contains(where: isLack) && allSatisfy { isLack($0) || $0.shown == nil && $0.isSpare }
            && (isAboutVersion || shownChains.allSatisfy { $0.holder == .attacker || $0.decision.demand == .either })
    }
}

extension Wire {
    /// Who may do either, and breaks off over what it was shown as over a broken protocol, has done one of the two: TLS
    /// libraries have limits, and say so by such alerts.
    fileprivate func breakingOff(_ demand: Decision.Demand, _ word: ClientReport.Word) -> Wire {
        guard demand == .either, word != .succeeded,
            case .inconclusive(.connection(.protocolAlert(let alert))) = self
        else { return self }
        return .rejected(.alert(alert))
    }
}

extension [Observation] {
    /// What handshakes that are never finished came to, where that is all that the client met. Who never came to see the chain,
    /// though the next connection would have shown it, has judged nobody.
    fileprivate func waiting(for fault: HandshakeFault?, _ report: ClientReport) -> Judgement? {
        guard let fault, fault.showsNothing, contains(where: \.isUnanswered), report.word != .succeeded,
            allSatisfy({ $0.isUnanswered || $0.shown == nil && ($0.isSpare || report.ending == .timedOut) })
        else { return nil }
        if !report.leftRunning.isEmpty { return Judgement(.inconclusive, .leftRunning(report.leftRunning)) }
        guard report.ending != .timedOut, allSatisfy({ $0.wasEndedByClient || $0.wasCutOff }) else {
            return Judgement(.notApplicable, .neverGaveUp)
        }
        return fault.times == nil ? Judgement(.pass, .gaveUp) : Judgement(.notApplicable, .gaveUp)
    }

    /// Whether an answer led the client to another place, and nobody was turned away here.
    fileprivate var areLedAway: Bool {
        contains { $0.wasLedAway } && !contains { $0.reaction.isRejected }
    }
}

extension Observation {
    /// Whether an answer sent it to another place, on purpose.
    fileprivate var wasLedAway: Bool {
        requests.contains { $0.isTrouble && 300..<400 ~= $0.status ?? 0 }
    }
}

extension AttemptResult {
    /// The same where the client was handed a damaged pin: who will not work with it, or says that something else than the
    /// server is wrong, does right.
    fileprivate func minding(damageIn planned: PlannedStep) -> AttemptResult {
        var result = self
        switch judgement {
        case Judgement(.inconclusive, .failedOtherwise): result.judgement = Judgement(.pass, .obeyed)
        case Judgement(.inconclusive, .wireProvesNothing(.nobodyConnected)) where report.hasGivenUp:
            result.judgement = Judgement(.pass, .refusedItsPins)
            let isOwners = planned.shownChains.allSatisfy { $0.holder == .owner }
            result.consequence = isOwners ? .lockedOut : .protected
        default: return self
        }
        result.isRefusal = true
        return result
    }
}

extension ClientReport {
    /// Whether it ended by itself, and not well.
    fileprivate var hasGivenUp: Bool {
        switch ending {
        case .timedOut, .notStarted: false
        // A program may well break down over a setting that it cannot read; nobody kills it for that.
        case .signalled(let signal): signal != 9
        case .exited, nil: word == .failed || word == .refused
        }
    }
}

extension ClientReport.Word {
    func onlyIfFit(for demand: Decision.Demand) -> ClientReport.Word {
        switch (demand, self) {
        case (.accept, .succeeded), (.reject, .refused), (.reject, .failed): self
        default: .nothing
        }
    }
}

extension Observation {
    /// The chain that the client was shown on this connection, or where its session was resumed, when that began.
    public var shown: String? {
        for case .presented(let identity, _, _) in events { return identity }
        return resumed?.identity
    }
}

extension PlannedStep {
    /// The first of several chains that no connection came to see: nothing is known of what the client makes of it.
    fileprivate func unseen(in attempts: [AttemptResult]) -> String? {
        guard shownChains.count > 1, !step.isChosenByHello else { return nil }
        let shown = Set(attempts.flatMap(\.observations).compactMap(\.shown))
        return shownChains.map(\.chain).first { !shown.contains($0) }
    }
}

/// What came of one step: the worst of its attempts.
public struct StepResult: Hashable, Sendable {
    package var planned: PlannedStep
    public var attempts: [AttemptResult]
    public var judgement: Judgement
    public var consequence: Consequence
    /// The same client shown the same chain, with its pins set to that chain's keys: run where a refusal that the pins
    /// demand could have had another cause, and the client has no way to say.
    public var twin: AttemptResult?
    /// Whose doing the refusal was; `nil` where nobody was refused, or nothing is pinned.
    public var attribution: Attribution?
    public var duration: Duration

    package init(
        _ planned: PlannedStep,
        attempts: [AttemptResult],
        twin: AttemptResult? = nil,
        duration: Duration
    ) {
        let isDamaged = planned.step.nearMiss?.isDamaged == true
        let attempts = isDamaged ? attempts.map { $0.minding(damageIn: planned) } : attempts
        self.planned = planned
        self.attempts = attempts
        self.twin = twin
        self.duration = duration
        let worst = attempts.worst?.judgement ?? Judgement(.inconclusive, .wireProvesNothing(.nobodyConnected))
        let unseen = worst.verdict == .pass ? planned.unseen(in: attempts) : nil
        consequence = attempts.map(\.consequence).max() ?? .unknown
        // The least of what its refusals prove.
        let refusals = planned.isPinned ? attempts.filter(\.isRefusal) : []
        let causes = refusals.map { $0.report.attribution(provenBy: twin) }
        // With a damaged pin whatever keeps a client away, in the trial in which it accepts with a whole one, is that pin.
        let attribution = (isDamaged ? causes.map { $0 == .pin ? .pin : .configuration } : causes).max()
        self.attribution = attribution
        judgement =
            if let unseen {
                Judgement(.inconclusive, .neverShown(unseen))
            } else if worst.verdict == .pass, attribution == .other,
                (planned.shownChains + planned.others).contains(where: \.decision.isRefusalByPin)
            {
                Judgement(.inconclusive, .pinNotTried)
            } else {
                worst
            }
        if judgement == Judgement(.pass, .obeyed), planned.step.isAboutAnswers, attempts.speakNoHTTP {
            judgement = Judgement(.notApplicable, .speaksNoHTTP)
        }
        if judgement.verdict == .pass, let unasked = planned.unaskedHost(in: attempts) {
            // Who stays where it is, is not what the step is about.
            let wasLed = attempts.flatMap(\.observations).contains(where: \.wasLedAway)
            judgement = Judgement(wasLed ? .notApplicable : .inconclusive, .neverCame(unasked))
        }
        if judgement.verdict == .pass,
            let complaint = planned.reporting?.complaint(
                about: attempts.flatMap(\.collected),
                seen: attempts.flatMap(\.observations)
            )
        {
            judgement = Judgement(.fail, complaint)
        }
        if judgement.verdict < .fail, let storm = planned.step.budget?.exceeded(by: attempts) {
            judgement = Judgement(.fail, .storm(storm))
        }
    }

    /// What its client asked for, and the origin does not have.
    package var missing: [AnsweredRequest] {
        attempts.flatMap { $0.observations + $0.elsewhere }.flatMap(\.requests).filter(\.isMissing)
    }

    /// A step that was not tried, or whose trial broke down on our side.
    package init(_ planned: PlannedStep, untried judgement: Judgement) {
        self.planned = planned
        self.judgement = judgement
        attempts = []
        consequence = .unknown
        duration = .zero
    }

    /// What to write in the file, where the client's word may not mean what we took it for.
    package var advice: String? {
        guard [.fail, .inconclusive].contains(judgement.verdict), let decisive,
            decisive.wire.doubt == nil, decisive.wire.isRejected || decisive.report.word != .succeeded
        else { return nil }
        return decisive.report.advice
    }

    /// The attempt that the verdict comes from.
    public var decisive: AttemptResult? { attempts.worst }
}

extension Step {
    /// Whether it is about what a server answers: where that leads, or what goes wrong with it.
    fileprivate var isAboutAnswers: Bool {
        let routes = origin?.routes ?? []
        return routes.contains { $0.redirect != nil || $0.failure != nil || $0.delay != nil || $0.status >= 300 }
    }
}

extension [AttemptResult] {
    /// Whether all that was accepted had TLS begin later, in a protocol in which nobody reads an answer of HTTP.
    fileprivate var speakNoHTTP: Bool {
        let accepted = flatMap(\.observations).filter { $0.reaction == .accepted }
        return !accepted.isEmpty && !contains(where: \.isRefusal) && accepted.allSatisfy(\.beganLater)
    }

    /// Of several that are equally bad, the first.
    fileprivate var worst: AttemptResult? {
        reduce(nil) { worst, attempt in worst.map { attempt.isWorse(than: $0) ? attempt : $0 } ?? attempt }
    }
}
