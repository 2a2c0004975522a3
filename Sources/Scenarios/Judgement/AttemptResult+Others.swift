import Pinning
import TLSCore
package import Witness

extension AttemptResult {
    /// The same attempt, where other hosts show something: each host is judged by the connections that asked for it, and the
    /// worst counts. The client's one word speaks only for those that it fits.
    ///
    /// - Parameter judge: judges the connections of the step's own host.
    package init(
        _ all: [Observation],
        report: ClientReport,
        elsewhere planned: PlannedStep,
        judge own: ([Observation], ClientReport) -> AttemptResult
    ) {
        let met = planned.others.compactMap(\.otherHost).uniqued
            .map { host in
                (
                    host, shown: planned.others.filter { $0.otherHost == host },
                    seen: all.filter { $0.names(host) && !$0.names(planned.step.host) }
                )
            }
            .filter { !$0.seen.isEmpty }
        let carried = planned.carried.compactMap(\.otherHost).uniqued
            .map { host in
                (
                    host, shown: planned.carried.filter { $0.otherHost == host },
                    seen: all.filter { $0.carries(host) && $0.names(planned.step.host) }
                )
            }
            .filter { !$0.seen.isEmpty }
        let away = met.flatMap(\.seen)
        let demands = Set((planned.shownChains + (met + carried).flatMap(\.shown)).map(\.decision.demand))
        let heard = { (chains: [ShownChain]) in
            var heard = report
            // Several chains of one host are told apart where they are judged.
            if demands.count > 1, Set(chains.map(\.decision.demand)).count == 1,
                let demand = chains.first?.decision.demand
            {
                heard.word = report.word.onlyIfFit(for: demand)
            }
            return heard
        }
        var ownReport = met.isEmpty ? report : heard(planned.shownChains)
        // Who turned somebody else away, and nobody here, means him.
        let isAboutOthers = planned.step.host.isSpared(by: all)
        if isAboutOthers, planned.shownChains.allSatisfy({ $0.decision.demand != .reject }),
            [.refused, .failed].contains(report.word)
        {
            ownReport.word = .nothing
        }
        self = own(all.filter { !away.contains($0) }, ownReport)
        self.report = report
        elsewhere += away
        for (host, shown, seen) in met + carried {
            var result = AttemptResult(
                seen,
                report: heard(shown),
                shownChains: shown,
                host: host,
                isAboutVersion: planned.step.limitsTLS
            )
            // What it opens there and leaves alone, beside what its word is about, is no refusal.
            if result.judgement.grounds == .witnessesDisagree, seen.allSatisfy(\.isSpare) {
                result.judgement = Judgement(.inconclusive, .neverUsed(shown[0].chain))
            }
            if result.judgement.verdict > judgement.verdict { judgement = result.judgement }
            consequence = max(consequence, result.consequence)
            isRefusal = isRefusal || result.wire.isRejected
        }
    }
}

extension String {
    /// Whether a client refused somebody, and not this host.
    fileprivate func isSpared(by seen: [Observation]) -> Bool {
        let refused = seen.filter(\.reaction.isRejected)
        return !refused.isEmpty && !refused.contains { $0.counts(for: self) }
    }
}

extension PlannedStep {
    /// The first host of `also` that no connection asked for.
    func unaskedHost(in attempts: [AttemptResult]) -> String? {
        step.also.map(\.host).first { host in
            !attempts.contains { attempt in
                attempt.elsewhere.contains { $0.names(host) } || attempt.observations.contains { $0.carries(host) }
            }
        }
    }
}
