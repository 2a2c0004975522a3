import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Turns Ctrl-C into the cancellation of what is being done, so that clients are ended and results are kept.
enum Interruption {
    /// Does the work. SIGINT or SIGTERM cancels it; a second one ends the program at once, as it always did.
    static func cancelling<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) async -> Result {
        let task = Task { await work() }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                signal(number, SIG_DFL)
                task.cancel()
            }
            source.resume()
            return source
        }
        let result = await task.value
        for source in sources { source.cancel() }
        return result
    }
}
