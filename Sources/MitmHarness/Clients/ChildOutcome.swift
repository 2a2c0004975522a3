/// How a program ended, and what it wrote.
package struct ChildOutcome: Sendable, Equatable {
    package enum Ending: Sendable, Equatable {
        /// It ended by itself with this exit status.
        case exited(Int32)
        /// Something other than our timeout ended it, with this signal.
        case signalled(Int32)
        /// It took too long, and we ended it.
        case timedOut
        /// It never ran; `reason` names the culprit.
        case notStarted(reason: String)
    }

    package var ending: Ending
    package var standardOutput: CapturedOutput
    package var standardError: CapturedOutput

    /// From the request to start until the program itself had ended.
    package var duration: Duration
}
