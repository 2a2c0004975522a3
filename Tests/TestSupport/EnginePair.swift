package import Foundation
import NIOCore
package import TLSCore

/// A client and a server in memory: what one sends, the other receives.
package final class EnginePair {
    /// What the driver does when the server asks for an identity.
    package enum Answer {
        case present(Identity, offer: TLSOffer = TLSOffer(), tickets: SessionTickets? = nil)
        case refuse
        /// Nothing: the test will call `answer(_:)`.
        case wait
    }

    /// One of the two, and everything it said.
    package final class End {
        package let engine: TLSEngine
        /// What it recorded, in order.
        package fileprivate(set) var events: [TLSEvent] = []
        /// The plaintext that it delivered.
        package fileprivate(set) var delivered: [UInt8] = []
        /// Every byte that it put on the wire.
        package fileprivate(set) var sent: [UInt8] = []
        /// How often it asked to be closed.
        package fileprivate(set) var closes = 0
        /// Every hello for which it asked an identity.
        package fileprivate(set) var choices: [ClientHello] = []
        /// How many bytes had been sent when `presented` was recorded, and how many once those actions were done.
        package fileprivate(set) var sentWhenPresented: [(before: Int, after: Int)] = []
        fileprivate var unread: [UInt8] = []

        fileprivate init(_ engine: TLSEngine) { self.engine = engine }
    }

    package let client: End
    package let server: End
    private let answer: Answer

    package convenience init(
        _ answer: Answer,
        server: TLSSettings = TLSSettings(),
        client: TLSSettings = TLSSettings(),
        trust: TrustStore? = nil,
        host: String = Sample.host,
        at instant: Date? = Sample.now
    ) throws {
        try self.init(
            answer,
            server: TLSContext(server: server),
            client: TLSContext(client: client, trust: trust),
            host: host,
            at: instant
        )
    }

    /// Contexts may serve several pairs.
    package init(
        _ answer: Answer,
        server: TLSContext,
        client: TLSContext,
        host: String = Sample.host,
        at instant: Date? = Sample.now,
        trustsMemory: Bool = false
    ) throws {
        self.answer = answer
        self.server = End(try TLSEngine(server: server))
        self.client = End(try TLSEngine(client: client, host: host, at: instant, trustsMemory: trustsMemory))
    }

    /// The two shake hands, as far as they get.
    package func shakeHands() {
        perform(client.engine.start(), by: client)
        pump()
    }

    /// Carries bytes back and forth until neither has any more to say, at most `chunk` at a time.
    package func pump(chunk: Int = .max) {
        while !client.unread.isEmpty || !server.unread.isEmpty {
            carry(to: server, chunk: chunk)
            carry(to: client, chunk: chunk)
        }
    }

    /// Answers the server's question after all.
    package func answer(_ answer: Answer) {
        switch answer {
        case .present(let identity, let offer, let tickets):
            perform(server.engine.present(identity, offer: offer, tickets: tickets, epoch: 7), by: server)
        case .refuse: perform(server.engine.refuse(), by: server)
        case .wait: break
        }
    }

    /// One end sends plaintext; `pump()` carries it.
    package func send(_ plaintext: [UInt8], from end: End) {
        perform(end.engine.send(ByteBuffer(bytes: plaintext)), by: end)
    }

    /// One end closes in order; `pump()` carries its goodbye.
    package func close(_ end: End) { perform(end.engine.close(), by: end) }

    /// Bytes that the other end never sent.
    package func inject(_ bytes: [UInt8], into end: End) {
        perform(end.engine.receive(ByteBuffer(bytes: bytes)), by: end)
    }

    /// Bytes that an end was sent and has not been given: the test may cut or change them.
    package func takeUnread(by end: End) -> [UInt8] {
        defer { end.unread = [] }
        return end.unread
    }

    private func carry(to end: End, chunk: Int) {
        guard !end.unread.isEmpty else { return }
        let bytes = Array(end.unread.prefix(chunk))
        end.unread.removeFirst(bytes.count)
        inject(bytes, into: end)
    }

    private func perform(_ actions: [TLSAction], by end: End) {
        let before = end.sent.count
        let isPresenting = actions.contains { if case .record(.presented) = $0 { true } else { false } }
        for action in actions {
            switch action {
            case .chooseIdentity(let hello):
                end.choices.append(hello)
                answer(answer)
            case .send(let bytes):
                end.sent += bytes.readableBytesView
                let other = end === client ? server : client
                other.unread += bytes.readableBytesView
            case .deliver(let plaintext): end.delivered += plaintext.readableBytesView
            case .record(let event): end.events.append(event)
            case .close: end.closes += 1
            }
        }
        if isPresenting { end.sentWhenPresented.append((before, end.sent.count)) }
    }
}

extension EnginePair.End {
    /// The alerts it recorded, one way.
    package func alerts(_ direction: Direction) -> [UInt8] {
        events.compactMap { if case .alert(direction, let alert) = $0 { alert.number } else { nil } }
    }

    /// What it agreed upon; `nil` when the handshake did not end well.
    package var session: TLSSession? {
        for case .established(let session) in events { return session }
        return nil
    }

    /// How often it recorded exactly this.
    package func count(of event: TLSEvent) -> Int { events.count { $0 == event } }
}
