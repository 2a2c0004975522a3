import ArgumentParser
import MitmHarness
import Pinning
import Scenarios

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
    /// - Throws: where a pattern matches nothing, or nothing is left.
    func trials(of file: ScenarioFile) throws(Trouble) -> [Trial] {
        try check(scenario, "--scenario", file.scenarios.map(\.name))
        try check(policy, "--policy", file.policies.map(\.name))
        try check(client, "--client", file.clients.map(\.name))
        let trials = file.trials.filter { trial in
            allows(scenario, trial.scenario.name) && allows(policy, trial.policy.name)
                && allows(client, trial.client.name)
        }
        guard !trials.isEmpty else {
            throw Trouble("no trial fits: the scenarios or clients chosen exclude the policies chosen")
        }
        return trials
    }

    /// The named clients whose program cannot be found.
    func missingClients(in trials: [Trial]) -> [String] {
        guard !client.isEmpty else { return [] }
        let declarations = trials.map(\.client).reduce(into: [ClientDeclaration]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        return declarations.compactMap { declaration in
            guard let program = (try? Runner.client(declaration)) as? CommandClient, !program.isInstalled
            else { return nil }
            return "client '\(declaration.name)': '\(program.program ?? declaration.name)' is not installed"
        }
    }

    private func allows(_ patterns: [String], _ name: String) -> Bool {
        patterns.isEmpty || patterns.contains { Glob($0).matches(name) }
    }

    private func check(_ patterns: [String], _ option: String, _ names: [String]) throws(Trouble) {
        for pattern in patterns where !names.contains(where: Glob(pattern).matches) {
            let advice =
                nearest(to: pattern, among: names).map { "did you mean '\($0)'?" }
                ?? "there are: \(names.joined(separator: ", "))"
            throw Trouble("\(option) '\(pattern)' matches nothing; \(advice)")
        }
    }
}
