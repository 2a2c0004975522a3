import Foundation

/// What the rules look at: a file, and what would be played of it. The rules are its extensions.
struct Lint {
    /// A scenario with a policy, played to at least one client.
    struct Play {
        var scenario: Scenario
        var policy: PolicyDeclaration
        /// As they would be run, with the controls.
        var steps: [PlannedStep]
    }

    let file: ScenarioFile
    let oracle: Oracle
    let instant: Date
    let trials: [Trial]
    let plays: [Play]

    init(_ file: ScenarioFile, _ oracle: Oracle, instant: Date) throws {
        self.file = file
        self.oracle = oracle
        self.instant = instant
        // A variant would only say everything again.
        trials = file.trials.filter { $0.scenario.variant == nil }
        var known: Set<[String]> = []
        // The plan is the same for every client.
        plays = try trials.compactMap { trial in
            guard known.insert([trial.scenario.name, trial.policy.name]).inserted else { return nil }
            let steps = try oracle.plan(trial, instant: instant)
            return Play(scenario: trial.scenario, policy: trial.policy, steps: steps)
        }
    }

    var blueprint: Blueprint { file.blueprint }

    /// The authority and those above it, the root last.
    func path(from authority: String?) -> [String] {
        var path: [String] = []
        var next = authority
        while let name = next, !path.contains(name) {
            path.append(name)
            next = blueprint.authority(named: name)?.issuer
        }
        return path
    }

    /// The chain, and what is sent behind it.
    func chains(in name: String) -> [ChainDeclaration] {
        guard let chain = blueprint.chain(named: name) else { return [] }
        return [chain] + chain.append.flatMap { chains(in: $0) }
    }

    /// By what name of the file a pin's key was made: two names may stand for one key.
    func owner(of key: String) -> String {
        var visited: Set<String> = []
        var name = key
        while visited.insert(name).inserted, let lender = blueprint.authority(named: name)?.key { name = lender }
        return name
    }
}

/// `'a'`, `'a' and 'b'`, `'a', 'b' and 'c'`.
func enumeration(of names: some Sequence<String>) -> String {
    let quoted = names.map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " and " + last
}
