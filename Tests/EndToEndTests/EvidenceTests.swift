import Foundation
import TestSupport
import Testing

/// What a run leaves for those who look closer.
struct EvidenceTests {
    /// curl writes the secrets that it knows itself (SSLKEYLOGFILE).
    @Test(.enabled(if: Shipped.hasCurl, "curl is not installed"))
    func `keylog: what is written are the very secrets that the client has`() async throws {
        try await withTemporaryFolder { folder in
            let theirs = folder.appending(path: "theirs")
            let ending = try await Program.run(
                [
                    "try", "--keylog", "ours", "--scenario", "same-certificate", "--policy", "no-pins",
                    "--env", "SSLKEYLOGFILE=\(theirs.path)", "--", "curl", "--silent", "--cacert", "{trust}", "{url}",
                ],
                in: folder
            )

            let ours = folder.appending(path: "ours")
            let written = try lines(ours)
            let known = try lines(theirs)
            #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
            #expect(ending.errors.contains("warning: ours will have the secrets of every connection"))
            #expect(known.count >= 4)
            #expect(known.subtracting(written) == [])
            let mode = try FileManager.default.attributesOfItem(atPath: ours.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(!(ending.output + ending.errors).contains("_SECRET"))
        }
    }

    @Test func `keylog: each run has a file of its own, and no other place gets the secrets`() async throws {
        try await withTemporaryFolder { folder in
            let run = ["run", "--client", "reference", "--policy", "no-pins", "--scenario", "same-certificate"]
            let file = folder.appending(path: "keys.log")
            try "old\n".write(to: file, atomically: false, encoding: .utf8)

            let first = try await Program.run(run + ["--keylog", "keys.log", "--report", "json=r.json"], in: folder)
            let secrets = try lines(file)
            let second = try await Program.run(run + ["--keylog", "keys.log"], in: folder)
            let without = try await Program.run(run, in: folder)
            let aFolder = try await Program.run(run + ["--keylog", "."], in: folder)

            #expect((first.status, second.status, without.status) == (0, 0, 0))
            #expect(
                secrets.allSatisfy { $0.hasPrefix("SERVER_") || $0.hasPrefix("CLIENT_") || $0.hasPrefix("EXPORTER_") }
            )
            #expect(secrets.isDisjoint(with: try lines(file)))
            #expect(!without.errors.contains("secrets"))
            #expect(aFolder.status == 64)
            #expect(aFolder.errors.contains(".: this is no ordinary file; name another for --keylog"))
            let report = try String(contentsOf: folder.appending(path: "r.json"), encoding: .utf8)
            for line in secrets { #expect(!report.contains(try #require(line.split(separator: " ").last))) }
        }
    }

    @Test func `evidence: every command of the page does what it says`() async throws {
        try await CertsCommandTests.inProject { folder in
            let endings = try await Page.run("docs/evidence.md", in: folder)

            #expect(endings.count == 2)
            let report = try String(contentsOf: folder.appending(path: "report.json"), encoding: .utf8)
            #expect(report.contains("\"trials\""))
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "keys.log").path))
        }
    }

    private func lines(_ file: URL) throws -> Set<String> {
        Set(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init))
    }
}
