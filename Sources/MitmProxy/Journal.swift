import NIOCore
import Synchronization
import TLSCore

/// Remembers what happened on every connection, in order and within bounds, and wakes whoever waits for a change.
final class Journal: Sendable {
    /// One connection's entry.
    fileprivate struct Entry {
        /// Where the client connected from: how the proxy knows its own sentinels.
        let client: SocketAddress?
        var epoch: Epoch
        var observation = Observation()

        /// Nothing follows the end: whether the event was taken.
        mutating func append(_ event: ConnectionEvent) -> Bool {
            guard !observation.isClosed else { return false }
            // One long exchange must not fill memory: consecutive counts become one.
            if case .data(let more) = event, case .data(let count)? = observation.events.last {
                observation.events[observation.events.count - 1] = .data(count: count + more)
            } else {
                observation.events.append(event)
            }
            return true
        }
    }

    /// One call of `settle`, which makes connections of its own.
    struct Settling {
        /// The number of the first entry that may be one of its sentinels: an older client may have had the same port.
        fileprivate let mark: Int
        fileprivate let sentinels: Int
    }

    fileprivate struct Waiter {
        let isSatisfied: @Sendable (borrowing State) -> Bool
        let promise: EventLoopPromise<Void>
    }

    struct State: ~Copyable {
        /// By number, in the order the connections came.
        fileprivate var entries: [Int: Entry] = [:]
        fileprivate var next = 0
        /// The numbers of closed entries, in the order they closed; some may be forgotten already.
        fileprivate var closed = CircularBuffer<Int>()
        /// How many entries of an epoch made room for others: one of them may have carried a request.
        fileprivate var forgotten: [Epoch: Int] = [:]
        /// How many entries of an epoch are not closed.
        fileprivate var open: [Epoch: Int] = [:]
        /// Room for those who settle, so that what they wait for is not what they push out.
        fileprivate var sentinels = 0
        fileprivate var waiters: [Int: Waiter] = [:]
        fileprivate var nextWaiter = 0

        /// Whether any connection of an epoch is still open.
        func hasOpen(in epoch: Epoch) -> Bool { open[epoch] != nil }

        /// Whether all of these have been accepted.
        func hasSeen(_ sentinels: Set<SocketAddress>, during settling: Settling) -> Bool {
            var unseen = sentinels
            for number in settling.mark..<next {
                if let client = entries[number]?.client { unseen.remove(client) }
            }
            return unseen.isEmpty
        }

        fileprivate mutating func count(_ change: Int, in epoch: Epoch) {
            let count = open[epoch, default: 0] + change
            open[epoch] = count == 0 ? nil : count
        }
    }

    private let state = Mutex(State())
    private let limit: Int
    private let keptBytes: Int

    init(limit: Int, keptBytes: Int) {
        self.limit = max(1, limit)
        self.keptBytes = keptBytes
    }

    /// Begins an entry and returns its number. Those that closed first make room for it; open ones stay.
    func open(client: SocketAddress?, epoch: Epoch) -> Int {
        change { state in
            let number = state.next
            state.next += 1
            state.entries[number] = Entry(
                client: client,
                epoch: epoch,
                observation: Observation([.connected(target: nil)], number: number)
            )
            state.count(+1, in: epoch)
            while state.entries.count > limit + state.sentinels, let oldest = state.closed.popFirst() {
                if let entry = state.entries.removeValue(forKey: oldest) {
                    state.forgotten[entry.epoch, default: 0] += 1
                }
            }
            return number
        }
    }

    /// An entry belongs to the epoch that was in force at its ClientHello.
    func move(_ number: Int, to epoch: Epoch) {
        change { state in
            guard let before = state.entries[number]?.epoch, before != epoch else { return }
            state.count(-1, in: before)
            state.count(+1, in: epoch)
            state.entries[number]?.epoch = epoch
        }
    }

    func record(_ event: ConnectionEvent, on number: Int) {
        change { state in
            // In place: a copy of the entry would copy its events, too.
            guard state.entries[number]?.append(event) == true, case .closed = event else { return }
            state.closed.append(number)
            if let epoch = state.entries[number]?.epoch { state.count(-1, in: epoch) }
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

    func beginSettling(sentinels: Int) -> Settling {
        state.withLock { state in
            state.sentinels += sentinels
            return Settling(mark: state.next, sentinels: sentinels)
        }
    }

    /// Forgets the connections that a `settle` made itself.
    func end(_ settling: Settling, sentinels: Set<SocketAddress>) {
        change { state in
            state.sentinels -= settling.sentinels
            for number in settling.mark..<state.next {
                guard let entry = state.entries[number], entry.client.map(sentinels.contains) == true else { continue }
                if !entry.observation.isClosed { state.count(-1, in: entry.epoch) }
                state.entries[number] = nil
            }
        }
    }

    /// The observations of one epoch, in the order the connections came. One stands for all that were forgotten.
    func observations(in epoch: Epoch) -> [Observation] {
        state.withLock { state in
            let forgotten = state.forgotten[epoch].map { [Observation([.forgotten(count: $0)])] } ?? []
            let kept = state.entries.filter { $0.value.epoch == epoch }.sorted { $0.key < $1.key }
            return forgotten + kept.map(\.value.observation)
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
        let number = change { state in
            state.nextWaiter += 1
            state.waiters[state.nextWaiter] = Waiter(isSatisfied: isSatisfied, promise: promise)
            return state.nextWaiter
        }
        try? await promise.futureResult.get()
        alarm.cancel()
        // The one whom the alarm woke still waits here.
        state.withLock { $0.waiters[number] = nil }
    }

    /// How many wait now.
    var waiting: Int { state.withLock { $0.waiters.count } }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, satisfied) = state.withLock { state -> (Result, [EventLoopPromise<Void>]) in
            let result = body(&state)
            var satisfied: [EventLoopPromise<Void>] = []
            for (number, waiter) in state.waiters where waiter.isSatisfied(state) {
                satisfied.append(waiter.promise)
                state.waiters[number] = nil
            }
            return (result, satisfied)
        }
        // Outside the lock: a promise may run its callbacks here and now.
        for promise in satisfied { promise.succeed() }
        return result
    }
}
