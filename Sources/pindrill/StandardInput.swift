import Foundation
import MitmHarness
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What whoever attends an app says on standard input: one key on a terminal, one line elsewhere.
final class StandardInput: Sendable {
    enum Answer: Sendable {
        /// With what the app shows, where its tester says that.
        case word(AttendedWord, code: String? = nil)
        case note(String)
        case unknown(String)
    }

    private let bytes: AsyncStream<(byte: UInt8, arrival: ContinuousClock.Instant)>
    private let isTerminal = isatty(STDIN_FILENO) == 1
    /// When the question was asked that keys answer from now on.
    private let asked = Mutex<ContinuousClock.Instant?>(nil)
    /// The terminal's settings while they are ours.
    private let usual = Mutex<termios?>(nil)

    init() {
        let (bytes, continuation) = AsyncStream<(byte: UInt8, arrival: ContinuousClock.Instant)>.makeStream()
        self.bytes = bytes
        // A thread of its own: Dispatch says nothing of the end of /dev/null, nor always of a pipe's.
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, [EINTR, EAGAIN].contains(errno) {
                    var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                    _ = poll(&wait, 1, -1)
                    continue
                }
                let now = ContinuousClock.now
                for byte in buffer.prefix(max(0, count)) { continuation.yield((byte, now)) }
                if count <= 0 { return continuation.finish() }
            }
        }
    }

    /// The letters stand for keys on a terminal.
    private static let letters: [(Character, AttendedWord, String)] = [
        ("w", .worked, "worked"), ("r", .refused, "rejected"), ("p", .refusedPin, "rejected, and named its pin"),
        ("f", .failed, "failed otherwise"), ("a", .again, "again"), ("b", .back, "back"), ("s", .skip, "skip"),
    ]

    static let words = AttendedWord.allCases.map(\.rawValue).joined(separator: ", ") + ", note and a text"
    static let keys = letters.map { "\($0): \($2)" }.joined(separator: "  ") + "  n: note"

    /// An answer that somebody waits for, or did.
    private struct Reading {
        var isOn = false
        var answer: Answer??
    }

    private let reading = Mutex(Reading())

    /// Has keys that were pressed before this moment answer nothing: a key pressed twice is no word for what comes next. Lines
    /// that a program writes ahead stay.
    func askAnew() {
        guard isTerminal else { return }
        asked.withLock { $0 = .now }
        // Without the thread's read they are in the kernel (termios(3)).
        tcflush(STDIN_FILENO, TCIFLUSH)
    }

    /// The next answer; `nil` where no more will come.
    func next() async -> Answer? {
        guard reading.withLock(\.isOn) else { return await take() }
        return await next { false } ?? nil
    }

    /// The same, and nothing once it is over; an answer that comes too late is the next one's.
    func next(unless isOver: () -> Bool) async -> Answer?? {
        let isFirst = reading.withLock { reading in
            defer { reading.isOn = true }
            return !reading.isOn
        }
        if isFirst {
            Task {
                let answer = await take()
                reading.withLock { $0.answer = .some(answer) }
            }
        }
        while !Task.isCancelled {
            let answer = reading.withLock { reading in
                defer { if reading.answer != nil { reading = Reading() } }
                return reading.answer
            }
            if let answer { return answer }
            if isOver() { return nil }
            try? await Task.sleep(for: .milliseconds(50))
        }
        return .some(nil)
    }

    private func take() async -> Answer? {
        guard isTerminal else { return await line().map(Self.answer) }
        let settings = Self.withoutLines()
        usual.withLock { $0 = settings }
        defer { close() }
        for await (byte, arrival) in bytes where asked.withLock({ $0.map { arrival > $0 } ?? true }) {
            let key = Character(Unicode.Scalar(byte)).lowercased()
            if let found = Self.letters.first(where: { String($0.0) == key }) {
                Terminal.write("  \(found.2)\n")
                return .word(found.1)
            }
            switch key {
            case "n":
                Self.restore(settings)
                Terminal.write("  note: ")
                return await line().map { .note($0) }
            // The end of the input, as a terminal gives it without lines.
            case "\u{4}": return nil
            case "\n", "\r", " ": continue
            default: return .unknown(key)
            }
        }
        return nil
    }

    /// Gives a terminal back as it was, also while somebody waits for a key.
    func close() {
        usual.withLock { settings in
            if let settings { Self.restore(settings) }
            settings = nil
        }
    }

    /// What is typed after a question on a terminal; `nil` elsewhere.
    func answer(to question: String) async -> String? {
        guard isTerminal else { return nil }
        Terminal.write(question)
        return await line()?.trimmingCharacters(in: .whitespaces)
    }

    /// Waits for any key of a terminal; `false` where none will come.
    func key() async -> Bool {
        guard isTerminal else { return false }
        let settings = Self.withoutLines()
        usual.withLock { $0 = settings }
        defer { close() }
        for await (byte, _) in bytes { return byte != 4 }
        return false
    }

    /// - Returns: without the line break; `nil` at the end.
    private func line() async -> String? {
        var line: [UInt8] = []
        for await (byte, _) in bytes {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            if line.count < 4096 { line.append(byte) }
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    private static func answer(_ line: String) -> Answer {
        let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
        let first = words.first?.lowercased() ?? ""
        if ["n", "note"].contains(first), words.count == 2 { return .note(words[1]) }
        let word = AttendedWord(rawValue: first) ?? letters.first { String($0.0) == first }?.1
        guard let word, words.count == 1 || word == .worked else { return .unknown(line) }
        return .word(word, code: words.count == 2 ? words[1].trimmingCharacters(in: .whitespaces) : nil)
    }

    /// From here on a terminal gives each key at once and shows none (termios(3)). Interrupts stay what they are.
    private static func withoutLines() -> termios {
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        var raw = settings
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        return settings
    }

    private static func restore(_ settings: termios) {
        var settings = settings
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
}
