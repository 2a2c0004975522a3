import NIOCore
import Synchronization
import TLSCore
import Witness

/// Remembers what happened on every connection, in order and within bounds, and wakes whoever waits for a change.
final class Journal: Sendable {
    /// One connection's entry.
    fileprivate struct Entry {
        /// Where the client connected from: how the proxy knows its own sentinels.
        let client: SocketAddress?
        var epoch: Epoch
        var observation = Observation()
        private(set) var standing = Standing.undecided

        mutating func append(_ event: ConnectionEvent) {
            switch event {
            case .request, .cleartext: standing = .decided
            case .closed: standing = standing == .decided ? .served : .turnedAway
            default: break
            }
            // One long exchange must not fill memory: consecutive counts become one.
            if case .data(let more) = event, case .data(let count)? = observation.events.last {
                observation.events[observation.events.count - 1] = .data(count: count + more)
            } else {
                observation.events.append(event)
            }
        }
    }

    /// What has come of one connection.
    fileprivate enum Standing {
        /// Open, and no request was seen yet.
        case undecided
        /// Open, and it has carried a request.
        case decided
        /// Closed after a request.
        case served
        /// Closed without one.
        case turnedAway

        var isOpen: Bool { self == .undecided || self == .decided }
    }

    /// How many connections of an epoch have come to what.
    fileprivate struct Tally {
        var undecided = 0
        var decided = 0
        var turnedAway = 0

        mutating func count(_ standing: Standing, _ change: Int) {
            switch standing {
            case .undecided: undecided += change
            case .decided: decided += change
            case .turnedAway: turnedAway += change
            case .served: break
            }
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
        fileprivate var tallies: [Epoch: Tally] = [:]
        /// Room for those who settle, so that what they wait for is not what they push out.
        fileprivate var sentinels = 0
        fileprivate var waiters: [Int: Waiter] = [:]
        fileprivate var nextWaiter = 0

        /// Whether nothing more has to be waited for among the connections of an epoch.
        ///
        /// One that has carried a request may stay open, as those of pools do: whatever follows, it has accepted. But where
        /// another was turned away, the client may be about to try again.
        func isAtRest(in epoch: Epoch) -> Bool {
            guard let tally = tallies[epoch] else { return true }
            return tally.undecided == 0 && (tally.decided == 0 || tally.turnedAway == 0)
        }

        /// Whether all of these have been accepted.
        func hasSeen(_ sentinels: Set<SocketAddress>, during settling: Settling) -> Bool {
            var unseen = sentinels
            for number in settling.mark..<next {
                if let client = entries[number]?.client { unseen.remove(client) }
            }
            return unseen.isEmpty
        }

        fileprivate mutating func count(_ standing: Standing, _ change: Int, in epoch: Epoch) {
            tallies[epoch, default: Tally()].count(standing, change)
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
            state.count(.undecided, +1, in: epoch)
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
            guard let entry = state.entries[number], entry.epoch != epoch else { return }
            state.count(entry.standing, -1, in: entry.epoch)
            state.count(entry.standing, +1, in: epoch)
            state.entries[number]?.epoch = epoch
        }
    }

    func record(_ event: ConnectionEvent, on number: Int) {
        change { state in
            // Nothing follows the end.
            guard let before = state.entries[number]?.standing, before.isOpen else { return }
            // In place: a copy of the entry would copy its events, too.
            state.entries[number]?.append(event)
            guard let entry = state.entries[number], entry.standing != before else { return }
            state.count(before, -1, in: entry.epoch)
            state.count(entry.standing, +1, in: entry.epoch)
            if !entry.standing.isOpen { state.closed.append(number) }
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
                state.count(entry.standing, -1, in: entry.epoch)
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
