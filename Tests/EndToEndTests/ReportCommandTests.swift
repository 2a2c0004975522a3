import Foundation
import TestSupport
import Testing

/// `pindrill report`, and what a run makes of an earlier report.
struct ReportCommandTests {
    private static let brief = [
        "run", "--client", "reference", "--scenario", "same-certificate", "--scenario", "rotated-*",
    ]
    private static let shipped = Places.package.appending(path: "scenarios.yaml").path

    /// A run in a folder of its own, with a JSON report.
    private func withRun(_ options: [String] = [], _ body: (URL, Program.Ending) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let words = ["run", Self.shipped] + Self.brief.dropFirst() + ["--report", "json=run.json"] + options
            try await body(folder, try await Program.run(words, in: folder))
        }
    }

    private func text(_ name: String, in folder: URL) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    @Test func `show prints what the run printed`() async throws {
        try await withRun { folder, ending in
            let shown = try await Program.run(["report", "show", "run.json"], in: folder)

            #expect(shown.status == 0, "\(shown.errors)")
            #expect(shown.output == ending.output)
        }
    }

    @Test func `convert makes what the run would have written`() async throws {
        let kinds = ["html", "markdown", "junit", "jsonl"]
        try await withRun(kinds.flatMap { ["--report", "\($0)=run.\($0)"] }) { folder, _ in
            let targets = kinds.flatMap { ["--report", "\($0)=later.\($0)"] }
            let lines = ["report", "convert", "run.jsonl", "--report", "json=-"]

            let converted = try await Program.run(["report", "convert", "run.json"] + targets, in: folder)
            let indented = try await Program.run(lines, in: folder)

            #expect((converted.status, converted.errors) == (0, ""))
            for kind in kinds {
                #expect(try text("later.\(kind)", in: folder) == text("run.\(kind)", in: folder), "\(kind)")
            }
            #expect(try indented.output == text("run.json", in: folder))
        }
    }

    @Test func `two runs differ in nothing once times, hashes and ports are left out`() async throws {
        try await withTemporaryFolder { folder in
            for name in ["one", "two"] {
                _ = try await Program.run(
                    ["run", Self.shipped] + Self.brief.dropFirst()
                        + [
                            "--stable", "--report", "json=r.json", "--report", "markdown=r.md", "--report",
                            "html=r.html",
                        ],
                    in: folder
                )
                for kind in ["json", "md", "html"] {
                    try FileManager.default.moveItem(
                        at: folder.appending(path: "r.\(kind)"),
                        to: folder.appending(path: "\(name).\(kind)")
                    )
                }
            }

            for kind in ["json", "md", "html"] {
                #expect(try text("one.\(kind)", in: folder) == text("two.\(kind)", in: folder), "\(kind)")
            }
        }
    }

    /// The lines of a run's report, dealt out as three workers would have written them.
    private func deal(_ lines: [Substring], into folder: URL) throws -> [String] {
        let (trials, count) = (lines.dropFirst().dropLast(), 3)
        return try (1...count).map { index in
            let own = trials.enumerated().filter { $0.offset % count == index - 1 }
            let head =
                "{\"shard\":{\"index\":\(index),\"of\":\(count),\"trials_in_all\":\(trials.count)},"
                + lines[0].dropFirst()
            let told = own.map { "{\"place\":\($0.offset + 1)," + $0.element.dropFirst() }
            let steps = try own.map {
                try #require(JSONSerialization.jsonObject(with: Data($0.element.utf8)) as? [String: Any])
            }
            .flatMap { $0["steps"] as? [[String: Any]] ?? [] }
            var end = try #require(
                JSONSerialization.jsonObject(with: Data(lines[lines.count - 1].utf8)) as? [String: Any]
            )
            var summary = try #require(end["summary"] as? [String: Any])
            (summary["trials"], summary["planned"]) = (own.count, own.count)
            for key in ["verdict", "consequence"] {
                let counts = try #require(summary["\(key)s"] as? [String: Int])
                summary["\(key)s"] = Dictionary(
                    uniqueKeysWithValues: counts.keys.map { word in (word, steps.count { $0[key] as? String == word }) }
                )
            }
            let undeclared = steps.count {
                $0["consequence"] as? String == "locked-out" && $0["declared"] as? Bool == false
            }
            summary["undeclared_outages"] = undeclared
            end["summary"] = summary
            let last = String(
                decoding: try JSONSerialization.data(withJSONObject: end, options: .sortedKeys),
                as: UTF8.self
            )
            let name = "shard-\(index).jsonl"
            try ([head] + told + [last]).map { $0 + "\n" }.joined()
                .write(to: folder.appending(path: name), atomically: false, encoding: .utf8)
            return name
        }
    }

    @Test func `merge makes the report of one run of its shards, and names what is missing`() async throws {
        try await withRun(["--report", "jsonl=run.jsonl"]) { folder, ending in
            let shards = try deal(text("run.jsonl", in: folder).split(separator: "\n"), into: folder)
            let targets = ["--report", "json=all.json", "--report", "jsonl=all.jsonl", "--report", "html=all.html"]

            let merged = try await Program.run(["report", "merge"] + shards.reversed() + targets, in: folder)
            let fewer = try await Program.run(
                ["report", "merge"] + shards.dropLast() + ["--report", "json=few.json"],
                in: folder
            )

            #expect(merged.status == ending.status, "\(merged.errors)")
            #expect(try text("all.json", in: folder) == text("run.json", in: folder))
            #expect(try text("all.jsonl", in: folder) == text("run.jsonl", in: folder))
            #expect(try text("all.html", in: folder).contains("same-certificate"))
            let again = try await Program.run(["replay", "all.jsonl", "1"], in: folder)
            #expect(again.output.contains("The report says: pass; now: pass"), "\(again.errors)")
            #expect((fewer.status, fewer.errors) == (65, "shard 3 of 3 missing: give the reports of all\n"))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.hasPrefix("few.json") })
        }
    }

    @Test func `a run is compared with an earlier one, and may fail on what got worse only`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "file.yaml")
            let policies = { (pins: String) in
                """
                version: 1
                host: api.acme.example
                keys: { leaf: {}, other: {}, evil: { by: attacker } }
                authorities: { root: {}, stranger: { by: attacker } }
                stores: { phone: { system: [root] } }
                chains: { today: { key: leaf, issuer: root }, later: { key: other, issuer: root }, forged: { key: evil, issuer: stranger } }
                policies: { pinned: { pins: [\(pins)] } }
                clients: { reference: { kind: reference } }
                scenarios: [ { name: story, steps: [ { present: today }, { present: forged } ] } ]
                """
            }
            func run(_ pins: String, _ options: String...) async throws -> Program.Ending {
                try policies(pins).write(to: file, atomically: false, encoding: .utf8)
                return try await Program.run(["run", "file.yaml"] + options, in: folder)
            }
            _ = try await run("other", "--fail-on", "outage", "--report", "json=bad.json")
            _ = try await run("leaf", "--report", "json=good.json")

            let same = try await run("other", "--baseline", "bad.json", "--fail-on", "outage", "--fail-on", "worse")
            let worse = try await run("other", "--baseline", "good.json", "--fail-on", "worse")
            let diff = try await Program.run(["report", "diff", "good.json", "bad.json"], in: folder)
            let better = try await Program.run(["report", "diff", "bad.json", "good.json"], in: folder)

            #expect(same.status == 0, "\(same.output)\(same.errors)")
            #expect(same.output.contains("Since bad.json:\n1 trial is as before; 0 worse, or new and bad.\n"))
            #expect(worse.status == 1)
            #expect(
                worse.output.contains(
                    "Worse (1 trial)\n  story · pinned · reference: right -> LOCKED OUT, not declared"
                )
            )
            #expect((diff.status, better.status) == (1, 0))
            let document = try await Program.run(["report", "diff", "good.json", "bad.json", "--json"], in: folder)
            let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))
            let told = try JSONDecoder().decode(JSONValue.self, from: Data(document.output.utf8))
            #expect(schema.complaints(about: told, as: "report-diff") == [])
            #expect(told["worse"] == .number(1))
            #expect(better.output.contains("Better (1 trial)"))
        }
    }

    @Test(arguments: [
        (["report", "show", "none.json"], 65, "none.json: no such file\n"),
        (
            ["report", "show", "text.json"], 65,
            "text.json: this is not a report as --report json=PATH or jsonl=PATH writes it\n"
        ),
        (
            ["report", "merge", "text.json", "--report", "json=a.json"], 65,
            "text.json: this is not a whole report as --report jsonl=PATH or json=PATH writes it\n"
        ),
        (["report", "convert", "text.json"], 64, "Error: say which kind, and where: --report html=report.html\n"),
        (
            ["report", "convert", "text.json", "--report", "conformance=a.md"], 64,
            "Error: a conformance page tells of more than a report holds: 'pindrill run FILE --report conformance=PATH' writes it"
        ),
        (
            ["run", "--baseline", "text.json"], 65,
            "text.json: this is not a report as --report json=PATH or jsonl=PATH writes it\n"
        ),
        (["run", "--fail-on", "worse"], 64, "Error: --fail-on worse means nothing without --baseline\n"),
    ])
    func `what is no report is named`(words: [String], status: Int32, message: String) async throws {
        try await withTemporaryFolder { folder in
            try "no report\n".write(to: folder.appending(path: "text.json"), atomically: false, encoding: .utf8)

            let ending = try await Program.run(words, in: folder)

            #expect(ending.status == status)
            #expect(ending.errors.contains(message), "\(ending.errors)")
        }
    }

    /// The script of the action's step that runs the scenarios, as a workflow that uses the action runs it.
    @Test func `the action shows a failing run on the job's page, and keeps the page that says why`() async throws {
        let action = try String(contentsOf: Places.package.appending(path: "action.yml"), encoding: .utf8)
        let script = try #require(
            action.firstMatch(of: #/- id: run\n(?s:.*?)run: \|\n(?<script>(?: {8}.*\n)+)/#)?.output.script
        )
        let example = Places.package.appending(path: "Examples/releases/scenarios.yaml").path

        try await withTemporaryFolder { folder in
            let (output, summary) = (folder.appending(path: "output"), folder.appending(path: "summary.md"))
            try "# Before\n".write(to: summary, atomically: false, encoding: .utf8)
            let ending = try await Started.with(
                URL(filePath: "/bin/bash"),
                ["-e", "-c", String(script)],
                environment: [
                    "RUNNER_TEMP": folder.path, "GITHUB_OUTPUT": output.path, "GITHUB_STEP_SUMMARY": summary.path,
                    "PROGRAM": Program.url.path, "FILE": example,
                    "ARGUMENTS": "--policy version-2 --scenario stuffed-chain --scenario same-certificate",
                ],
                in: folder
            ) { try await $0.ending() }

            #expect(ending.status == 1, "\(ending.errors)")
            let page = try String(contentsOf: summary, encoding: .utf8)
            #expect(page.hasPrefix("# Before\n\n## PinDrill: "))
            let verdict = try #require(
                page.firstMatch(of: #/\n> \*\*(Failed: .* An attacker got the users' data in .*)\*\*\n/#)
            )
            #expect(page.contains("| stuffed-chain | ❌ **intercepted** |"))
            let html = try text("pindrill-reports/pindrill.html", in: folder)
            #expect(html.contains(verdict.output.1.replacing("'", with: "&#39;")))
        }
    }
}
