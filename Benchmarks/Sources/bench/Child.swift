import Foundation
import Synchronization

/// A child process, started with as little around it as possible: its time is compared with what a runner adds to it.
final class Child {
    enum Output {
        /// Read with `readLine()`.
        case captured
        case discarded
    }

    let id: pid_t
    /// The child's input, which ends when this is closed.
    private let input: FileHandle
    private let output: FileHandle?
    private var hasEnded = false

    /// Starts `words[0]`, an absolute path or a name on the PATH, pinned to one core or to none.
    init(_ words: [String], core: Int? = nil, output: Output = .discarded, environment: [String: String]? = nil) throws
    {
        let words = (core.map { ["taskset", "-c", "\($0)"] } ?? []) + words
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let inward = Pipe()
        let outward = Pipe()
        posix_spawn_file_actions_adddup2(&actions, inward.fileHandleForReading.fileDescriptor, 0)
        switch output {
        case .captured: posix_spawn_file_actions_adddup2(&actions, outward.fileHandleForWriting.fileDescriptor, 1)
        case .discarded: posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // A child that held another's pipe would keep it from ever ending.
        for pipe in [inward, outward] {
            for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
                _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
        }
        var attributes = Child.unblockedSignals
        defer { posix_spawnattr_destroy(&attributes) }

        let variables = (environment ?? ProcessInfo.processInfo.environment).map { "\($0.key)=\($0.value)" }
        var child: pid_t = 0
        let status = withCStrings(words) { arguments in
            withCStrings(variables) { posix_spawnp(&child, words[0], &actions, &attributes, arguments, $0) }
        }
        guard status == 0 else { throw Failure("cannot start \(words[0]): \(String(cString: strerror(status)))") }
        id = child
        Child.running.withLock { _ = $0.insert(child) }
        input = inward.fileHandleForWriting
        self.output = output == .captured ? outward.fileHandleForReading : nil
        try? outward.fileHandleForWriting.close()
    }

    deinit { stop() }

    /// The next line of the captured output, without its end; `nil` at the end of the output.
    func readLine() throws -> String? {
        var line: [UInt8] = []
        while let byte = try output?.read(upToCount: 1)?.first {
            guard byte != UInt8(ascii: "\n") else { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    func closeInput() { try? input.close() }

    /// Waits for its end and returns the exit status; `nil` when a signal ended it.
    @discardableResult
    func wait() -> Int32? {
        guard !hasEnded else { return nil }
        hasEnded = true
        var status: Int32 = 0
        while waitpid(id, &status, 0) == -1, errno == EINTR {}
        Child.running.withLock { _ = $0.remove(id) }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    func stop() {
        guard !hasEnded else { return }
        kill(id, SIGTERM)
        // Later: the end of its input would begin another end, and callgrind would count some of it.
        closeInput()
        wait()
    }

    // MARK: Signals

    private static let running = Mutex<Set<pid_t>>([])

    /// From now on, whoever ends this program ends its children too.
    static func endWithParent() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                for child in running.withLock({ $0 }) { kill(child, SIGTERM) }
                exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    /// Threads of a pool block signals and a child inherits that: it could not even be asked to end.
    private static var unblockedSignals: posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }
}

/// What went wrong, for whoever runs the benchmark.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

private func withCStrings<Result>(
    _ texts: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = texts.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
}
