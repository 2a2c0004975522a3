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

/// The built `pindrill`, run as its users run it.
struct Program {
    /// What it left behind.
    struct Ending {
        /// The exit status, or the number of the signal that ended it, negated.
        let status: Int32
        let output: String
        let errors: String
    }

    /// All of the test machine's environment that reaches it.
    static let bareEnvironment = ["PATH": ProcessInfo.processInfo.environment["PATH", default: "/usr/bin:/bin"]]

    /// Runs it to its end with nothing on its standard input, by default where the shipped `scenarios.yaml` is.
    static func run(
        _ arguments: String...,
        environment: [String: String] = [:],
        in folder: URL = Places.package
    ) async throws -> Ending {
        try await run(arguments, environment: environment, in: folder)
    }

    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        in folder: URL = Places.package
    ) async throws -> Ending {
        try await Started.with(url, arguments, environment: environment, in: folder) { try await $0.ending() }
    }

    /// The binary lies beside the bundle of the tests.
    static let url: URL = {
        let bundles = CommandLine.arguments.map { URL(filePath: $0) } + Bundle.allBundles.map(\.bundleURL)
        let folders = bundles.compactMap { place in
            let parts = place.pathComponents
            return parts.lastIndex { $0.hasSuffix(".xctest") }.map { parts[..<$0].joined(separator: "/") }
        }
        let candidates = folders.map { URL(filePath: "\($0)/pindrill") }
        let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { preconditionFailure("no pindrill beside \(folders); looked at \(bundles.map(\.path))") }
        return found
    }()
}

/// A program that was started.
final class Started: Sendable {
    private let program: ChildProgram
    private let output: URL
    private let errors: URL
    private let status = AsyncStream<Int32>.makeStream()

    /// Starts a program when it is its turn, hands it over, and ends it if that is still needed afterwards.
    ///
    /// - Parameter standardOutput: by default a file, for `ending()` to read.
    static func with<Value>(
        _ url: URL,
        _ arguments: [String],
        environment: [String: String] = [:],
        in folder: URL,
        standardOutput: FileHandle? = nil,
        _ body: (Started) async throws -> Value
    ) async throws -> Value {
        try await Turns.taking {
            try await withTemporaryFolder { temporary in
                let started = try Started(url, arguments, environment, folder, temporary, standardOutput)
                defer { started.signal(SIGKILL) }
                return try await body(started)
            }
        }
    }

    private init(
        _ url: URL,
        _ arguments: [String],
        _ environment: [String: String],
        _ folder: URL,
        _ temporary: URL,
        _ standardOutput: FileHandle?
    ) throws {
        output = temporary.appending(path: "output")
        errors = temporary.appending(path: "errors")
        let file = try FileHandle(creating: output)
        program = try ChildProgram(
            url,
            arguments,
            environment: Program.bareEnvironment.merging(environment) { $1 },
            in: folder,
            output: .file(standardOutput ?? file),
            errors: .file(try FileHandle(creating: errors))
        ) { [status] number in
            status.continuation.yield(number)
            status.continuation.finish()
        }
    }

    func signal(_ number: Int32) { program.signal(number) }

    /// Whether it has a signal for itself, instead of being ended by it. Linux only.
    func catches(_ number: Int32) -> Bool {
        let path = "/proc/\(program.number)/status"
        let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? []
        guard let line = lines.first(where: { $0.hasPrefix("SigCgt:") }),
            let caught = UInt64(line.dropFirst(7).drop { $0.isWhitespace }, radix: 16)
        else { return false }
        return caught & 1 << (number - 1) != 0
    }

    /// Waits for its end. Ask once.
    func ending() async throws -> Program.Ending {
        var status: Int32?
        for await number in self.status.stream { status = number }
        return Program.Ending(
            status: try #require(status),
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self)
        )
    }
}

/// Lets only so many programs run at once: time limits are for quiet machines.
private actor Turns {
    private static let shared = Turns()
    private var free = max(2, ProcessInfo.processInfo.activeProcessorCount)
    private var waiting: [CheckedContinuation<Void, Never>] = []

    static func taking<Value>(_ body: () async throws -> Value) async throws -> Value {
        await shared.take()
        do {
            let value = try await body()
            await shared.giveBack()
            return value
        } catch {
            await shared.giveBack()
            throw error
        }
    }

    private func take() async {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
    }

    private func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

/// Looks again and again, for three minutes: another process tells nobody when it is ready, and a machine may be busy.
func eventually(_ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(180)
    while ContinuousClock.now < end {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return condition()
}

/// Makes a folder, hands it over, and removes it afterwards.
func withTemporaryFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pindrill-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

extension Pipe {
    /// Takes all the room there is, so that the next writer has to wait.
    func fill() {
        let descriptor = fileHandleForWriting.fileDescriptor
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        let filler = [UInt8](repeating: 0, count: 4096)
        while write(descriptor, filler, filler.count) > 0 {}
        _ = fcntl(descriptor, F_SETFL, flags)
    }
}

extension FileHandle {
    fileprivate convenience init(creating url: URL) throws {
        _ = FileManager.default.createFile(atPath: url.path, contents: nil)
        try self.init(forWritingTo: url)
    }
}
