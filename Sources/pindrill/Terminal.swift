import Foundation

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

    /// Writes at once, whether or not standard output is a terminal.
    static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    static func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

    /// Shows a line that the next one replaces; nothing where nobody watches.
    static func showProgress(_ text: String) {
        guard isErrorTerminal, isOutputTerminal else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[2K\(text)".utf8))
    }

    /// Ends the progress line.
    static func clearProgress() { showProgress("") }
}
