import Pinning
import TLSCore
import TestSupport
import Testing
import Witness

@testable import Scenarios

@Suite struct `A step` {
    private let forged = PlannedStep(step: .presenting("forged"), shownChains: [.rejected("forged", by: .attacker)])
    private let both = PlannedStep(
        step: .presenting("today", "forged"),
        shownChains: [.accepted("today"), .rejected("forged", by: .attacker)]
    )

    @Test func `is as bad as its worst attempt`() {
        let shownChains = forged.shownChains
        let good = attempt([Connection.alerting("forged")], ClientReport(.refused), shownChains)
        let unclear = attempt([], ClientReport(.failed), shownChains)
        let bad = attempt([Connection.accepting("forged")], ClientReport(.failed), shownChains)

        #expect(StepResult(forged, attempts: [good, good], duration: .zero).judgement == good.judgement)
        #expect(StepResult(forged, attempts: [good, unclear, good], duration: .zero).judgement == unclear.judgement)
        let worst = StepResult(forged, attempts: [unclear, bad, good], duration: .zero)
        #expect(worst.judgement == Judgement(.fail, .leaked))
        #expect(worst.consequence == .intercepted)
        #expect(worst.decisive == bad)
    }

    @Test func `shows, of attempts with one verdict, the one that hurt`() {
        let weak = PlannedStep(step: .presenting("weak"), shownChains: [.tolerated("weak", by: .attacker)])
        let harmless = attempt([Connection.alerting("weak")], ClientReport(.refused), weak.shownChains)
        let harmful = attempt([Connection.accepting("weak")], ClientReport(.succeeded), weak.shownChains)

        let result = StepResult(weak, attempts: [harmless, harmful], duration: .zero)

        #expect(result.judgement.verdict == .pass)
        #expect(result.consequence == .intercepted)
        #expect(result.decisive == harmful)
    }

    @Test func `without attempts proves nothing`() {
        let result = StepResult(forged, attempts: [], duration: .zero)

        #expect(result.judgement == Judgement(.inconclusive, .wireProvesNothing(.nobodyConnected)))
        #expect(result.consequence == .unknown)
        #expect(result.attribution == nil)
    }

    @Test func `that was not tried has the reason for its verdict`() {
        let result = StepResult(forged, untried: Judgement(.skipped, .skipped("'curl' is not installed")))

        #expect(result.judgement == Judgement(.skipped, .skipped("'curl' is not installed")))
        #expect(result.attempts.isEmpty)
        #expect(result.consequence == .unknown)
    }

    @Test(arguments: [[true, false], [false, true], [nil, false], [false, nil]] as [[Bool?]])
    func `is not the pin's doing where one of its refusals was not`(blames: [Bool?]) {
        let refusals = blames.map {
            attempt([Connection.alerting("forged")], ClientReport(.refused, blamesPin: $0), forged.shownChains)
        }

        #expect(StepResult(forged, attempts: refusals, duration: .zero).attribution == .other)
        #expect(StepResult(forged, attempts: [refusals[0], refusals[0]], duration: .zero).attribution != nil)
    }

    @Test func `takes its attribution from its refusals`() {
        let shownChains = forged.shownChains
        let acceptance = attempt(
            [Connection.accepting("forged")],
            ClientReport(.succeeded, blamesPin: false),
            shownChains
        )
        let refusal = attempt([Connection.alerting("forged")], ClientReport(.refused, blamesPin: true), shownChains)

        #expect(StepResult(forged, attempts: [acceptance], duration: .zero).attribution == nil)
        #expect(StepResult(forged, attempts: [acceptance, refusal], duration: .zero).attribution == .pin)
    }

    @Test func `has a refusal when one of several chains was turned away`() {
        let recovered = attempt(
            [Connection.accepting(), Connection.alerting("forged")],
            ClientReport(.nothing),
            both.shownChains
        )

        #expect(StepResult(both, attempts: [recovered], duration: .zero).attribution == .unproven)
    }

    @Test func `proves nothing of a forbidden chain that nobody saw`() {
        let seen = attempt([Connection.accepting()], ClientReport(.succeeded), both.shownChains)

        let result = StepResult(both, attempts: [seen], duration: .zero)

        #expect(result.judgement == Judgement(.inconclusive, .neverShown("forged")))
        #expect(result.consequence == .served)
    }

    @Test func `may show its chains to several attempts`() {
        let first = attempt([Connection.accepting()], ClientReport(.succeeded), both.shownChains)
        let second = attempt([Connection.alerting("forged")], ClientReport(.refused), both.shownChains)

        let result = StepResult(both, attempts: [first, second], duration: .zero)

        #expect(result.judgement == Judgement(.pass, .obeyed))
    }

    @Test func `proves nothing of a chain to recover with that nobody saw`() {
        let recovery = PlannedStep(
            step: .presenting("forged", "today"),
            shownChains: [.rejected("forged", by: .attacker), .accepted("today")]
        )
        let gaveUp = attempt([Connection.alerting("forged")], ClientReport(.refused), recovery.shownChains)

        let result = StepResult(recovery, attempts: [gaveUp], duration: .zero)

        #expect(result.judgement == Judgement(.inconclusive, .neverShown("today")))
    }
}

extension Step {
    static func presenting(
        _ chains: String...,
        at time: StoryTime = .zero,
        store: String = "phone",
        host: String = Connection.host
    ) -> Step {
        Step(at: time, present: chains, store: store, host: host)
    }
}
