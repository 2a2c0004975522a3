import Foundation
public import Scenarios

/// Runs trials, several at a time: they are independent of each other.
public struct Runner: Sendable {
    public let file: ScenarioFile
    package let oracle: Oracle
    public let options: RunnerOptions
    private let makeClient: @Sendable (ClientDeclaration) throws -> any ClientUnderTest

    /// - Parameters:
    ///   - oracle: holds what the file's blueprint declares, minted.
    ///   - makeClient: called once for each trial; by default, the file's own clients.
    package init(
        _ file: ScenarioFile,
        oracle: Oracle,
        options: RunnerOptions = RunnerOptions(),
        makeClient: @escaping @Sendable (ClientDeclaration) throws -> any ClientUnderTest = { try Runner.client($0) }
    ) {
        self.file = file
        self.oracle = oracle
        var options = options
        options.routing = options.routing ?? file.routing
        options.upstream = file.upstream
        options.applicationProtocols = file.applicationProtocols
        options.clientRoots = file.clientRoots
        options.listeners = file.listeners
        self.options = options
        self.makeClient = makeClient
    }

    /// The client that a file declares.
    ///
    /// - Parameters:
    ///   - attendant: who makes the attempts of attended clients.
    ///   - onStart: is shown each program before it is started.
    package static func client(
        _ declaration: ClientDeclaration,
        attendant: (any Attendant)? = nil,
        onStart: @escaping @Sendable (ChildCommand) -> Void = { _ in }
    ) throws -> any ClientUnderTest {
        switch declaration.kind {
        case .reference: return ReferenceClient()
        case .command(let command):
            let folder = URL(filePath: declaration.location.file).deletingLastPathComponent().path
            return try CommandClient(command, here: folder, onStart: onStart)
        case .attended(let declaration):
            guard let attendant else { throw Unattended() }
            return AttendedClient(declaration: declaration, attendant: attendant)
        case .function: throw Unmakeable()
        }
    }

    private struct Unattended: Error, CustomStringConvertible {
        let description = "nobody attends it; play it with 'pindrill drill'"
    }

    private struct Unmakeable: Error, CustomStringConvertible {
        let description = "a function is nothing that a file can declare; play it with 'play'"
    }

    /// What the clients of some trials say of their versions, by name.
    package func versions(in trials: [Trial]) async -> [String: String] {
        var versions: [String: String] = [:]
        guard options.startsCommands else { return versions }
        for declaration in trials.map(\.client).uniqued {
            versions[declaration.name] = await (try? makeClient(declaration))?.version()
        }
        return versions
    }

    /// Runs trials and returns the results of those that finished, in the order of `trials`.
    ///
    /// Cancelling the task ends the running clients; the trials they were part of have no result.
    ///
    /// - Parameters:
    ///   - onFinish: called for each trial at the moment that it is finished, in whatever order that happens.
    ///   - onResult: called for each finished trial in the order of `trials`, as soon as all before it are finished.
    package func run(
        _ trials: [Trial],
        onFinish: (TrialResult) -> Void = { _ in },
        onResult: (TrialResult) -> Void = { _ in }
    ) async -> [TrialResult] {
        var results: [Int: TrialResult] = [:]
        var handedOut = 0
        await withTaskGroup(of: (Int, TrialResult?).self) { group in
            var order = TrialOrder(trials, jobs: options.jobs)
            func startNext() {
                guard !Task.isCancelled, let index = order.next() else { return }
                group.addTask { (index, try? await result(of: trials[index])) }
            }
            for _ in 0..<min(options.jobs, trials.count) { startNext() }
            for await (index, result) in group {
                order.finish(index)
                if let result {
                    results[index] = result
                    onFinish(result)
                }
                while let next = results[handedOut] {
                    onResult(next)
                    handedOut += 1
                }
                startNext()
            }
        }
        // Of an interrupted run: what finished behind a trial that did not.
        let ordered = results.sorted { $0.key < $1.key }
        for (index, result) in ordered where index >= handedOut { onResult(result) }
        return ordered.map(\.value)
    }

    private func result(of trial: Trial) async throws(CancellationError) -> TrialResult {
        if !options.startsCommands, case .command = trial.client.kind {
            return skipped(trial, because: "it is a command, and --no-commands starts none")
        }
        let client: any ClientUnderTest
        do {
            client = try makeClient(trial.client)
        } catch let reason as Unattended {
            return skipped(trial, because: "\(reason)")
        } catch {
            return TrialResult(trial, brokenDown: error)
        }
        do {
            let result = try await self.result(of: trial, client)
            client.take(result)
            return result
        } catch {
            client.take(nil)
            throw error
        }
    }

    private func result(of trial: Trial, _ client: any ClientUnderTest) async throws(CancellationError) -> TrialResult {
        let clockObstacle = trial.scenario.steps.contains { $0.clock != .zero } ? client.clockObstacle : nil
        if let reason = client.reasonToSkip(trial) ?? clockObstacle ?? oracle.pki.obstacle(to: trial.scenario) {
            return skipped(trial, because: reason)
        }
        let missing = trial.scenario.steps.compactMap { $0.limits.obstacle() }.first
        if let missing { return skipped(trial, because: "this OpenSSL does not have \(missing)") }
        do {
            return try await TrialRun(
                trial: trial,
                client: client,
                oracle: try oracle.playing(trial.scenario),
                options: options
            ).play()
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch {
            return TrialResult(trial, brokenDown: error)
        }
    }

    private func skipped(_ trial: Trial, because reason: String) -> TrialResult {
        let planned = (try? oracle.plan(trial, instant: options.clock())) ?? []
        let skip = Judgement(.skipped, .skipped(reason))
        return TrialResult(trial, steps: planned.map { StepResult($0, untried: skip) }, duration: .zero)
    }
}
