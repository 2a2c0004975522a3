import Foundation
import Synchronization
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
        try await withTemporaryFolder { temporary in
            try await Started(url, arguments, environment: environment, in: folder, output: temporary).ending()
        }
    }

    /// Hands the running program over, and ends it if that is still needed afterwards.
    static func whileRunning<Value>(
        _ arguments: [String],
        in folder: URL = Places.package,
        _ body: (Started) async throws -> Value
    ) async throws -> Value {
        try await withTemporaryFolder { temporary in
            let started = try Started(url, arguments, in: folder, output: temporary)
            defer { started.signal(SIGKILL) }
            return try await body(started)
        }
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
    private let process: Process
    private let output: URL
    private let errors: URL
    private let status = AsyncStream<Int32>.makeStream()

    init(
        _ url: URL,
        _ arguments: [String],
        environment: [String: String] = [:],
        in folder: URL,
        output temporary: URL
    ) throws {
        output = temporary.appending(path: "output")
        errors = temporary.appending(path: "errors")
        process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.environment = Program.bareEnvironment.merging(environment) { $1 }
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(creating: output)
        process.standardError = try FileHandle(creating: errors)
        process.terminationHandler = { [status] process in
            let number = process.terminationStatus
            status.continuation.yield(process.terminationReason == .exit ? number : -number)
            status.continuation.finish()
        }
        try process.run()
    }

    func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
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

/// Makes a folder, hands it over, and removes it afterwards.
func withTemporaryFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pindrill-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

extension FileHandle {
    fileprivate convenience init(creating url: URL) throws {
        _ = FileManager.default.createFile(atPath: url.path, contents: nil)
        try self.init(forWritingTo: url)
    }
}
