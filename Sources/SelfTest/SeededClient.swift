package import MitmHarness
import Pinning
import Scenarios
import Synchronization

/// A client of PinDrill's own: right in everything, or wrong in one way that is known. It is real on the wire.
package struct SeededClient: Sendable {
    package let name: String
    /// What it does, in one clause.
    package let about: String
    /// The scenario that has to find it; `nil` of a client that is right.
    package let foundBy: String?
    /// The policies of the catalogue that it is played with; its bug has to show under each.
    package let policies: [String]
    /// Whether it is told where to report failures of its pins.
    private let reports: Bool
    /// Makes its code for one trial: what it remembers ends with that trial.
    private let makeBody: @Sendable () -> Body

    typealias Body = @Sendable (Endpoint) async -> ClientReport

    private init(
        _ name: String,
        _ about: String,
        foundBy: String?,
        policies: [String],
        reports: Bool = false,
        makeBody: @escaping @Sendable () -> Body
    ) {
        self.name = name
        self.about = about
        self.foundBy = foundBy
        self.policies = policies
        self.reports = reports
        self.makeBody = makeBody
    }

    package var isCorrect: Bool { foundBy == nil }

    /// The client, for one trial.
    ///
    /// - Parameter isLazy: declared without a rule that tells a refusal from any other failure, as most people begin.
    package func client(isLazy: Bool = false) -> any ClientUnderTest {
        Play(body: makeBody(), isLazy: isLazy, takesCollector: reports)
    }

    private struct Play: ClientUnderTest {
        let body: Body
        let isLazy: Bool
        let takesCollector: Bool

        var takesPins: Bool { true }

        var clockObstacle: String? { nil }

        func attempt(
            _ endpoint: Endpoint,
            beforeEnding: @escaping BeforeEnding
        ) async throws(CancellationError) -> ClientReport {
            var report = await body(endpoint)
            if Task.isCancelled { throw CancellationError() }
            guard isLazy else { return report }
            report.blamesPin = nil
            report.canTellRefusal = false
            if report.word == .refused { report.word = .failed }
            return report
        }
    }
}

extension SeededClient {
    /// A client with one bug, which shows in the way it uses one connection.
    static func bad(
        _ name: String,
        _ about: String,
        foundBy scenario: String,
        policies: [String] = pinned,
        _ exchange: @escaping @Sendable (Endpoint) -> TLSExchange
    ) -> SeededClient {
        SeededClient(name, about, foundBy: scenario, policies: policies) { { await exchange($0).report($0) } }
    }

    /// A client with one bug, which shows in how it goes from connection to connection.
    static func wayward(
        _ name: String,
        _ about: String,
        foundBy scenario: String,
        policies: [String] = pinned,
        reports: Bool = false,
        _ attempt: @escaping @Sendable (Endpoint, Memory) async -> ClientReport
    ) -> SeededClient {
        SeededClient(name, about, foundBy: scenario, policies: policies, reports: reports) { remembering(attempt) }
    }

    /// A client that does what its policy demands, in a way of its own.
    static func correct(
        _ name: String,
        _ about: String,
        policies: [String] = ["leaf-and-backup", "issuing-ca"],
        reports: Bool = false,
        _ attempt: @escaping @Sendable (Endpoint, Memory) async -> ClientReport
    ) -> SeededClient {
        SeededClient(name, about, foundBy: nil, policies: policies, reports: reports) { remembering(attempt) }
    }

    private static func remembering(_ attempt: @escaping @Sendable (Endpoint, Memory) async -> ClientReport) -> Body {
        let memory = Memory()
        return { endpoint in
            defer { memory.endAttempt() }
            return await attempt(endpoint, memory)
        }
    }

    /// What a client remembers while it lives.
    final class Memory: Sendable {
        private let state = Mutex((attempts: 0, notes: [String]()))

        /// How many attempts have ended.
        var attempts: Int { state.withLock(\.attempts) }
        var notes: [String] { state.withLock(\.notes) }
        let sessions = ClientSessions()

        func note(_ text: String) { state.withLock { $0.notes.append(text) } }
        fileprivate func endAttempt() { state.withLock { $0.attempts += 1 } }
    }

    /// The policies that most bugs show under: pins of leaves with a backup, and pins of an authority.
    static let pinned = ["leaf-and-backup", "issuing-ca"]
    static let leaf = ["leaf-and-backup"]
    static let authority = ["issuing-ca"]
    /// Where a chain is bad whatever is pinned, and the pins match it.
    static let trusting = ["no-pins", "issuing-ca"]

    package static let bad =
        badTrust + badNames + badPins + badSettings + badPinSets + badConnections + badSessions + badWords + badReports
    package static let all = bad + correct + correctSessions + correctReports
}
