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
                try #require(await eventually { (try? XMLCounter.count("testsuite", in: junit)) == 2 })
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
            // The two steps, and the one that says that the run is not complete.
            #expect(try XMLCounter.count("testcase", in: junit) == 3)
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
