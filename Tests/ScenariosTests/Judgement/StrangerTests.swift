import TestSupport
import Testing

@testable import Pinning
@testable import Scenarios
@testable import TLSCore
@testable import Witness

/// Names that have nothing to do with the host under test, such as that of somebody's analytics, once an attacker shows a
/// good certificate for each of them.
@Suite struct `A stranger's name` {
    private let forged = ShownChain.rejected("forged", by: .attacker)

    @Test func `H15: that the client asks for wherever it is says nothing of its host`() {
        let result = Results.trial(control(asking: "metrics.example"), attack(asking: "metrics.example"))

        #expect(result.steps.map(\.judgement) == [Judgement(.pass, .obeyed), Judgement(.pass, .obeyed)])
        #expect(result.steps.last?.consequence == .protected)
    }

    @Test(arguments: [nil, "other.example"])
    func `J1, H15: that it asks for only where it was attacked may be its host under another name`(usual: String?) {
        let result = Results.trial(control(asking: usual), attack(asking: "metrics.example"))

        #expect(result.steps.last?.judgement == Judgement(.inconclusive, .askedAnotherName("metrics.example")))
        #expect(result.steps.last?.consequence == .unknown)
    }

    @Test func `J1, H15: that no certificate is good for is its host under another name`() {
        let result = Results.trial(
            control(asking: "metrics.example"),
            attack(asking: "metrics.example", isStranger: false)
        )

        #expect(result.steps.last?.judgement == Judgement(.inconclusive, .acceptedElsewhere))
        #expect(result.steps.last?.consequence == .intercepted)
    }

    private func control(asking name: String?) -> StepResult {
        let elsewhere = name.map { [Connection.alerting("today", to: $0)] } ?? []
        return Results.step(.accepted("today"), [Connection.accepting()] + elsewhere, ClientReport(.succeeded))
    }

    private func attack(asking name: String, isStranger: Bool = true) -> StepResult {
        let result = AttemptResult(
            [Connection.alerting("forged"), Connection.accepting("forged", to: name)],
            report: ClientReport(.refused),
            shownChains: [forged],
            host: Connection.host,
            isStranger: { _ in isStranger }
        )
        let planned = PlannedStep(step: .presenting("forged"), shownChains: [forged])
        return StepResult(planned, attempts: [result], duration: .zero)
    }

    /// The store trusts the attacker's root unless it says otherwise.
    @Test(
        arguments: [
            ("metrics.other", "attacked", "metrics.other", [], true),
            // No client that checks anything may take these.
            ("metrics.other", "phone", "metrics.other", [], false),
            ("metrics.other", "attacked", Sample.host, [], false),
            // Of the same owner, or pinned.
            ("shop.acme.example", "attacked", "shop.acme.example", [], false),
            ("metrics.other", "attacked", "metrics.other", [Sample.host, "metrics.other"], false),
            ("metrics.other", "attacked", "metrics.other", [Sample.host], true),
        ] as [(String, String, String, [String], Bool)]
    )
    func `H15: is one that belongs to others, is not pinned, and was shown a good certificate`(
        name: String,
        store: String,
        certified: String,
        pinned: [String],
        isStranger: Bool
    ) throws {
        let pki = try World.pki()
        let asked = certified == Sample.host ? nil : certified
        let identity = try pki.identity(chain: "forged", at: .zero, host: Sample.host, asked: asked)
        var policy = Policies.leaf
        if !pinned.isEmpty, var rules = policy.rules {
            rules.hosts = pinned
            policy.source = .declared(rules)
        }
        let connection = Observation([
            .connected(target: "\(name):443"),
            .presented(identity: "forged", fingerprint: identity.leaf.fingerprint, epoch: 1),
        ])
        let step = Step.presenting("forged", store: store, host: Sample.host)

        #expect(Oracle(pki).isStranger(connection, policy, step, instant: Sample.now) == isStranger)
    }
}
