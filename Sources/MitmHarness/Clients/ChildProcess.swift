import Foundation
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

extension ChildCommand {
    /// Runs the program until it has ended, and then ends whatever it left behind.
    ///
    /// Always returns within `timeout` and `grace`, also if a process that escaped into a session of its own keeps the
    /// output pipes open.
    ///
    /// - Parameter beforeEnding: See `BeforeEnding`.
    /// - Throws: `CancellationError` if the task was cancelled; everything that was started is gone by then.
    package func run(
        beforeEnding: @escaping BeforeEnding = { _ in }
    ) async throws(CancellationError) -> ChildOutcome {
        let group = ProcessGroup()
        guard !Task.isCancelled else { throw CancellationError() }
        let outcome: ChildOutcome
        do {
            let input = try StandardInputFile.open(standardInput, in: workingDirectory)
            outcome = await withTaskCancellationHandler {
                await supervise(group, input: input, timeout: timeout, beforeEnding: beforeEnding)
            } onCancel: {
                group.end()
            }
        } catch {
            outcome = notStarted("cannot keep its standard input in '\(workingDirectory)': \(error)")
        }
        guard !Task.isCancelled else { throw CancellationError() }
        return outcome
    }

    /// Starts the program as the leader of `group` and stays with it to the end.
    ///
    /// - Parameters:
    ///   - input: Becomes its standard input; closed in any case.
    ///   - timeout: None leaves it to the caller to end the group.
    ///   - onOutput: Is shown its standard output as it arrives, in order.
    ///   - beforeEnding: See `BeforeEnding`.
    func supervise(
        _ group: ProcessGroup,
        input: FileDescriptor,
        timeout: Duration?,
        onOutput: @escaping @Sendable (UnsafeRawBufferPointer) -> Void = { _ in },
        beforeEnding: @escaping BeforeEnding = { _ in }
    ) async -> ChildOutcome {
        // Cancelling the library's `run` makes it signal the group in a task that may outlast the reaping of its
        // leader. `group` ends it more carefully, so the library is kept from hearing of our cancellation.
        await Task {
            let start = ContinuousClock.now
            do {
                let result = try await Subprocess.run(
                    try executable,
                    arguments: Arguments(
                        executablePathOverride: arguments.first,
                        remainingValues: Array(arguments.dropFirst())
                    ),
                    environment: .custom(customEnvironment),
                    workingDirectory: FilePath(workingDirectory),
                    platformOptions: .leadingItsOwnSession,
                    input: .fileDescriptor(input, closeAfterSpawningProcess: true),
                    output: .sequence,
                    error: .sequence
                ) { execution in
                    // The library reaps the leader after this closure has returned, never before.
                    group.adopt(leader: execution.processIdentifier.value)
                    defer { group.release() }

                    async let output = capture(execution.standardOutput, of: group, onOutput)
                    async let error = capture(execution.standardError, of: group)
                    let timer = timeout.map { limit in
                        Task { await group.end(after: limit, grace: grace, beforehand: beforeEnding) }
                    }

                    await execution.untilItEnds()
                    let duration = ContinuousClock.now - start
                    timer?.cancel()
                    await timer?.value
                    if !group.hasTimedOut { await beforeEnding(false) }
                    // The attempt is over, also for what the program left running in the background.
                    group.end()
                    return await (output, error, duration)
                }
                return ChildOutcome(
                    ending: group.hasTimedOut ? .timedOut : .init(result.terminationStatus),
                    standardOutput: result.closureResult.0,
                    standardError: result.closureResult.1,
                    duration: result.closureResult.2
                )
            } catch {
                return notStarted(reason(for: error))
            }
        }.value
    }
}

extension ChildCommand {
    private var executable: Executable {
        get throws(NotStartable) {
            guard let program = arguments.first, !program.isEmpty else {
                throw NotStartable(reason: "the command line is empty")
            }
            guard !program.contains("/") else { return .path(FilePath(workingDirectory).pushing(FilePath(program))) }
            // Without this the library would quietly look into our own PATH.
            guard let path = environment["PATH"] else {
                throw NotStartable(reason: "cannot look for '\(program)': its environment has no PATH")
            }
            // The library starts a process for each folder of the PATH until one of them can run it.
            let folders = path.split(separator: ":", omittingEmptySubsequences: false)
            guard folders.allSatisfy({ $0.hasPrefix("/") }), let place = ChildCommand.place(of: program, path: path),
                FileManager.default.isExecutableFile(atPath: place), !ChildCommand.isFolder(place)
            else { return .name(program) }
            return .path(FilePath(place))
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private var customEnvironment: [Environment.Key: String] {
        Dictionary(uniqueKeysWithValues: environment.map { (Environment.Key(stringLiteral: $0), $1) })
    }

    /// Reads a stream to its end, or for as long as it can matter.
    ///
    /// When the leader has ended, the library lets a stream end as soon as the pipe is empty, whoever else has it open.
    /// That alone would have us listen forever to an escaped process that never stops writing, so then we read no more
    /// than the leader can have left in the pipe.
    private func capture(
        _ stream: SubprocessOutputSequence,
        of group: ProcessGroup,
        _ onOutput: @Sendable (UnsafeRawBufferPointer) -> Void = { _ in }
    ) async -> CapturedOutput {
        /// The largest pipe that Linux gives to an ordinary user; macOS stays at 64 KiB.
        var mostInPipe = 1024 * 1024
        var captured = CapturedOutput(limit: outputLimit)
        do {
            for try await buffer in stream {
                buffer.withUnsafeBytes { bytes in
                    captured.append(bytes)
                    onOutput(bytes)
                }
                guard group.isDoomed else { continue }
                mostInPipe -= buffer.count
                if mostInPipe <= 0 { break }
            }
        } catch {
            // What could be read is all there is to tell; the ending does not depend on it.
        }
        return captured
    }

    func notStarted(_ reason: String) -> ChildOutcome {
        ChildOutcome(
            ending: .notStarted(reason: reason),
            standardOutput: CapturedOutput(limit: outputLimit),
            standardError: CapturedOutput(limit: outputLimit),
            duration: .zero
        )
    }

    private func reason(for error: any Error) -> String {
        let program = arguments.first ?? ""
        switch error {
        case let error as NotStartable:
            return error.reason
        case let error as SubprocessError where error.code == .executableNotFound:
            return reasonNotToRun(program)
        case let error as SubprocessError where error.underlyingError == Errno.execFormatError:
            return "'\(program)' is no program, and its first line names none, as #!/bin/sh does"
        case let error as SubprocessError where error.code == .failedToChangeWorkingDirectory:
            let problem = error.underlyingError?.description ?? "no such folder"
            return "cannot start '\(program)' in '\(workingDirectory)': \(problem)"
        case let error as SubprocessError:
            return "cannot start '\(program)': \(error.underlyingError?.description ?? error.description)"
        default:
            return "cannot start '\(program)': \(error)"
        }
    }
}

extension ChildCommand {
    /// What only a shell knows, by POSIX (Shell Command Language, 2.4 and 2.15), and `source` besides.
    static func isWordOfTheShell(_ program: String) -> Bool {
        [
            ".", ":", "break", "case", "cd", "continue", "eval", "exec", "exit", "export", "for", "if", "readonly",
            "return",
            "set", "shift", "source", "trap", "umask", "unset", "until", "while",
        ].contains(program)
    }

    /// The path of the first file of this name, be it executable or not.
    static func place(of program: String, path: String) -> String? {
        let places = program.contains("/") ? [program] : path.split(separator: ":").map { "\($0)/\(program)" }
        return places.first { FileManager.default.isExecutableFile(atPath: $0) }
            ?? places.first { FileManager.default.fileExists(atPath: $0) }
    }

    /// What is wrong with a program that the system says is not there: it says so of a script's interpreter, too.
    private func reasonNotToRun(_ program: String) -> String {
        let path = environment["PATH", default: ""]
        let name = program.contains("/") ? FilePath(workingDirectory).pushing(FilePath(program)).string : program
        guard let place = ChildCommand.place(of: name, path: path) else {
            if ChildCommand.isWordOfTheShell(program) {
                return "'\(program)' is a word of the shell, which does not read this line; write sh -c '\(program) …'"
            }
            return program.contains("/")
                ? "'\(program)' does not exist" : "no program '\(program)' in its PATH (\(path))"
        }
        if ChildCommand.isFolder(place) { return "'\(place)' is a folder" }
        guard FileManager.default.isExecutableFile(atPath: place) else {
            return "'\(place)' may not be executed; chmod +x makes it a program"
        }
        let beginning = (try? FileHandle(forReadingFrom: URL(filePath: place)).read(upToCount: 256)) ?? Data()
        let line = beginning.prefix { $0 != UInt8(ascii: "\n") }
        guard line.starts(with: "#!".utf8),
            let interpreter = line.dropFirst(2).split(separator: UInt8(ascii: " ")).first
        else { return "'\(place)' cannot be executed" }
        let named = String(decoding: interpreter, as: UTF8.self)
        if named.hasSuffix("\r") {
            return "'\(place)' ends its lines as Windows does, which its interpreter does not take"
        }
        return "'\(place)' is for '\(named)', which does not exist"
    }
}

private struct NotStartable: Error {
    let reason: String
}

extension ChildOutcome.Ending {
    fileprivate init(_ status: TerminationStatus) {
        switch status {
        case .exited(let code): self = .exited(code)
        case .signaled(let signal): self = .signalled(signal)
        }
    }
}

extension PlatformOptions {
    /// The leader of a session leads a group, too, and has no terminal: a program that asks its user for something
    /// fails at once instead of stopping the one who runs the tests.
    static var leadingItsOwnSession: Self {
        var options = PlatformOptions()
        options.createSession = true
        return options
    }
}

extension Execution {
    /// Waits until the process has ended, which leaves it to be reaped.
    ///
    /// The library has no call for this, but its teardown returns as soon as the process ends; signal 0 harms nobody.
    fileprivate func untilItEnds() async {
        let forever = Duration.seconds(365 * 24 * 3600)
        await teardown(using: [.send(signal: Signal(rawValue: 0), allowedDurationToNextStep: forever)])
    }
}
