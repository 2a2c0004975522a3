import ArgumentParser
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Where the program's words go: results to standard output, everything about the run itself to standard error.
enum Terminal {
    static let isOutputTerminal = isatty(STDOUT_FILENO) == 1
    static let isErrorTerminal = isatty(STDERR_FILENO) == 1

    /// How many characters a line of the terminal has; `nil` where there is none, or it does not tell.
    static var width: Int? {
        var size = winsize()
        guard isOutputTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 40 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Why standard output takes no more: an `errno`.
    private static let failure = Mutex<Int32?>(nil)

    /// Writes at once, whether or not standard output is a terminal.
    ///
    /// Once that has failed nothing more is written, and the work goes on: it has clients to end and reports to write.
    static func write(_ text: String) {
        if !isQuiet { write(Harmless.text(text, isStyled: true)) }
    }

    /// The same of a document that programs read.
    static func write(json: String) { write(Harmless.json(json)) }

    private static func write(_ text: Harmless) {
        failure.withLock { failure in
            if failure == nil { failure = put(text.string, to: STDOUT_FILENO) }
        }
    }

    /// Something to know about what is done, which is no error.
    static func remark(_ text: String) {
        if !isQuiet { complain(text) }
    }

    /// From here on only errors, and what programs read, are written.
    static func beQuiet() { quiet.withLock { $0 = true } }

    private static let quiet = Mutex(false)
    private static var isQuiet: Bool { quiet.withLock { $0 } }

    static func complain(_ text: String) { _ = put(Harmless.text(text).string + "\n", to: STDERR_FILENO) }

    /// Shows a line that the next one replaces; nothing where nobody watches.
    static func showProgress(_ text: String) {
        guard isErrorTerminal, isOutputTerminal, !isQuiet else { return }
        _ = put("\r\u{1B}[2K\(text)", to: STDERR_FILENO)
    }

    /// Ends the progress line.
    static func clearProgress() { showProgress("") }

    /// Begins a new screen; nothing where there is none (ECMA-48 sections 8.3.21 and 8.3.39).
    static func clearScreen() {
        if isOutputTerminal { _ = put("\u{1B}[H\u{1B}[2J", to: STDOUT_FILENO) }
    }

    /// The end of a command that did what it should: did its words arrive?
    ///
    /// A reader that wanted only the first lines, such as `head`, is no failure.
    static func finish() throws(ExitCode) {
        guard let number = failure.withLock({ $0 }), number != EPIPE else { return }
        complain("standard output: \(String(cString: strerror(number)))")
        throw writingFailed
    }

    /// Standard output, for a document alone: all words for people go to standard error from here on.
    static func giveOutputAway() -> Int32 {
        let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        if output >= 0 { _ = dup2(STDERR_FILENO, STDOUT_FILENO) }
        return output
    }

    /// `EX_IOERR` of sysexits.h.
    static let writingFailed = ExitCode(74)

    /// Occupies the standard streams that are closed: or else a socket would get such a number, and our words.
    static func occupyStandardStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is taken, which is this one.
            _ = open("/dev/null", O_RDWR)
        }
    }
}

/// Writes all of a text; says which `errno` prevented it.
private func put(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
        var rest = UnsafeRawBufferPointer(bytes)
        while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, rest.count)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // Somebody who shares the terminal made it non-blocking.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wait, 1, -1)
            default: return errno
            }
        }
        return nil
    }
}
