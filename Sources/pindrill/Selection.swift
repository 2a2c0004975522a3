import ArgumentParser
import MitmHarness
import Scenarios
import TLSCore

/// Which of a file's trials are meant.
struct Selection: ParsableArguments {
    @Option(help: ArgumentHelp("Only scenarios of this name; * and ? are wildcards.", valueName: "glob"))
    var scenario: [String] = []

    @Option(help: ArgumentHelp("Only policies of this name.", valueName: "glob"))
    var policy: [String] = []

    @Option(
        help: ArgumentHelp("Only clients of this name; one that is not installed is then an error.", valueName: "glob")
    )
    var client: [String] = []

    /// The trials that every given pattern allows, in file order.
    ///
    /// - Parameter name: the scenario file, as its user named it.
    /// - Throws: where a pattern matches nothing, or nothing is left.
    func trials(of file: ScenarioFile, called name: String) throws(InputError) -> [Trial] {
        let scenarios = Patterns(patterns: scenario, option: "--scenario", file: name)
        let policies = Patterns(patterns: policy, option: "--policy", file: name)
        let clients = Patterns(patterns: client, option: "--client", file: name)
        _ = try scenarios.choose(of: file.scenarios, by: \.name)
        _ = try policies.choose(of: file.policies, by: \.name)
        _ = try clients.choose(of: file.clients, by: \.name)
        let trials = file.trials.filter { trial in
            scenarios.allow(trial.scenario.name) && policies.allow(trial.policy.name)
                && clients.allow(trial.client.name)
        }
        guard !trials.isEmpty else {
            throw InputError("no trial fits: the scenarios or clients chosen exclude the policies chosen")
        }
        return trials
    }

    /// The named clients whose program cannot be found.
    func missingClients(in trials: [Trial]) -> [String] {
        guard !client.isEmpty else { return [] }
        return trials.map(\.client).uniqued.compactMap { declaration in
            let program = try? Runner.client(declaration) as? CommandClient
            return program?.absence.map { "client '\(declaration.name)': \($0)" }
        }
    }
}
