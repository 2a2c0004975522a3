import TestSupport
import Testing

@testable import Pinning
@testable import Scenarios

@Suite struct `A policy for some hosts` {
    @Test(arguments: [
        ("hosts: [api.acme.example]", "api.acme.example", true),
        ("hosts: [API.acme.example]", "api.acme.example", true),
        ("hosts: [api.acme.example]", "de.api.acme.example", false),
        ("hosts: [api.acme.example]", "acme.example", false),
        ("hosts: [api.acme.example, shop.acme.example]", "shop.acme.example", true),
        ("hosts: [acme.example], include-subdomains: true", "de.api.acme.example", true),
        ("hosts: [acme.example], include-subdomains: true", "acme.example", true),
        ("hosts: [acme.example], include-subdomains: true", "notacme.example", false),
        ("hosts: [acme.example], include-subdomains: false", "api.acme.example", false),
        ("position: leaf", "anything.example", true),
    ])
    func `H22: leaves the others to ordinary trust`(scope: String, host: String, isPinned: Bool) throws {
        let file = try story(scope, host: host)
        let oracle = Oracle(try PKI(file.blueprint, now: Sample.now))
        let trial = try #require(file.trials.first)

        let steps = try oracle.plan(trial, instant: Sample.now).filter { !$0.isControl }

        #expect(steps.map(\.isPinned) == [isPinned])
        #expect(steps.flatMap(\.shownChains).map(\.decision.demand) == [isPinned ? .reject : .accept])
    }

    @Test func `H22: is explained as such`() throws {
        let file = try story("hosts: [acme.example]", host: "other.acme.example")
        let oracle = Oracle(try PKI(file.blueprint, now: Sample.now))

        let text = ExplainText().render(
            try Explanation(file.scenarios[0], policies: file.policies, oracle: oracle, instant: Sample.now)
        )

        #expect(text.contains("pinned  yes      not for this host  accept"), "\(text)")
    }

    private func story(_ scope: String, host: String) throws -> ScenarioFile {
        try ScenarioFile(
            parsing: """
                version: 1
                host: \(host)
                keys: { leaf: {}, spare: {} }
                authorities: { root: {} }
                stores: { phone: { system: [root] } }
                chains: { today: { key: leaf, issuer: root }, rotated: { key: spare, issuer: root } }
                policies: { pinned: { pins: [leaf], \(scope) } }
                clients: { app: { kind: reference } }
                scenarios: [ { name: story, steps: [ { present: rotated } ] } ]
                """,
            file: "story.yaml"
        )
    }
}
