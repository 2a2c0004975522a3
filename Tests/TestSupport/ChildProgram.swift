import CSpawn
package import Foundation
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A program that a test has started.
///
/// Foundation's `Process` is not used: it reads behind the end of `/proc/self/fd`'s entries where a process has some 1,350
/// files open, and ends it so (swift-corelibs-foundation, issue 5472, mended in no release up to 6.3).
package final class ChildProgram: Sendable {
    /// Where one of its standard streams leads. Our copy of its end is closed once it was started.
    package enum Stream {
        case nothing
        case file(FileHandle)
        case pipe(Pipe)
    }

    package struct NotStarted: Error, CustomStringConvertible {
        package let description: String
    }

    /// Its process number.
    package let number: Int32
    private let ending = Ending()

    /// - Parameters:
    ///   - environment: all of it.
    ///   - folder: where it works; `nil`: where the tests do.
    ///   - whenEnded: is told its status, see `status`, on a thread of its own.
    package init(
        _ program: URL,
        _ arguments: [String],
        environment: [String: String],
        in folder: URL? = nil,
        input: Stream = .nothing,
        output: Stream = .nothing,
        errors: Stream = .nothing,
        whenEnded: @escaping @Sendable (Int32) -> Void = { _ in }
    ) throws {
        let null = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        defer {
            for handle in [input.handle(.reading), output.handle(.writing), errors.handle(.writing), null] {
                try? handle?.close()
            }
        }
        let descriptor = { (handle: FileHandle?) in (handle ?? null).fileDescriptor }
        number = ChildProgram.withCStrings([program.path] + arguments) { arguments in
            ChildProgram.withCStrings(environment.map { "\($0)=\($1)" }) { environment in
                cspawn_start(
                    program.path,
                    arguments,
                    environment,
                    folder?.path,
                    descriptor(input.handle(.reading)),
                    descriptor(output.handle(.writing)),
                    descriptor(errors.handle(.writing))
                )
            }
        }
        guard number > 0 else {
            throw NotStarted(description: "\(program.path): \(String(cString: strerror(-number)))")
        }
        Thread.detachNewThread { [number, ending] in whenEnded(ending.await(number)) }
    }

    /// What it ended with: its exit status, or the negated number of the signal that ended it; `nil`: it runs.
    package var status: Int32? { ending.status }

    package var isRunning: Bool { status == nil }

    /// Waits, and holds the thread.
    @discardableResult package func waitUntilExit() -> Int32 { ending.wait() }

    /// Sends it a signal, unless it has ended.
    package func signal(_ signal: Int32) {
        ending.whileRunning { kill(number, signal) }
    }

    private static func withCStrings<Result>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}

extension ChildProgram.Stream {
    fileprivate enum Direction { case reading, writing }

    /// The program's end of it.
    fileprivate func handle(_ direction: Direction) -> FileHandle? {
        switch self {
        case .nothing: nil
        case .file(let file): file
        case .pipe(let pipe): direction == .reading ? pipe.fileHandleForReading : pipe.fileHandleForWriting
        }
    }
}

/// How a process ended, once it has.
private final class Ending: Sendable {
    private let known = NSCondition()
    private let value = Mutex<Int32?>(nil)

    var status: Int32? { value.withLock { $0 } }

    /// Its number is ours for as long as it is not reaped, so nobody else's process gets the signal.
    func whileRunning(_ body: () -> Void) {
        value.withLock { if $0 == nil { body() } }
    }

    func await(_ number: pid_t) -> Int32 {
        var information = siginfo_t()
        while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let status = value.withLock { value in
            var raw: Int32 = 0
            while waitpid(number, &raw, 0) < 0, errno == EINTR {}
            let status = raw & 0x7F == 0 ? raw >> 8 & 0xFF : -(raw & 0x7F)
            value = status
            return status
        }
        known.lock()
        known.broadcast()
        known.unlock()
        return status
    }

    func wait() -> Int32 {
        known.lock()
        defer { known.unlock() }
        while true {
            if let status { return status }
            known.wait()
        }
    }
}
