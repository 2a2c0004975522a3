import Foundation
import TestSupport
import Testing
import Witness

@testable import Scenarios

@Suite struct `The HTML report` {
    private func page(_ report: Report) throws -> String {
        String(decoding: try report.document(.html, exitStatus: report.exitStatus()), as: UTF8.self)
    }

    @Test func `says the verdict first, then the worst trials with all that is known of them`() throws {
        var fooled = Results.trial(Results.served, Results.fooled, scenario: "forged")
        fooled.trial.scenario.about = "An attacker\nhas a certificate."
        var report = Results.report(Results.trial(Results.served, scenario: "calm"), fooled)
        report.command = ["run", "--report", "json=a b.json"]

        let page = try page(report)

        #expect(page.contains("<strong>Failed: 1 of 2 trials. An attacker got the users&#39; data in 1 step.</strong>"))
        #expect(page.contains("<details class=\"t bad is-failed\" id=\"t2\" open>"))
        #expect(
            page.contains(
                "Play it again: <code>pindrill replay &#39;a b.json&#39; &#39;forged · pinned · curl&#39;</code>"
            )
        )
        #expect(page.contains("<li>client: this is a request</li>"))
        let (bad, good) = (try #require(page.range(of: "id=\"t2\"")), try #require(page.range(of: "id=\"t1\"")))
        #expect(bad.lowerBound < good.lowerBound)
    }

    @Test func `loads nothing, and runs its own script only`() throws {
        let page = try page(Results.report(Results.trial(Results.served)))

        let policy = try #require(page.firstMatch(of: #/Content-Security-Policy" content="([^"]*)"/#)?.output.1)
        #expect(policy.hasPrefix("default-src &#39;none&#39;; style-src &#39;sha256-"))
        #expect(policy.contains("script-src &#39;sha256-"))
        #expect(!policy.contains("unsafe"))
        #expect(page.matches(of: #/<script/#).count == 1)
        #expect(page.firstMatch(of: #/ (src|href)="[^#]/#) == nil)
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "</pre><img src=x onerror=alert(1)>", "{{{trials}}}", "\" onclick=\"alert(1)",
        "<\u{301}b>", "&lt;b&gt;",
    ])
    func `shows what anybody says as it is, wherever it stands`(hostile: String) throws {
        var step = Results.step(
            ShownChain.rejected(hostile, by: .attacker),
            [Connection.accepting(hostile, to: hostile)],
            ClientReport(.refused, account: hostile, output: hostile),
            note: hostile
        )
        step.planned.step.store = hostile
        let trial = Results.trial(step, scenario: hostile, policy: hostile, client: hostile)

        let page = try page(Results.report(trial))

        #expect(!page.contains("<script>alert"))
        #expect(!page.contains("<img"))
        #expect(!page.contains("<b>"))
        #expect(page.matches(of: #/<details/#).count == 1)
        let escaped = hostile.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        // A character that is no part of markup before a letter is left alone.
        if !hostile.contains("\u{301}"), !hostile.contains("\"") { #expect(page.contains(escaped)) }
    }

    @Test func `takes two kilobytes for a trial in which nothing is wrong`() throws {
        var report = Results.report()
        report.trials = (0..<400).map {
            Results.trial(Results.control, Results.served, Results.protected, scenario: "scenario \($0)")
        }
        report.planned = 400
        let empty = try page(Results.report()).utf8.count

        #expect(try page(report).utf8.count - empty < 400 * 2000)
    }

    @Test func `of a run that goes on says so, and of one that was cut off as well`() throws {
        let growth = Growth(
            "two",
            [Results.trial(Results.served), Results.trial(Results.fooled, scenario: "b")],
            planned: 3
        )

        let texts = try growth.texts(.html)

        #expect(texts.dropLast(2).allSatisfy { $0.contains("is not finished, or was killed.") })
        #expect(texts.suffix(2).allSatisfy { $0.contains("Interrupted: 2 of 3 trials ended. Failed: 1 of 2 trials.") })
    }

    @Test(arguments: [
        (Results.report(Results.trial(Results.served)), "Passed: nothing is wrong in 1 trial.", "good"),
        (Results.report(Results.trial(Results.absent)), "Not proven: 1 of 1 trial showed nothing.", "doubt"),
        (Results.report(Results.trial(Results.skipped)), "Not proven: nothing was tried.", "doubt"),
        (
            Results.report(Results.trial(Results.unpinned)),
            "Failed: 1 of 1 trial. An attacker got the users' data in 1 step.", "bad"
        ),
    ])
    func `has the sentence that its exit status stands for`(report: Report, text: String, outcome: String) {
        let headline = Headline(RecordedReport(report, exitStatus: nil), failingOn: [])

        #expect(headline.text == text)
        #expect(headline.outcome.rawValue == outcome)
    }
}
