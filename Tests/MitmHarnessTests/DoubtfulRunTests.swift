import Foundation
import Pinning
import Synchronization
import TLSCore
import TestSupport
import Testing
import Witness

@testable import MitmHarness
@testable import Scenarios

/// Runs that could pass for the wrong reason, each beside a twin that may pass.
@Suite struct `A run that could mislead` {
    @Test(arguments: ["[today], match: certificate", "[root], position: authority"], [true, false])
    func `J5: does not give a client a policy that its placeholders cannot express`(
        pins: String,
        isBuiltIn: Bool
    ) async throws {
        let policies = isBuiltIn ? "policies: [strict], " : ""
        let catalogue = try Catalogue(
            """
            version: 1
            host: api.acme.example
            keys: { leaf: {} }
            authorities: { root: {} }
            stores: { phone: { system: [root] } }
            chains: { today: { key: leaf, issuer: root } }
            policies: { strict: { pins: \(pins) } }
            clients: { tool: { \(policies)run: "true [--pins {pins}]" } }
            scenarios: [ { name: story, steps: [ { present: today } ] } ]
            """,
            file: "story.yaml"
        )

        let result = try #require(await catalogue.runner().run(catalogue.file.trials).first)

        #expect(result.verdict == (isBuiltIn ? .inconclusive : .skipped))
    }

    @Test(arguments: [("--pins {pins}", Verdict.skipped), ("[--pins {pins}]", .inconclusive)])
    func `plays nothing without pins to a client that must have some`(words: String, verdict: Verdict) async throws {
        let client = ClientDeclaration(name: "tool", kind: .command(CommandDeclaration(run: "true \(words)")))
        let catalogue = try Catalogue(
            Catalogue.storyText("- { present: today }").changing("  leaf-only: {", to: "  none: {}\n  leaf-only: {"),
            file: "story.yaml"
        )

        let trial = catalogue.trial("story", policy: "none", client: client)
        let result = try #require(await catalogue.runner().run([trial]).first)

        #expect(result.verdict == verdict)
    }

    @Test(arguments: [("backup.other.example", Verdict.inconclusive), ("api.acme.example", .fail)])
    func `J2: counts nobody as protected who asks the same attacker again`(name: String, verdict: Verdict) async throws
    {
        let client = FaultyClient { endpoint in
            let report = await TLSExchange(obeying: endpoint).report(endpoint)
            guard report.word == .refused else { return report }
            var other = endpoint
            other.host = name
            _ = await TLSExchange.trusting.report(other)
            return report
        }

        let result = try await playSteps("- { present: today }\n- { present: forged }", client)

        #expect(result.steps.map(\.judgement.verdict) == [.pass, verdict])
        #expect(result.steps.map(\.consequence) == [.served, .intercepted])
    }

    @Test(arguments: [(false, Attribution.pin), (true, .other)])
    func `learns by the pinned twin of an imported policy too why it was refused`(
        isBroken: Bool,
        attribution: Attribution
    ) async throws {
        let pin = Pin(hashing: [1])
        var catalogue = try Catalogue.story(
            "- { present: today, store: attacked }\n- { present: forged, store: attacked }"
        )
        let imported = ImportedPolicy(
            file: "pins.yaml",
            configuration: Callback(.goLeaf, keys: [pin]),
            standIns: [pin: "leaf-1"]
        )
        catalogue.file.policies[0].source = .imported(imported)

        let runner = catalogue.runner { _ in Tight(isBroken: isBroken) }
        let result = try #require(await runner.run(catalogue.file.trials).first)

        #expect(result.steps.map(\.attribution) == [nil, attribution])
        #expect(result.steps[1].judgement.verdict == (isBroken ? .inconclusive : .pass))
    }

    @Test(
        arguments: [
            (0, Judgement(.pass, .obeyed)), (90, Judgement(.inconclusive, .overtakenByTime)),
        ] as [(TimeInterval, Judgement)]
    )
    func `proves nothing where a validity ended meanwhile`(days: TimeInterval, judgement: Judgement) async throws {
        let isOver = Flag()
        var options = RunnerOptions.quick
        options.clock = { isOver.isSet ? Sample.now + days * CertificateTemplate.day : Sample.now }
        let catalogue = try Catalogue(
            """
            version: 1
            host: api.acme.example
            keys: { leaf: {} }
            authorities: { root: {} }
            stores: { phone: { system: [root] } }
            chains: { today: { key: leaf, issuer: root, valid: [-30d, 60d] } }
            policies: { open: {} }
            clients: { app: { kind: reference } }
            scenarios: [ { name: story, steps: [ { present: today } ] } ]
            """,
            file: "story.yaml"
        )

        let runner = catalogue.runner(options) { _ in Slow(isOver: isOver) }
        let result = try #require(await runner.run(catalogue.file.trials).first)

        #expect(result.steps.map(\.judgement) == [judgement])
    }

    @Test(arguments: [(true, ClientReport.Word.nothing), (false, .succeeded)])
    func `does not take the word of a silent client that lives through it`(
        isSilent: Bool,
        word: ClientReport.Word
    ) async throws {
        var command = scripted("while read line; do echo succeeded; done")
        command.lifetime = .trial
        command.isSilent = isSilent

        let result = try await playSteps("- { present: today }", CommandClient(command))

        #expect(result.steps.first?.attempts.first?.report.word == word)
    }

    @Test(arguments: [(0, false), (1, true), (60, true)] as [(Int32, Bool)])
    func `takes no words for a refusal where a program succeeded`(status: Int32, isRefusal: Bool) throws {
        let rule = OutcomeRule(exit: [1, 60], text: ["refused"])

        #expect(try rule.matches(exit: status, output: "the page says: refused") == isRefusal)
        #expect(try !rule.matches(exit: status, output: "the page says nothing"))
    }

    @Test func `tells connections by their number, not by their place`() {
        let fingerprint = Sample.server.leaf.fingerprint
        let old = Observation(
            [
                .connected(target: nil), .presented(identity: "today", fingerprint: fingerprint, epoch: 1),
                .data(count: 9), .request, .closed(by: .client, .ended),
            ],
            number: 1
        )
        let new = Observation([.connected(target: nil), .closed(by: .client, .ended)], number: 2)

        // The first was forgotten, so the second stands in its place.
        #expect([new].since([old]) == [new])
        #expect([old, new].since([old]) == [new])
    }

    @Test func `may change what is presented while it watches`() async throws {
        let pki = try PKI.standard(host: "localhost")

        try await withMitmProxy(presenting: pki.today) { proxy in
            let policy = PinPolicy(requirements: [.init(pins: [pki.today.pin])])
            let endpoint = Endpoint(proxy, trust: pki.trust, policy: policy)
            let served = await proxy.watch { try await ReferenceClient().attempt(endpoint) }
            let attacked = await proxy.watch {
                proxy.present(pki.attacker)
                _ = try await ReferenceClient().attempt(endpoint)
            }

            #expect(served.wire == .accepted)
            #expect(attacked.wire == .rejected(.withheldRequest))
        }
    }
}

/// A client that obeys, and whose attempt takes so long that the clock has moved when it is over.
private struct Slow: ClientUnderTest {
    let isOver: Flag

    func attempt(
        _ endpoint: Endpoint,
        beforeEnding: @escaping BeforeEnding
    ) async throws(CancellationError) -> ClientReport {
        let report = try await ReferenceClient().attempt(endpoint, beforeEnding: beforeEnding)
        isOver.set()
        return report
    }
}

private final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() { state.withLock { $0 = true } }
}

/// A client that says nothing of its reasons, and is given its pins.
private struct Tight: ClientUnderTest {
    var takesPins: Bool { true }
    /// What it refuses besides.
    var isBroken = false

    func attempt(
        _ endpoint: Endpoint,
        beforeEnding: @escaping BeforeEnding
    ) async throws(CancellationError) -> ClientReport {
        let isAttack = endpoint.step.contains("forged")
        let report = isBroken && isAttack ? nil : await TLSExchange(obeying: endpoint).report(endpoint)
        if let report, report.word == .succeeded { return report }
        if report == nil { _ = await TLSExchange(trust: nil) { _ in Decision(.reject, .trusted) }.report(endpoint) }
        return ClientReport(.refused)
    }
}
