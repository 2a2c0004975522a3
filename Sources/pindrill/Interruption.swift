import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Turns Ctrl-C and the like into the cancellation of what is being done, so that clients are ended and results are kept.
enum Interruption {
    /// Does the work. Ctrl-C, being told to end, or the end of the terminal cancel it; a second signal ends the program
    /// at once, as it always did.
    static func cancelling<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) async -> Result {
        let signals = [SIGINT, SIGTERM] + (isDeafToHangup ? [] : [SIGHUP])
        @Sendable func restore() { for number in signals { signal(number, SIG_DFL) } }

        // Whether the next signal ends the program.
        let isLast = Mutex(false)
        let task = Task { await work() }
        let sources = signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                let isSecond = isLast.withLock { value in
                    defer { value = true }
                    return value
                }
                restore()
                // One that arrives while the system's own answer is being put back in force ends up here as well.
                if isSecond { end(by: number) }
                task.cancel()
            }
            source.resume()
            return source
        }
        let result = await task.value
        isLast.withLock { $0 = true }
        restore()
        // Kept to the end and never cancelled: a signal that a source has taken in by then would be nobody's.
        for source in sources { _ = Unmanaged.passRetained(source as AnyObject) }
        return result
    }

    /// Ends the program as a signal does that nobody catches. Dispatch leaves signals blocked on threads that met them.
    private static func end(by number: Int32) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }

    /// Whether `nohup` started us, or somebody else who wants us to outlive the terminal.
    private static var isDeafToHangup: Bool {
        var current = sigaction()
        sigaction(SIGHUP, nil, &current)
        #if canImport(Darwin)
        let handler = current.__sigaction_u.__sa_handler
        #else
        let handler = current.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
