import Foundation
import MitmHarness
import Scenarios
import TestSupport

/// A scenario file with everything minted, at an instant of the tests' own.
struct Catalogue {
    var file: ScenarioFile
    let oracle: Oracle

    init(_ text: String, file name: String) throws { try self.init(ScenarioFile(parsing: text, file: name)) }

    private init(_ file: ScenarioFile) throws {
        self.file = file
        oracle = Oracle(try PKI(file.blueprint, now: Sample.now))
    }

    /// Every scenario with every policy, for a client that the file knows nothing of.
    func trials(of client: String) -> [Trial] {
        file.scenarios.flatMap { scenario in
            file.policies.map { policy in
                Trial(scenario: scenario, policy: policy, client: ClientDeclaration(name: client, kind: .reference))
            }
        }
    }

    func trial(_ scenario: String, policy: String = "leaf-only", client: ClientDeclaration) -> Trial {
        // The tests name what their files declare.
        Trial(
            scenario: file.scenarios.first { $0.name == scenario }!,
            policy: file.policies.first { $0.name == policy }!,
            client: client
        )
    }

    func runner(
        _ options: RunnerOptions = .quick,
        makeClient: @escaping @Sendable (ClientDeclaration) throws -> any ClientUnderTest = { try Runner.client($0) }
    ) -> Runner {
        Runner(file, oracle: oracle, options: options, makeClient: makeClient)
    }
}

extension RunnerOptions {
    /// Many trials at a time, because most of them wait; limits that a slow machine does not reach.
    static let quick = RunnerOptions(jobs: 8, timeout: .seconds(60), patience: .seconds(10), clock: { Sample.now })
}

extension Catalogue {
    /// The file that users get.
    static let shipped = Result { try Catalogue(ScenarioFile.shipped()) }

    /// What the shipped file leaves out because few people need it, and the judge must get right all the same.
    static let trickier = Result { try Catalogue(text, file: "trickier.yaml") }

    private static let text = """
        version: 1
        host: api.acme.example
        keys:
          leaf-1: {}
          leaf-2: {}
          evil: { by: attacker }
        authorities:
          acme-root: {}
          acme-issuing: { issuer: acme-root }
          next-root: {}
          mallory: { subject: acme-root, by: attacker }
        stores:
          phone: { system: [acme-root, next-root] }
          attacked: { system: [acme-root, next-root], user: [mallory] }
        chains:
          today: { key: leaf-1, issuer: acme-issuing }
          forged: { key: evil, issuer: mallory }
          stuffed: { key: evil, issuer: mallory, append: [today] }
          pinned-key-foreign-name: { key: leaf-1, issuer: acme-issuing, names: [shop.other.example] }
          pinned-ca-foreign-name: { key: evil, issuer: acme-issuing, names: [shop.other.example] }
        policies:
          no-pins: {}
          leaf-only: { pins: [leaf-1], position: leaf }
          leaf-and-backup: { pins: [leaf-1, leaf-2], position: leaf }
          issuing-ca: { pins: [acme-issuing], position: authority }
          root-ca: { pins: [acme-root], position: authority }
        clients:
          reference: { kind: reference }
        scenarios:
          - name: only-a-stuffed-chain
            store: attacked
            steps:
              - { present: stuffed, intercepts: [no-pins] }
          - name: pinned-key-under-a-foreign-name
            steps:
              - { present: today }
              - { present: pinned-key-foreign-name, locks-out: all }
          - name: pinned-ca-under-a-foreign-name
            steps:
              - { present: today }
              - { present: pinned-ca-foreign-name, intercepts: [] }
          - name: good-then-bad
            store: attacked
            steps:
              - { present: [today, forged], attempts: 2, intercepts: [no-pins] }
        """
}
