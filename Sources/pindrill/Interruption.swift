import Dispatch

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

        let task = Task { await work() }
        let sources = signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                restore()
                task.cancel()
            }
            source.resume()
            return source
        }
        let result = await task.value
        for source in sources { source.cancel() }
        restore()
        return result
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
