import Foundation
import TestSupport
import Testing

/// `replay`, files of strangers, and clients that authenticate themselves.
@Suite(.enabled(if: Shipped.hasCurl, "curl is not installed"))
struct ReplayCommandTests {
    private static let command = ["--", "curl", "-sS", "--cacert", "{trust}", "--pinnedpubkey", "{pins}", "{url}"]

    @Test func `replay: one trial of a report is played again, with its commands to be copied`() async throws {
        try await withTemporaryFolder { folder in
            let scenarios = ["--scenario", "attacker-installed-root", "--scenario", "expired-certificate"]
            let options = ["--env", "A=b c", "--env=HTTPS_PROXY={proxy}", "--report", "json=r.json"]
            let first = try await Program.run(["try"] + scenarios + options + Self.command, in: folder)

            let value = ["--env", "A=b c"]
            let second = try await Program.run(["replay", "r.json", "2"] + value, in: folder)
            let named = try await Program.run(["replay", "r.json", "expired-* · leaf-*"] + value, in: folder)
            let silent = try await Program.run("replay", "r.json", "2", in: folder)
            let report = try String(contentsOf: folder.appending(path: "r.json"), encoding: .utf8)
            let unknown = try await Program.run(["replay", "r.json", "3"] + value, in: folder)
            let vague = try await Program.run(["replay", "r.json", "*"] + value, in: folder)

            #expect((first.status, second.status, named.status) == (0, 0, 0), "\(second.errors)")
            #expect(second.output.contains("\nattacker-installed-root · leaf-and-backup · curl\n"))
            #expect(named.output.contains("\nexpired-certificate · leaf-and-backup · curl\n"))
            #expect(second.output.contains(" && env -i \\\n  A='b c' \\\n"))
            #expect(second.output.contains(" \\\n  curl -sS --cacert /"))
            #expect(second.output.hasSuffix("The report says: pass; now: pass\n"))
            #expect(report.contains("\"A=<hidden>\"") && !report.contains("b c"))
            #expect(silent.status == 65)
            #expect(silent.errors == "r.json: it does not hold the value of A: give it again, by --env A=…\n")
            #expect((unknown.status, unknown.errors) == (65, "there is no trial 3; the report has 2\n"))
            #expect((vague.status, vague.errors.contains("means 2 trials of:\n  expired-certificate · ")) == (65, true))
        }
    }

    @Test func `replay: a report that does not tell its command is an error`() async throws {
        try await withTemporaryFolder { folder in
            let place = folder.appending(path: "r.json")
            let words = ["run", "--client", "reference", "--scenario", "same-certificate", "--policy", "no-pins"]
            _ = try await Program.run(words + ["--report", "json=\(place.path)"])
            let report = try JSONSerialization.jsonObject(with: Data(contentsOf: place)) as? [String: Any]
            var told = try #require(report)
            told["command"] = nil
            try JSONSerialization.data(withJSONObject: told).write(to: place)

            let mute = try await Program.run("replay", "r.json", "1", in: folder)
            let other = try await Program.run("replay", "/dev/null", "1", in: folder)

            #expect((mute.status, mute.errors) == (65, "r.json: this report does not tell the command that made it\n"))
            #expect(other.status == 65)
        }
    }

    @Test func `--no-commands: a stranger's clients are skipped by name, and none of their commands is started`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let stranger = """
                  app:
                    run: sh -c 'touch {here}/started'
                    version: sh -c 'touch {here}/asked'
                """
            let text = try Shipped.with(clients: "  reference: { kind: reference }\n\(stranger)")
            try text.write(to: folder.appending(path: "f.yaml"), atomically: false, encoding: .utf8)
            let words = ["run", "f.yaml", "--scenario", "same-certificate", "--policy", "no-pins"]

            let careful = try await Program.run(words + ["--no-commands"], in: folder)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            _ = try await Program.run(words, in: folder)
            let started = try FileManager.default.contentsOfDirectory(atPath: folder.path)

            #expect(careful.status == 0, "\(careful.errors)")
            #expect(careful.output.contains("  app: it is a command, and --no-commands starts none\n"))
            #expect(left == ["f.yaml"])
            #expect(started.sorted() == ["asked", "f.yaml", "started"])
        }
    }

    @Test(arguments: ["../outside.pins", "/etc/hosts", "link.pins"])
    func `a policy's file must not lead out of the folder of its scenario file`(name: String) async throws {
        try await withTemporaryFolder { folder in
            let inner = folder.appending(path: "inner")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
            let pins = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
            for place in ["outside.pins", "inner/inside.pins"] {
                try pins.write(to: folder.appending(path: place), atomically: false, encoding: .utf8)
            }
            try FileManager.default.createSymbolicLink(
                atPath: inner.appending(path: "link.pins").path,
                withDestinationPath: "../outside.pins"
            )
            func lint(_ file: String) async throws -> Program.Ending {
                let text = Shipped.text.replacing(
                    "\npolicies:\n",
                    with: "\npolicies:\n  own: { file: \(file), dialect: curl }\n"
                )
                try text.write(to: inner.appending(path: "f.yaml"), atomically: false, encoding: .utf8)
                return try await Program.run("lint", "f.yaml", in: inner)
            }

            let outside = try await lint(name)
            let inside = try await lint("inside.pins")

            #expect(outside.status == 65)
            #expect(
                outside.errors.contains("\(name): it must lie in the folder of this file, or below it"),
                "\(outside.errors)"
            )
            #expect(!inside.errors.contains("must lie in the folder"))
        }
    }

    @Test func `a client with {cert} and {key} is asked for its certificate, and the key is its own`() async throws {
        let curl = "curl -sSv --cacert \"$1\" --pinnedpubkey \"$2\" \"$3\""
        let end = " 2>log; status=$?; grep 'Request CERT' log; exit $status"
        let words = ["--scenario", "attacker-installed-root", "--verbose", "--", "sh"]

        let (asked, plain) = try await withTemporaryFolder { folder in
            let files = [
                "own.sh": "stat -c %a \"$5\"; \(curl) --cert \"$4\" --key \"$5\"\(end)", "plain.sh": curl + end,
            ]
            for (name, text) in files {
                try text.write(to: folder.appending(path: name), atomically: false, encoding: .utf8)
            }
            let told = ["{trust}", "{pins}", "{url}"]
            return (
                try await Program.run(["try"] + words + ["own.sh"] + told + ["{cert}", "{key}"], in: folder),
                try await Program.run(["try"] + words + ["plain.sh"] + told, in: folder)
            )
        }

        #expect((asked.status, plain.status) == (0, 0), "\(asked.output)\(asked.errors)")
        #expect(asked.output.contains("| 600\n"))
        #expect(asked.output.contains("Request CERT"), "\(asked.output)")
        #expect(!plain.output.contains("Request CERT"))
    }
}
