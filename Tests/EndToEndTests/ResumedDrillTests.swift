import Foundation
import TestSupport
import Testing

/// A drill that was interrupted, and goes on.
@Suite struct ResumedDrillTests {
    private static let file = """
        version: 1
        host: api.acme.example
        keys: { leaf: {}, evil: { by: attacker } }
        authorities: { acme-root: {}, mallory: { by: attacker } }
        stores: { phone: { system: [acme-root], user: [mallory] } }
        chains: { today: { key: leaf, issuer: acme-root }, forged: { key: evil, issuer: mallory } }
        policies: { pinned: { pins: [leaf], allow: [no-redundancy] } }
        clients: { app: { kind: attended } }
        scenarios:
          - { name: first, tags: [attack, CWE-295], steps: [ { present: today }, { present: forged } ] }
          - { name: second, steps: [ { present: today }, { present: forged } ] }

        """

    private static func drill(_ words: String, _ options: String, in folder: URL) async throws
        -> Program.Ending
    {
        let command = "printf '\(words)' | \"$0\" drill story.yaml --port 0 --skip-check \(options)"
        return try await Started.with(
            URL(filePath: "/bin/sh"),
            ["-c", command, Program.url.path],
            in: folder
        ) {
            try await $0.ending()
        }
    }

    /// A drill of which the first trial is finished.
    private static func withInterrupted(_ body: (URL) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try file.write(to: folder.appending(path: "story.yaml"), atomically: true, encoding: .utf8)
            let ending = try await drill("s\\ns\\n", "--report json=a.json", in: folder)
            #expect(ending.status == 130, "\(ending)")
            #expect(
                ending.errors.contains("to go on: the same command with --resume a.json"),
                "\(ending)"
            )
            try await body(folder)
        }
    }

    private static func report(_ name: String, in folder: URL) throws -> [String: Any] {
        let data = try Data(contentsOf: folder.appending(path: name))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test(arguments: ["b.json", "a.json"])
    func `what was finished is kept, and the rest is played`(target: String) async throws {
        try await Self.withInterrupted { folder in
            let before = try Self.report("a.json", in: folder)
            let ending = try await Self.drill(
                "s\\ns\\n",
                "--resume a.json --report json=\(target)",
                in: folder
            )

            #expect(ending.status == 2, "\(ending)")
            #expect(
                !ending.output.contains("first · pinned · app\n")
                    && ending.output.contains("second · pinned · app")
            )
            let after = try Self.report(target, in: folder)
            let kept = try #require(before["trials"] as? NSArray)
            let trials = try #require(after["trials"] as? NSArray)
            #expect(kept.count == 1 && trials.count == 2)
            #expect(kept[0] as? NSDictionary == trials[0] as? NSDictionary)
            #expect((trials[0] as? NSDictionary)?["controls"] as? [String] == ["CWE-295"])
            #expect(after["interrupted"] as? Bool == false)
            let summary = try #require(after["summary"] as? [String: Any])
            #expect((summary["trials"] as? Int, summary["planned"] as? Int) == (2, 2))
            #expect((summary["verdicts"] as? [String: Int])?["inconclusive"] == 4)
        }
    }

    @Test func `what failed before fails the drill that goes on`() async throws {
        try await Self.withInterrupted { folder in
            let url = folder.appending(path: "a.json")
            let text = try String(contentsOf: url, encoding: .utf8)
            try text.replacing("\"verdict\" : \"inconclusive\"", with: "\"verdict\" : \"fail\"")
                .write(to: url, atomically: true, encoding: .utf8)

            #expect(try await Self.drill("s\\ns\\n", "--resume a.json", in: folder).status == 1)
        }
    }

    @Test func `a drill that is interrupted again keeps all that it has`() async throws {
        try await Self.withInterrupted { folder in
            let ending = try await Self.drill("", "--resume a.json --report json=a.json", in: folder)

            #expect(ending.status == 130, "\(ending)")
            #expect((try Self.report("a.json", in: folder)["trials"] as? NSArray)?.count == 1)
        }
    }

    @Test func `another report is told by its fault`() async throws {
        try await Self.withInterrupted { folder in
            try Self.file.write(
                to: folder.appending(path: "other.yaml"),
                atomically: true,
                encoding: .utf8
            )
            try "{}".write(to: folder.appending(path: "empty.json"), atomically: true, encoding: .utf8)
            for (options, status, complaint) in [
                ("--resume none.json", Int32(65), "none.json: no such file"),
                (
                    "--resume empty.json", 65,
                    "empty.json: this is not a report as --report json=PATH writes it"
                ),
                (
                    "--resume a.json --scenario second", 64,
                    "a.json: the drill has no trial 'first · pinned · app'"
                ),
                ("--resume a.json --scenario first", 64, "a.json: nothing is left of this drill"),
                ("--resume a.json --report conformance=a.md", 64, "a drill that is resumed cannot write that"),
            ] {
                let ending = try await Self.drill("", options, in: folder)
                #expect(ending.status == status, "\(options): \(ending)")
                #expect(ending.errors.contains(complaint), "\(options): \(ending)")
            }
            let other = try await Program.run(
                "drill",
                "other.yaml",
                "--port",
                "0",
                "--resume",
                "a.json",
                in: folder
            )
            #expect(other.status == 65)
            #expect(
                other.errors.contains("this report is of 'story.yaml', and the drill is of 'other.yaml'"),
                "\(other)"
            )
        }
    }
}
