import TestSupport
import Testing

@testable import Pinning
@testable import Scenarios
@testable import TLSCore
@testable import Witness

/// Rule I of `docs/verdicts.md`: who lacks what the server speaks has judged nobody.
@Suite struct `A step about what the client lacks` {
    @Test(arguments: [lacking(70), lacking(40), refusingVersion], [ClientReport.Word.refused, .failed, .nothing])
    func `H8: is not applicable, and protects nobody`(connection: Observation, word: ClientReport.Word) {
        for shown in [ShownChain.rejected("forged", by: .attacker), .tolerated("forged", by: .attacker)] {
            let result = judged([connection], word, [shown])

            #expect(result.judgement.verdict == .notApplicable)
            #expect(result.consequence == .unknown)
            #expect(!result.isRefusal)
        }
    }

    @Test(arguments: [
        (ClientReport.Word.refused, Consequence.lockedOut), (.failed, .unknown), (.nothing, .unknown),
    ])
    func `H8: is not applicable to its own server either, whose users may be kept out`(
        word: ClientReport.Word,
        consequence: Consequence
    ) {
        for shown in [ShownChain.accepted("today"), .tolerated("today")] {
            let result = judged([lacking(70)], word, [shown])

            #expect(result.judgement.verdict == .notApplicable)
            #expect(result.consequence == consequence)
        }
    }

    /// Each beside the twin that is not applicable.
    @Test(
        arguments: [
            ([lacking(70), Connection.accepting("forged")], .failed, Judgement(.fail, .leaked)),
            ([lacking(70), Connection.inTheClear], .failed, Judgement(.fail, .spokeInTheClear)),
            // Another route, or a cache.
            ([lacking(70)], .succeeded, doubt(.nothingInCommon(.version(offered: ["TLS 1.3"])))),
            // It was shown a chain on the other one, so it has judged it; what the first would have been is not known.
            (
                [lacking(70), Connection.alerting("forged")], .refused,
                doubt(.nothingInCommon(.version(offered: ["TLS 1.3"])))
            ),
            ([lacking(120)], .failed, doubt(.nothingInCommon(.applicationProtocol(offered: ["h2"])))),
            ([Connection.alerting("forged", 47)], .failed, doubt(.protocolAlert(Alert(47, isFatal: true)))),
            ([Connection.silent], .failed, doubt(.nothingPresented)),
            ([], .failed, Judgement(.inconclusive, .wireProvesNothing(.nobodyConnected))),
        ] as [([Observation], ClientReport.Word, Judgement)]
    )
    func `H8: is judged where somebody was met`(
        connections: [Observation],
        word: ClientReport.Word,
        judgement: Judgement
    ) {
        let shown = ShownChain.rejected("forged", by: .attacker)

        #expect(judged(connections, word, [shown]).judgement == judgement)
        #expect(judged([lacking(70)], .failed, [shown]).judgement.verdict == .notApplicable)
    }

    @Test func `H8: may be about a key of the attacker's that no cipher fits, and not about the owner's`() {
        let attacked = attempt([lacking(40)], ClientReport(.failed), [.rejected("forged", by: .attacker)])
        let owners = attempt([lacking(40)], ClientReport(.failed), [.accepted("today")])
        let anyVersion = attempt([lacking(70)], ClientReport(.failed), [.rejected("forged", by: .attacker)])

        #expect(attacked.judgement.verdict == .notApplicable)
        #expect(owners.judgement.verdict == .inconclusive)
        #expect(anyVersion.judgement.verdict == .inconclusive)
    }

    @Test func `H8: is no control, and fails nothing; alone it proves nothing`() {
        let lacking = Results.step(.rejected("forged", by: .attacker), [lacking(40)], ClientReport(.failed))
        let alone = Results.trial(lacking)
        let beside = Results.trial(Results.served, lacking)

        #expect(alone.verdict == .notApplicable)
        #expect(beside.verdict == .notApplicable)
        #expect(Results.report(alone).exitStatus() == 2)
        #expect(Results.report(Results.trial(Results.control, lacking)).exitStatus() == 2)
        #expect(Results.report(beside).exitStatus() == 0)
        #expect(
            TextReport().renderSummary(Results.report(beside)).contains(
                "1 passed, 0 failed, 0 inconclusive, 0 skipped, 1 not applicable"
            )
        )
    }

    private func judged(
        _ connections: [Observation],
        _ word: ClientReport.Word,
        _ shownChains: [ShownChain]
    ) -> AttemptResult {
        AttemptResult(
            connections,
            report: ClientReport(word),
            shownChains: shownChains,
            host: Connection.host,
            isAboutVersion: true
        )
    }
}

private func doubt(_ doubt: Reaction.Doubt) -> Judgement {
    Judgement(.inconclusive, .wireProvesNothing(.connection(doubt)))
}

/// Turned away by an alert of ours before anything was shown.
private func lacking(_ alert: UInt8) -> Observation {
    let hello = ClientHello(serverName: Connection.host, applicationProtocols: ["h2"], versions: [.tls1_3])
    return Observation([
        .connected(target: nil), .hello(hello), .alert(.outward, Alert(alert, isFatal: true)),
        .closed(by: .us, .protocolError("unsupported")),
    ])
}

/// Of those that say their newest version only: the server takes an older one, and shows its chain in the same breath.
private let refusingVersion = Connection.alerting("forged", 70)
