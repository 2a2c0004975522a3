#if canImport(Darwin)
import Darwin
import System
#elseif canImport(Musl)
import Musl
import SystemPackage
#else
import Glibc
import SystemPackage
#endif

/// One program that lives through all attempts of a trial: told of each by a line on its standard input, it answers
/// each with a line on its standard output.
///
/// Whatever else it has to say belongs on its standard error: a line that comes before it was asked is thrown away.
package final class ChildSession: Sendable {
    /// What came of an attempt.
    package enum Answer: Sendable, Equatable {
        /// The program's answer, without the line's end.
        case line(String)
        /// The program ended, or had ended before, without an answer.
        case ended(ChildOutcome.Ending)
        /// No answer came in time. The program has been ended, so that a late answer is not taken for the next one's.
        case timedOut
    }

    private let command: ChildCommand
    private let group = ProcessGroup()
    private let answers: AwaitedLine
    private let input: InputLine?
    private let supervision: Task<ChildOutcome, Never>

    /// Starts the program. If that fails, the first attempt says why.
    ///
    /// - Parameter command: Its `standardInput` is not used; its `timeout` is how long the program may take to end once
    ///   it was told to `finish()`.
    package static func start(_ command: ChildCommand) -> ChildSession {
        ChildSession(command)
    }

    private init(_ command: ChildCommand) {
        self.command = command
        let group = group
        let answers = AwaitedLine(limit: command.outputLimit)
        self.answers = answers
        do {
            let (input, childEnd) = try InputLine.open()
            self.input = input
            supervision = Task {
                let outcome = await command.supervise(group, input: childEnd, timeout: nil) { bytes in
                    if !group.hasTimedOut { answers.receive(bytes) }
                }
                answers.end(outcome.ending)
                return outcome
            }
        } catch {
            let outcome = command.notStarted("cannot open its standard input: \(error)")
            input = nil
            supervision = Task { outcome }
            answers.end(outcome.ending)
        }
    }

    deinit {
        // Nobody can ask it any more.
        group.end()
    }

    /// Tells the program of an attempt, and waits for its answer. One attempt at a time.
    ///
    /// Cancelling the task ends the program.
    ///
    /// - Parameters:
    ///   - line: Has no line break; one is added.
    ///   - beforeEnding: See `BeforeEnding`.
    package func attempt(
        _ line: String,
        timeout: Duration,
        beforeEnding: @escaping BeforeEnding = { _ in }
    ) async -> Answer {
        let timer = Task { [group, command] in
            await group.end(after: timeout, grace: command.grace, beforehand: beforeEnding)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await answers.next { input?.write(line) }
        } onCancel: {
            group.end()
        }
    }

    /// Tells the program that there will be no more attempts, by closing its standard input, and waits for its end.
    ///
    /// Cancelling the task ends the program.
    package func finish() async -> ChildOutcome {
        input?.close()
        let timer = Task { [group, command] in await group.end(after: command.timeout, grace: command.grace) }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await supervision.value
        } onCancel: {
            group.end()
        }
    }
}
