import Foundation

/// One line on a terminal's error stream that says how far we are.
enum Progress {
    static func show(_ text: String) { write("\r\u{1B}[K\(text)") }

    static func clear() { write("\r\u{1B}[K") }

    private static func write(_ text: String) {
        guard isatty(2) == 1 else { return }
        FileHandle.standardError.write(Data(text.utf8))
    }
}
