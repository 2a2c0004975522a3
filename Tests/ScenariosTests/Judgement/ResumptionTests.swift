import Pinning
import TestSupport
import Testing
import Witness

@testable import Scenarios
@testable import TLSCore

@Suite struct `H11: A resumed session` {
    private static let owners = ShownChain.accepted("today")
    private static let attackers = ShownChain.rejected("forged", by: .attacker)
    private static let host = Connection.host

    /// One step has shown both chains before this one.
    private static func judged(
        _ seen: [Observation],
        _ word: ClientReport.Word,
        step shown: ShownChain
    ) -> AttemptResult {
        let earlier = PlannedStep(
            step: Step(present: ["today", "forged"], store: "phone", host: host),
            shownChains: [owners, attackers]
        )
        let now = PlannedStep(step: Step(present: [shown.chain], store: "phone", host: host), shownChains: [shown])
        return AttemptResult(seen, report: ClientReport(word), in: now, after: [3: earlier]) {
            AttemptResult($0, report: $1, shownChains: now.shownChains, host: host)
        }
    }

    private static func resuming(_ chain: String, asks: Bool = true) -> Observation {
        let origin = SessionTickets.Origin(identity: chain, fingerprint: Pin(hashing: []), epoch: 3)
        let session = TLSSession(version: .tls1_3, cipherSuite: "", applicationProtocol: nil, isResumed: true)
        let end: [ConnectionEvent] = [.closed(by: .client, .ended)]
        return Observation(
            [.connected(target: host), .resumed(origin), .established(session)]
                + (asks ? [.request, .data(count: 9)] : []) + end
        )
    }

    @Test func `of the owner is accepted, and says that his new chain was not shown`() {
        let welcome = Self.judged([Self.resuming("today")], .succeeded, step: .accepted("rotated"))
        let forbidden = Self.judged([Self.resuming("today")], .succeeded, step: .rejected("rotated"))

        #expect(welcome.judgement == Judgement(.pass, .resumed("today")) && welcome.consequence == .served)
        #expect(forbidden.judgement == Judgement(.inconclusive, .resumed("today")))
        #expect(forbidden.consequence == .served)
    }

    @Test func `of the same chain is judged as if it had been shown`() {
        let result = Self.judged([Self.resuming("today")], .succeeded, step: .accepted("today"))

        #expect(result.judgement == Judgement(.pass, .obeyed))
    }

    @Test func `is judged by what had to be done when it began`() {
        let expired = Self.judged([Self.resuming("today")], .succeeded, step: .rejected("today"))

        #expect(expired.judgement == Judgement(.inconclusive, .resumed("today")))
    }

    @Test(arguments: [ShownChain.rejected("misissued", by: .attacker), .accepted("rotated")])
    func `of an attacker is a breach once it carries a request, whatever is shown now`(shown: ShownChain) {
        let leak = Self.judged([Self.resuming("forged")], .succeeded, step: shown)
        let refused = Self.judged([Self.resuming("forged", asks: false)], .refused, step: shown)

        #expect(leak.judgement == Judgement(.fail, .talkedToTheWrongServer) && leak.consequence == .intercepted)
        #expect(refused.judgement.grounds == .resumed("forged"))
        #expect(refused.judgement.verdict == (shown.decision.demand == .accept ? .pass : .inconclusive))
    }

    @Test func `that is given up proves nothing, beside a new one that is refused neither`() {
        let alone = Self.judged([Self.resuming("today", asks: false)], .failed, step: .accepted("rotated"))
        let beside = Self.judged(
            [Self.resuming("today"), Connection.alerting("rotated")],
            .refused,
            step: .rejected("rotated")
        )

        #expect(alone.judgement == Judgement(.inconclusive, .resumed("today")))
        #expect(beside.judgement == Judgement(.pass, .obeyed))
    }

    @Test func `in place of a new chain is no control`() {
        let accepting = Step(present: ["rotated"], store: "phone", host: Self.host)
        let welcome = PlannedStep(step: accepting, shownChains: [.accepted("rotated")])
        let attack = PlannedStep(
            step: Step(present: ["forged"], store: "phone", host: Self.host),
            shownChains: [Self.attackers]
        )
        let refusal = AttemptResult(
            [Connection.alerting("forged")],
            report: ClientReport(.refused),
            shownChains: [Self.attackers],
            host: Self.host
        )
        let verdicts = [Self.resuming("today"), Connection.accepting("rotated")].map { connection in
            let attempt = Self.judged([connection], .succeeded, step: .accepted("rotated"))
            return [
                StepResult(welcome, attempts: [attempt], duration: .zero),
                StepResult(attack, attempts: [refusal], duration: .zero),
            ].holdingToControls().map(\.judgement.verdict)
        }

        #expect(verdicts == [[.pass, .inconclusive], [.pass, .pass]])
    }
}
