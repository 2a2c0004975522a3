import Foundation
import TestSupport
import Testing

/// The quick set with real curl, run once for all these tests; `make conformance` plays the rest.
// Without curl there is nothing real to judge; the reference client alone is what the other suites use.
@Suite(.enabled(if: Shipped.hasCurl, "curl is not installed"))
struct CatalogueTests {
    private struct Run {
        let ending: Program.Ending
        let report: WrittenReport
    }

    private static let run = Task {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "report.json")
            let ending = try await Program.run(
                "run",
                "--client",
                "curl",
                "--report",
                "json=\(path.path)"
            )
            return Run(ending: ending, report: try WrittenReport(at: path))
        }
    }

    @Test func `the shipped quick set passes with curl`() async throws {
        let run = try await Self.run.value

        #expect(run.ending.status == 0, "\(run.ending.output)")
        #expect(run.ending.errors == Shipped.note(of: "curl"))
        #expect(run.report.exitStatus == 0)
        #expect(run.report.summary.verdicts["pass"] == run.report.trials.map(\.steps.count).reduce(0, +))
        #expect(Set(run.report.trials.map(\.client)) == ["curl"])
    }

    @Test func `every rejection has its accepting twin`() async throws {
        let report = try await Self.run.value.report

        var rejections = 0
        for trial in report.trials {
            for step in trial.steps where step.demands("reject") {
                rejections += 1
                let hasTwin = trial.steps.contains { twin in
                    twin.demands("accept") && twin.verdict == "pass" && twin.consequence == "served"
                        && (twin.host, twin.store) == (step.host, step.store)
                }
                #expect(hasTwin, "\(trial.scenario) · \(trial.policy) · \(trial.client): \(step.chains)")
            }
        }
        #expect(rejections > 0)
    }

    @Test func `curl with a backup pin lives through renewal and rotation`() async throws {
        let report = try await Self.run.value.report

        for (scenario, chain) in [("renewed-same-key", "renewed"), ("rotated-to-backup", "rotated")] {
            let step = try report.step(scenario, "leaf-and-backup", "curl", chain)
            #expect((step.verdict, step.consequence) == ("pass", "served"))
        }
    }

    @Test func `curl with pins refuses an attacker whom its store trusts, because of the pin`() async throws {
        let report = try await Self.run.value.report

        let step = try report.step("attacker-installed-root", "leaf-and-backup", "curl", "forged")
        #expect((step.verdict, step.consequence, step.attribution) == ("pass", "protected", "pin"))
    }

    @Test func `a chain that nobody trusts is not refused by the pin`() async throws {
        let step = try await Self.run.value.report.step("attacker-unknown-root", "leaf-only", "curl", "forged")

        #expect((step.verdict, step.consequence, step.attribution) == ("pass", "protected", "other"))
    }
}
