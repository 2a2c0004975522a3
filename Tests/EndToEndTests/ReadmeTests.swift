import Foundation
import Synchronization
import TestSupport
import Testing

/// What the documents promise is what happens.
struct ReadmeTests {
    private static let documents = [
        "README.md", "docs/ci.md", "docs/qa.md", "docs/training.md", "docs/scenarios.md", "docs/pins.md",
        "docs/audit.md", "docs/certs.md", "docs/evidence.md", "docs/demo.md", "docs/check.md", "docs/forecast.md",
        "docs/monitor.md", "Examples/outages/README.md",
    ]

    @Test(arguments: documents)
    func `every pindrill command in the documents can be typed`(document: String) async throws {
        let text = try String(contentsOf: Places.package.appending(path: document), encoding: .utf8)
        // In blocks, lines that begin with it; in the text, what stands in backquotes.
        let commands = text.matches(
            of: /(?:^|`)(?:\$ )?(?:\.build\/release\/)?pindrill ([^`\n]+)/.anchorsMatchLineEndings()
        )
        .map { String($0.output.1) }

        var untried = Set(commands.compactMap { $0.split(separator: " ").first.map(String.init) })
        for command in Set(commands).sorted() where !command.hasPrefix("<") && !command.contains("…") {
            // What stands behind -- is another program's.
            let words = command.replacing(##/ +#.*| -- .*/##, with: "").split(separator: " ").map(String.init)
            // What is wrong first is told: another option, a value, or that a file is missing. Help is given in spite of most.
            let wrong = try await Program.run(words + ["--no-such-option"])

            #expect(
                wrong.errors.hasPrefix("Error: Unknown option '--no-such-option'"),
                "pindrill \(command): \(wrong.errors)"
            )
            // The twin, once for each subcommand.
            guard untried.remove(words[0]) != nil else { continue }
            let ending = try await Program.run(words + ["--help"])
            #expect(ending.status == 0, "pindrill \(command): \(ending.errors)")
        }
    }

    @Test func `the test in the README is the one that a foreign package runs`() throws {
        let readme = try String(contentsOf: Places.package.appending(path: "README.md"), encoding: .utf8)
        let block = try #require(readme.firstMatch(of: /<!-- example:test -->\n```swift\n(?<code>(?s).*?)```/)).output
            .code
        let file = Places.package.appending(path: "Examples/in-a-test/Tests/SwiftTestingTests.swift")
        let test = try String(contentsOf: file, encoding: .utf8).replacing("\n        ", with: "\n")

        #expect(test.contains(block))
    }

    @Test func `the client that the README declares can be loaded`() async throws {
        let readme = try String(contentsOf: Places.package.appending(path: "README.md"), encoding: .utf8)
        let block = try #require(readme.firstMatch(of: /```yaml\nclients:\n(?<clients>(?s).*?)```/)).output.clients

        let ending = try await Shipped.run(try Shipped.with(clients: String(block)), "--client", "my-app")

        #expect(ending.status == 64)
        #expect(ending.errors == "client 'my-app': 'my-app' is not installed\n")
    }

    // Some show curl, whose words may differ between versions and machines in nothing but the times.
    @Test(
        .enabled(if: Shipped.hasCurl, "curl is not installed"),
        arguments: [
            ("README.md", "table", 0), ("README.md", "run", 0), ("README.md", "try", 0), ("docs/audit.md", "audit", 1),
            ("docs/demo.md", "demo", 0), ("docs/training.md", "stolen", 0), ("docs/training.md", "rotation", 0),
            ("docs/training.md", "backup", 0), ("docs/forecast.md", "forecast", 0),
        ]
    )
    func `a transcript is what the command prints`(document: String, name: String, status: Int32) async throws {
        let url = Places.package.appending(path: document)
        let text = try String(contentsOf: url, encoding: .utf8)
        let block = try #require(
            text.matches(of: /<!-- transcript:(?<name>\w+) -->\n```\n\$ (?<command>[^\n]+)\n(?<output>(?s).*?)```\n/)
                .map(\.output).first { $0.name == name }
        )

        let words = block.command.split(separator: " ").dropFirst().map(String.init)
        let ending = try await Program.run(words)

        #expect(ending.status == status)
        #expect(ending.errors == (words.contains("curl") && words.first == "run" ? Shipped.note(of: "curl") : ""))
        // PINDRILL_UPDATE_TRANSCRIPTS=1 swift test --filter ReadmeTests
        if ProcessInfo.processInfo.environment["PINDRILL_UPDATE_TRANSCRIPTS"] == "1" {
            try Self.update(url, name, with: ending.output)
        } else {
            #expect(timeless(ending.output) == timeless(String(block.output)))
        }
    }

    @Test(.enabled(if: Shipped.hasCurl, "curl is not installed"))
    func `the commands of the training end as it says`() async throws {
        let url = Places.package.appending(path: "docs/training.md")
        let text = try String(contentsOf: url, encoding: .utf8)
        // Transcripts are compared on their own; the last exercises are about a file that the learner writes.
        let commands = text.matches(of: /(?:^|`)pindrill ([^`\n]+)/.anchorsMatchLineEndings()).map {
            String($0.output.1)
        }
        .filter { !$0.contains("my-scenarios") }

        #expect(commands.count >= 15)
        for command in commands {
            let ending = try await Program.run(command.split(separator: " ").map(String.init))

            // Nobody presses keys here; a client without checks fails, and so does the configuration that is audited.
            let status: Int32 = command.contains("--pause") ? 130 : command.contains("--insecure") ? 1 : 0
            #expect(ending.status == (command.hasPrefix("audit") ? 1 : status), "pindrill \(command): \(ending.errors)")
        }
    }

    /// Several may stand in one document: each is read and written anew, in one go.
    private static func update(_ url: URL, _ name: String, with output: String) throws {
        try updating.withLock { _ in
            let text = try String(contentsOf: url, encoding: .utf8)
            let start = try #require(text.range(of: "<!-- transcript:\(name) -->\n```\n$ "))
            let line = try #require(text[start.upperBound...].firstIndex(of: "\n"))
            let end = try #require(text[line...].range(of: "```\n"))
            let updated = text.replacingCharacters(in: text.index(after: line)..<end.lowerBound, with: output)
            try updated.write(to: url, atomically: true, encoding: .utf8)
        }
    }

    private static let updating = Mutex(())

    /// How long something took decides how wide its column is, too. How many scenarios there are is not what it shows.
    private func timeless(_ text: String) -> String {
        text.replacing(#/ +\d+ ms/#, with: " n ms").replacing(#/ of \d+ scenarios/#, with: " of n scenarios")
    }
}
