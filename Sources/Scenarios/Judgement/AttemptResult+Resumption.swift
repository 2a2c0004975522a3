import Pinning
import TLSCore
package import Witness

extension AttemptResult {
    /// An attempt in which sessions of earlier steps may have been resumed: such a connection is judged by the chain that its
    /// session began with, and by what had to be done with it then.
    ///
    /// - Parameters:
    ///   - earlier: the steps whose sessions may come back, by the number of their presentation.
    ///   - judge: judges the connections that belong to this step.
    package init(
        _ all: [Observation],
        report: ClientReport,
        in planned: PlannedStep,
        after earlier: [Int: PlannedStep],
        judge own: ([Observation], ClientReport) -> AttemptResult
    ) {
        var met: [(shown: ShownChain, seen: [Observation])] = []
        var rest: [Observation] = []
        for observation in all {
            guard observation.counts(for: planned.step.host), let shown = planned.past(of: observation, in: earlier)
            else {
                rest.append(observation)
                continue
            }
            if let index = met.firstIndex(where: { $0.shown == shown }) {
                met[index].seen.append(observation)
            } else {
                met.append((shown, [observation]))
            }
        }
        guard !met.isEmpty else {
            self = own(all, report)
            return
        }
        let isShown = rest.contains { $0.counts(for: planned.step.host) }
        let demands = Set(
            (isShown ? planned.shownChains : []).map(\.decision.demand) + met.map(\.shown.decision.demand)
        )
        let word = { (demand: Decision.Demand) in
            demands.count > 1 ? report.word.onlyIfFit(for: demand) : report.word
        }
        var ownReport = report
        // Among several chains of its own, the step fits the word to each itself.
        if let first = planned.shownChains.first?.decision.demand { ownReport.word = word(first) }
        self = own(rest, planned.shownChains.count > 1 ? report : ownReport)
        self.report = report
        observations = all.filter { $0.counts(for: planned.step.host) }
        wire = Wire(observations, elsewhere: elsewhere.count)
        if !isShown {
            let mustRefuse = planned.shownChains.contains { $0.decision.demand == .reject }
            judgement = Judgement(mustRefuse ? .inconclusive : .pass, .resumed(met[0].shown.chain))
            if consequence == .unknown { consequence = .served }
            isRefusal = report.word == .refused
        }
        for (shown, seen) in met {
            let (wire, word) = (Wire(seen), word(shown.decision.demand))
            var verdict = judge(shown.decision.demand, wire: wire, word: word, of: shown.holder)
            // What a client must do with a session that it no longer wants is nowhere said.
            if wire.isRejected, verdict.verdict == .fail { verdict = Judgement(.inconclusive, .resumed(shown.chain)) }
            if verdict.verdict > judgement.verdict { judgement = verdict }
            consequence = max(consequence, Scenarios.consequence(for: shown.holder, wire: wire, word: word))
            isRefusal = isRefusal || wire.isRejected
        }
    }
}

extension PlannedStep {
    /// The chain that a resumed session began with, where it is not judged like one of this step's own.
    fileprivate func past(of observation: Observation, in earlier: [Int: PlannedStep]) -> ShownChain? {
        guard let origin = observation.resumed, let then = earlier[origin.epoch],
            let shown = then.shownChains.first(where: { $0.chain == origin.identity })
        else { return nil }
        let isSameScene = then.step.store == step.store && then.step.host == step.host
        let isSame = shownChains.contains { $0.chain == shown.chain && $0.decision.demand == shown.decision.demand }
        return isSame && isSameScene ? nil : shown
    }
}
