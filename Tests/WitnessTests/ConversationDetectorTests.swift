import Testing
import Witness

/// What records of TLS tell without keys.
struct ConversationDetectorTests {
    private typealias Piece = (side: ConversationDetector.Side, type: UInt8, length: Int)

    private static let newHandshake: [Piece] = [
        (.client, 22, 200), (.server, 22, 90), (.server, 20, 1), (.server, 23, 900), (.client, 20, 1),
        (.client, 23, 69),
        (.server, 23, 250),
    ]
    private static let oldHandshake: [Piece] = [
        (.client, 22, 200), (.server, 22, 900), (.client, 22, 37), (.client, 20, 1), (.client, 22, 40),
        (.server, 20, 1),
        (.server, 22, 40),
    ]

    private func hasConversed(_ pieces: [Piece], piecewise: Bool = false) -> Bool {
        var detector = ConversationDetector()
        for (side, type, length) in pieces {
            let bytes = [type, 3, 3, UInt8(length >> 8), UInt8(length & 255)] + [UInt8](repeating: 23, count: length)
            if piecewise {
                for byte in bytes { detector.receive([byte], from: side) }
            } else {
                detector.receive(bytes, from: side)
            }
        }
        return detector.hasConversed
    }

    @Test(arguments: [false, true])
    func `B: a request and an answer are a conversation, in every version`(piecewise: Bool) {
        for handshake in [Self.newHandshake, Self.oldHandshake] {
            #expect(hasConversed(handshake + [(.client, 23, 100), (.server, 23, 300)], piecewise: piecewise))
        }
    }

    @Test func `B: a handshake is none, nor is an alert behind it, nor a request that nobody answers`() {
        for handshake in [Self.newHandshake, Self.oldHandshake] {
            #expect(!hasConversed(handshake))
            #expect(!hasConversed(handshake + [(.client, 23, 19), (.server, 23, 300)]))
            #expect(!hasConversed(handshake + [(.client, 21, 26), (.server, 23, 300)]))
            #expect(!hasConversed(handshake + [(.client, 23, 100), (.server, 23, 19)]))
        }
    }
}
