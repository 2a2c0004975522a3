import Foundation
import TestSupport
import Testing

/// `docs/clients`: what the pages tell to type, for every language that is installed.
struct ClientPagesTests {
    /// Lines to be typed one after the other, and when they can be.
    struct Recipe: CustomTestStringConvertible {
        let page: String
        let condition: String
        let lines: String

        var testDescription: String { "\(page): \(condition)" }
        /// Whether what it needs is on this machine.
        var isPossible: Bool {
            (try? Recipe.shell.run(["-c", condition], environment: Program.bareEnvironment))?.status == 0
        }

        private static let shell = Tool("sh")!

        /// A certificate that nobody may take, an attack and a rotation; the whole quick set, which takes minutes, in `make pages`.
        var shortened: String {
            guard ProcessInfo.processInfo.environment["PINDRILL_WHOLE_PAGES"] == nil else { return lines }
            let scenarios = ["expired-certificate", "attacker-installed-root", "rotated-to-backup"]
            return lines.replacing(
                "pindrill try ",
                with: "pindrill try " + scenarios.map { "--scenario \($0) " }.joined()
            )
        }
    }

    private static let folder = Places.package.appending(path: "docs/clients")
    private static let pages = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".md") && $0 != "README.md" }.sorted()

    private static func text(of page: String) -> String {
        (try? String(contentsOf: folder.appending(path: page), encoding: .utf8)) ?? ""
    }

    static let recipes = (pages + ["../ways-in.md", "../origins.md"]).flatMap { page in
        text(of: page).matches(of: /<!-- run-if: (?<condition>[^\n]+) -->\n```sh\n(?<lines>(?s).*?)```/).map { match in
            Recipe(page: page, condition: String(match.output.condition), lines: String(match.output.lines))
        }
    }

    @Test func `there is a page for each language of the index`() throws {
        let index = Self.text(of: "README.md")

        #expect(Self.pages.count >= 9)
        for page in Self.pages { #expect(index.contains("](\(page))"), "\(page)") }
        #expect(Self.recipes.count >= 11)
    }

    // Each starts many processes: side by side they would starve what else is tested.
    @Test(.serialized, arguments: recipes)
    func `a client of the pages passes what its page has it play`(recipe: Recipe) async throws {
        guard recipe.isPossible else {
            print("skipped: \(recipe.page): this is not so here: \(recipe.condition)")
            return
        }

        let ending = try await withTemporaryFolder { folder in
            for name in ["Conformance", "Examples"] {
                try FileManager.default.createSymbolicLink(
                    at: folder.appending(path: name),
                    withDestinationURL: Places.package.appending(path: name)
                )
            }
            let path = "\(Program.url.deletingLastPathComponent().path):\(Program.bareEnvironment["PATH", default: ""])"
            return try await Started.with(
                URL(filePath: "/bin/sh"),
                ["-ec", recipe.shortened],
                environment: ["PATH": path, "HOME": folder.path, "LANG": "C.UTF-8"],
                in: folder
            ) { try await $0.ending() }
        }

        #expect(ending.status == 0, "\(ending.output.suffix(4000))\(ending.errors.suffix(2000))")
        // It refused something: an attacker, or what nobody may take.
        #expect(ending.output.contains(#/ [1-9]\d* (protected|locked out)/#), "\(ending.output.suffix(4000))")
        #expect(ending.output.contains(" 0 failed, 0 inconclusive, 0 skipped\n"))
    }

    @Test(arguments: pages)
    func `an entry of the pages can be put into a scenario file`(page: String) async throws {
        let entries = Self.text(of: page).matches(of: /```yaml\n(?<entry>(?s).*?)```/).map { String($0.output.entry) }

        #expect(!entries.isEmpty)
        for entry in entries {
            let ending = try await withTemporaryFolder { folder in
                let file = "version: 1\nhost: api.acme.example\ninclude: [shipped]\n\(entry)"
                try file.write(to: folder.appending(path: "own.yaml"), atomically: false, encoding: .utf8)
                return try await Program.run("lint", "own.yaml", in: folder)
            }
            #expect((ending.status, ending.output, ending.errors) == (0, "", ""), "\(entry)")
        }
    }
}
