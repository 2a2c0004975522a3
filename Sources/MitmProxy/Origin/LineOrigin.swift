package import NIOCore
package import Witness

/// What answers inside TLS where the protocol is not HTTP: enough for a client to log in, to do next to nothing, and to
/// leave.
package struct LineOrigin {
    private let dialect: StartTLSDialect
    private var unread = ByteBuffer()
    /// Of SMTP, the lines of a mail; of PostgreSQL, what comes after its first message.
    private var isInside = false
    /// Whether the client has taken its leave.
    package private(set) var isOver = false

    package init(_ dialect: StartTLSDialect) { self.dialect = dialect }

    package mutating func receive(_ plaintext: ByteBuffer) -> ByteBuffer {
        unread.writeImmutableBuffer(plaintext)
        var answer = ByteBuffer()
        while !isOver, let more = dialect == .postgres ? nextMessage() : nextLine() { answer.writeBytes(more) }
        // Nothing of these protocols is so long without an end.
        if unread.readableBytes > 1 << 20 { isOver = true }
        return answer
    }

    private mutating func nextLine() -> [UInt8]? {
        guard let end = unread.readableBytesView.firstIndex(of: UInt8(ascii: "\n")),
            let text = unread.readString(length: end + 1 - unread.readerIndex)
        else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        let lines =
            switch dialect {
            case .smtp: smtp(words.first?.uppercased() ?? "")
            case .imap: imap(words.first ?? "*", words.dropFirst().first?.uppercased() ?? "")
            default: pop3(words.first?.uppercased() ?? "", words.count)
            }
        return Array(lines.map { $0 + "\r\n" }.joined().utf8)
    }

    private mutating func smtp(_ word: String) -> [String] {
        if isInside {
            guard word == "." else { return [] }
            isInside = false
            return ["250 2.0.0 accepted"]
        }
        switch word {
        case "EHLO": return ["250-pindrill.invalid", "250 AUTH PLAIN LOGIN"]
        case "AUTH": return ["235 2.7.0 accepted"]
        case "DATA":
            isInside = true
            return ["354 go ahead"]
        case "QUIT":
            isOver = true
            return ["221 2.0.0 bye"]
        default: return ["250 2.0.0 ok"]
        }
    }

    private mutating func imap(_ tag: String, _ word: String) -> [String] {
        switch word {
        case "CAPABILITY": return ["* CAPABILITY IMAP4rev1", "\(tag) OK done"]
        case "SELECT", "EXAMINE": return ["* 0 EXISTS", "* 0 RECENT", "* FLAGS ()", "\(tag) OK done"]
        case "LOGOUT":
            isOver = true
            return ["* BYE bye", "\(tag) OK done"]
        default: return ["\(tag) OK done"]
        }
    }

    private mutating func pop3(_ word: String, _ count: Int) -> [String] {
        switch word {
        case "CAPA": return ["+OK", "USER", "UIDL", "."]
        case "UIDL", "LIST": return count > 1 ? ["-ERR there is none"] : ["+OK", "."]
        case "STAT": return ["+OK 0 0"]
        case "RETR", "TOP", "DELE": return ["-ERR there is none"]
        case "QUIT":
            isOver = true
            return ["+OK bye"]
        default: return ["+OK"]
        }
    }

    private mutating func nextMessage() -> [UInt8]? {
        let head = isInside ? 5 : 4
        guard let length: UInt32 = unread.getInteger(at: unread.readerIndex + head - 4) else { return nil }
        guard 4...1_000_000 ~= length else {
            isOver = true
            return PostgresMessage.fatal
        }
        guard let message = unread.readBytes(length: Int(length) + head - 4) else { return nil }
        let isReady = PostgresMessage.bytes("Z", [UInt8(ascii: "I")])
        guard isInside else {
            isInside = true
            return PostgresMessage.bytes("R", [0, 0, 0, 0]) + isReady
        }
        switch message[0] {
        case UInt8(ascii: "X"):
            isOver = true
            return []
        case UInt8(ascii: "Q"): return PostgresMessage.bytes("I", []) + isReady
        case UInt8(ascii: "S"): return isReady
        default: return []
        }
    }
}
