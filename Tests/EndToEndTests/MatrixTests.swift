import Foundation
import MitmHarness
import Scenarios
import TestSupport
import Testing

/// What real clients do in the shipped catalogue, against what a table of pinning systems says they do.
///
/// The table was made from the clients' sources and from runs of its own, so neither was copied from the other.
@Suite struct MatrixTests {
    /// A step of the shipped catalogue that is one of the table's events.
    struct Event: CustomTestStringConvertible {
        var id: String
        var scenario: String
        var chain: String
        var store: String?

        var testDescription: String { "\(id): \(chain) in \(scenario)" }
    }

    static let events = [
        Event(id: "E01", scenario: "same-certificate", chain: "today"),
        Event(id: "E02", scenario: "renewed-same-key", chain: "renewed"),
        Event(id: "E03", scenario: "rotated-unknown-key", chain: "unplanned"),
        Event(id: "E04", scenario: "rotated-to-backup", chain: "rotated"),
        Event(id: "E05", scenario: "rsa-to-ecdsa-unpinned", chain: "unplanned"),
        Event(id: "E05p", scenario: "rsa-to-ecdsa-pinned", chain: "today"),
        Event(id: "E06", scenario: "new-intermediate", chain: "new-intermediate"),
        Event(id: "E07", scenario: "new-trusted-ca", chain: "new-ca"),
        Event(id: "E08", scenario: "cross-signed-root", chain: "cross-signed"),
        Event(id: "E10", scenario: "attacker-installed-root", chain: "forged"),
        Event(id: "E11", scenario: "attacker-unknown-root", chain: "forged"),
        Event(id: "E12", scenario: "self-signed-lookalike", chain: "lookalike"),
        Event(id: "E13t", scenario: "stuffed-chain", chain: "stuffed", store: "attacked"),
        Event(id: "E13u", scenario: "stuffed-chain", chain: "stuffed", store: "phone"),
        Event(id: "E14", scenario: "pinned-ca-for-another-host", chain: "wrong-host"),
        Event(id: "E14k", scenario: "misnamed-certificate", chain: "misnamed"),
        Event(id: "E15", scenario: "expired-certificate", chain: "expired"),
        Event(id: "E16", scenario: "not-yet-valid-certificate", chain: "early"),
        Event(id: "E17", scenario: "old-tls-version", chain: "today"),
        Event(id: "E18", scenario: "one-label-subdomain", chain: "elsewhere"),
        Event(id: "E19", scenario: "two-label-subdomain", chain: "elsewhere"),
    ]

    @Test(
        .enabled(if: PinningMatrix.shared != nil, "the table is not beside this checkout"),
        arguments: ["curl", "wget"]
    )
    func `a real client does what the table says of it`(client: String) async throws {
        let matrix = try #require(PinningMatrix.shared)
        let file = try ScenarioFile(
            parsing: String(contentsOf: Places.package.appending(path: "scenarios.yaml"), encoding: .utf8),
            file: "scenarios.yaml"
        )
        let trials = file.trials.filter { $0.client.name == client && $0.policy.name == "leaf-and-backup" }
        let now = Date()
        let results = await Runner(file, oracle: Oracle(try PKI(file.blueprint, now: now))).run(trials)
        // A machine without the client proves nothing, and says so.
        guard !results.allSatisfy({ $0.verdict == .skipped }) else {
            print("skipped: \(client) is not installed")
            return
        }

        for event in MatrixTests.events {
            let result = try #require(results.first { $0.scenario == event.scenario })
            let step = try #require(
                result.steps.last {
                    $0.planned.step.present == [event.chain]
                        && event.store ?? $0.planned.step.store == $0.planned.step.store
                }
            )
            let expected = try #require(matrix.cell(event: event.id, policy: client))

            #expect(step.decisive?.wire == .accepted || expected == "reject", "\(event.testDescription)")
            #expect(step.decisive?.wire.isRejected == true || expected == "accept", "\(event.testDescription)")
        }
    }
}
