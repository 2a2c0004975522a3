package import NIOCore
package import Witness

/// The server's side of the talk in the clear up to TLS: bytes go in, answers come out. Nothing but TLS is offered.
package struct StartTLSTalk {
    package enum Step: Hashable, Sendable {
        case answer([UInt8])
        /// Once that is answered, TLS begins.
        case begin([UInt8])
        /// The client goes on in the clear with what belongs into TLS.
        case downgrade([UInt8])
        /// The client leaves.
        case end([UInt8])
    }

    /// Why it ends: what came is no command.
    package struct Malformed: Error, Hashable, Sendable {
        package let reason: String
    }

    private let dialect: StartTLSDialect

    package init(_ dialect: StartTLSDialect) { self.dialect = dialect }

    /// What the server says first.
    package var greeting: [UInt8] {
        switch dialect {
        case .smtp: Self.line("220 pindrill.invalid ESMTP")
        case .imap: Self.line("* OK [CAPABILITY \(Self.capabilities)] pindrill.invalid")
        case .pop3: Self.line("+OK pindrill.invalid")
        case .postgres: []
        }
    }

    private static let capabilities = "IMAP4rev1 STARTTLS"
    /// Longer lines are malformed (RFC 5321 section 4.5.3.1.4 allows 512 bytes).
    private static let longestLine = 4096

    /// Reads one command, once all of it is there.
    package mutating func next(_ bytes: inout ByteBuffer) throws(Malformed) -> Step? {
        if dialect == .postgres { return try message(&bytes) }
        let view = bytes.readableBytesView
        guard let end = view.firstIndex(of: UInt8(ascii: "\n")) else {
            guard view.count <= Self.longestLine else { throw Malformed(reason: "a line of \(view.count) bytes") }
            return nil
        }
        let line = String(decoding: view[..<end], as: UTF8.self)
        bytes.moveReaderIndex(to: end + 1)
        let words = line.split(whereSeparator: \.isWhitespace).map { $0.uppercased() }
        switch dialect {
        case .smtp: return Self.smtp(words.first ?? "")
        case .imap:
            let tag = line.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? "*"
            return Self.imap(tag, words.dropFirst().first ?? "")
        default: return Self.pop3(words.first ?? "")
        }
    }

    private static func line(_ text: String...) -> [UInt8] { Array(text.map { $0 + "\r\n" }.joined().utf8) }

    private static func smtp(_ word: String) -> Step {
        switch word {
        case "EHLO": .answer(line("250-pindrill.invalid", "250 STARTTLS"))
        case "HELO", "NOOP", "RSET": .answer(line("250 pindrill.invalid"))
        case "STARTTLS": .begin(line("220 go ahead"))
        case "QUIT": .end(line("221 bye"))
        // RFC 3207 section 4.
        case "MAIL", "AUTH", "RCPT", "DATA": .downgrade(line("530 5.7.0 Must issue a STARTTLS command first"))
        default: .answer(line("502 5.5.1 not before STARTTLS"))
        }
    }

    private static func imap(_ tag: String, _ word: String) -> Step {
        switch word {
        case "CAPABILITY": .answer(line("* CAPABILITY \(capabilities)", "\(tag) OK done"))
        case "NOOP", "ID": .answer(line("\(tag) OK done"))
        case "STARTTLS": .begin(line("\(tag) OK go ahead"))
        case "LOGOUT": .end(line("* BYE bye", "\(tag) OK done"))
        case "LOGIN", "AUTHENTICATE": .downgrade(line("\(tag) NO [PRIVACYREQUIRED] not before STARTTLS"))
        default: .answer(line("\(tag) BAD not before STARTTLS"))
        }
    }

    private static func pop3(_ word: String) -> Step {
        switch word {
        case "CAPA": .answer(line("+OK", "STLS", "."))
        case "STLS": .begin(line("+OK go ahead"))
        case "QUIT": .end(line("+OK bye"))
        case "USER", "PASS", "APOP", "AUTH": .downgrade(line("-ERR not before STLS"))
        default: .answer(line("-ERR not before STLS"))
        }
    }

    /// The first message of PostgreSQL's protocol, which has no type: its length and a number.
    private func message(_ bytes: inout ByteBuffer) throws(Malformed) -> Step? {
        guard let length: UInt32 = bytes.getInteger(at: bytes.readerIndex) else { return nil }
        guard 8...10_000 ~= length else { throw Malformed(reason: "a message of \(length) bytes") }
        guard var message = bytes.readSlice(length: Int(length)) else { return nil }
        message.moveReaderIndex(forwardBy: 4)
        switch message.readInteger(as: UInt32.self) {
        // SSLRequest, GSSENCRequest, CancelRequest, and a StartupMessage of version 3.
        case 80_877_103: return .begin([UInt8(ascii: "S")])
        case 80_877_104: return .answer([UInt8(ascii: "N")])
        case 80_877_102: return .end([])
        case let version? where version >> 16 == 3: return .downgrade(PostgresMessage.fatal)
        default: throw Malformed(reason: "neither SSLRequest nor a StartupMessage")
        }
    }
}

/// Messages of PostgreSQL's protocol 3: a type, a length that counts itself, and the rest.
enum PostgresMessage {
    static func bytes(_ type: Character, _ rest: [UInt8]) -> [UInt8] {
        let length = UInt32(rest.count + 4)
        return Array(String(type).utf8) + withUnsafeBytes(of: length.bigEndian) { Array($0) } + rest
    }

    static let fatal = bytes("E", Array("SFATAL\0C28000\0MPinDrill takes no connection without TLS\0\0".utf8))
}
