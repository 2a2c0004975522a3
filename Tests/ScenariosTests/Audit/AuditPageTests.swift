import Foundation
import Pinning
import Scenarios
import TestSupport
import Testing

/// What a page says of an audit, whatever files and sources are called.
struct AuditPageTests {
    private static let hostile = "<script>alert(\"1\")</script>{{style}}&\u{1B}[31m\u{202E}<\u{301}img src=x>"

    private func report(_ name: String, _ findings: [PolicyFinding]) -> AuditReport {
        AuditReport(
            file: name,
            dialect: .okhttp,
            instant: Sample.now,
            knowsProduction: false,
            findings: findings,
            audit: nil,
            obstacle: "\(name) was not tried."
        )
    }

    private func finding(_ severity: PolicyFinding.Severity, _ text: String) -> PolicyFinding {
        PolicyFinding(.singlePin, severity, line: 3, keyPath: text, text, fix: text)
    }

    @Test func `nothing that files say is markup in it, and it needs nothing else`() throws {
        let hostile = Self.hostile
        let report = report(hostile, [finding(.outage, hostile)])

        let page = try AuditPage(
            hostile,
            headline: hostile,
            severity: .outage,
            sentences: [hostile],
            configurations: [(hostile, report)],
            remarks: [(hostile, [.init(severity: "warning", text: hostile, rule: "not-read")])]
        ).html()

        for part in ["<script", "<img", "\u{1B}", "\u{202E}", "src=\"", "href=", "@import", "url("] {
            #expect(!page.contains(part), "\(part)")
        }
        #expect(page.contains("&lt;script&gt;"))
        #expect(page.contains("{{style}}"))
        #expect(page.contains("default-src"))
        for tag in ["table", "tr", "th", "td", "ul", "li", "main", "body", "p", "span", "code"] {
            let opened = page.matches(of: try Regex("<\(tag)[ >]")).count
            #expect(opened == page.matches(of: try Regex("</\(tag)>")).count, "\(tag)")
        }
    }

    @Test func `the headline stands first, and then the configurations as they are given`() throws {
        let reports = [
            report("fine.kt", []), report("warned.kt", [finding(.warning, "w")]),
            report("broken.kt", [finding(.breach, "b"), finding(.warning, "c")]),
        ]

        let page = try AuditPage(
            "app",
            headline: "1 breach",
            severity: .breach,
            sentences: ["Looked at 3 files."],
            configurations: reports.map { ($0.file, $0) }
        ).html()

        let words = ["class=\"verdict bad\"", "1 breach", "Looked at", "<h2>fine.kt", "<h2>warned.kt", "<h2>broken.kt"]
        let places = words.map { page.firstRange(of: $0)?.lowerBound }
        #expect(!places.contains(nil))
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
        #expect(page.contains("No findings."))
        #expect(page.contains("fine.kt was not tried."))
    }

    @Test func `it can be read in the dark, and printed`() throws {
        let page = try report("a.kt", []).html()

        #expect(page.contains("prefers-color-scheme: dark"))
        #expect(page.contains("@media print"))
        #expect(page.contains("Audited as of 2026-09-21."))
    }
}
