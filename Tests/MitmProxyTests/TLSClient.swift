import NIOCore
import TLSCore

/// A TLS client on a blocking socket, one step at a time.
final class TLSClient {
    let socket: Socket
    private let engine: TLSEngine
    private(set) var isEstablished = false
    /// Whether TLS, or the stream, has ended.
    private(set) var isOver = false
    /// What has arrived, decrypted.
    private(set) var received: [UInt8] = []
    private(set) var alerts: [Alert] = []

    /// - Parameters:
    ///   - trust: `nil` lets anybody in.
    ///   - tunnel: the `host:port` to ask a tunnel for.
    init(
        _ port: Int,
        host: String = Fixture.host,
        trust: TrustStore? = nil,
        settings: TLSSettings = TLSSettings(),
        family: Socket.Family = .v4,
        tunnel: String? = nil
    ) throws {
        socket = try Socket(port: port, family: family)
        engine = try TLSEngine(client: try TLSContext(client: settings, trust: trust), host: host, at: Fixture.now)
        guard let tunnel else { return }
        socket.write("CONNECT \(tunnel) HTTP/1.1\r\nHost: \(tunnel)\r\n\r\n")
        var answer: [UInt8] = []
        while !answer.ends(with: "\r\n\r\n".utf8), case let more = socket.read(), !more.isEmpty { answer += more }
    }

    /// The bytes of its ClientHello.
    func hello() -> [UInt8] { bytes(of: engine.start()) }

    /// Shakes hands until that has succeeded or failed.
    @discardableResult
    func shakeHands() -> Bool {
        socket.write(hello())
        while !isEstablished, !isOver { step() }
        return isEstablished
    }

    /// Shakes hands, and sends the text in the same packet as the last of its own messages.
    func shakeHands(thenSend text: String) {
        socket.write(hello())
        var last: [UInt8] = []
        while !isEstablished, !isOver {
            socket.write(last)
            last = []
            let bytes = socket.read()
            guard !bytes.isEmpty else { return isOver = true }
            for action in engine.receive(ByteBuffer(bytes: bytes)) {
                if case .send(let bytes) = action { last += bytes.readableBytesView } else { perform([action]) }
            }
        }
        socket.write(last + seal(text))
    }

    @discardableResult
    func send(_ text: String) -> Bool { perform(engine.send(ByteBuffer(string: text))) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool { perform(engine.send(ByteBuffer(bytes: bytes))) }

    /// Reads until what has arrived is enough, or the connection ends.
    func readBytes(until isEnough: ([UInt8]) -> Bool) {
        while !isEnough(received), !isOver { step() }
    }

    /// Encrypts without sending.
    func seal(_ text: String) -> [UInt8] { bytes(of: engine.send(ByteBuffer(string: text))) }

    /// Its `close_notify`, which is not sent.
    func sealGoodbye() -> [UInt8] { bytes(of: engine.close()) }

    /// Sends a request and reads until the answer's end, as `isWhole` knows it.
    func ask(_ request: String = Fixture.request, until end: String = Fixture.bodyEnd) -> String {
        send(request)
        while !received.ends(with: end.utf8), !isOver { step() }
        defer { received = [] }
        return String(decoding: received, as: UTF8.self)
    }

    /// Reads until the proxy has closed.
    func readToEnd() -> [UInt8] {
        while !isOver { step() }
        return received
    }

    /// `close_notify`, and goes on reading.
    func finish() { perform(engine.finish()) }

    /// `close_notify`, then the end of the stream.
    func close() {
        socket.write(sealGoodbye())
        socket.close()
    }

    private func step() {
        let bytes = socket.read()
        guard !bytes.isEmpty else { return isOver = true }
        perform(engine.receive(ByteBuffer(bytes: bytes)))
    }

    private func bytes(of actions: [TLSAction]) -> [UInt8] {
        actions.flatMap { if case .send(let bytes) = $0 { Array(bytes.readableBytesView) } else { [UInt8]() } }
    }

    @discardableResult
    private func perform(_ actions: [TLSAction]) -> Bool {
        var isSent = true
        for action in actions {
            switch action {
            case .send(let bytes): isSent = socket.write(bytes.readableBytesView) && isSent
            case .deliver(let bytes): received += bytes.readableBytesView
            case .record(.established): isEstablished = true
            case .record(.alert(.inward, let alert)): alerts.append(alert)
            case .close: isOver = true
            case .record, .chooseIdentity: break
            }
        }
        return isSent
    }
}

extension Collection<UInt8> {
    func ends(with end: some Collection<UInt8>) -> Bool { count >= end.count && suffix(end.count).elementsEqual(end) }
}
