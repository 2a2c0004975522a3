import NIOCore
package import Witness

/// The talk in clear that some protocols begin with, up to the point where TLS may start.
///
/// A state machine: what the server says goes in, what to do comes out. It owns no socket.
package struct StartTLS: Sendable {
    package typealias Dialect = StartTLSDialect

    enum Action: Equatable {
        case send(ByteBuffer)
        /// Everything that follows is TLS.
        case begin
        /// The server does not do it; in its own words, where it had any.
        case refuse(String)
    }

    private enum State {
        case greeting
        case capabilities
        case answer
        case done
    }

    private let dialect: Dialect
    private var state: State
    private var unread = ByteBuffer()
    private var offers = false

    init(_ dialect: Dialect) {
        self.dialect = dialect
        state = dialect == .postgres ? .answer : .greeting
    }

    /// What the client says first, if it is the client who begins.
    func start() -> [Action] {
        guard dialect == .postgres else { return [] }
        // The length of the message, and the number that stands for "SSL": 1234 and 5679.
        return [.send(ByteBuffer(bytes: [0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F]))]
    }

    /// Takes what the server sent.
    mutating func receive(_ bytes: ByteBuffer) -> [Action] {
        unread.writeImmutableBuffer(bytes)
        if dialect == .postgres {
            guard let byte: UInt8 = unread.readInteger() else { return [] }
            return byte == UInt8(ascii: "S")
                ? [.begin] : [.refuse(byte == UInt8(ascii: "N") ? "" : PlainText.shown([byte]))]
        }
        var actions: [Action] = []
        while !isDone, let line = nextLine() { actions += take(line) }
        // No server greets with so much.
        if !isDone, unread.readableBytes > 1 << 16 {
            actions.append(end(.refuse(PlainText.shown(unread.readableBytesView))))
        }
        return actions
    }

    private var isDone: Bool { if case .done = state { true } else { false } }

    private mutating func nextLine() -> String? {
        guard let end = unread.readableBytesView.firstIndex(of: UInt8(ascii: "\n")),
            let line = unread.readString(length: end - unread.readerIndex + 1)
        else { return nil }
        return String(line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    private mutating func take(_ line: String) -> [Action] {
        switch dialect {
        case .smtp: takeSMTP(line)
        case .imap: takeIMAP(line)
        case .pop3: takePOP3(line)
        case .postgres: []
        }
    }

    /// A reply is one or more lines that begin with its number; all but the last have a hyphen behind it.
    private mutating func takeSMTP(_ line: String) -> [Action] {
        let isLast = !line.dropFirst(3).hasPrefix("-")
        switch state {
        case .greeting:
            guard line.hasPrefix("220") else { return [end(.refuse(PlainText.shown(line.utf8)))] }
            guard isLast else { return [] }
            state = .capabilities
            return [.send(ByteBuffer(string: "EHLO pindrill.invalid\r\n"))]
        case .capabilities:
            guard line.hasPrefix("250") else { return [end(.refuse(PlainText.shown(line.utf8)))] }
            if line.dropFirst(4).uppercased() == "STARTTLS" { offers = true }
            guard isLast else { return [] }
            guard offers else { return [end(.refuse("it does not offer STARTTLS"))] }
            state = .answer
            return [.send(ByteBuffer(string: "STARTTLS\r\n"))]
        case .answer:
            guard isLast else { return [] }
            return [end(line.hasPrefix("220") ? .begin : .refuse(PlainText.shown(line.utf8)))]
        case .done: return []
        }
    }

    private mutating func takeIMAP(_ line: String) -> [Action] {
        switch state {
        case .greeting:
            guard line.hasPrefix("* OK") else { return [end(.refuse(PlainText.shown(line.utf8)))] }
            state = .answer
            return [.send(ByteBuffer(string: "p1 STARTTLS\r\n"))]
        case .answer:
            // Untagged lines may stand before the answer.
            guard line.hasPrefix("p1 ") else { return [] }
            return [end(line.dropFirst(3).uppercased().hasPrefix("OK") ? .begin : .refuse(PlainText.shown(line.utf8)))]
        case .capabilities, .done: return []
        }
    }

    private mutating func takePOP3(_ line: String) -> [Action] {
        guard line.hasPrefix("+OK") else { return [end(.refuse(PlainText.shown(line.utf8)))] }
        if case .answer = state { return [end(.begin)] }
        state = .answer
        return [.send(ByteBuffer(string: "STLS\r\n"))]
    }

    private mutating func end(_ action: Action) -> Action {
        state = .done
        return action
    }
}

/// What a stranger sent, for a message: one line, short, and nothing that a terminal would obey.
enum PlainText {
    static func shown(_ bytes: some Collection<UInt8>) -> String {
        let line = bytes.prefix(60).prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        return "'" + String(decoding: line.map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self) + "'"
    }
}
