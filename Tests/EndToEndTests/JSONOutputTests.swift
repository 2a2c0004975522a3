import Foundation
import TLSCore
import TestSupport
import Testing

/// `--json`, `--quiet` and `--color`, which mean the same for every command that has a result.
struct JSONOutputTests {
    private static let pins = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    /// Each command with a result, and how it ends here.
    static let commands: [(words: [String], status: Int32)] = [
        (["run", "--scenario", "same-certificate", "--policy", "no-pins", "--client", "reference"], 0),
        (["replay", "report.json", "1"], 0),
        (["list", "--tag", "CWE-295"], 0), (["explain", "renewed-same-key"], 0), (["lint", "flawed.yaml"], 1),
        (["audit", "pins.txt", "--dialect", "curl"], 1),
        (["check", "--policy", "pins.txt", "--chain", "a.pem", "--trust", "a.pem", "--host", "api.acme.example"], 1),
        (
            [
                "check", "--policy", "pins.txt", "--chain", "a.pem", "--chain", "a.pem", "--trust", "a.pem", "--host",
                "api.acme.example",
            ], 1
        ),
        (
            ["fleet.yaml", "plan.yaml"].reduce(["forecast"]) { words, name in
                words + [Places.package.appending(path: "Examples/outages/digicert-g2-2023/\(name)").path]
            } + ["--today", "2026-11-20"], 0
        ),
        (["pins", "a.pem"], 0), (["selftest", "--client", "never-*"], 0),
    ]

    private func play(_ command: (words: [String], status: Int32), _ options: String...) async throws -> Program.Ending
    {
        try await withTemporaryFolder { folder in
            let flawed = Shipped.text.replacing(
                "leaf-and-backup: {",
                with: "single: { pins: [leaf-1], unclaimed: true }\n  leaf-and-backup: {"
            )
            let files = ["pins.txt": Self.pins, "a.pem": Sample.server.leaf.pem, "flawed.yaml": flawed]
            for (name, text) in files {
                try text.write(to: folder.appending(path: name), atomically: false, encoding: .utf8)
            }
            if command.words[0] == "replay" {
                _ = try await Program.run(Self.commands[0].words + ["--report", "json=report.json"], in: folder)
            }
            return try await Program.run(command.words + options, in: folder)
        }
    }

    @Test(arguments: commands.indices)
    func `json: a result is one document that its schema describes, and nothing else is on standard output`(
        index: Int
    ) async throws {
        let command = Self.commands[index]
        let name = command.words[0]
        let isReport = ["run", "replay"].contains(name)
        let file = isReport ? "report" : "output"
        let schema = try Schema(at: Places.package.appending(path: "docs/\(file).schema.json"))

        let ending = try await play(command, "--json", "--color", "always")

        let document = try JSONDecoder().decode(JSONValue.self, from: Data(ending.output.utf8))
        #expect(ending.status == command.status, "\(ending.errors)")
        #expect(document["version"] == .number(1))
        #expect((isReport ? schema.complaints(about: document) : schema.complaints(about: document, as: name)) == [])
        #expect(!ending.output.contains("\u{1B}"))
    }

    @Test(arguments: commands.indices)
    func `quiet: nothing is written but errors, and the exit status stays`(index: Int) async throws {
        let command = Self.commands[index]

        let quiet = try await play(command, "--quiet")

        #expect(quiet.status == command.status)
        #expect(quiet.output == "")
        #expect(quiet.errors == "")
    }

    @Test func `quiet: an error is still told, and so is JSON`() async throws {
        let wrong = try await Program.run("list", "none.yaml", "--quiet")
        let both = try await Program.run("list", "--quiet", "--json")

        #expect((wrong.status, wrong.errors) == (65, "none.yaml: no such file\n"))
        #expect(both.output.hasPrefix("{\n"))
        #expect(both.errors == "")
    }
}
