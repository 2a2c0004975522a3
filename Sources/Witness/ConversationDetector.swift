/// Tells from the records of TLS, without keys, whether more than a handshake went both ways.
///
/// In TLS 1.3 a client's `Finished` looks like data, and an alert is one of at most 19 bytes (RFC 8446 section 5.2); a
/// server's data counts once the client has sent some. It proves little alone: that the client worked is for it to say.
package struct ConversationDetector: Sendable {
    package enum Side: Sendable {
        case client
        case server
    }

    /// The records of one side, of which only the headers are kept.
    private struct Records: Sendable {
        var head: [UInt8] = []
        var left = 0

        mutating func next(_ byte: UInt8) -> (type: UInt8, length: Int)? {
            guard left == 0 else {
                left -= 1
                return nil
            }
            head.append(byte)
            guard head.count == 5 else { return nil }
            defer { head = [] }
            left = Int(head[3]) << 8 | Int(head[4])
            return (head[0], left)
        }
    }

    private var client = Records()
    private var server = Records()
    private var hasChangedCipher = false
    /// Whether the client's `Finished` has been seen, whatever it looks like.
    private var isFinished = false
    private var hasAsked = false
    package private(set) var hasConversed = false

    package init() {}

    package mutating func receive(_ bytes: some Sequence<UInt8>, from side: Side) {
        guard !hasConversed else { return }
        for byte in bytes {
            guard let (type, length) = side == .client ? client.next(byte) : server.next(byte) else { continue }
            let isData = type == 23 && length > 19
            switch side {
            case .server: if isData, hasAsked { hasConversed = true }
            case .client:
                if type == 20 { hasChangedCipher = true }
                if type == 22, hasChangedCipher { isFinished = true }
                if isData, isFinished { hasAsked = true }
                if type == 23 { isFinished = true }
            }
        }
    }
}
