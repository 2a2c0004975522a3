package import NIOCore
import Synchronization
import TLSCore
package import Witness

/// Remembers what happened on every connection, in order and within bounds, and wakes whoever waits for a change.
package final class Journal: Sendable {
    /// One connection's entry. It is touched under the journal's lock only, which makes it safe to share.
    package final class Entry: @unchecked Sendable {
        fileprivate let number: Int
        /// Where the client connected from: how the proxy knows its own sentinels.
        fileprivate let client: SocketAddress?
        fileprivate var epoch: Epoch
        fileprivate var observation: Observation
        fileprivate var standing = Standing.undecided
        /// How many alerts came that ended nothing.
        private var harmlessAlerts = 0
        private var unnotedIndex: Int?

        fileprivate init(_ number: Int, client: SocketAddress?, epoch: Epoch) {
            self.number = number
            self.client = client
            self.epoch = epoch
            var events: [ConnectionEvent] = []
            // Of an exchange that goes well.
            events.reserveCapacity(8)
            events.append(.connected(target: nil))
            observation = Observation(events, number: number)
        }

        /// However long the exchange, it must not fill memory: consecutive counts become one, and of the alerts that end
        /// nothing only the first are noted.
        fileprivate func append(_ event: ConnectionEvent) {
            switch event {
            case .request, .cleartext: standing = .decided
            case .passedThrough(let more):
                standing = .decided
                guard case .passedThrough(let count)? = observation.events.last else { break }
                observation.events[observation.events.count - 1] = .passedThrough(count: count + more)
                return
            case .closed: standing = standing == .decided ? .served : .turnedAway
            case .data(let more):
                guard case .data(let count)? = observation.events.last else { break }
                observation.events[observation.events.count - 1] = .data(count: count + more)
                return
            case .alert(_, let alert) where !alert.isFatal:
                harmlessAlerts += 1
                let unnoted = harmlessAlerts - Journal.alertLimit
                guard unnoted > 0 else { break }
                let index = unnotedIndex ?? observation.events.endIndex
                unnotedIndex = index
                observation.events.replaceSubrange(
                    index..<min(index + 1, observation.events.count),
                    with: [.unnoted(alerts: unnoted)]
                )
                return
            default: break
            }
            observation.events.append(event)
        }
    }

    /// How many alerts that end nothing are noted of one connection.
    package static let alertLimit = 16

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
        /// One of our own, which no longer counts.
        case dropped

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
            case .served, .dropped: break
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

        fileprivate mutating func append(_ event: ConnectionEvent, to entry: Entry) {
            let before = entry.standing
            // Nothing follows the end.
            guard before.isOpen else { return }
            entry.append(event)
            guard entry.standing != before else { return }
            count(before, -1, in: entry.epoch)
            count(entry.standing, +1, in: entry.epoch)
            if !entry.standing.isOpen { closed.append(entry.number) }
        }

        fileprivate mutating func count(_ standing: Standing, _ change: Int, in epoch: Epoch) {
            tallies[epoch, default: Tally()].count(standing, change)
        }
    }

    private let state = Mutex(State())
    private let limit: Int
    private let keptBytes: Int

    package init(limit: Int, keptBytes: Int) {
        self.limit = max(1, limit)
        self.keptBytes = keptBytes
    }

    /// Begins an entry. Those that closed first make room for it; open ones stay.
    package func open(client: SocketAddress?, epoch: Epoch) -> Entry {
        change { state in
            let entry = Entry(state.next, client: client, epoch: epoch)
            state.entries[state.next] = entry
            state.next += 1
            state.count(.undecided, +1, in: epoch)
            while state.entries.count > limit + state.sentinels, let oldest = state.closed.popFirst() {
                if let entry = state.entries.removeValue(forKey: oldest) {
                    state.forgotten[entry.epoch, default: 0] += 1
                }
            }
            return entry
        }
    }

    /// An entry belongs to the epoch that was in force at its ClientHello.
    func move(_ entry: Entry, to epoch: Epoch) {
        change { state in
            guard entry.epoch != epoch else { return }
            state.count(entry.standing, -1, in: entry.epoch)
            state.count(entry.standing, +1, in: epoch)
            entry.epoch = epoch
        }
    }

    package func record(_ event: ConnectionEvent, on entry: Entry) {
        switch event {
        case .request, .cleartext, .passedThrough, .closed: change { $0.append(event, to: entry) }
        // Nobody waits for the others.
        default: state.withLock { $0.append(event, to: entry) }
        }
    }

    /// Notes plaintext, and keeps its first bytes up to the limit, where nobody reads it into words.
    func receive(_ plaintext: ByteBuffer, keeps: Bool, on entry: Entry) {
        state.withLock { state in
            if keeps { keep(plaintext, on: entry) }
            state.append(.data(count: plaintext.readableBytes), to: entry)
        }
    }

    /// Notes for whom a request of HTTP/2 is, and keeps it in words, as far as there is room.
    func note(authority: String, _ words: () -> ByteBuffer, on entry: Entry) {
        state.withLock { _ in
            let known = entry.observation.authorities
            if known.count < AnsweredRequest.limit, !known.contains(authority) {
                entry.observation.authorities.append(authority)
            }
            if entry.observation.firstBytes.count < keptBytes { keep(words(), on: entry) }
        }
    }

    /// Notes what a client should have kept to itself, if this is no server of its own.
    func note(_ leaks: [Leak], _ secretHeaders: [String], on entry: Entry) {
        state.withLock { _ in
            let room = Leak.limit - entry.observation.leaks.count
            entry.observation.leaks += leaks.prefix(max(0, room))
            for name in secretHeaders where entry.observation.secretHeaders.count < Leak.limit {
                let isKnown = entry.observation.secretHeaders.contains { $0.lowercased() == name.lowercased() }
                if !isKnown { entry.observation.secretHeaders.append(name) }
            }
        }
    }

    /// Notes a request that the origin has read.
    func note(_ request: AnsweredRequest, on entry: Entry) {
        state.withLock { _ in
            entry.observation.requestCount += 1
            guard entry.observation.requests.count < AnsweredRequest.limit else { return }
            entry.observation.requests.append(request)
        }
    }

    /// Notes a request in the clear, and keeps its first bytes up to the limit.
    func receiveCleartext(_ head: ByteBuffer, host: String?, on entry: Entry) {
        change { state in
            keep(head, on: entry)
            state.append(.cleartext(host: host), to: entry)
        }
    }

    private func keep(_ bytes: ByteBuffer, on entry: Entry) {
        let room = keptBytes - entry.observation.firstBytes.count
        if room > 0 { entry.observation.firstBytes += bytes.readableBytesView.prefix(room) }
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
                entry.standing = .dropped
                state.entries[number] = nil
            }
        }
    }

    /// The observations of one epoch, in the order the connections came. One stands for all that were forgotten.
    package func observations(in epoch: Epoch) -> [Observation] {
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
