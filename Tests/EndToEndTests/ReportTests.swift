import Foundation
import TestSupport
import Testing

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
