import Foundation
import MitmHarness
import Scenarios
import SelfTest
import TestSupport
import Testing

/// `docs/detection.md`, which `make detection` writes.
@Suite struct DetectionTests {
    @Test func `the page is what the self-test writes, with every bug found and nobody accused`() throws {
        let page = try text("docs/detection.md")
        let results = SeededClient.all.map { SelfTest.Result(client: $0, trials: []) }

        let fresh = try SelfTestReport(results: results, firstTry: FirstTry(parsing: text("docs/first-try.tsv")))
            .markdown

        let committed = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
        #expect(withoutOutcomes(page) == withoutOutcomes(fresh), "out of date: run `make detection`")
        #expect(!page.contains("| **no** |"))
        #expect(committed.count { $0.hasSuffix("| yes |") } == SeededClient.all.count { !$0.isCorrect })
        let quiet = committed.count { $0.firstMatch(of: #/ \| [1-9]\d+ \| 0 \| \d+ \|$/#) != nil }
        #expect(quiet == SeededClient.all.count(where: \.isCorrect))
    }

    @Test func `every scenario is played to correct clients under each of their policies`() throws {
        let file = try ScenarioFile.shipped()
        let oracle = Oracle(try PKI(file.blueprint, now: Date()))
        let trials = SelfTest { Runner(file, oracle: oracle, makeClient: $0) }.trials.filter { trial in
            SeededClient.all.contains { $0.isCorrect && $0.name == trial.client.name }
        }

        let played = Set(trials.map { "\($0.scenario.name) \($0.policy.name)" })

        let policies = ["leaf-and-backup", "issuing-ca"]
        let due = file.scenarios.flatMap { scenario in
            policies.filter { scenario.policies?.contains($0) != false }.map { "\(scenario.name) \($0)" }
        }
        #expect(due.count > 150)
        #expect(played.isSuperset(of: due))
    }

    @Test func `what was found at the first try is told as it was`() throws {
        let first = try FirstTry(
            parsing: "# One round.\n\na\tGo\tits bug\tone, two\nb\tC\tanother\t\n# Two.\nc\tC\tbug\tone\n"
        )

        #expect(
            first.markdown == """
                One round.

                1 of 2 bugs found.

                | client | language | its bug | |
                |---|---|---|---|
                | a | Go | its bug | found by one, two |
                | b | C | another | **missed** |

                Two.

                1 of 1 bugs found.

                | client | language | its bug | |
                |---|---|---|---|
                | c | C | bug | found by one |
                """
        )
    }

    @Test(arguments: ["a\tGo\tbug", "a\tGo\tbug\tone\ttwo", "\tGo\tbug\tone", "plain"])
    func `a line of another form is named`(line: String) {
        #expect(throws: FirstTry.Flaw.self) { try FirstTry(parsing: "# About.\n\(line)\n") }
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Places.package.appending(path: name), encoding: .utf8)
    }

    /// The page of a self-test in which nothing was played has its every client, and no numbers.
    private func withoutOutcomes(_ page: String) -> String {
        page.replacing(/\| (\*\*no\*\*|yes) \|/, with: "| ? |").replacing(/\| \d+ \| \d+ \| \d+ \|/, with: "| n |")
            .replacing(/\n- \d+ of[^\n]*/, with: "\n- n")
    }
}
