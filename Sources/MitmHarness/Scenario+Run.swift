import Pinning
public import Scenarios

extension Scenario {
    /// Plays this scenario to a client written in Swift, such as the app's own networking code, and judges it.
    ///
    /// ```swift
    /// let file = try ScenarioFile(parsing: text, file: "scenarios.yaml")
    /// for scenario in file.scenarios {
    ///     let result = try await scenario.run(from: file, policy: "leaf-and-backup") { endpoint in
    ///         try await APIClient(endpoint.url, trust: endpoint.store.pem(), proxy: endpoint.proxyURL).ping()
    ///     }
    ///     #expect(result.verdict == .pass)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - policy: the name of the policy that the client was built with.
    ///   - isRefusal: whether an error that the client throws means that the server was not acceptable; others mean that
    ///     something went wrong.
    ///   - attempt: returning means that it succeeded.
    /// - Throws: `ScenarioFileError` when the file has no such policy, or contradicts itself; `CancellationError`.
    public func run(
        from file: ScenarioFile,
        policy: String,
        options: RunnerOptions = RunnerOptions(),
        isRefusal: @escaping @Sendable (any Error) -> Bool = { _ in false },
        attempt: @escaping @Sendable (Endpoint) async throws -> Void
    ) async throws -> TrialResult {
        guard let policy = file.policy(named: policy) else {
            let advice = nearest(to: policy, among: file.policies.map(\.name)).map { "; did you mean '\($0)'?" } ?? ""
            throw ScenarioFileError([Problem("no policy '\(policy)'\(advice)", at: location)])
        }
        let now = options.clock()
        let oracle = Oracle(try PKI(file.blueprint, now: now))
        let problems = try file.contradictions(oracle, instant: now)
        guard problems.isEmpty else { throw ScenarioFileError(problems) }
        let client = ClientDeclaration(name: "test", kind: .command(CommandDeclaration(run: "test")))
        let trial = Trial(scenario: self, policy: policy, client: client, shown: file.chainsOfSteps)
        let run = TrialRun(
            trial: trial,
            client: FunctionClient(isRefusal: isRefusal, function: attempt),
            oracle: oracle,
            options: options
        )
        return try await run.play()
    }
}

/// A client that is a Swift function.
private struct FunctionClient: ClientUnderTest {
    let isRefusal: @Sendable (any Error) -> Bool
    let function: @Sendable (Endpoint) async throws -> Void

    func attempt(_ endpoint: Endpoint) async throws(CancellationError) -> ClientReport {
        let start = ContinuousClock.now
        var report = await withTaskGroup(of: ClientReport?.self) { group in
            group.addTask { await self.report(endpoint) }
            group.addTask {
                try? await Task.sleep(for: endpoint.timeout)
                return nil
            }
            let first = await group.next() ?? nil
            // A function cannot be ended from outside; it is asked to end, and waited for.
            group.cancelAll()
            return first ?? ClientReport(.nothing, account: "ended by our timeout")
        }
        if Task.isCancelled { throw CancellationError() }
        report.duration = ContinuousClock.now - start
        return report
    }

    private func report(_ endpoint: Endpoint) async -> ClientReport {
        do {
            try await function(endpoint)
            return ClientReport(.succeeded, account: "returned")
        } catch {
            return ClientReport(isRefusal(error) ? .refused : .failed, account: "threw \(error)")
        }
    }
}
