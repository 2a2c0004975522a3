import Foundation
import MitmHarness
import Testing

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
            let client = Process()
            client.executableURL = URL(filePath: "/bin/sh")
            // Ends by itself when its input does, and says when it runs.
            client.arguments = ["-c", "echo; read line"]
            client.environment = ["PINDRILL_DIR": folder.path]
            let (input, output) = (Pipe(), Pipe())
            client.standardInput = input
            client.standardOutput = output
            try client.run()
            _ = output.fileHandleForReading.availableData
            return (process: client, input: input)
        }

        TrialFolder.sweep(parent)
        for client in clients { try client.input.fileHandleForWriting.close() }
        for client in clients { client.process.waitUntilExit() }

        let left = try FileManager.default.contentsOfDirectory(atPath: parent.path)
        #expect(Set(left) == ["pd-unfinished", "other-dead", alive.url.lastPathComponent])
        #if os(Linux)
        #expect(clients.map(\.process.terminationReason) == [.uncaughtSignal, .exit])
        #endif
        alive.remove()
        #expect(!FileManager.default.fileExists(atPath: alive.url.path))
    }
}
