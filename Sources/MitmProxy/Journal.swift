import NIOCore
import Synchronization
import TLSCore

/// Remembers what happened on every connection, in order and within bounds, and wakes whoever waits for a change.
final class Journal: Sendable {
    /// One connection's entry.
    struct Entry {
        /// Where the client connected from: how the proxy knows its own sentinels.
        let client: SocketAddress?
        var epoch: Epoch
        var observation = Observation()
    }

    fileprivate struct Waiter {
        let isSatisfied: @Sendable (borrowing State) -> Bool
        let promise: EventLoopPromise<Void>
    }

    struct State: ~Copyable {
        /// By number, in the order the connections came.
        fileprivate(set) var entries: [Int: Entry] = [:]
        fileprivate var oldest = 0
        fileprivate var next = 0
        fileprivate var waiters: [Waiter] = []
    }

    private let state = Mutex(State())
    private let limit: Int
    private let keptBytes: Int

    init(limit: Int, keptBytes: Int) {
        self.limit = max(1, limit)
        self.keptBytes = keptBytes
    }

    /// Begins an entry and returns its number.
    func open(client: SocketAddress?, epoch: Epoch) -> Int {
        change { state in
            let number = state.next
            state.next += 1
            state.entries[number] = Entry(client: client, epoch: epoch)
            state.entries[number]?.observation.events.append(.connected(target: nil))
            while state.entries.count > limit, state.oldest < number {
                if state.entries[state.oldest]?.observation.isClosed == true {
                    state.entries[state.oldest] = nil
                } else if state.entries[state.oldest] != nil {
                    break
                }
                state.oldest += 1
            }
            return number
        }
    }

    func record(_ event: ConnectionEvent, on number: Int, epoch: Epoch? = nil) {
        change { state in
            if let epoch { state.entries[number]?.epoch = epoch }
            // One long exchange must not fill memory: consecutive counts become one.
            if case .data(let more) = event, case .data(let count)? = state.entries[number]?.observation.events.last {
                state.entries[number]?.observation.events.removeLast()
                state.entries[number]?.observation.events.append(.data(count: count + more))
            } else {
                state.entries[number]?.observation.events.append(event)
            }
        }
    }

    /// Keeps the first plaintext bytes, up to the limit.
    func keep(_ bytes: some Collection<UInt8>, on number: Int) {
        change { state in
            let room = keptBytes - (state.entries[number]?.observation.firstBytes.count ?? keptBytes)
            guard room > 0 else { return }
            state.entries[number]?.observation.firstBytes += bytes.prefix(room)
        }
    }

    /// The number that the next entry will have.
    var mark: Int { state.withLock { $0.next } }

    /// Forgets connections of our own, opened since a mark: an older client may have had the same port.
    func remove(_ clients: Set<SocketAddress>, since mark: Int) {
        change { state in
            state.entries = state.entries.filter { number, entry in
                number < mark || entry.client.map(clients.contains) != true
            }
        }
    }

    /// The observations of one epoch, in the order the connections came.
    func observations(in epoch: Epoch) -> [Observation] {
        state.withLock { state in
            state.entries.sorted { $0.key < $1.key }.filter { $0.value.epoch == epoch }.map(\.value.observation)
        }
    }

    /// Completes at once, or as soon as a change satisfies the condition, or at the deadline.
    func wait(
        until deadline: NIODeadline,
        on loop: any EventLoop,
        for isSatisfied: @escaping @Sendable (borrowing State) -> Bool
    ) async {
        let promise = loop.makePromise(of: Void.self)
        let alarm = loop.scheduleTask(deadline: deadline) { promise.succeed() }
        change { $0.waiters.append(Waiter(isSatisfied: isSatisfied, promise: promise)) }
        try? await promise.futureResult.get()
        alarm.cancel()
        // A promise that the alarm completed still has its waiter.
        change { _ in }
    }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, satisfied) = state.withLock { state -> (Result, [EventLoopPromise<Void>]) in
            let result = body(&state)
            guard !state.waiters.isEmpty else { return (result, []) }
            var satisfied: [EventLoopPromise<Void>] = []
            var waiting: [Waiter] = []
            for waiter in state.waiters {
                if waiter.isSatisfied(state) { satisfied.append(waiter.promise) } else { waiting.append(waiter) }
            }
            state.waiters = waiting
            return (result, satisfied)
        }
        // Outside the lock: a promise may run its callbacks here and now.
        for promise in satisfied { promise.succeed() }
        return result
    }
}
