import Foundation
import Scenarios
import Testing

@Suite struct `The shipped scenario file` {
    @Test func parses() throws {
        let file = try ShippedFile.parsed()

        #expect(file.version == 1)
        #expect(file.host == "api.acme.example")
        #expect(file.blueprint.keys.map(\.name) == ["leaf-1", "leaf-2", "leaf-3", "evil"])
        #expect(file.policies.map(\.name) == ["no-pins", "leaf-only", "leaf-and-backup", "issuing-ca", "root-ca"])
        #expect(file.clients.map(\.name) == ["reference", "curl"])
        #expect(
            file.scenarios.map(\.name) == [
                "same-certificate", "renewed-same-key", "rotated-unknown-key", "rotated-to-backup", "new-trusted-ca",
                "attacker-installed-root", "attacker-unknown-root", "self-signed-lookalike",
            ]
        )
    }

    @Test func `explains every scenario in a few sentences`() throws {
        for scenario in try ShippedFile.parsed().scenarios {
            let about = try #require(scenario.about)

            #expect((2...4).contains(about.split(separator: ". ").count), "\(scenario.name)")
        }
    }

    @Test func `claims what the oracle computes, of policies that can be satisfied`() throws {
        let file = try ShippedFile.parsed()
        let now = Date(timeIntervalSince1970: 1_800_000_000)

        let contradictions = try file.contradictions(Oracle(PKI(file.blueprint, now: now)), instant: now)

        #expect(contradictions.map(\.description) == [])
    }

    @Test func `plays every policy that a client can apply`() throws {
        let trials = try ShippedFile.parsed().trials

        #expect(trials.count { $0.client.name == "reference" } == 8 * 5)
        #expect(trials.count { $0.client.name == "curl" } == 8 * 3)
    }
}

enum ShippedFile {
    static let text: String = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        // A checkout has the file, or every test of it fails.
        return try! String(contentsOf: root.appending(path: "scenarios.yaml"), encoding: .utf8)
    }()

    static func parsed() throws -> ScenarioFile { try ScenarioFile(parsing: text, file: "scenarios.yaml") }
}
