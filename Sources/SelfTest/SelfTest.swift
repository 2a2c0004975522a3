package import MitmHarness
package import Scenarios

/// Plays the catalogue to clients whose bugs are known, and to clients that have none.
package struct SelfTest: Sendable {
    package let runner: Runner
    package let clients: [SeededClient]

    /// - Parameter makeRunner: is given what makes the clients, by the names of their declarations.
    package init(clients: [SeededClient] = SeededClient.all, runner makeRunner: (@escaping MakeClient) -> Runner) {
        self.clients = clients
        runner = makeRunner { declaration in
            let (name, isLazy) = SelfTest.split(declaration.name)
            guard let client = clients.first(where: { $0.name == name }) else { throw Unknown(name: name) }
            return client.client(isLazy: isLazy)
        }
    }

    package typealias MakeClient = @Sendable (ClientDeclaration) throws -> any ClientUnderTest

    private struct Unknown: Error { let name: String }

    /// What came of one client.
    package struct Result: Sendable {
        package let client: SeededClient
        package let trials: [TrialResult]

        /// A bad client is found where its own scenario fails it under each of its policies; a correct one, where no
        /// trial accuses or doubts it.
        package var isRight: Bool {
            client.isCorrect
                ? trials.allSatisfy { [.pass, .notApplicable, .skipped].contains($0.verdict) }
                : !trials.isEmpty && trials.allSatisfy { $0.verdict == .fail }
        }

        /// The trials that went another way.
        package var surprises: [TrialResult] {
            trials.filter {
                client.isCorrect ? ![.pass, .notApplicable, .skipped].contains($0.verdict) : $0.verdict != .fail
            }
        }
    }

    private static let lazySuffix = ", lazily declared"

    private static func split(_ name: String) -> (name: String, isLazy: Bool) {
        name.hasSuffix(lazySuffix) ? (String(name.dropLast(lazySuffix.count)), true) : (name, false)
    }

    /// Every bad client plays its own scenario; every correct one plays all that its policies have a part in, twice:
    /// declared with care, and lazily.
    package var trials: [Trial] {
        let shown = runner.file.chainsOfSteps
        return clients.flatMap { client in
            runner.file.scenarios.filter { client.isCorrect || $0.name == client.foundBy }.flatMap { scenario in
                client.policies.compactMap { runner.file.policy(named: $0) }
                    .filter { scenario.policies?.contains($0.name) != false }
                    .flatMap { policy in
                        [client.name, client.name + SelfTest.lazySuffix].prefix(client.isCorrect ? 2 : 1).map { name in
                            Trial(
                                scenario: scenario,
                                policy: policy,
                                client: ClientDeclaration(name: name, kind: .function),
                                shown: shown
                            )
                        }
                    }
            }
        }
    }

    /// Plays all trials; the results are in the order of `clients`.
    package func run(onFinish: (TrialResult) -> Void = { _ in }) async -> [Result] {
        let results = Dictionary(grouping: await runner.run(trials, onFinish: onFinish)) {
            SelfTest.split($0.client).name
        }
        return clients.map { Result(client: $0, trials: results[$0.name] ?? []) }
    }
}
