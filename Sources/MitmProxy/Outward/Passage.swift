import NIOCore
import TLSCore
import Witness

/// What can be told of a connection whose bytes go through: whom the client asks for, and whether the two talk.
final class Passage {
    private let connection: Connection
    private var greeting: Greeting?
    private var conversation = ConversationDetector()
    private var isNoted = false

    init(_ connection: Connection, _ tls: TLSContext) {
        self.connection = connection
        greeting = Greeting(tls)
    }

    func receiveFromClient(_ bytes: ByteBuffer) {
        if let (hello, _) = greeting?.receive(bytes) {
            if let hello { connection.note(.hello(hello)) }
            greeting = nil
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

/// Reads a client's hello, and answers nothing.
struct Greeting {
    private let engine: TLSEngine?

    init(_ tls: TLSContext) { engine = try? TLSEngine(server: tls) }

    /// `nil` while more is needed; then the hello, if that is what it is, and the name in it.
    mutating func receive(_ bytes: ByteBuffer) -> (hello: ClientHello?, name: String?)? {
        guard let engine else { return (nil, nil) }
        for case .record(let event) in engine.receive(bytes) {
            guard case .hello(let hello) = event else { return (nil, nil) }
            return (hello, hello.serverName)
        }
        return nil
    }
}
