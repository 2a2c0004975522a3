import Foundation
import Scenarios
import TestSupport
import Testing

@Suite struct `The lints` {
    @Test func `have nothing against a sound file`() throws {
        #expect(try findings(in: Smell.base) == [])
    }

    @Test(arguments: Smell.policies)
    func `find what a policy exposes its users to`(_ smell: Smell) throws {
        let (found, spared) = (try findings(in: smell.smelly), try findings(in: smell.sound))

        #expect(found == smell.expected)
        #expect(spared == [])
    }

    @Test(arguments: Smell.uses)
    func `find what plays no part, or two`(_ smell: Smell) throws {
        let (found, spared) = (try findings(in: smell.smelly), try findings(in: smell.sound))

        #expect(found == smell.expected)
        #expect(spared == [])
    }

    @Test(arguments: Smell.proof)
    func `find what proves nothing`(_ smell: Smell) throws {
        let (found, spared) = (try findings(in: smell.smelly), try findings(in: smell.sound))

        #expect(found == smell.expected)
        #expect(spared == [])
    }

    @Test func `count what only a control shows as shown`() throws {
        let text = Smell.base
            .changing("{ present: today }, { present: moved, at: 1d }", to: "{ present: moved }")
            .changing("attack, steps: [ { present: today }, ", to: "attack, store: old, steps: [ ")
            .changing("user: [mallory] } }", to: "user: [mallory] }, old: { system: [root], user: [mallory] } }")

        let found = try findings(in: text)

        #expect(found == [])
    }

    @Test func `are silent about what the file allows`() throws {
        let text = Smell.base.changing("[leaf, spare]", to: "[leaf], allow: [no-redundancy]")

        #expect(try findings(in: text) == [])
    }

    @Test func `find an allow that allows nothing`() throws {
        let text = Smell.base.changing("loose: {}", to: "loose: { allow: [report-only, never-used] }")

        let found = try findings(in: text)

        #expect(
            found == [
                "f.yaml:14:20: warning: policy 'loose' allows 'report-only', which does not happen here; take it out "
                    + "[needless-allow]",
                "f.yaml:14:33: warning: policy 'loose' allows 'never-used', which does not happen here; take it out "
                    + "[needless-allow]",
            ]
        )
    }

    @Test func `may be allowed by any declaration`() throws {
        let text = Smell.base
            .changing("spare: {}", to: "spare: {}, lost: { allow: [never-used] }")
            .changing("  other: {}", to: "  other: {}\n  third: { allow: [never-used] }")
            .changing(
                "user: [mallory] }",
                to: "user: [mallory] }, tablet: { system: [root], allow: [never-used] }"
            )
            .changing(
                "  forged:",
                to: "  again: { key: leaf, issuer: other, allow: [never-used] }\n  forged:"
            )
            .changing("\"tool {url}\"", to: "\"tool 2027-01-31 {url}\", allow: [moving-target]")

        let bare = text.replacing(#/, allow: \[(never-used|moving-target)\]|allow: \[never-used\]/#, with: "")

        #expect(try findings(in: text) == [])
        #expect(try findings(in: bare).count == 5)
    }

    @Test func `have nothing against the shipped file`() throws {
        let file = try ShippedFile.parsed()

        let findings = try file.lint(Oracle(PKI(file.blueprint, now: Sample.now)), instant: Sample.now)

        #expect(findings.map(\.description) == [])
    }

    @Test func `are all explained`() throws {
        let text = try String(contentsOf: Places.package.appending(path: "docs/lints.md"), encoding: .utf8)

        for rule in LintRule.allCases { #expect(text.contains("\n## `\(rule.rawValue)`\n"), "\(rule.rawValue)") }
    }
}
