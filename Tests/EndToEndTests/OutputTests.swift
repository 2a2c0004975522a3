import Foundation
import TestSupport
import Testing

/// What standard output looks like, and what happens when nobody takes it.
struct OutputTests {
    private let brief = ["run", "--scenario", "same-certificate", "--policy", "no-pins", "--client", "reference"]

    @Test func `piped output is plain`() async throws {
        let ending = try await Program.run(brief, environment: ["TERM": "xterm-256color"])

        #expect(ending.status == 0)
        #expect(ending.errors.isEmpty)
        #expect(!ending.output.contains("\u{1B}"))
        #expect(!ending.output.contains("\r"))
        let lines = ending.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "same-certificate · no-pins · reference  (model: proves the catalogue, not a client)")
        #expect(lines.dropFirst().prefix { $0.hasPrefix("  ") }.count { $0.hasPrefix("  pass  today") } == 2)
        #expect(
            ending.output.contains(/\n\n1 trial, 2 steps in \d+ ms: 2 passed, 0 failed, 0 inconclusive, 0 skipped\n/)
        )
    }

    @Test(
        arguments: [
            ("always", [:], true),
            ("always", ["NO_COLOR": "1"], true),
            ("auto", [:], false),
            ("never", [:], false),
        ] as [(String, [String: String], Bool)]
    )
    func `colours are used when wanted`(choice: String, environment: [String: String], isColoured: Bool) async throws {
        let ending = try await Program.run(brief + ["--color", choice], environment: environment)

        #expect(ending.status == 0)
        #expect(ending.output.contains("\u{1B}[32m") == isColoured)
    }

    @Test func `a word that is no choice of colour is an error`() async throws {
        let ending = try await Program.run(brief + ["--color", "sometimes"])

        #expect(ending.status == 64)
        #expect(ending.errors.hasPrefix("Error: The value 'sometimes' is invalid for '--color <when>'."))
    }

    // util-linux has the `script` that takes a command in this way.
    @Test(.enabled(if: Terminals.canBeMade, "there is no util-linux script"))
    func `a terminal gets colours and a progress line, unless NO_COLOR is set`() async throws {
        let coloured = try await Terminals.run(brief, environment: ["TERM": "xterm"])
        let plain = try await Terminals.run(brief, environment: ["TERM": "xterm", "NO_COLOR": "1"])

        #expect(coloured.contains("\u{1B}[32mpass"))
        #expect(coloured.contains("\r\u{1B}[2K0 of 1 trial\r\u{1B}[2K1 of 1 trial"), "\(coloured)")
        #expect(!plain.contains("\u{1B}[32m"))
    }

    @Test func `verbose shows the connections and what the client printed`() async throws {
        let file = try Shipped.with(app: "    run: sh -c 'echo hello from $0; exit 7' {host}")

        let ending = try await Shipped.run(
            file,
            "--scenario",
            "same-certificate",
            "--policy",
            "no-pins",
            "--verbose"
        )
        let reference = try await Program.run(brief + ["--verbose"])

        #expect(ending.output.contains("| hello from api.acme.example\n"))
        #expect(
            reference.output.contains(
                "connection to api.acme.example: shown today, sent its request, “GET / HTTP/1.1”"
            ),
            "\(reference.output)"
        )
    }

    @Test func `R8: what a client prints commands neither a terminal nor a build server`() async throws {
        let words = [
            ("##[error]a", "# #[error]a"), ("x ##vso[task.complete]b", "x # #vso[task.complete]b"),
            ("##teamcity[c]", "# #teamcity[c]"), ("::error::d", ": :error::d"), ("::error f=a::e", ": :error f=a::e"),
            ("\u{202E}f\u{2066}\u{1B}[8m", "\u{FFFD}f\u{FFFD}\u{FFFD}[8m"), ("# [g] a::b [::1]", "# [g] a::b [::1]"),
        ]
        let name = "##[error]\u{202E}\u{1B}[8m::error::"

        let (ending, missing) = try await withTemporaryFolder { folder in
            try Data(words.map { "\($0.0)\n" }.joined().utf8).write(to: folder.appending(path: "words"))
            let file = try Shipped.with(app: "    run: cat {here}/words")
            try Data(file.utf8).write(to: folder.appending(path: "file.yaml"))
            let arguments = brief[1...4] + ["--verbose"]
            return (
                try await Program.run(["run", "file.yaml"] + arguments, in: folder),
                try await Program.run("pins", name, in: folder)
            )
        }

        let lines = ending.output.split(separator: "\n").compactMap { $0.wholeMatch(of: #/ +\| (.*)/#)?.1 }
        #expect(lines.prefix(words.count).map(String.init) == words.map(\.1))
        #expect(missing.errors == "# #[error]\u{FFFD}\u{FFFD}[8m::error::: no such file\n")
    }

    @Test(arguments: ["head -n 1", "true"])
    func `a reader that has had enough is no crash`(reader: String) async throws {
        let pipeline = "\"$0\" run --client reference --scenario 'r*' 2>errors | \(reader) >/dev/null; cat errors"

        let result = try await shell(pipeline)

        #expect(result.output == "")
        #expect(result.status == 0)
    }

    // macOS has no device that is always full.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
        arguments: ["run --client reference --scenario same-certificate", "list", "version", "pins \"$1\""]
    )
    func `an output that takes no more is said`(command: String) async throws {
        let result = try await shell("\"$0\" \(command) 2>&1 >/dev/full")

        #expect(result.output == "standard output: No space left on device\n")
        #expect(result.status == 74)
    }

    @Test func `a closed output is not a socket`() async throws {
        let result = try await shell("\"$0\" run --client reference --scenario same-certificate >&- 2>&-")

        #expect(result.status == 0)
    }

    private func shell(_ script: String) async throws -> (status: Int32, output: String) {
        let vector = Places.package.appending(path: "certs/vectors/digicert-global-root-ca.pem").path
        return try await withTemporaryFolder { folder in
            try Shipped.text.write(to: folder.appending(path: "scenarios.yaml"), atomically: false, encoding: .utf8)
            let ending = try await Started.with(
                URL(filePath: "/bin/sh"),
                ["-c", script, Program.url.path, vector],
                in: folder
            ) { try await $0.ending() }
            return (ending.status, ending.output)
        }
    }
}

/// Terminals that nobody sits at.
private enum Terminals {
    static let canBeMade: Bool = {
        guard let script = Tool("script"), let result = try? script.run(["--version"]) else { return false }
        return result.output.contains("util-linux")
    }()

    static func run(_ arguments: [String], environment: [String: String]) async throws -> String {
        let script = try #require(Tool("script"))
        let line = ([Program.url.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        return try await Started.with(
            script.url,
            ["-qec", line, "/dev/null"],
            environment: environment,
            in: Places.package
        ) { try await $0.ending().output }
    }
}
