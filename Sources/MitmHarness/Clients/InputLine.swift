import Synchronization

#if canImport(Darwin)
import Darwin
import System
#elseif canImport(Musl)
import Musl
import SystemPackage
#else
import Glibc
import SystemPackage
#endif

/// Our end of a pipe that is a child's standard input.
///
/// Writing to a pipe that nobody can read raises `SIGPIPE`, which ends us. Therefore we keep a reading end open, too,
/// from which we never read: a write to a child that has gone is simply lost, and its end is learned otherwise.
final class InputLine: Sendable {
    private let ends: Mutex<(reading: FileDescriptor, writing: FileDescriptor)?>

    private init(reading: FileDescriptor, writing: FileDescriptor) {
        ends = Mutex((reading, writing))
    }

    /// Opens a pipe; the caller closes the child's end.
    static func open() throws -> (InputLine, childEnd: FileDescriptor) {
        let (reading, writing) = try FileDescriptor.pipe()
        let line = InputLine(reading: reading, writing: writing)
        for end in [reading, writing] {
            guard fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) == 0 else { throw Errno(rawValue: errno) }
        }
        // A child that reads nothing must not stop us when the pipe is full.
        guard fcntl(writing.rawValue, F_SETFL, O_NONBLOCK) == 0 else { throw Errno(rawValue: errno) }
        return (line, try reading.duplicate())
    }

    deinit {
        close()
    }

    /// Sends a line, which is lost if the child has closed its end or does not read.
    func write(_ line: String) {
        ends.withLock { ends in
            // The child's silence is what tells of a failure, and there is a timeout for that.
            _ = try? ends?.writing.writeAll(Array("\(line)\n".utf8))
        }
    }

    /// Lets the child read its input's end.
    func close() {
        ends.withLock { open in
            try? open?.writing.close()
            try? open?.reading.close()
            open = nil
        }
    }
}
