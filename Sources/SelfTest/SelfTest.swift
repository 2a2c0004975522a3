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

        package init(client: SeededClient, trials: [TrialResult]) {
            self.client = client
            self.trials = trials
        }

        /// A bad client is found where its own scenario fails it under each of its policies; a correct one is left in
        /// peace where no trial fails it.
        package var isRight: Bool { !trials.isEmpty && surprises.isEmpty }

        /// The trials that went another way.
        package var surprises: [TrialResult] { trials.filter { ($0.verdict == .fail) == client.isCorrect } }

        /// The trials that proved nothing of a correct client.
        package var doubts: [TrialResult] { client.isCorrect ? trials.filter { $0.verdict == .inconclusive } : [] }
    }

    private static let lazySuffix = ", lazily declared"

    private static func split(_ name: String) -> (name: String, isLazy: Bool) {
        name.hasSuffix(lazySuffix) ? (String(name.dropLast(lazySuffix.count)), true) : (name, false)
    }

    /// Every bad client plays its own scenario. Every correct one plays the quick set under each of its policies, once
    /// declared with care and once lazily, and every other scenario, variants aside, under one of them: the next client
    /// under the next.
    package var trials: [Trial] {
        let file = runner.file
        let shown = file.chainsOfSteps
        let playable = file.playable
        return clients.enumerated().flatMap { turn, client in
            guard client.isCorrect else {
                return playable.filter { $0.name == client.foundBy }
                    .flatMap { trials(of: $0, for: client, shown: shown) }
            }
            return file.scenarios.enumerated().flatMap { place, scenario in
                let isQuick = scenario.tags.contains { $0.name == ScenarioTag.quick }
                let trials = trials(of: scenario, for: client, shown: shown, lazily: isQuick)
                return isQuick || trials.isEmpty ? trials : [trials[(turn + place) % trials.count]]
            }
        }
    }

    private func trials(
        of scenario: Scenario,
        for client: SeededClient,
        shown: Set<String>,
        lazily: Bool = false
    ) -> [Trial] {
        let names = [client.name] + (lazily ? [client.name + SelfTest.lazySuffix] : [])
        return client.policies.compactMap { runner.file.policy(named: $0) }
            .filter { scenario.policies?.contains($0.name) != false }
            .flatMap { policy in
                names.map { name in
                    Trial(
                        scenario: scenario,
                        policy: policy,
                        client: ClientDeclaration(name: name, kind: .function),
                        shown: shown
                    )
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
