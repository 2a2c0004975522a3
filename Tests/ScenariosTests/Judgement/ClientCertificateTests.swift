import Pinning
import TLSCore
import TestSupport
import Testing
import Witness

@testable import Scenarios

/// A client that its server asks for a certificate of its own.
@Suite struct `Who is asked for a certificate` {
    @Test func `and rejects an attacker there, must have accepted where it was asked`() {
        let attacked = Results.trial(Results.served, Self.asked(Results.protected))
        let controlled = Results.trial(Self.asked(Results.served), Self.asked(Results.protected))

        #expect(attacked.steps.map(\.judgement) == [Self.pass, Judgement(.inconclusive, .noControl)])
        #expect(controlled.steps.map(\.judgement) == [Self.pass, Self.pass])
    }

    @Test func `and accepts, has accepted where it is not asked`() {
        let trial = Results.trial(Self.asked(Results.served), Results.protected)

        #expect(trial.verdict == .pass)
    }

    @Test func `and breaks off, has rejected no chain`() {
        let declared = Results.trial(Results.served, Self.asked(Results.strict))
        var control = Self.asked(Results.strict)
        control.planned.isControl = true
        let inserted = Results.trial(Results.served, control, Self.asked(Results.protected))

        #expect(declared.steps.last?.judgement == Judgement(.fail, .cannotBeAsked))
        let unproven = [Self.pass, Judgement(.inconclusive, .cannotBeAsked), Judgement(.inconclusive, .noControl)]
        #expect(inserted.steps.map(\.judgement) == unproven)
    }

    @Test func `and breaks off, may have meant the chain where nothing shows otherwise`() {
        let alone = Results.trial(Self.asked(Results.strict), Self.asked(Results.protected))
        var blaming = Results.step(Results.today, [Connection.alerting()], ClientReport(.refused, blamesPin: true))
        blaming.planned.step.limits.clientCertificate = .asked
        let pinned = Results.trial(Results.served, blaming)

        #expect(alone.steps.first?.judgement == Judgement(.fail, .refusedWhatItsPolicyAccepts))
        #expect(pinned.steps.last?.judgement == Judgement(.fail, .refusedWhatItsPolicyAccepts))
    }

    @Test(arguments: [ClientReport.Word.succeeded, .failed, .refused])
    func `and has none where one is required, proves nothing`(word: ClientReport.Word) {
        let lacking = Results.step(Results.today, [Self.bare()], ClientReport(word))
        let fooled = Results.step(Results.forged, [Self.bare("forged")], ClientReport(word))

        #expect(lacking.judgement == Judgement(.inconclusive, .lacksCertificate))
        #expect(lacking.consequence == .unknown)
        #expect(fooled.judgement.verdict == .fail)
        #expect(fooled.consequence == .intercepted)
    }

    @Test func `and has none, has told an attacker all the same`() {
        var harmless = Results.forged
        harmless.decision = Decision(.accept, .trusted)

        let unpinned = Results.step(harmless, [Self.bare("forged")], ClientReport(.succeeded))

        #expect(unpinned.judgement == Self.pass)
        #expect(unpinned.consequence == .intercepted)
    }

    @Test func `for an attack, is asked in its control as well`() throws {
        var attack = Step.presenting("forged", store: "attacked")
        attack.limits.clientCertificate = .asked
        let trial = Trial(
            scenario: Scenario(
                name: "story",
                store: "phone",
                steps: [.presenting("today", store: "attacked"), attack]
            ),
            policy: Policies.leaf,
            client: ClientDeclaration(name: "reference", kind: .reference)
        )

        let planned = try Oracle(World.pki()).plan(trial, instant: Sample.now)

        #expect(planned.map(\.isControl) == [false, true, false])
        #expect(planned[1].step.limits.clientCertificate == .asked)
    }

    private static let pass = Judgement(.pass, .obeyed)

    private static func asked(_ result: StepResult) -> StepResult {
        var result = result
        result.planned.step.limits.clientCertificate = .asked
        return result
    }

    private static func bare(_ chain: String = "today") -> Observation {
        var connection = Connection.accepting(chain)
        connection.events.insert(.clientCertificate(nil, isRequired: true), at: 2)
        return connection
    }
}
