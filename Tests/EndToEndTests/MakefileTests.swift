import Foundation
import TestSupport
import Testing

/// What people type before they have read anything.
// A machine with Swift and without make can still build the package.
@Suite(.enabled(if: Tool("make") != nil, "make is not installed"))
struct MakefileTests {
    @Test(arguments: [["help"], []])
    func `make tells what there is`(arguments: [String]) throws {
        let result = try make(arguments)

        #expect(result.status == 0)
        let verbs = result.output.split(separator: "\n").compactMap { $0.split(separator: " ").dropFirst().first }
        let known = [
            "run", "test", "damage", "pages", "fuzz", "soak", "faults", "foreign", "public-names", "build", "format",
            "lint",
            "clients", "conformance", "docs", "detection", "differential", "setup", "sanitize", "bench", "bench-setup",
            "dist", "test-dist",
            "image", "clean", "help",
        ]
        #expect(verbs.map(String.init) == known)
    }

    @Test(arguments: [
        "run", "test", "damage", "pages", "fuzz", "soak", "faults", "foreign", "public-names", "build", "format",
        "lint",
        "clients", "docs", "differential", "setup", "sanitize", "dist", "test-dist", "clean",
    ])
    func `each verb has a recipe`(verb: String) throws {
        // Said, not done.
        let result = try make(["--dry-run", verb])

        #expect(result.status == 0, "\(result.output)")
        #expect(!result.output.contains("Nothing to be done"))
    }

    @Test func `the tests can be told what to run`() throws {
        let result = try make(["--dry-run", "test", "ARGS=--filter Some"])

        let parts = result.output.matches(of: #/swift test --disable-xctest --skip '[^']*' --filter Some/#)
        #expect(parts.count == 2)
    }

    @Test func `each target of tests is run once`() throws {
        let result = try make(["--dry-run", "test"])

        let skipped = result.output.matches(of: #/--skip '\^\((?<names>[^)]*)\)Tests\\.'/#)
            .flatMap { $0.output.names.split(separator: "|") }
        let folders = try FileManager.default.contentsOfDirectory(atPath: Places.package.appending(path: "Tests").path)
        let targets = folders.filter { $0.hasSuffix("Tests") }.map { $0.dropLast("Tests".count) }
        #expect(!targets.isEmpty)
        #expect(skipped.sorted() == targets.sorted())
    }

    private func make(_ arguments: [String]) throws -> Tool.Result {
        let tool = try #require(Tool("make"))
        return try tool.run(
            ["--directory", Places.package.path, "--no-print-directory"] + arguments,
            environment: Program.bareEnvironment
        )
    }
}
