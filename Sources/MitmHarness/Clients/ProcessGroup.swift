import Subprocess
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The process group that one child leads: the child and everything it started, but for what moved out by itself.
///
/// The only place that sends signals. A group's number may be given to strangers once its leader has been reaped, so
/// signals are sent only between `adopt` and `release`; an unreaped leader, dead or alive, keeps the number taken.
final class ProcessGroup: Sendable {
    private struct State {
        var leader: pid_t?
        var isReleased = false
        var isDoomed = false
        var hasTimedOut = false

        func send(_ signal: Int32) {
            // Nothing can be done about a failure, and the usual one is that the group is already empty.
            if let leader { _ = kill(-leader, signal) }
        }
    }

    private let state = Mutex(State())

    /// Whether `end()` was called, be it before there was anything to end.
    var isDoomed: Bool { state.withLock { $0.isDoomed } }

    /// Whether the program was ended because its time was up.
    var hasTimedOut: Bool { state.withLock { $0.hasTimedOut } }

    /// Takes charge of a child that has just been started and leads its own group.
    func adopt(leader: pid_t) {
        Guardian.watch(leader)
        state.withLock { state in
            state.leader = leader
            if state.isDoomed { state.send(SIGKILL) }
        }
    }

    /// Must be called before the leader is reaped.
    func release() {
        let leader = state.withLock { state in
            defer { state.leader = nil }
            state.isReleased = true
            return state.leader
        }
        if let leader { Guardian.release(leader) }
    }

    /// Ends every process of the group at once, or as soon as there is one.
    func end() {
        state.withLock { state in
            state.isDoomed = true
            state.send(SIGKILL)
        }
    }

    /// Asks the group to end when `limit` has passed, and makes it `grace` later. Cancel the task to call it off.
    func end(after limit: Duration, grace: Duration, beforehand: BeforeEnding = { _ in }) async {
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        let isLate = state.withLock { state in
            guard !state.isReleased else { return false }
            state.hasTimedOut = true
            return true
        }
        guard isLate else { return }
        await beforehand(true)
        let isStillLate = state.withLock { state in
            // Called off meanwhile: it ended, or answered, in the last moment.
            state.hasTimedOut = !Task.isCancelled
            guard state.hasTimedOut else { return false }
            state.send(SIGTERM)
            // A stopped process does not act on SIGTERM before it continues.
            state.send(SIGCONT)
            return true
        }
        guard isStillLate else { return }

        guard (try? await Task.sleep(for: grace)) != nil else { return }
        end()
    }
}
