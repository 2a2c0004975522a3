import Synchronization
import Testing

@testable import ControlPlane

@Suite struct `Events` {
    private struct Number: Encodable { var n: Int }

    private static func first(_ count: Int, of events: AsyncStream<EventLog.Event>?) async throws -> [String] {
        var texts: [String] = []
        for await event in try #require(events) {
            texts.append(event.text)
            if texts.count == count { break }
        }
        return texts
    }

    @Test func `come to everybody, each with its number`() async throws {
        let log = EventLog()
        let (one, other) = (log.listen(after: nil), log.listen(after: nil))
        log.emit("drill", Number(n: 7))

        let expected = ["id: 1\nevent: drill\ndata: {\"n\":7}\n\n"]
        #expect(try await Self.first(1, of: one) == expected)
        #expect(try await Self.first(1, of: other) == expected)
    }

    @Test func `that were missed come first, and who missed too many is told so`() async throws {
        let log = EventLog()
        for number in 1...5 { log.emit("drill", Number(n: number)) }

        #expect(try await Self.first(2, of: log.listen(after: 3)).map { $0.prefix(5) } == ["id: 4", "id: 5"])
        for number in 0...2 * EventLog.kept { log.emit("drill", Number(n: number)) }
        #expect(try await Self.first(1, of: log.listen(after: 3)).first?.contains("event: reset") == true)
        #expect(try await Self.first(1, of: log.listen(after: 99_999)).first?.contains("event: reset") == true)
        #expect(try await Self.first(1, of: log.listen(after: -1)).first?.contains("event: reset") == true)
    }

    @Test func `are few where they are long`() async throws {
        struct Text: Encodable { var text: String }
        let log = EventLog()
        let long = Text(text: String(repeating: "a", count: EventLog.mostBytes / 8))
        for _ in 1...20 { log.emit("drill", long) }

        #expect(try await Self.first(1, of: log.listen(after: 10)).first?.contains("event: reset") == true)
        #expect(try await Self.first(2, of: log.listen(after: 18)).map { $0.prefix(6) } == ["id: 19", "id: 20"])
    }

    @Test func `let go who listens too slowly`() async throws {
        let log = EventLog()
        let isGone = Mutex(false)
        let slow = log.listen(after: nil) { isGone.withLock { $0 = true } }
        for number in 0...EventLog.waiting { log.emit("drill", Number(n: number)) }

        let wasLetGo = isGone.withLock(\.self)
        #expect(wasLetGo)
        var count = 0
        for await _ in try #require(slow) { count += 1 }
        #expect(count == EventLog.waiting)
    }

    @Test func `have so many listeners at most`() {
        let log = EventLog()
        let listeners = (0..<EventLog.mostListeners).map { _ in log.listen(after: nil) }

        #expect(!listeners.contains { $0 == nil })
        #expect(log.listen(after: nil) == nil)
    }
}
