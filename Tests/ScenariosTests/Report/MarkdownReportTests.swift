import Foundation
import TestSupport
import Testing
import Witness

@testable import Scenarios

@Suite struct `The Markdown report` {
    private func page(_ report: Report) throws -> String {
        String(decoding: try report.document(.markdown, exitStatus: report.exitStatus()), as: UTF8.self)
    }

    @Test func `has the verdict, the marks and what is to be looked at`() throws {
        var report = Results.report(
            Results.trial(Results.served, Results.protected, scenario: "calm"),
            Results.trial(Results.served, Results.leaked, scenario: "forged")
        )
        report.command = ["run", "--report", "json=r.json"]

        #expect(
            try page(report) == """
                ## PinDrill: scenarios.yaml

                > [!CAUTION]
                > **Failed: 1 of 2 trials. An attacker got the users' data in 1 step.**

                For the users of these clients: **1 step: intercepted by an attacker**; 1 step: protected from an attacker; 2 steps: served.

                | Scenario | curl · pinned |
                | --- | --- |
                | calm | ✅ |
                | forged | ❌ **failed** |

                ### What is to be looked at

                #### fail: forged · pinned · curl

                **forged: a leak: data left before it noticed.** For its users: intercepted; rejected by the pin.

                - Shown: forged (attacker's evil), to `api.acme.example`: must reject, for its issuer is not trusted
                - Wire: sent its request. Client: refused `exit 90`
                - What to do: compare the pins inside the handshake, or before the first byte of the request is written
                - Play it again: `pindrill replay r.json 'forged · pinned · curl'`

                2 of 2 trials of scenarios.yaml, begun at 2026-09-21T14:13:20Z, in 1234 ms.\u{20}\u{20}
                Command: pindrill run --report json=r.json

                """
        )
    }

    @Test(
        arguments: [
            (["run"], ReportPlace.asTheRunWroteIt, nil), (["run", "--json"], .asTheRunWroteIt, nil),
            (["run", "--report", "json=-"], .asTheRunWroteIt, nil),
            (["run", "--report=jsonl=a.jsonl"], .asTheRunWroteIt, "a.jsonl"),
            (["run", "--report", "json=a.json"], .asTheRunWroteIt, "a.json"),
            (["run", "--report", "json=a.json"], .file("b.json"), "b.json"),
            (["run", "--report", "jsonl=part-1.jsonl"], .nowhere, nil),
        ] as [([String], ReportPlace, String?)]
    )
    func `names the report that a trial is played again from, or says how to get one`(
        command: [String],
        place: ReportPlace,
        path: String?
    ) throws {
        var report = Results.report(Results.trial(Results.served, Results.leaked, scenario: "forged"))
        report.command = command
        let recorded = RecordedReport(report, exitStatus: 1)

        let pages = try [ReportKind.markdown, .html].map { try recorded.document($0, place: place) }

        for page in pages {
            #expect(page.contains("pindrill replay \(path ?? "report.json") ") == (path != nil), "\(page)")
            #expect(page.contains("To play a trial again, write a JSON report as well") == (path == nil), "\(page)")
        }
    }

    @Test func `takes nobody's words for markup`() {
        #expect(
            MarkdownText.literal("a|b <i> *x* `y` [z](u) @me #1")
                == "a\\|b \\<i\\> \\*x\\* \\`y\\` \\[z\\](u) &#64;&#8203;me \\#1"
        )
        #expect(MarkdownText.code("a ``b` c") == "```a ``b` c```")
        #expect(MarkdownText.code("`") == "`` ` ``")
        #expect(MarkdownText.block("a\n```\n</details>") == "````text\na\n```\n</details>\n````")
        // A backtick with an accent closes a span as well.
        #expect(MarkdownText.code("`\u{301}") == "`` `\u{301} ``")
    }

    @Test func `of thousands of trials has the bad ones, and keeps its limit`() throws {
        var report = Results.report()
        report.trials = (0..<2000).map { number in
            Results.trial(number % 2 == 0 ? Results.fooled : Results.served, scenario: "scenario-\(number)")
        }
        report.planned = report.trials.count
        let recorded = RecordedReport(report, exitStatus: 1)

        let page = MarkdownReport(failingOn: [], limit: 50_000).document(recorded)

        #expect(page.utf8.count <= 50_000)
        #expect(page.contains("| scenario-0 | ❌ **failed** |"))
        #expect(!page.contains("| scenario-1 |"))
        #expect(page.contains(" more: the JSON report has them."))
    }
}
