import Pinning
public import Scenarios

extension Runner {
    /// Makes a file's keys and certificates, once for all scenarios that are then played with them.
    ///
    /// - Throws: `ScenarioFileError` when the file contradicts itself.
    public init(_ file: ScenarioFile, options: RunnerOptions = RunnerOptions()) throws {
        let now = options.clock()
        let oracle = Oracle(try PKI(file.blueprint, now: now))
        let problems = try file.contradictions(oracle, instant: now)
        guard problems.isEmpty else { throw ScenarioFileError(problems) }
        self.init(file, oracle: oracle, options: options)
    }

    /// Plays a scenario to a client written in Swift, such as the app's own networking code, and judges it.
    ///
    /// ```swift
    /// let runner = try Runner(ScenarioFile(parsing: text, file: "scenarios.yaml"))
    /// for scenario in runner.file.scenarios {
    ///     let result = try await runner.play(scenario, policy: "leaf-and-backup") { endpoint in
    ///         try await APIClient(endpoint.url, trust: endpoint.store.pem(), proxy: endpoint.proxyURL).ping()
    ///     } answer: { result in
    ///         switch result {
    ///         case .success: .succeeded
    ///         case .failure(is PinMismatch): .refusedPin
    ///         case .failure(is Untrusted): .refused
    ///         case .failure: .failed
    ///         }
    ///     }
    ///     #expect(result.verdict == .pass)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - policy: the name of the policy that the client was built with.
    ///   - attempt: is asked to end, by cancelling its task, when its time is up.
    ///   - answer: what came of an attempt, by the value that it returned or the error that it threw. Without, a value
    ///     means that it succeeded, and an error may be anything: then nobody can tell whose doing a refusal was.
    /// - Throws: `ScenarioFileError` when the file has no such policy; `CancellationError`.
    public func play<Value: Sendable>(
        _ scenario: Scenario,
        policy: String,
        attempt: @escaping @Sendable (Endpoint) async throws -> Value,
        answer: (@Sendable (Result<Value, any Error>) -> ClientAnswer)? = nil
    ) async throws -> TrialResult {
        guard let policy = file.policy(named: policy) else {
            let advice = nearest(to: policy, among: file.policies.map(\.name)).map { "; did you mean '\($0)'?" } ?? ""
            throw ScenarioFileError([ScenarioProblem("no policy '\(policy)'\(advice)", at: scenario.location)])
        }
        let trial = Trial(
            scenario: scenario,
            policy: policy,
            client: ClientDeclaration(name: "function", kind: .function),
            shown: file.chainsOfSteps
        )
        let client = FunctionClient(answer: answer, function: attempt)
        return try await TrialRun(trial: trial, client: client, oracle: oracle, options: options).play()
    }
}
