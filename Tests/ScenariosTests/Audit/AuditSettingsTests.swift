import Foundation
import Pinning
import TestSupport
import Testing

@testable import Scenarios

@Suite struct `The settings of a project` {
    private static let text = """
        audit:
          allow:
            - rule: single-pin
              host: API.acme.example
              until: 2026-11-30
              because: The backup is made in December
            - { rule: not-read, file: ./Remote.kt, until: 2026-12-31, because: These come from the server }

        """

    @Test func `permit by rule, host and file`() throws {
        let settings = try AuditSettings.parse(Self.text, file: ".pindrill.yml", folder: "app/")

        #expect(
            settings.permissions == [
                .init(
                    rule: "single-pin",
                    host: "API.acme.example",
                    path: nil,
                    until: try #require(Day(parsing: "2026-11-30")),
                    because: "The backup is made in December",
                    line: 3
                ),
                .init(
                    rule: "not-read",
                    host: nil,
                    path: "app/Remote.kt",
                    until: try #require(Day(parsing: "2026-12-31")),
                    because: "These come from the server",
                    line: 7
                ),
            ]
        )
    }

    @Test(arguments: [("2026-11-30", true), ("2026-12-01", false)])
    func `hold to the end of their last day`(day: String, isPermitted: Bool) throws {
        let settings = try AuditSettings.parse(Self.text, file: ".pindrill.yml")
        let result = Self.result("single-pin", host: "api.acme.example")

        let told = settings.apply(to: result, on: try #require(Day(parsing: day)))

        #expect(told.openSeverity == (isPermitted ? nil : .outage))
        #expect(
            told.permissionWords
                == (isPermitted
                    ? "Until 2026-11-30: The backup is made in December (.pindrill.yml:3)"
                    : "Its permission ended on 2026-11-30 (.pindrill.yml:3)")
        )
    }

    @Test(arguments: [
        ("single-pin", "api.acme.example", "Info.plist", true), ("single-pin", "www.acme.example", "Info.plist", false),
        ("single-pin", nil, "Info.plist", false), ("duplicate-pin", "api.acme.example", "Info.plist", false),
        ("not-read", nil, "Remote.kt", true), ("not-read", "any.example", "Remote.kt", true),
        ("not-read", nil, "other/Remote.kt", false),
    ])
    func `permit nothing else`(rule: String, host: String?, path: String, isPermitted: Bool) throws {
        let settings = try AuditSettings.parse(Self.text, file: ".pindrill.yml")

        let told = settings.apply(to: Self.result(rule, host: host, path), on: Day(number: 20_000))

        #expect((told.permission != nil) == isPermitted)
    }

    @Test func `name permissions that are about nothing`() throws {
        let settings = try AuditSettings.parse(Self.text, file: ".pindrill.yml")

        let unused = settings.unused(by: [Self.result("single-pin", host: "api.acme.example")])

        #expect(unused.map { settings.place(of: $0) } == [".pindrill.yml:7"])
    }

    @Test(arguments: [
        ("", "1:1 the file is empty; it should begin with 'audit:'"),
        ("audits: {}", "1:1 unknown key 'audits'; did you mean 'audit'?"),
        ("version: 2", "1:10 expected the version of the format from 1 to 1, found 2"),
        ("audit: { allow: {} }", "1:17 expected a list of permissions, found a mapping"),
        (
            "audit:\n  allow:\n    - { rule: singel-pin, until: 2026-11-30, because: x }",
            "3:15 'singel-pin' is not a rule of the audit; did you mean 'single-pin'?"
        ),
        (
            "audit:\n  allow:\n    - { rule: single-pin, hots: a, until: 2026-11-30, because: x }",
            "3:27 unknown key 'hots'; did you mean 'host'?"
        ),
        (
            "audit:\n  allow:\n    - { rule: single-pin, until: 2026-11-31, because: x }",
            "3:34 '2026-11-31' is no day from 2000 to 2099; write it as in 2026-11-30"
        ),
        ("audit:\n  allow:\n    - { rule: single-pin, until: 2026-11-30 }", "3:7 the permission has no 'because'"),
        (
            "audit:\n  allow:\n    - { rule: single-pin, until: 2026-11-30, because: \" \" }",
            "3:55 'because' is empty; say why this may be"
        ),
    ])
    func `are refused with place and advice`(text: String, complaint: String) {
        #expect(throws: FileError(".pindrill.yml:\(complaint)")) {
            try AuditSettings.parse(text, file: ".pindrill.yml")
        }
    }

    @Test func `are what their schema says`() throws {
        let schema = try JSONDecoder().decode(
            JSONValue.self,
            from: Data(contentsOf: Places.package.appending(path: "docs/project-settings.schema.json"))
        )
        let permission = schema["properties"]?["audit"]?["properties"]?["allow"]?["items"]

        let rules = permission?["properties"]?["rule"]?["enum"]?.array?.compactMap(\.string) ?? []
        #expect(rules.sorted() == AuditRule.names.filter { !AuditRule.notes.contains($0) }.sorted())
        #expect(permission?["properties"]?.object?.keys.sorted() == ["because", "file", "host", "rule", "until"])
    }

    private static func result(_ rule: String, host: String?, _ path: String = "Info.plist") -> AuditResult {
        AuditResult(rule: rule, .outage, file: path, path: path, host: host, "something")
    }
}
