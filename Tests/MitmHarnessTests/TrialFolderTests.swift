import Foundation
import MitmHarness
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

@Suite struct `A trial's folder` {
    @Test func `R5: is swept away when its owner is dead, and never before`() async throws {
        let parent = FileManager.default.temporaryDirectory.appending(path: "pindrill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: parent) }
        // Killed processes leave their locks open to everybody; what is unfinished has none yet.
        for name in ["pd-dead", "pd-unfinished", "pd-long-unfinished", "other-dead"] {
            try FileManager.default.createDirectory(
                at: parent.appending(path: "\(name)/home"),
                withIntermediateDirectories: true
            )
            guard !name.hasSuffix("unfinished") else { continue }
            #expect(FileManager.default.createFile(atPath: parent.appending(path: "\(name)/owner").path, contents: nil))
        }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -4000)],
            ofItemAtPath: parent.appending(path: "pd-long-unfinished").path
        )
        let alive = try TrialFolder(in: parent)
        let clients = try [parent.appending(path: "pd-dead"), alive.url].map { folder in
            let (input, output) = (Pipe(), Pipe())
            // Ends by itself when its input does, and says when it runs.
            let program = try ChildProgram(
                URL(filePath: "/bin/sh"),
                ["-c", "echo; read line"],
                environment: ["PINDRILL_DIR": folder.path],
                input: .pipe(input),
                output: .pipe(output)
            )
            _ = output.fileHandleForReading.availableData
            return (program: program, input: input)
        }

        TrialFolder.sweep(parent)
        for client in clients { try client.input.fileHandleForWriting.close() }
        for client in clients { client.program.waitUntilExit() }

        let left = try FileManager.default.contentsOfDirectory(atPath: parent.path)
        #expect(Set(left) == ["pd-unfinished", "other-dead", alive.url.lastPathComponent])
        #if os(Linux)
        #expect(clients.map(\.program.status) == [-SIGKILL, 1])
        #endif
        alive.remove()
        #expect(!FileManager.default.fileExists(atPath: alive.url.path))
    }
}
