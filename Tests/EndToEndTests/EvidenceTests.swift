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

            #expect(endings.count == 3)
            let report = try String(contentsOf: folder.appending(path: "report.json"), encoding: .utf8)
            #expect(report.contains("\"trials\""))
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "keys.log").path))
        }
    }

    private static let tshark = Tool("tshark")
    private static let readsCaptures = tshark != nil && Shipped.hasCurl

    /// What tshark makes of a capture, with checksums looked at.
    private func read(_ capture: URL, _ arguments: String...) throws -> [String] {
        let checks = ["-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE", "-n", "-r", capture.path]
        let home = ["HOME": capture.deletingLastPathComponent().path]
        let result = try #require(Self.tshark).run(checks + arguments, environment: home)
        #expect(result.status == 0, "\(result.output)")
        return result.output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("Running as user") }
    }

    @Test(
        .enabled(if: readsCaptures, "tshark or curl is not installed"),
        arguments: [
            "--tls-max 1.3", "--tls-max 1.2", "--proxy {proxy}", "--proxy {socks}", "--connect-to ::[::1]:{port}",
        ]
    )
    func `pcap: tshark reads what curl asked and was answered, and finds nothing wrong`(way: String) async throws {
        try await withTemporaryFolder { folder in
            let client = ["curl", "-sS", "--cacert", "{trust}"] + way.split(separator: " ").map(String.init)
            let ending = try await Program.run(
                [
                    "try", "--pcap", "run.pcapng", "--scenario", "same-certificate", "--policy", "no-pins", "--answer",
                    "text=\(String(repeating: "a long answer ", count: 5000))", "--", "env",
                ] + client + ["{url}"],
                in: folder
            )

            let file = folder.appending(path: "run.pcapng")
            #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
            #expect(ending.errors.contains("warning: run.pcapng will have all that clients say"))
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let name = "frame.interface_name contains \"same-certificate · no-pins · \""
            let isSecure = "tls && http.request.method == GET && \(name)"
            #expect(try !read(file, "-2", "-Y", isSecure).isEmpty)
            #expect(try !read(file, "-Y", isSecure).isEmpty)
            let answers = try read(
                file,
                "-Y",
                "http.response.code == 200 && tls",
                "-T",
                "fields",
                "-e",
                "http.file_data"
            )
            #expect(answers.contains { $0.contains("a long answer a long answer") || $0.count >= 140_000 })
            #expect(try read(file, "-Y", "_ws.malformed || _ws.expert.severity >= warning") == [])
            // Behind its CONNECT a tunnel has the same ports.
            let isOdd = "tcp.analysis.flags && !tcp.analysis.reused_ports"
            let isBad = "tcp.checksum.status == 0 || ip.checksum.status == 0 || (\(isOdd))"
            #expect(try read(file, "-Y", isBad) == [])
        }
    }

    @Test func `pcap: a full disk is one sentence, and the run goes on`() async throws {
        try await withTemporaryFolder { folder in
            // A process that ignores the signal is told of the limit as of a full disk (setrlimit(2)).
            let script = """
                trap '' XFSZ; ulimit -f 16; exec '\(Program.url.path)' run --client reference --policy no-pins \
                --scenario same-certificate --pcap full.pcapng 2>&1
                """
            let ending = try await Started.with(
                URL(filePath: "/bin/sh"),
                ["-c", script],
                in: folder
            ) { try await $0.ending() }

            #expect(ending.status == 0, "\(ending.output)")
            #expect(ending.output.contains("same-certificate"))
            #expect(ending.output.ranges(of: "full.pcapng: it could not be written on").count == 1)
            let size = try FileManager.default.attributesOfItem(atPath: folder.appending(path: "full.pcapng").path)[
                .size
            ]
            #expect((size as? Int ?? 0) % 4 == 0)
        }
    }

    @Test func `evidence-days: only what pindrill wrote is removed, and only when its days are over`() async throws {
        try await withTemporaryFolder { folder in
            let run = ["run", "--client", "reference", "--policy", "no-pins", "--scenario", "same-certificate"]
            func there() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            }
            func age(_ name: String, to new: String) throws {
                let file = folder.appending(path: name)
                let bytes = try Data(contentsOf: file)
                // A capture is no text.
                let aged = try #require(String(data: bytes, encoding: .isoLatin1))
                    .replacing(/after 2\d{3}-/, with: "after 2001-", maxReplacements: 1)
                let place = folder.appending(path: new)
                try #require(aged.data(using: .isoLatin1)).write(to: place)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.path)
            }

            let first = try await Program.run(
                run + ["--keylog", "keys.log", "--pcap", "run.pcapng", "--evidence-days", "30"],
                in: folder
            )
            for name in ["keys.log", "run.pcapng"] { try age(name, to: "old-\(name)") }
            try age("keys.log", to: "open-to-others")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644],
                ofItemAtPath: folder.appending(path: "open-to-others").path
            )
            let quote = "notes\n" + (try String(contentsOf: folder.appending(path: "old-keys.log"), encoding: .utf8))
            let notes = folder.appending(path: "notes")
            try quote.write(to: notes, atomically: false, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: notes.path)
            let before = try there()
            let second = try await Program.run(run, in: folder)

            #expect((first.status, second.status) == (0, 0), "\(first.errors)\(second.errors)")
            #expect(before == ["keys.log", "notes", "old-keys.log", "old-run.pcapng", "open-to-others", "run.pcapng"])
            #expect(try there() == ["keys.log", "notes", "open-to-others", "run.pcapng"])
            #expect(second.errors.contains("old-run.pcapng was removed: its days were over"))

            let alone = try await Program.run(run + ["--evidence-days", "3"], in: folder)
            #expect(alone.status == 64)
            #expect(alone.errors.contains("--evidence-days means nothing without --keylog or --pcap"))
        }
    }

    private func lines(_ file: URL) throws -> Set<String> {
        Set(
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init).filter {
                !$0.hasPrefix("#")
            }
        )
    }
}
