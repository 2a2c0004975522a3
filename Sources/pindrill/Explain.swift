import ArgumentParser
import Foundation
import Scenarios

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explains a scenario: who vouches for whom, and what each policy makes of it.",
        discussion: """
            Each step's chain is drawn from the authority that the device trusts down to the server's certificate, with \
            keys, dates and the policies whose pins match. Below it stands what a client with each policy must do, and \
            what that means for its users. No client is started.
            """
    )

    @Argument(help: "The scenario's name; * and ? are wildcards.")
    var scenario: String

    @Argument(
        help: "The scenario file (default: the scenarios.yaml that is here, or else the shipped one).",
        completion: .file(extensions: ["yaml", "yml"])
    )
    var file: String?

    @Option(help: ArgumentHelp("Only policies of this name; * and ? are wildcards.", valueName: "glob"))
    var policy: [String] = []

    @Option(help: ArgumentHelp("Only this step, to fit a screen: 1 is the first.", valueName: "number"))
    var step: Int?

    @Option(help: ArgumentHelp("Where sentences are wrapped.", valueName: "characters"))
    var width = 100

    @OptionGroup
    var output: OutputOptions

    @Flag(help: "Shows the pins, which change with every run.")
    var verbose = false

    func validate() throws {
        guard (40...1000).contains(width) else { throw ValidationError("--width must be from 40 to 1000") }
        if step != nil, output.json {
            throw ValidationError("--step and --json exclude each other: JSON has every step")
        }
    }

    func run() throws {
        output.begin()
        let now = Date()
        let loaded = try LoadedFile(LoadedFile.path(self.file), now: now)
        let scenarios: [Scenario]
        let policies: [PolicyDeclaration]
        do {
            scenarios = try Patterns(patterns: [scenario], option: "scenario", file: loaded.name)
                .choose(of: loaded.file.scenarios, by: \.name)
            policies = try Patterns(patterns: policy, option: "--policy", file: loaded.name)
                .choose(of: loaded.file.policies, by: \.name)
            let isPlayed = scenarios.contains { scenario in
                policies.contains { scenario.policies?.contains($0.name) ?? true }
            }
            if let step, let other = scenarios.first(where: { !(1...$0.steps.count).contains(step) }) {
                let count = other.steps.count
                throw InputError("--step \(step): '\(other.name)' has \(count) \(count == 1 ? "step" : "steps")")
            }
            guard isPlayed else { throw InputError("scenario '\(scenario)' is not played with such a policy") }
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode(64)
        }
        let explanations = try scenarios.map {
            try Explanation($0, policies: policies, oracle: loaded.oracle, instant: now)
        }
        if output.json {
            Terminal.write(json: try ExplanationDocument(explanations).asJSON())
        } else {
            let text = ExplainText(style: output.style, width: width, isVerbose: verbose)
            Terminal.write(explanations.map { text.render($0, step: step) }.joined(separator: "\n\n"))
        }
        try Terminal.finish()
    }
}
