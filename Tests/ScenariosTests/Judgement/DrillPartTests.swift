import Foundation
import TLSCore
import Testing

@testable import Scenarios

/// What roots a device is to have when, so that nobody installs them anew for each trial.
@Suite struct `The parts of a drill` {
    private static func file(_ scenarios: String) throws -> ScenarioFile {
        try ScenarioFile(
            parsing: """
                version: 1
                host: api.acme.example
                keys: { leaf: {}, evil: { by: attacker } }
                authorities: { acme-root: {}, mallory: { by: attacker }, deceived: { by: attacker } }
                stores:
                  clean: { system: [acme-root] }
                  attacked: { system: [acme-root], user: [mallory] }
                  wide: { system: [acme-root, deceived] }
                chains:
                  today: { key: leaf, issuer: acme-root }
                  forged: { key: evil, issuer: mallory }
                  misissued: { key: evil, issuer: deceived }
                policies: { pinned: { pins: [leaf] } }
                clients: { app: { kind: attended } }
                scenarios:
                  - { name: renewal, steps: [ { present: today, store: clean } ] }
                \(scenarios)
                """,
            file: "story.yaml"
        )
    }

    private static func parts(_ scenarios: String) throws -> [(roots: Set<String>, names: [String])] {
        let file = try file(scenarios)
        let now = Date()
        let oracle = Oracle(try PKI(file.blueprint, now: now))
        return try oracle.drillParts(of: file.trials, instant: now)
            .map { (Set($0.roots), $0.trials.map(\.scenario.name)) }
    }

    private static let attack = "  - { name: attack, steps: [ { present: forged, store: attacked } ] }\n"
    private static let misissue = "  - { name: misissue, steps: [ { present: misissued, store: wide } ] }\n"
    /// An attacker whose root the device must not have.
    private static let unknown = "  - { name: unknown, steps: [ { present: forged, store: clean } ] }\n"

    @Test func `are one where no trial minds the roots of the others`() throws {
        let parts = try Self.parts(Self.attack + Self.misissue)

        #expect(parts.count == 1)
        #expect(parts[0].roots == ["acme-root", "mallory", "deceived"])
        #expect(parts[0].names == ["renewal", "attack", "misissue"])
    }

    @Test func `are two where a trial needs that a root is not there`() throws {
        let parts = try Self.parts(Self.unknown + Self.attack)

        #expect(parts.count == 2)
        #expect(parts[0].roots == ["acme-root", "mallory"])
        #expect(parts[0].names == ["renewal", "attack"])
        #expect(parts[1].roots == ["acme-root"])
        #expect(parts[1].names == ["unknown"])
    }

    @Test func `are one where nobody else needs that root`() throws {
        let parts = try Self.parts(Self.unknown)

        #expect(parts.count == 1)
        #expect(parts[0].roots == ["acme-root"])
    }

    @Test func `a root is checked at a host of its own, below the one under test`() throws {
        let file = try Self.file("")
        let now = Date()
        let oracle = Oracle(try PKI(file.blueprint, now: now))

        let checks = try oracle.rootChecks(["acme-root", "mallory"], host: "API.acme.example.", at: .zero)

        #expect(checks.map(\.host) == ["trust-1.api.acme.example", "trust-2.api.acme.example"])
        #expect(
            checks.map(\.identity.leaf.issuer)
                == (try ["acme-root", "mallory"].map {
                    try oracle.pki.authority(named: $0, at: .zero).certificate.subject
                })
        )
        #expect(try oracle.rootChecks(["acme-root"], host: "192.0.2.1", at: .zero).isEmpty)
    }
}
