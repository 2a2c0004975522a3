import Synchronization

/// Where the lines that a program writes meet the one who waits for the next.
///
/// A line that nobody waits for is thrown away: taken for the answer to a later question, it would shift every answer
/// after it by one.
final class AwaitedLine: Sendable {
    private struct State {
        var line: [UInt8] = []
        var waiting: CheckedContinuation<ChildSession.Answer, Never>?
        var ending: ChildOutcome.Ending?
    }

    private let state = Mutex(State())
    private let limit: Int

    /// Of a longer line than `limit` bytes the rest is ignored.
    init(limit: Int) {
        self.limit = limit
    }

    /// Calls `ask` and waits for the next line.
    func next(after ask: () -> Void) async -> ChildSession.Answer {
        await withCheckedContinuation { continuation in
            let ending = state.withLock { state in
                if state.ending == nil {
                    precondition(state.waiting == nil, "one attempt after the other")
                    state.waiting = continuation
                }
                return state.ending
            }
            if let ending {
                continuation.resume(returning: .ended(ending))
            } else {
                ask()
            }
        }
    }

    /// Takes what the program wrote.
    func receive(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            for byte in bytes {
                guard byte == UInt8(ascii: "\n") else {
                    if state.line.count < limit { state.line.append(byte) }
                    continue
                }
                if state.line.last == UInt8(ascii: "\r") { state.line.removeLast() }
                state.waiting?.resume(returning: .line(String(decoding: state.line, as: UTF8.self)))
                state.waiting = nil
                state.line = []
            }
        }
    }

    /// No line will come any more.
    func end(_ ending: ChildOutcome.Ending) {
        state.withLock { state in
            state.waiting?.resume(returning: ending == .timedOut ? .timedOut : .ended(ending))
            state.waiting = nil
            state.ending = ending
        }
    }
}
