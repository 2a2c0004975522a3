import Foundation
import TestSupport
import Testing

/// `--show-stolen`: the attacker's view.
@Suite(.enabled(if: Shipped.hasCurl, "curl is not installed"))
struct ShowStolenTests {
    private static let secrets = ["hunter2", "Bearer s3cret"]

    /// Plays a client that logs in, and never looks at certificates unless told to.
    private func play(_ option: String, _ words: String...) async throws -> (Program.Ending, reports: String) {
        try await withTemporaryFolder { folder in
            let login =
                "printf 'password=hunter2\\033[2J' | curl -sS -H 'Authorization: Bearer s3cret' --data-binary @-"
            try "\(login) $1 --cacert $4 --connect-to ::$2 $3".write(
                to: folder.appending(path: "login.sh"),
                atomically: false,
                encoding: .utf8
            )
            let app = "    run: sh {here}/login.sh '\(option)' {endpoint} {url} {trust}\n    refused: { exit: 60 }"
            let text = try Shipped.with(app: app)
            try text.write(to: folder.appending(path: "f.yaml"), atomically: false, encoding: .utf8)
            let reports = ["json=r", "junit=r.xml", "conformance=r.md"].flatMap { ["--report", $0] }
            let chosen = ["run", "f.yaml", "--policy", "no-pins", "--scenario"]

            let ending = try await Program.run(chosen + words + reports, in: folder)

            let written = try ["r", "r.xml", "r.md"].map {
                try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
            }
            return (ending, written.joined())
        }
    }

    @Test func `show-stolen: what an attacker got is shown on request, and is in no report`() async throws {
        let shown = try await play("-k", "attacker-unknown-root", "--show-stolen")
        let hidden = try await play("-k", "attacker-unknown-root")

        #expect(shown.0.status == 1)
        #expect(shown.0.output.contains("an attacker ('evil') got "), "\(shown.0.output)")
        #expect(shown.0.output.contains("  > POST / HTTP/1.1\n"))
        #expect(shown.0.output.contains("  > Authorization: Bearer s3cret\n"))
        #expect(shown.0.output.contains("  > password=hunter2\\u{1b}[2J\n"))
        for secret in Self.secrets {
            #expect(!hidden.0.output.contains(secret))
            #expect(!shown.reports.contains(secret) && !hidden.reports.contains(secret))
        }
    }

    @Test func `show-stolen: of a client that leaks nothing, nothing is shown`() async throws {
        let (ending, _) = try await play("--no-progress-meter", "attacker-unknown-root", "--show-stolen")

        #expect(!ending.output.contains(" got "), "\(ending.output)")
        for secret in Self.secrets { #expect(!ending.output.contains(secret)) }
    }

    @Test func `show-stolen: below a table of marks stands what was stolen in steps that passed, too`() async throws {
        let (ending, _) = try await play("-k", "attacker-*", "--show-stolen")

        #expect(ending.output.contains("  > Authorization: Bearer s3cret\n"), "\(ending.output)")
    }
}
