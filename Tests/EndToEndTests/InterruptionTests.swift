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

/// Ctrl-C, and what else ends a program early.
struct InterruptionTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `an interrupted run ends its clients and keeps what was finished`(signal: Int32) async throws {
        try await withTemporaryFolder { folder in
            // The client and its child write down who they are, and stay.
            let marker = folder.appending(path: "marker")
            let file = try Shipped.with(
                clients: """
                      reference: { kind: reference }
                      slow:
                        run: sh -c 'sleep 60 & echo $$ $! >"$0.new"; mv "$0.new" "$0"; wait' \(marker.path)
                    """
            )
            try file.write(to: folder.appending(path: "file.yaml"), atomically: false, encoding: .utf8)
            let report = folder.appending(path: "report.json")
            let arguments = [
                "run", "file.yaml", "--scenario", "same-certificate", "--policy", "no-pins", "--jobs", "1", "--timeout",
                "60", "--report", "json=\(report.path)",
            ]

            let (ending, clients) = try await Started.with(Program.url, arguments, in: folder) { started in
                let clients = try await processes(writtenTo: marker)
                started.signal(signal)
                return (try await started.ending(), clients)
            }

            #expect(ending.status == 130)
            #expect(ending.output.contains("same-certificate · no-pins · reference"))
            #expect(ending.output.contains("Interrupted: the rest was not tried.\n1 of 2 trials, 2 steps in "))
            #expect(!ending.output.contains("slow"))
            let written = try WrittenReport(at: report)
            #expect(written.interrupted)
            #expect(written.exitStatus == 130)
            #expect(written.trials.map(\.client) == ["reference"])
            #expect(clients.count == 2)
            for client in clients { #expect(await isGone(client)) }
        }
    }

    // Elsewhere there is no telling whether the first one has arrived.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"), "there is no /proc"),
        arguments: [(SIGINT, SIGINT), (SIGINT, SIGTERM)]
    )
    func `a second signal ends a run at once`(first: Int32, second: Int32) async throws {
        // A pipe that nobody reads keeps the program at its first result, however long it takes to look.
        let pipe = Pipe()
        pipe.fill()

        try await withTemporaryFolder { folder in
            let report = folder.appending(path: "report.json")
            try await Started.with(
                Program.url,
                [
                    "run", "--client", "reference", "--scenario", "same-certificate", "--verbose", "--report",
                    "json=\(report.path)",
                ],
                in: Places.package,
                standardOutput: pipe.fileHandleForWriting
            ) { started in
                // Each has a handler of its own: before both are in place, the second could come to nothing.
                try #require(await eventually { started.catches(first) && started.catches(second) })
                started.signal(first)
                // From then on the system's own answers are in force again.
                try #require(await eventually { !started.catches(first) && !started.catches(second) })
                started.signal(second)

                #expect(try await started.ending().status == -second)
            }
            let written = try WrittenReport(at: report)
            #expect(written.interrupted)
            #expect(written.exitStatus == nil)
        }
    }
}

/// The processes that a client has written down.
func processes(writtenTo file: URL) async throws -> [pid_t] {
    try #require(await eventually { access(file.path, R_OK) == 0 }, "the client never ran")
    return try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isWhitespace).compactMap {
        pid_t($0)
    }
}

/// Whether a process has ended; one that is nobody's child any more may stay unreaped in a container.
func isGone(_ process: pid_t) async -> Bool {
    await eventually {
        if kill(process, 0) != 0 { return true }
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return status?.contains(") Z ") == true
    }
}
