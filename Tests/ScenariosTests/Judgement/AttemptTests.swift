import Pinning
import TLSCore
import TestSupport
import Testing
import Witness

@testable import Scenarios

@Suite struct `An attempt` {
    @Test func `counts connections to its host and to nobody named`() {
        let other = Connection.accepting("today", to: "tracker.example:443")
        let all = [
            Connection.alerting("today", to: nil), other, Connection.alerting("today", to: "API.acme.example:443"),
        ]

        let result = attempt(all, ClientReport(.refused), [.rejected("today")])

        #expect(result.observations == [all[0], all[2]])
        #expect(result.elsewhere == [other])
        #expect(result.wire == alert)
        #expect(result.judgement == Judgement(.pass, .obeyed))
    }

    @Test func `proves nothing when only others were visited`() {
        let result = attempt(
            [Connection.accepting("today", to: "tracker.example")],
            ClientReport(.succeeded),
            [.accepted("today")]
        )

        #expect(result.judgement == Judgement(.inconclusive, .wireProvesNothing(.onlyElsewhere)))
    }

    @Test(arguments: ClientReport.Word.allCases)
    func `proves nothing without a connection, whatever the client says`(_ word: ClientReport.Word) {
        for shown in [ShownChain.accepted("today"), .rejected("forged", by: .attacker)] {
            let result = attempt([], ClientReport(word), [shown])

            #expect(result.judgement == Judgement(.inconclusive, .wireProvesNothing(.nobodyConnected)))
        }
    }

    @Test(arguments: Encounter.table)
    func `judges each chain by the connections that saw it`(_ sequence: Encounter) {
        let result = attempt(sequence.connections, ClientReport(sequence.word), sequence.shownChains)

        #expect(result.judgement == sequence.judgement)
        #expect(result.consequence == sequence.consequence)
        #expect(result.isRefusal == sequence.isRefusal)
    }
}

/// An attempt in which several chains were shown.
struct Encounter: CustomTestStringConvertible {
    var shownChains: [ShownChain]
    var connections: [Observation]
    var word: ClientReport.Word
    var judgement: Judgement
    var consequence: Consequence
    var isRefusal: Bool
    var testDescription: String {
        let shown = shownChains.map { "\($0.decision.demand) \($0.chain)" }.joined(separator: ", then ")
        return "\(shown): \(connections.map { "\($0.reaction)" }.joined(separator: ", then ")), says \(word)"
    }

    init(
        _ shownChains: [ShownChain],
        _ connections: [Observation],
        _ word: ClientReport.Word,
        _ verdict: Verdict,
        _ grounds: Grounds,
        _ consequence: Consequence,
        isRefusal: Bool = false
    ) {
        self.shownChains = shownChains
        self.connections = connections
        self.word = word
        judgement = Judgement(verdict, grounds)
        self.consequence = consequence
        self.isRefusal = isRefusal
    }

    private static let goodThenBad = [ShownChain.accepted("today"), .rejected("forged", by: .attacker)]
    private static let badThenGood = [ShownChain.rejected("forged", by: .attacker), .accepted("today")]
    private static let bothGood = [ShownChain.accepted("today"), .accepted("renewed")]
    private static let stackThenBad = [ShownChain.tolerated("weak"), .rejected("forged", by: .attacker)]
    private static let unpinned = [ShownChain.accepted("today"), .accepted("forged", by: .attacker)]

    static let table: [Encounter] = [
        // The word speaks for the chain whose demand it fits, and for no other.
        Encounter(
            goodThenBad,
            [Connection.accepting(), Connection.alerting("forged")],
            .refused,
            .pass,
            .obeyed,
            .protected,
            isRefusal: true
        ),
        Encounter(
            goodThenBad,
            [Connection.accepting(), Connection.withholding("forged")],
            .refused,
            .pass,
            .obeyed,
            .protected,
            isRefusal: true
        ),
        Encounter(
            goodThenBad,
            [Connection.accepting(), Connection.withholding("forged")],
            .nothing,
            .inconclusive,
            .neverUsed("forged"),
            .served
        ),
        Encounter(
            badThenGood,
            [Connection.alerting("forged"), Connection.accepting()],
            .succeeded,
            .pass,
            .obeyed,
            .protected,
            isRefusal: true
        ),
        // It checked its first connection only.
        Encounter(
            goodThenBad,
            [Connection.accepting(), Connection.accepting("forged")],
            .succeeded,
            .fail,
            .talkedToTheWrongServer,
            .intercepted
        ),
        // It noticed, and too late.
        Encounter(
            goodThenBad,
            [Connection.accepting(), Connection.accepting("forged")],
            .refused,
            .fail,
            .leaked,
            .intercepted,
            isRefusal: true
        ),
        Encounter(
            goodThenBad,
            [Connection.alerting(), Connection.alerting("forged")],
            .refused,
            .fail,
            .refusedWhatItsPolicyAccepts,
            .lockedOut,
            isRefusal: true
        ),
        // Only what was seen is judged here.
        Encounter(goodThenBad, [Connection.accepting()], .succeeded, .pass, .obeyed, .served),
        Encounter(
            badThenGood,
            [Connection.alerting("forged")],
            .refused,
            .pass,
            .obeyed,
            .protected,
            isRefusal: true
        ),
        // A connection that saw nothing may have been meant for any chain.
        Encounter(
            goodThenBad,
            [Connection.accepting(), Connection.alerting("forged"), Connection.inTheClear],
            .refused,
            .fail,
            .spokeInTheClear,
            .intercepted,
            isRefusal: true
        ),
        // One demand: the word holds for all.
        Encounter(
            bothGood,
            [Connection.accepting(), Connection.accepting("renewed")],
            .succeeded,
            .pass,
            .obeyed,
            .served
        ),
        Encounter(
            bothGood,
            [Connection.accepting(), Connection.accepting("renewed")],
            .failed,
            .inconclusive,
            .failedAfterAccepting,
            .unknown
        ),
        Encounter(
            bothGood,
            [Connection.accepting(), Connection.alerting("renewed")],
            .nothing,
            .fail,
            .refusedWhatItsPolicyAccepts,
            .lockedOut,
            isRefusal: true
        ),
        Encounter(
            unpinned,
            [Connection.accepting(), Connection.accepting("forged")],
            .succeeded,
            .pass,
            .obeyed,
            .intercepted
        ),
        // Where the TLS stack decides, either will do.
        Encounter(
            stackThenBad,
            [Connection.accepting("weak"), Connection.alerting("forged")],
            .refused,
            .pass,
            .obeyed,
            .protected,
            isRefusal: true
        ),
        Encounter(
            stackThenBad,
            [Connection.alerting("weak"), Connection.alerting("forged")],
            .refused,
            .pass,
            .obeyed,
            .lockedOut,
            isRefusal: true
        ),
    ]
}

func attempt(_ connections: [Observation], _ report: ClientReport, _ shownChains: [ShownChain]) -> AttemptResult {
    AttemptResult(connections, report: report, shownChains: shownChains, host: Connection.host)
}

extension ShownChain {
    static func accepted(_ chain: String, by holder: Holder = .owner) -> ShownChain {
        ShownChain(
            chain: chain,
            key: holder == .owner ? "leaf" : "evil",
            holder: holder,
            decision: Decision(.accept, .trusted)
        )
    }

    static func rejected(_ chain: String, by holder: Holder = .owner) -> ShownChain {
        let reason = Decision.Reason.untrusted(TrustFailure(.unknownAuthority))
        return ShownChain(
            chain: chain,
            key: holder == .owner ? "leaf" : "evil",
            holder: holder,
            decision: Decision(.reject, reason)
        )
    }

    static func tolerated(_ chain: String, by holder: Holder = .owner) -> ShownChain {
        let reason = Decision.Reason.stackDecides(TrustFailure(.tooWeak))
        return ShownChain(
            chain: chain,
            key: holder == .owner ? "weak" : "evil",
            holder: holder,
            decision: Decision(.either, reason)
        )
    }
}
