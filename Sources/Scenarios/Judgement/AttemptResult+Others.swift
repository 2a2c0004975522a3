import Pinning
package import Witness

extension AttemptResult {
    /// The same attempt, where other hosts had chains of their own: each host is judged by the connections that asked for
    /// it, and the worst counts. The client's one word speaks only for hosts whose demand it fits.
    ///
    /// - Parameter judge: judges the connections of the step's own host.
    package init(
        _ all: [Observation],
        report: ClientReport,
        others: [ShownChain],
        beside shownChains: [ShownChain],
        judge own: ([Observation], ClientReport) -> AttemptResult
    ) {
        let met = others.map { other in (other, all.filter { $0.names(other.otherHost ?? "") }) }.filter { !$1.isEmpty }
        let away = met.flatMap(\.1)
        let demands = Set((shownChains + met.map(\.0)).map(\.decision.demand))
        let word = { (demand: Decision.Demand) in demands.count > 1 ? report.word.onlyIfFit(for: demand) : report.word }
        var heard = report
        if let demand = shownChains.first?.decision.demand, !met.isEmpty { heard.word = word(demand) }
        self = own(all.filter { !away.contains($0) }, heard)
        self.report = report
        elsewhere += away
        for (other, connections) in met {
            let (wire, word) = (Wire(connections), word(other.decision.demand))
            let verdict = judge(other.decision.demand, wire: wire, word: word, of: other.holder)
            if verdict.verdict > judgement.verdict { judgement = verdict }
            consequence = max(consequence, Scenarios.consequence(for: other.holder, wire: wire, word: word))
            isRefusal = isRefusal || wire.isRejected
        }
    }
}

extension PlannedStep {
    /// The first other host that no connection asked for.
    func unaskedHost(in attempts: [AttemptResult]) -> String? {
        others.compactMap(\.otherHost).first { host in
            !attempts.contains { $0.elsewhere.contains { $0.names(host) } }
        }
    }
}
