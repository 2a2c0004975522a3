import Foundation
import Pinning
import Scenarios
import TLSCore
import TestSupport
import Testing

@Suite struct `A policy from an app's own configuration` {
    @Test func `is linted for keys that no step shows`() throws {
        let (file, oracle) = try imported()

        let findings = try file.lint(oracle, instant: Sample.now)

        #expect(
            findings.map(\.description) == [
                "f.yaml:11:13: warning: policy 'app' pins 'spare', and no step shows that key: whether the pin works is "
                    + "not known; add a step that shows a chain with it [never-used]"
            ]
        )
    }

    @Test(arguments: [(30, 20, []), (30, 31, ["f.yaml:11:13"]), (-1, 31, [])] as [(Double, Int, [String])])
    func `is linted for an end within a story`(days: Double, last: Int, expected: [String]) throws {
        let (file, oracle) = try imported(ending: Sample.now + days * Sample.day, last: last)

        let findings = try file.lint(oracle, instant: Sample.now).filter { $0.rule == .movingTarget }

        #expect(findings.map { "\($0.location)" } == expected)
    }

    @Test func `is explained as it decides`() throws {
        let (file, oracle) = try imported()

        let explanation = try Explanation(
            file.scenarios[0],
            policies: file.policies,
            oracle: oracle,
            instant: Sample.now
        )

        #expect(
            ExplainText().render(explanation) == """
                story

                Step 1 of 1, day 0
                  Device: 'phone' trusts root (came with it).
                  Shown: 'today', for api.acme.example. Its key is held by the owner of the service.

                    root · root authority · trusted: came with it · not sent
                    │    key root (EC 256), held by the owner
                    │    valid: 3650 days to go
                    └─ api.acme.example · the server's certificate · sent
                            key leaf (EC 256), held by the owner
                            made for this step: 198 days to go
                            pinned by app

                  Policy  Trusted  Pins that match  Client must  Its users are
                  app     yes      leaf             accept       served

                """
        )
    }

    private func imported(ending: Date? = nil, last: Int = 0) throws -> (ScenarioFile, Oracle) {
        let pins = [Pin(hashing: [1]), Pin(hashing: [2])]
        let text = """
            version: 1
            host: api.acme.example
            keys:
              leaf: { stands-for: \(pins[0]) }
              spare: { stands-for: \(pins[1]) }
            authorities: { root: {} }
            stores: { phone: { system: [root] } }
            chains:
              today: { key: leaf, issuer: root }
            clients: { reference: { kind: reference } }
            policies: { app: { file: app.plist } }
            scenarios: [ { name: story, steps: [ { at: \(last)d, present: today } ] } ]
            """
        let file = try ScenarioFile(
            ScenarioSource(file: "f.yaml", text: text),
            files: NamedFiles(policy: { _, _, _, _ in TwoPins(keys: pins, ending: ending) })
        )
        return (file, Oracle(try PKI(file.blueprint, now: Sample.now)))
    }
}

/// An app that pins leaves for every host.
private struct TwoPins: HostlessPinConfiguration {
    static let dialect = Dialect.delegate
    static let format = LeafDelegate.format
    var keys: [Pin]
    var ending: Date?

    var pins: [ConfiguredPin] { keys.map { ConfiguredPin(domain: nil, pin: $0, position: .leaf) } }

    func decide(_ situation: Situation) -> Decision {
        situation.decide(PinPolicy(requirements: [PinRequirement(pins: keys, position: .leaf)]))
    }

    func mapPins(_ transform: (Pin) -> Pin) -> TwoPins { TwoPins(keys: keys.map(transform), ending: ending) }
    func rendered() -> String { "" }
    var scopes: [PinScope] { [PinScope(written: [.init(keys: keys, position: .leaf)], expires: ending)] }
    static var onlyKeyType: KeyType? { nil }
    var bringsAnchors: Bool { false }
    func remembered(from host: String, path: [Certificate]) -> TwoPins { self }
    func ownFindings(at instant: Date) -> [PolicyFinding] { [] }
    func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] { [] }
}
