import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
#if canImport(FoundationXML)
import FoundationXML
#endif

/// `--report`.
struct ReportTests {
    private let brief = ["run", "--scenario", "same-certificate", "--policy", "no-pins"]

    @Test func `a report is written when trials fail`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "report.json")
            let file = folder.appending(path: "file.yaml")
            try Shipped.with(app: "    run: true").write(to: file, atomically: false, encoding: .utf8)

            let ending = try await Program.run(
                [brief[0], file.path] + brief.dropFirst() + ["--report", "json=\(path.path)"]
            )

            let report = try WrittenReport(at: path)
            #expect(ending.status == 2)
            #expect(report.exitStatus == 2)
            #expect(!report.interrupted)
            #expect(report.trials.map(\.client) == ["app"])
            #expect(report.summary.verdicts["inconclusive"] == 2)
        }
    }

    @Test func `the reports of the whole catalogue are sound and in the order of the file`() async throws {
        try await withTemporaryFolder { folder in
            let (json, junit) = (folder.appending(path: "report.json"), folder.appending(path: "report.xml"))

            let ending = try await Program.run(
                "run",
                "--all",
                "--verbose",
                "--client",
                "reference",
                "--report",
                "json=\(json.path)",
                "--report",
                "junit=\(junit.path)"
            )

            #expect(ending.status == 0, "\(ending.errors)")
            let schema = try Schema(at: Places.package.appending(path: "docs/report.schema.json"))
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: json))
            #expect(schema.complaints(about: value) == [])
            let report = try WrittenReport(at: json)
            #expect(report.exitStatus == 0)
            #expect(try XMLCounter.count("testcase", in: junit) == report.trials.map(\.steps.count).reduce(0, +))
            let shown = ending.output.split(separator: "\n").filter { $0.contains("  (model: ") }
            let names = report.trials.map { "\($0.scenario) · \($0.policy) · \($0.client)  (model: " }
            #expect(shown.count == names.count)
            #expect(zip(shown, names).allSatisfy { $0.hasPrefix($1) })
        }
    }

    @Test func `a killed run leaves the finished trials, in whatever order they finished`() async throws {
        try await withTemporaryFolder { folder in
            let (json, junit) = (folder.appending(path: "report.json"), folder.appending(path: "report.xml"))
            let marker = folder.appending(path: "marker")
            let file = try Shipped.with(
                clients: """
                      stuck:
                        run: sh -c 'echo $$ >"$0.new"; mv "$0.new" "$0"; exec sleep 60' \(marker.path)
                      reference: { kind: reference }
                    """
            )
            try file.write(to: folder.appending(path: "file.yaml"), atomically: false, encoding: .utf8)
            // What an earlier run left, longer than what is written first.
            try String(repeating: "old ", count: 10_000).write(to: json, atomically: false, encoding: .utf8)
            let arguments = [
                "run", "file.yaml", "--scenario", "same-certificate", "--policy", "no-pins", "--jobs", "2", "--timeout",
                "60", "--report", "json=\(json.path)", "--report", "junit=\(junit.path)",
            ]

            try await Started.with(Program.url, arguments, in: folder) { started in
                try #require(await eventually { (try? XMLCounter.count("testsuite", in: junit)) == 3 })
                try #require(await eventually { access(marker.path, R_OK) == 0 })
                started.signal(SIGKILL)

                #expect(try await started.ending().status == -SIGKILL)
            }
            let client = pid_t(try String(contentsOf: marker, encoding: .utf8).trimmingCharacters(in: .newlines))
            kill(try #require(client), SIGKILL)

            let report = try WrittenReport(at: json)
            #expect(report.interrupted)
            #expect(report.exitStatus == nil)
            #expect(report.trials.map(\.client) == ["reference"])
            #expect(report.summary.verdicts["pass"] == 2)
            // The two steps, and those that say that the run is not complete, and is not of the whole file.
            #expect(try XMLCounter.count("testcase", in: junit) == 4)
            #expect(try XMLCounter.count("error", in: junit) == 1)
        }
    }

    @Test func `a disk that fills up is told of once, and what it holds stays whole`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "report.json")

            // 16 KiB; without the trap, more would end the program.
            let script = "ulimit -f 32; trap '' XFSZ; exec \"$0\" \"$@\""
            let arguments = ["run", "--client", "reference", "--scenario", "same-*", "--report", "json=\(path.path)"]
            let ending = try await Started.with(
                URL(filePath: "/bin/sh"),
                ["-c", script, Program.url.path] + arguments,
                in: Places.package
            ) { try await $0.ending() }

            #expect(ending.status == 74)
            #expect(ending.errors == "\(path.path): the report could not be written: File too large\n")
            let report = try WrittenReport(at: path)
            #expect(report.interrupted)
            #expect(report.exitStatus == nil)
            #expect(!report.trials.isEmpty)
            #expect(ending.output.contains(" 0 failed, 0 inconclusive, 0 skipped\n"))
        }
    }

    /// A disk of one page, for a run that has the machine's leave to mount it.
    private func onTinyDisk(
        _ script: String,
        _ folder: URL,
        file: String = Places.package.appending(path: "scenarios.yaml").path
    ) async throws -> Program.Ending {
        let mount = "mount -t tmpfs -o size=4k none \"$1\"; cd \"$1\"; \(script)"
        let arguments = ["-m", "/bin/sh", "-c", mount, Program.url.path, folder.path, file]
        return try await Started.with(try #require(Tool("unshare")).url, arguments, in: Places.package) {
            try await $0.ending()
        }
    }

    private static let canMount: Bool = {
        let mount = ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]
        return (try? Tool("unshare")?.run(mount))?.status == 0
    }()

    @Test(.enabled(if: canMount, "no disk can be mounted here"))
    func `R6: a full disk leaves no half report, and no older one`() async throws {
        let run = "\"$0\" run \"$2\" --client reference --scenario same-certificate --policy no-pins --report"
        try await withTemporaryFolder { folder in
            let full = try await onTinyDisk("head -c 4096 /dev/zero >z; \(run) json=r.json; echo $?; ls", folder)
            let older = try await onTinyDisk("head -c 4096 /dev/zero >r.xml; \(run) junit=r.xml; echo $?; ls", folder)
            let filling = try await onTinyDisk("\(run) json=r.json >/dev/null; echo $?; cat r.json; ls >&2", folder)

            let words = "the report could not be written: No space left on device\n"
            #expect((full.output, full.errors) == ("74\nz\n", "r.json: \(words)"))
            #expect((older.output, older.errors) == ("74\n", "r.xml: \(words)"))
            #expect(filling.errors == "r.json: \(words)r.json\n")
            #expect(filling.output.hasPrefix("74\n{\n"))
            #expect(try JSONDecoder().decode(JSONValue.self, from: Data(filling.output.dropFirst(3).utf8)) != .null)
        }
    }

    @Test(.enabled(if: canMount, "no disk can be mounted here"))
    func `R6: a client whose files find no room is said to be that in a sentence`() async throws {
        let run = "TMPDIR=. exec \"$0\" run \"$2\" --scenario same-certificate --policy no-pins"
        try await withTemporaryFolder { folder in
            try await withTemporaryFolder { files in
                let file = files.appending(path: "file.yaml").path
                let text = try Shipped.with(app: "    run: cat {trust}")
                try text.write(toFile: file, atomically: false, encoding: .utf8)

                let full = try await onTinyDisk("head -c 4096 /dev/zero >z; \(run)", folder, file: file)
                let free = try await onTinyDisk("mount -o remount,size=1m .; \(run)", folder, file: file)

                #expect(full.output.contains(" cannot be written: is the disk full? TMPDIR names another place"))
                #expect(!full.output.contains("Domain"), "\(full.output)")
                #expect(!free.output.contains("is the disk full?"))
                #expect((full.status, free.status) == (2, 2))
            }
        }
    }

    @Test(arguments: ["json", "junit"])
    func `R6: a file that may not grow leaves no half report`(kind: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "report").path
            let script = "(ulimit -f 0; trap '' XFSZ; exec \"$0\" run --report \(kind)='\(path)') 2>&1 | cat"

            let ending = try await Started.with(
                URL(filePath: "/bin/sh"),
                ["-c", script, Program.url.path],
                in: Places.package
            ) { try await $0.ending() }

            #expect(ending.output == "\(path): the report could not be written: File too large\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    @Test(arguments: ["none.yaml", "scenarios.yaml"])
    func `F6: a run that ends before its first trial leaves its own report`(file: String) async throws {
        try await withTemporaryFolder { folder in
            let (json, junit) = (folder.appending(path: "report.json"), folder.appending(path: "report.xml"))
            for report in [json, junit] { try Data("of an earlier run".utf8).write(to: report) }
            let reports = ["--report", "json=\(json.path)", "--report", "junit=\(junit.path)"]

            let ending = try await Program.run(["run", file, "--scenario", "nothing"] + reports)

            #expect(ending.status == (file == "none.yaml" ? 65 : 64))
            let report = try WrittenReport(at: json)
            #expect(report.interrupted)
            #expect(report.exitStatus == nil)
            #expect(report.trials.isEmpty)
            #expect(try XMLCounter.count("error", in: junit) == 1)
        }
    }

    @Test func `F6: a run that is killed while it reads its file leaves its own report`() async throws {
        try await withTemporaryFolder { folder in
            let (report, pipe) = (folder.appending(path: "report.json"), folder.appending(path: "pipe").path)
            try Data("of an earlier run".utf8).write(to: report)
            try #require(mkfifo(pipe, 0o600) == 0)
            let file = open(pipe, O_RDWR | O_CLOEXEC)
            defer { close(file) }

            try await Started.with(
                Program.url,
                ["run", pipe, "--report", "json=\(report.path)"],
                in: folder
            ) { started in
                try #require(await eventually { (try? WrittenReport(at: report)) != nil })
                started.signal(SIGTERM)
                #expect(try await started.ending().status == -SIGTERM)
            }

            #expect(try WrittenReport(at: report).interrupted)
        }
    }

    @Test func `F5: a report on standard output is alone there`() async throws {
        let json = try await Program.run(brief + ["--client", "reference", "--report", "json=-"])
        let both = try await Program.run(brief + ["--report", "json=-", "--report", "junit=-"])
        let wrong = try await Program.run(["run", "none.yaml", "--report", "json=-"])

        let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(report?["exit_status"] as? Int == 0)
        #expect(json.errors.contains("1 trial, 2 steps in "))
        #expect(json.status == 0)
        #expect((both.status, both.output) == (64, ""))
        #expect(both.errors == "--report junit=-: this file is taken by --report json=-\n")
        #expect((wrong.status, wrong.output, wrong.errors) == (65, "", "none.yaml: no such file\n"))
    }

    @Test func `F11: a report into a pipe that nobody reads is refused`() async throws {
        try await withTemporaryFolder { folder in
            let pipe = folder.appending(path: "pipe").path
            try #require(mkfifo(pipe, 0o600) == 0)

            let ending = try await Program.run(brief + ["--report", "json=\(pipe)"])

            #expect(ending.status == 64)
            #expect(ending.errors == "--report json=\(pipe): this is a pipe, and nobody reads from it\n")
        }
    }

    @Test func `two reports cannot share a file`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "report")

            let ending = try await Program.run(
                brief + ["--report", "json=\(path.path)", "--report", "junit=\(path.path)"]
            )

            #expect(ending.status == 64)
            #expect(ending.output.isEmpty)
            #expect(
                ending.errors == "--report junit=\(path.path): this file is taken by --report json=\(path.path)\n"
            )
        }
    }

    @Test func `a report can go to a device or through a link`() async throws {
        try await withTemporaryFolder { folder in
            let target = folder.appending(path: "target")
            let link = folder.appending(path: "link.json")
            try Data("old".utf8).write(to: target)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)

            let ending = try await Program.run(
                brief + ["--client", "reference", "--report", "json=/dev/null", "--report", "json=\(link.path)"]
            )

            #expect(ending.status == 0, "\(ending.errors)")
            #expect(try WrittenReport(at: target).exitStatus == 0)
            let kinds = try ["/dev/null", link.path].map {
                try FileManager.default.attributesOfItem(atPath: $0)[.type] as? FileAttributeType
            }
            #expect(kinds == [.typeCharacterSpecial, .typeSymbolicLink])
        }
    }

    @Test func `a report that cannot be written is refused before anything runs`() async throws {
        try await withTemporaryFolder { folder in
            let missing = try await Program.run(brief + ["--report", "json=\(folder.path)/none/report.json"])
            let aFolder = try await Program.run(brief + ["--report", "json=\(folder.path)"])

            #expect((missing.status, aFolder.status) == (64, 64))
            #expect((missing.output, aFolder.output) == ("", ""))
            #expect(
                missing.errors
                    == "--report json=\(folder.path)/none/report.json: no such folder: \(folder.path)/none\n"
            )
            #expect(aFolder.errors == "--report json=\(folder.path): this is a folder; name a file\n")
        }
    }

    // macOS has no device that is always full.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
    func `a report that is lost in the end is no success`() async throws {
        let ending = try await Program.run(brief + ["--client", "reference", "--report", "json=/dev/full"])

        #expect(ending.status == 74)
        #expect(ending.errors == "/dev/full: the report could not be written: No space left on device\n")
    }
}

/// Counts the elements of one name.
private final class XMLCounter: NSObject, XMLParserDelegate {
    private let name: String
    private var count = 0

    private init(_ name: String) {
        self.name = name
    }

    /// - Throws: where the document is not well-formed.
    static func count(_ name: String, in url: URL) throws -> Int {
        let counter = XMLCounter(name)
        let parser = XMLParser(data: try Data(contentsOf: url))
        parser.delegate = counter
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
        return counter.count
    }

    func parser(
        _ parser: XMLParser,
        didStartElement element: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        if element == name { count += 1 }
    }
}
