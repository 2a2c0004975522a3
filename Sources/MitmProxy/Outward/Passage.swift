import NIOCore
import TLSCore
import Witness

/// What can be told of a connection whose bytes go through: whom the client asks for, and whether the two talk.
final class Passage {
    private let connection: Connection
    private var engine: TLSEngine?
    private var conversation = ConversationDetector()
    private var isNoted = false

    init(_ connection: Connection, _ tls: TLSContext) {
        self.connection = connection
        engine = try? TLSEngine(server: tls)
    }

    func receiveFromClient(_ bytes: ByteBuffer) {
        for case .record(let event) in engine?.receive(bytes) ?? [] {
            if case .hello(let hello) = event { connection.note(.hello(hello)) }
            engine = nil
        }
        connection.passThrough(bytes)
        conversation.receive(bytes.readableBytesView, from: .client)
    }

    func receiveFromServer(_ bytes: ByteBuffer) {
        guard !isNoted else { return }
        conversation.receive(bytes.readableBytesView, from: .server)
        guard conversation.hasConversed else { return }
        isNoted = true
        connection.note(.conversed)
    }
}
