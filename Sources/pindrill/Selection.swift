import ArgumentParser
import MitmHarness
import Scenarios
import TLSCore

/// Which of a file's scenarios and policies are meant.
struct Choice: ParsableArguments {
    @Option(help: ArgumentHelp("Only scenarios of this name; * and ? are wildcards.", valueName: "glob"))
    var scenario: [String] = []

    @Option(
        help: ArgumentHelp("Only scenarios with this tag, such as attack or CWE-295.", valueName: "glob")
    )
    var tag: [String] = []

    @Flag(help: "All scenarios, where the file would play only some.")
    var all = false

    @Option(help: ArgumentHelp("Only policies of this name.", valueName: "glob"))
    var policy: [String] = []

    func validate() throws {
        guard all, !scenario.isEmpty || !tag.isEmpty else { return }
        throw ValidationError("--all means nothing beside \(tag.isEmpty ? "--scenario" : "--tag")")
    }

    /// The trials that every given pattern allows, in file order.
    ///
    /// - Parameter name: the scenario file, as its user named it.
    /// - Throws: where a pattern matches nothing, or nothing is left.
    func trials(
        of file: ScenarioFile,
        called name: String,
        clients client: [String] = []
    ) throws(InputError) -> [Trial] {
        let policies = Patterns(patterns: policy, option: "--policy", file: name)
        let clients = Patterns(patterns: client, option: "--client", file: name)
        let scenarios = Set(try self.scenarios(of: file, called: name).map(\.name))
        _ = try policies.choose(of: file.policies, by: \.name)
        _ = try clients.choose(of: file.clients, by: \.name)
        let trials = file.trials.filter { trial in
            scenarios.contains(trial.scenario.name) && policies.allow(trial.policy.name)
                && clients.allow(trial.client.name)
        }
        guard !trials.isEmpty else {
            throw InputError("no trial fits: the scenarios or clients chosen exclude the policies chosen")
        }
        return trials
    }

    /// The scenarios that the names and tags allow; where there are none, those that the file itself would play.
    private func scenarios(of file: ScenarioFile, called name: String) throws(InputError) -> [Scenario] {
        let named = try Patterns(patterns: scenario, option: "--scenario", file: name)
            .choose(of: file.playable, by: \.name, or: \.base)
        guard !tag.isEmpty else {
            guard let play = file.play, scenario.isEmpty, !all else { return named }
            // A part that is played for speed has no variants.
            return named.filter { $0.variant == nil && $0.tags.contains(play) }
        }
        let tagged = Set(try file.scenarios(tagged: tag, called: name).map(\.name))
        return named.filter { tagged.contains($0.base) }
    }
}

/// Which of a file's trials are meant.
struct Selection: ParsableArguments {
    @OptionGroup
    var choice: Choice

    @Option(
        help: ArgumentHelp("Only clients of this name; one that is not installed is then an error.", valueName: "glob")
    )
    var client: [String] = []

    func trials(of file: ScenarioFile, called name: String) throws(InputError) -> [Trial] {
        try choice.trials(of: file, called: name, clients: client)
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

extension ScenarioFile {
    /// The scenarios with a tag that one of the patterns fits.
    ///
    /// - Throws: where a pattern fits no tag of the file's.
    func scenarios(tagged patterns: [String], called name: String) throws(InputError) -> [Scenario] {
        let tags = Set(
            try Patterns(patterns: patterns, option: "--tag", file: name)
                .choose(of: scenarios.flatMap(\.tags).uniqued, by: \.name)
        )
        return scenarios.filter { !tags.isDisjoint(with: $0.tags) }
    }
}
