import Foundation
import TestSupport
import Testing

/// The jobs for GitHub: the project's own, and those that are to be copied.
struct WorkflowTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Places.package.appending(path: path), encoding: .utf8)
    }

    /// The examples of a page that are jobs, each with the event that a workflow needs.
    private static func examples() throws -> [String] {
        let blocks = try text("docs/ci.md").matches(of: /```yaml\n(?<text>(?s).*?)```/).map { String($0.output.text) }
        let steps = try #require(blocks.first { $0.hasPrefix("- uses: ") })
        let indented = steps.split(separator: "\n").map { "      \($0)\n" }.joined()
        return blocks.filter { $0.hasPrefix("jobs:\n") }.map { "on: [push]\n" + $0 }
            + ["on: [push]\njobs:\n  pinning:\n    runs-on: ubuntu-latest\n    steps:\n" + indented]
    }

    private static let own = [
        ".github/workflows/ci.yml", ".github/workflows/nightly.yml", ".github/workflows/release.yml",
    ]
    private static let actions = ["action.yml", "Integrations/audit/action.yml"]

    /// It carries GitHub's schemas. The one that `Scripts/setup test` installs in CI.
    private static let validator: URL? = {
        let own = Places.package.appending(path: ".build/python/bin/check-jsonschema")
        return FileManager.default.isExecutableFile(atPath: own.path) ? own : Tool("check-jsonschema")?.url
    }()

    @Test(.enabled(if: validator != nil, "check-jsonschema of PyPI is not installed"))
    func `each is valid by GitHub's schema, and a mistake is found`() async throws {
        let examples = try Self.examples()
        let wrong = examples[0].replacing("runs-on:", with: "run-on:")

        try await withTemporaryFolder { folder in
            func validate(_ texts: [String], as kind: String) async throws -> Program.Ending {
                let files = try texts.enumerated().map { index, text in
                    let file = folder.appending(path: "\(index).yml")
                    try Data(text.utf8).write(to: file)
                    return file.path
                }
                let words = ["--builtin-schema", "vendor.github-\(kind)"] + files
                return try await Started.with(#require(Self.validator), words, in: folder) { try await $0.ending() }
            }

            let workflows = try await validate(examples + Self.own.map(Self.text), as: "workflows")
            let actions = try await validate(Self.actions.map(Self.text), as: "actions")
            let mistake = try await validate([wrong], as: "workflows")

            #expect(workflows.status == 0, "\(workflows.output)")
            #expect(actions.status == 0, "\(actions.output)")
            #expect(mistake.status == 1, "\(mistake.output)")
        }
        #expect(examples.contains { $0.contains("matrix: { part: [1, 2, 3, 4] }") && $0.contains("--shard") })
    }

    @Test func `what others wrote is named by its commit`() throws {
        let lines = try (Self.own + Self.actions).flatMap { try Self.text($0).split(separator: "\n") }

        let uses = lines.filter { $0.contains("uses: ") }

        #expect(uses.count >= 8)
        for line in uses { #expect(line.contains(/uses: [\w.\/-]+@[0-9a-f]{40}  # v[0-9.]+$/), "\(line)") }
    }
}
