import TestSupport
import Testing

@testable import Pinning
@testable import Scenarios
@testable import Witness

/// Clients open connections that they may need, browsers among them, and leave them alone (rule D of
/// `docs/verdicts.md`). Each stands beside what it must not be taken for.
@Suite struct `A spare connection` {
    @Test(arguments: spares)
    func `H20: fails nothing and proves nothing`(_ encounter: Encounter) {
        let result = attempt(encounter.connections, ClientReport(encounter.word), encounter.shownChains)

        #expect(result.judgement == encounter.judgement)
        #expect(result.consequence == encounter.consequence)
        #expect(result.isRefusal == encounter.isRefusal)
    }

    @Test(arguments: [
        Connection.withholding(), Connection.hangingUp(), Connection.silent, Connection.stayingOpen(),
    ])
    func `H20: beside a request to the only chain is none of the judge's business`(spare: Observation) {
        for connections in [[spare, Connection.accepting()], [Connection.accepting(), spare]] {
            let result = attempt(connections, ClientReport(.succeeded), [.accepted("today")])

            #expect(result.judgement == Judgement(.pass, .obeyed))
        }
    }

    @Test(arguments: [ClientReport.Word.refused, .failed, .nothing])
    func `H20: hides no alert, in whichever order they come`(word: ClientReport.Word) {
        let spare = Connection.withholding("forged")
        let alert = Connection.alerting("forged")

        for connections in [[spare, alert], [alert, spare]] {
            let result = attempt(connections, ClientReport(word), [.rejected("forged", by: .attacker)])

            #expect(result.judgement == Judgement(.pass, .obeyed))
        }
    }

    @Test func `H20: is no acceptance either, so its step does not pass`() {
        let planned = PlannedStep(
            step: .presenting("today", "forged"),
            shownChains: [.accepted("today"), .rejected("forged", by: .attacker)]
        )
        func step(_ connections: Observation...) -> StepResult {
            let result = attempt(connections, ClientReport(.refused, blamesPin: true), planned.shownChains)
            return StepResult(planned, attempts: [result], duration: .zero)
        }

        #expect(
            step(Connection.withholding(), Connection.alerting("forged")).judgement
                == Judgement(.inconclusive, .neverUsed("today"))
        )
        #expect(step(Connection.accepting(), Connection.alerting("forged")).judgement == Judgement(.pass, .obeyed))
    }
}

private let goodThenBad = [ShownChain.accepted("today"), .rejected("forged", by: .attacker)]
private let badThenGood = [ShownChain.rejected("forged", by: .attacker), .accepted("today")]
private let bothGood = [ShownChain.accepted("today"), .accepted("renewed")]

private let spares: [Encounter] =
    [Connection.withholding, Connection.hangingUp].flatMap { spare in
        [
            // The spare one first, and the other good, refused or unspoken of.
            Encounter(
                bothGood,
                [spare("today"), Connection.accepting("renewed")],
                .succeeded,
                .inconclusive,
                .neverUsed("today"),
                .served
            ),
            Encounter(
                bothGood,
                [spare("today"), Connection.accepting("renewed")],
                .nothing,
                .inconclusive,
                .neverUsed("today"),
                .served
            ),
            Encounter(
                bothGood,
                [spare("today"), Connection.accepting("renewed")],
                .failed,
                .inconclusive,
                .neverUsed("today"),
                .unknown
            ),
            Encounter(
                goodThenBad,
                [spare("today"), Connection.alerting("forged")],
                .refused,
                .inconclusive,
                .neverUsed("today"),
                .protected,
                isRefusal: true
            ),
            Encounter(
                goodThenBad,
                [spare("today"), Connection.withholding("forged")],
                .refused,
                .inconclusive,
                .neverUsed("today"),
                .protected,
                isRefusal: true
            ),
            // The spare one last.
            Encounter(
                bothGood,
                [Connection.accepting(), spare("renewed")],
                .succeeded,
                .inconclusive,
                .neverUsed("renewed"),
                .served
            ),
            Encounter(
                goodThenBad,
                [Connection.accepting(), spare("forged")],
                .succeeded,
                .inconclusive,
                .neverUsed("forged"),
                .served
            ),
            Encounter(
                badThenGood,
                [Connection.alerting("forged"), spare("today")],
                .refused,
                .inconclusive,
                .neverUsed("today"),
                .protected,
                isRefusal: true
            ),
            // Where the client says that it refused, this is its refusal.
            Encounter(
                goodThenBad,
                [Connection.accepting(), spare("forged")],
                .refused,
                .pass,
                .obeyed,
                .protected,
                isRefusal: true
            ),
            // None is left that the word could be about.
            Encounter(
                goodThenBad,
                [spare("today"), spare("forged")],
                .succeeded,
                .fail,
                .witnessesDisagree,
                .protected,
                isRefusal: true
            ),
            Encounter(
                bothGood,
                [spare("today"), spare("renewed")],
                .nothing,
                .fail,
                .refusedWhatItsPolicyAccepts,
                .lockedOut,
                isRefusal: true
            ),
            // And beside one, an attacker who was talked to remains one.
            Encounter(
                goodThenBad,
                [spare("today"), Connection.accepting("forged")],
                .succeeded,
                .fail,
                .talkedToTheWrongServer,
                .intercepted
            ),
            // An alert is no spare connection.
            Encounter(
                bothGood,
                [Connection.alerting(), Connection.accepting("renewed")],
                .succeeded,
                .fail,
                .witnessesDisagree,
                .served,
                isRefusal: true
            ),
        ]
    }
