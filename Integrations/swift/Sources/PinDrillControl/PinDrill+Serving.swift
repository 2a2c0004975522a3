#if os(macOS) || os(Linux)
import Foundation

extension PinDrill {
    /// The one that `PINDRILL_URL` names, or else one of its own, `program serve file`, which ends when it is closed.
    public static func serving(
        _ file: String? = nil,
        program: String = "pindrill",
        startSeconds: TimeInterval = 60
    ) async throws -> PinDrill {
        let environment = ProcessInfo.processInfo.environment
        if environment["PINDRILL_URL"]?.isEmpty == false { return try PinDrill() }
        let process = Process()
        let output = Pipe()
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent("pindrill-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        defer { try? FileManager.default.removeItem(at: errors) }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [program, "serve"] + (file.map { [$0] } ?? []) + ["--port", "0", "--proxy-port", "0", "--json"]
        process.environment = environment.filter { !$0.key.hasPrefix("PINDRILL_") }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let running = Running(process: process)

        let line = await firstLine(of: output.fileHandleForReading, within: startSeconds)
        if let line, let place = try? JSONDecoder().decode(Place.self, from: line) {
            return PinDrill(Connection(url: place.url, token: place.token, running: running))
        }
        await running.end()
        let why = line == nil ? "was not ready after \(startSeconds.formatted()) s" : "ended"
        let said = ((try? String(contentsOf: errors, encoding: .utf8)) ?? "")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        throw PinDrillError("'\(program) serve' \(why)\(said.isEmpty ? "" : ": ")\(said)")
    }

    /// What comes before the end of the first line, or of all; `nil` if neither comes in time.
    private static func firstLine(of output: FileHandle, within seconds: TimeInterval) async -> Data? {
        let lines = AsyncStream<Data> { continuation in
            Thread.detachNewThread {
                var line = Data()
                while !line.contains(10), case let more = output.availableData, !more.isEmpty { line += more }
                continuation.yield(line)
                continuation.finish()
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { continuation.finish() }
        }
        return await lines.first { _ in true }
    }

    private struct Place: Decodable {
        let url: String
        let token: String
    }
}

/// A process that ends with this at the latest.
private final class Running: Ending {
    private let process: Process

    init(process: Process) { self.process = process }

    deinit { if process.isRunning { process.terminate() } }

    func end() async {
        if process.isRunning { process.terminate() }
        let limit = Date(timeIntervalSinceNow: 10)
        while process.isRunning, Date() < limit { try? await Task.sleep(nanoseconds: 20_000_000) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
}
#endif
