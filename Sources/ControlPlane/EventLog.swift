import Foundation
import Synchronization

/// What has happened, for everybody who listens. Who listens too slowly is let go, and may come back for what was missed.
final class EventLog: Sendable {
    struct Event: Sendable {
        var id: Int
        /// As the wire has it.
        var text: String
    }

    /// How many are kept for those who come back, how many may wait for one listener, and how many may listen.
    static let (kept, waiting, mostListeners) = (1000, 256, 64)
    /// Of long ones fewer are kept.
    static let mostBytes = 8_000_000

    private struct Listener: Sendable {
        var continuation: AsyncStream<Event>.Continuation
        var onSlow: @Sendable () -> Void

        /// - Returns: whether there was room.
        func take(_ event: Event) -> Bool {
            if case .dropped = continuation.yield(event) { false } else { true }
        }

        func letGo() {
            continuation.finish()
            onSlow()
        }
    }

    private struct State {
        var next = 1
        var events: [Event] = []
        var bytes = 0

        mutating func append(_ event: Event) {
            events.append(event)
            bytes += event.text.utf8.count
            guard events.count > 2 * kept || bytes > mostBytes else { return }
            var rest = bytes
            let gone = events.dropLast().prefix { old in
                defer { rest -= old.text.utf8.count }
                return rest > mostBytes / 2
            }
            events.removeFirst(max(gone.count, events.count - kept))
            bytes = events.reduce(0) { $0 + $1.text.utf8.count }
        }
        var listeners: [Int: Listener] = [:]
        var lastListener = 0
    }

    private let state = Mutex(State())

    func emit(_ type: String, _ data: some Encodable) {
        guard let json = try? data.asLine() else { return }
        let slow = state.withLock { state in
            let event = Event(id: state.next, text: "id: \(state.next)\nevent: \(type)\ndata: \(json)\n\n")
            state.next += 1
            state.append(event)
            return state.listeners.values.filter { !$0.take(event) }
        }
        for listener in slow { listener.letGo() }
    }

    /// Says nothing, so that it is noticed who has gone.
    func beat() {
        let slow = state.withLock { state in
            let event = Event(id: state.next, text: ":\n\n")
            return state.listeners.values.filter { !$0.take(event) }
        }
        for listener in slow { listener.letGo() }
    }

    /// - Parameter last: the id of the last that arrived; `nil`: what was before is not wanted.
    /// - Returns: `nil` where too many listen.
    func listen(after last: Int?, onSlow: @escaping @Sendable () -> Void = {}) -> AsyncStream<Event>? {
        let (stream, listener) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingOldest(Self.waiting))
        let number: Int? = state.withLock { state in
            guard state.listeners.count < Self.mostListeners else { return nil }
            if let last {
                let missed = state.events.filter { $0.id > last }
                let isWhole = last < state.next && (state.events.first?.id ?? state.next) <= last + 1
                if !isWhole || missed.count >= Self.waiting {
                    listener.yield(Event(id: state.next - 1, text: "id: \(state.next - 1)\nevent: reset\ndata: {}\n\n"))
                } else {
                    for event in missed { listener.yield(event) }
                }
            }
            state.lastListener += 1
            state.listeners[state.lastListener] = Listener(continuation: listener, onSlow: onSlow)
            return state.lastListener
        }
        guard let number else { return nil }
        listener.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
        return stream
    }

    /// Lets everybody go.
    func close() {
        let all = state.withLock { Array($0.listeners.values) }
        for listener in all { listener.continuation.finish() }
    }
}

extension Encodable {
    /// One line, its keys as in every JSON of ours.
    package func asLine() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
