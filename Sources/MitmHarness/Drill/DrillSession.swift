package import Scenarios
import Synchronization
package import Witness

/// One attended trial as everybody sees it who follows it or gives its words: a terminal, a browser, a UI test.
package final class DrillSession: Attendant {
    package enum Phase: String, Sendable {
        case starting
        /// For the word of the latest attempt.
        case waiting
        /// It works; nothing is presented.
        case between
        /// Until somebody has read what came of a step; nothing is presented.
        case paused
        case finished
        /// Ended before it had a verdict.
        case stopped

        package var isOver: Bool { self == .finished || self == .stopped }
        /// Whether somebody has to act, or nobody can any more.
        package var isAtRest: Bool { ![.starting, .between].contains(self) }
    }

    package struct State: Sendable {
        package fileprivate(set) var phase = Phase.starting
        /// Grows with every change.
        package fileprivate(set) var revision = 0
        /// Grows with every change but those of connections.
        package fileprivate(set) var turn = 0
        /// The latest, counted over the whole drill; 0 before the first.
        package fileprivate(set) var attempt = 0
        /// What is shown in it.
        package fileprivate(set) var scene: AttendedAttempt?
        /// What was seen of it so far.
        package fileprivate(set) var connections: [Observation] = []
        package fileprivate(set) var notes: [String] = []
        /// By attempt.
        package fileprivate(set) var words: [Int: AttendedWord] = [:]
        /// What came of steps, by number.
        package fileprivate(set) var steps: [Int: StepResult] = [:]
        package fileprivate(set) var result: TrialResult?
        /// The last step that somebody has read, where it pauses.
        fileprivate var read = 0
    }

    /// Why a word does not count.
    package enum Refusal: Error, CustomStringConvertible, Equatable {
        case alreadyAnswered(Int, AttendedWord)
        case notWaiting(for: Int, latest: Int, Phase)
        case notFinished(step: Int)
        case tooManyAttempts
        case tooManyNotes
        /// - Parameter isGiven: whether there was one at all.
        case otherCode(isGiven: Bool)

        package var description: String {
            switch self {
            case .alreadyAnswered(let attempt, let word):
                "attempt \(attempt) has its word already: \(word.rawValue); read the drill's state for the next attempt"
            case .notWaiting(let attempt, let latest, let phase):
                "nobody waits for a word of attempt \(attempt): the drill is at attempt \(latest), and \(phase.rawValue)"
            case .notFinished(let step): "step \(step) is not finished, so nobody waits to go on from there"
            case .tooManyAttempts: "\(mostAttempts) attempts are enough for one drill; give a word for this one"
            case .otherCode(let isGiven):
                (isGiven
                    ? "that is not the code of this attempt's answer"
                    : "'worked' needs the code of this attempt's answer")
                    + ": an app that shows no such code shows something older; say again or failed"
            case .tooManyNotes: "\(mostNotes) notes are enough for one attempt; give its word"
            }
        }
    }

    static let (mostAttempts, mostNotes) = (1000, 100)

    package let trial: Trial
    /// Whether it waits after each step, until somebody wants the next.
    package let pauses: Bool
    /// Makes the attempts and gives the words, where no person does.
    package let app: (any ClientUnderTest)?

    private struct Inner: Sendable {
        var state = State()
        var followers: [Int: AsyncStream<State>.Continuation] = [:]
        var next = 0
    }

    private let inner = Mutex(Inner())

    package init(_ trial: Trial, pauses: Bool = false, app: (any ClientUnderTest)? = nil) {
        self.trial = trial
        self.pauses = pauses
        self.app = app
    }

    package var state: State { inner.withLock(\.state) }

    /// The state now, and each time that it has changed; who is slow misses some, and never the latest.
    package func states() -> AsyncStream<State> {
        let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
        let number = inner.withLock { inner in
            inner.next += 1
            inner.followers[inner.next] = continuation
            continuation.yield(inner.state)
            return inner.next
        }
        continuation.onTermination = { [weak self] _ in self?.inner.withLock { $0.followers[number] = nil } }
        return stream
    }

    /// The state as soon as it fits; the latest where the task is cancelled before.
    package func state(where fits: (State) -> Bool) async -> State {
        for await state in states() where fits(state) { return state }
        return state
    }

    // MARK: What whoever follows it says

    /// The same word for the same attempt changes nothing.
    ///
    /// - Parameter code: what the app shows, where the answers of this attempt carry one.
    package func give(_ word: AttendedWord, for attempt: Int, note: String? = nil, code: String? = nil) throws(Refusal)
    {
        try change { state throws(Refusal) in
            if let given = state.words[attempt] {
                guard given == word else { throw .alreadyAnswered(attempt, given) }
                return false
            }
            guard state.phase == .waiting, attempt == state.attempt else {
                throw .notWaiting(for: attempt, latest: state.attempt, state.phase)
            }
            if word == .worked, let expected = state.scene?.code, code != expected {
                throw .otherCode(isGiven: code != nil)
            }
            if [.again, .back].contains(word), attempt >= Self.mostAttempts { throw .tooManyAttempts }
            if let note, !note.isEmpty { state.notes.append(note) }
            state.words[attempt] = word
            state.phase = .between
            return true
        }
    }

    /// A remark for the report.
    package func note(_ text: String) throws(Refusal) {
        try change { state throws(Refusal) in
            guard state.phase == .waiting else {
                throw .notWaiting(for: state.attempt, latest: state.attempt, state.phase)
            }
            guard state.notes.count < Self.mostNotes else { throw .tooManyNotes }
            state.notes.append(text)
            return true
        }
    }

    /// Goes on from a step that has been read. Who does it twice changes nothing.
    package func goOn(from step: Int) throws(Refusal) {
        try change { state throws(Refusal) in
            guard state.steps[step] != nil else { throw .notFinished(step: step) }
            guard state.phase == .paused, step > state.read else { return false }
            state.read = step
            state.phase = .between
            return true
        }
    }

    /// Ends it, if it is not over.
    package func stop() { end(.stopped) }

    // MARK: What the trial says

    package func attend(_ attempt: AttendedAttempt) async throws(CancellationError) -> (AttendedWord, note: String) {
        let number = change { state in
            guard !state.phase.isOver else { return false }
            state.attempt += 1
            (state.phase, state.scene) = (.waiting, attempt)
            (state.connections, state.notes) = ([], [])
            return true
        }.attempt
        let watch = Task { [weak self] in
            while (try? await Task.sleep(for: .milliseconds(50))) != nil { self?.see(attempt.observations()) }
        }
        let playing = Task { [weak self, app] in try await self?.play(app, attempt, number) }
        defer {
            watch.cancel()
            playing.cancel()
        }
        let state = await state { $0.words[number] != nil || $0.phase.isOver }
        guard let word = state.words[number], !state.phase.isOver, !Task.isCancelled else { throw CancellationError() }
        return (word, state.notes.joined(separator: "\n"))
    }

    private func play(_ app: (any ClientUnderTest)?, _ attempt: AttendedAttempt, _ number: Int) async throws {
        guard let app else { return }
        let report = try await app.attempt(attempt.endpoint) { _ in }
        // What would be cut off by the word proves nothing.
        for _ in 0..<100 where !attempt.observations().allSatisfy(\.isClosed) {
            try await Task.sleep(for: .milliseconds(20))
        }
        try give(AttendedWord(report), for: number, code: attempt.code)
    }

    package func take(_ step: StepResult, number: Int, mayPause: Bool) async throws(CancellationError) {
        let waits = pauses && mayPause
        change { state in
            guard !state.phase.isOver else { return false }
            state.steps[number] = step
            state.connections = step.attempts.last.map { $0.observations + $0.elsewhere } ?? state.connections
            state.phase = waits ? .paused : .between
            state.read = number - 1
            return true
        }
        guard waits else { return }
        let state = await state { $0.phase != .paused }
        if state.phase.isOver || Task.isCancelled { throw CancellationError() }
    }

    package func take(_ result: TrialResult?) { end(result == nil ? .stopped : .finished, result) }

    private func end(_ phase: Phase, _ result: TrialResult? = nil) {
        change { state in
            guard !state.phase.isOver else { return false }
            state.phase = phase
            state.result = result
            // A drill is remembered for long: not so the proxy that it was played on.
            state.scene?.observations = { [] }
            return true
        }
    }

    private func see(_ connections: [Observation]) {
        change(isTurn: false) { state in
            guard state.phase == .waiting, connections != state.connections else { return false }
            state.connections = connections
            return true
        }
    }

    /// - Parameter body: says whether anything has changed.
    @discardableResult
    private func change<Failure: Error>(
        isTurn: Bool = true,
        _ body: (inout State) throws(Failure) -> Bool
    ) throws(Failure) -> State {
        try inner.withLock { inner throws(Failure) in
            guard try body(&inner.state) else { return inner.state }
            inner.state.revision += 1
            if isTurn { inner.state.turn += 1 }
            for follower in inner.followers.values { follower.yield(inner.state) }
            return inner.state
        }
    }
}
