package import Scenarios
package import Witness

/// What whoever attends a client says of an attempt.
package enum AttendedWord: String, CaseIterable, Sendable {
    /// The app showed what it shows when all is well.
    case worked
    /// It said that the server was not acceptable.
    case refused
    /// The same, and that its pin was why.
    case refusedPin = "refused-pin"
    /// Something else went wrong.
    case failed
    /// Once more; what was seen stays.
    case again
    /// Back to the step before; what was seen stays.
    case back
    /// On without a word.
    case skip
}

extension AttendedWord {
    /// The word of who has no other than a program's.
    init(_ report: ClientReport) {
        self =
            switch report.word {
            case .succeeded: .worked
            case .refused: report.blamesPin == true ? .refusedPin : .refused
            case .failed, .nothing: .failed
            }
    }
}

/// A person, or another program, who makes the attempts of an app and gives its word.
package protocol Attendant: Sendable {
    /// Has one attempt made, and waits for the word, however long that takes.
    ///
    /// - Returns: the word, and what the attendant noted besides, for people.
    func attend(_ attempt: AttendedAttempt) async throws(CancellationError) -> (AttendedWord, note: String)

    /// Is told what came of a step, and returns when the next may be shown.
    ///
    /// - Parameters:
    ///   - number: which of its steps, controls included; from 1.
    ///   - mayPause: whether another step follows.
    func take(_ step: StepResult, number: Int, mayPause: Bool) async throws(CancellationError)

    /// Is told what came of the trial; `nil`: it was ended before.
    func take(_ result: TrialResult?)
}

extension Attendant {
    package func take(_ step: StepResult, number: Int, mayPause: Bool) async throws(CancellationError) {}

    package func take(_ result: TrialResult?) {}
}

/// What an attendant is told of one attempt.
package struct AttendedAttempt: Sendable {
    package var endpoint: Endpoint
    /// What to do, as the file says it.
    package var ask: String
    package var trial: Trial
    package var planned: PlannedStep
    /// Which of how many steps, controls included; from 1.
    package var number: Int
    package var count: Int
    /// What the app shows if it shows an answer of this attempt; `nil`: the answers do not say.
    package var code: String?
    /// What the wire has seen of this attempt so far.
    package var observations: @Sendable () -> [Observation]
}

/// An app on a device: it is told nothing, for a person has set it up.
struct AttendedClient: ClientUnderTest {
    let declaration: AttendedDeclaration
    let attendant: any Attendant

    var connectsUnasked: Bool { true }

    private static let recallAdvice =
        "did the app show an older answer? Then it did not work: play it again, and say what it does now; "
        + "'{code}' in the answer tells which is which"

    func take(_ step: StepResult, number: Int, mayPause: Bool) async throws(CancellationError) {
        try await attendant.take(step, number: number, mayPause: mayPause)
    }

    func take(_ result: TrialResult?) { attendant.take(result) }

    func attempt(
        _ endpoint: Endpoint,
        beforeEnding: @escaping BeforeEnding
    ) async throws(CancellationError) -> ClientReport {
        guard let scene = endpoint.scene else { return ClientReport(.nothing, account: "nobody attended") }
        let start = ContinuousClock.now
        let attempt = AttendedAttempt(
            endpoint: endpoint,
            ask: declaration.ask,
            trial: scene.trial,
            planned: scene.planned,
            number: scene.number,
            count: scene.count,
            code: scene.code,
            observations: scene.observations
        )
        let (word, note) = try await attendant.attend(attempt)
        if Task.isCancelled { throw CancellationError() }
        await beforeEnding(false)
        var report = ClientReport(word)
        report.isUndated = word == .worked && scene.code == nil
        if report.isUndated { report.advice = Self.recallAdvice }
        report.output = note
        report.duration = ContinuousClock.now - start
        return report
    }
}

extension ClientReport {
    fileprivate init(_ word: AttendedWord) {
        let account = "\(word.rawValue), says who attended it"
        switch word {
        case .worked: self.init(.succeeded, account: account)
        // Apps have few words: that it did not name the pin says nothing.
        case .refused: self.init(.refused, account: account)
        case .refusedPin: self.init(.refused, blamesPin: true, account: account)
        case .failed: self.init(.failed, account: account)
        case .again, .back, .skip: self.init(.nothing, account: account)
        }
        canTellRefusal = true
        switch word {
        case .again: wish = .again
        case .back: wish = .back
        case .skip: wish = .skip
        case .worked, .refused, .refusedPin, .failed: wish = nil
        }
    }
}
