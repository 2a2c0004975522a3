import ArgumentParser
import Foundation
import Scenarios

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists a file's scenarios, policies and clients.",
        discussion: """
            All of the file is checked, its claims included; nothing is started. With `--format markdown` it becomes a page \
            to read: each scenario's steps, and how the users of each policy fare.
            """
    )

    /// What the list is for.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, markdown
    }

    @Argument(
        help: "The scenario file (default: the scenarios.yaml that is here, or else the shipped one).",
        completion: .file(extensions: ["yaml", "yml"])
    )
    var file: String?

    @Option(
        help: ArgumentHelp("Only scenarios with this tag, such as attack or CWE-295.", valueName: "glob")
    )
    var tag: [String] = []

    @Option(help: ArgumentHelp("How: text or markdown.", valueName: "format"))
    var format: Format = .text

    @OptionGroup
    var output: OutputOptions

    func validate() throws {
        if output.json, format != .text { throw ValidationError("--json and --format exclude each other") }
    }

    /// A file's parts as programs read them.
    private struct Document: Encodable {
        struct Scenario: Encodable {
            var name: String
            var tags: [String]
            var about: String?
            var variants: [String]
        }

        var version = 1
        var file: String
        var scenarios: [Scenario]
        var policies: [String]
        var clients: [String]
        var trials: Int

        init(_ file: ScenarioFile, called name: String) {
            self.file = name
            scenarios = file.scenarios.map { scenario in
                let variants = file.playable.filter { $0.base == scenario.name && $0.variant != nil }.map(\.name)
                return Scenario(
                    name: scenario.name,
                    tags: scenario.tags.map(\.name),
                    about: scenario.about,
                    variants: variants
                )
            }
            policies = file.policies.map(\.name)
            clients = file.clients.map(\.name)
            trials = file.trials.count
        }
    }

    func run() throws {
        output.begin()
        let now = Date()
        let loaded = try LoadedFile(LoadedFile.path(file), now: now)
        var file = loaded.file
        if !tag.isEmpty {
            do {
                file.scenarios = try file.scenarios(tagged: tag, called: loaded.name)
            } catch {
                Terminal.complain("\(error)")
                throw ExitCode(64)
            }
        }
        switch format {
        case .text where output.json: Terminal.write(json: try Document(file, called: loaded.name).asJSON())
        case .text: Terminal.write(try text(of: file, loaded.oracle, now))
        case .markdown: Terminal.write(try CatalogueMarkdown(file, oracle: loaded.oracle, instant: now).render())
        }
        try Terminal.finish()
    }

    private func text(of file: ScenarioFile, _ oracle: Oracle, _ now: Date) throws -> String {
        var lines = [output.style.heading("Scenarios")]
        for scenario in file.scenarios {
            let cost = try oracle.cost(of: scenario, policies: file.policies, instant: now)
            let tags = scenario.tags.isEmpty ? "" : "\(scenario.tags.map(\.name).joined(separator: ", ")); "
            lines.append("  \(scenario.name)  (\(tags)\(cost))")
            lines += scenario.about.map { $0.wrapped(to: 102, indent: "      ") } ?? []
            lines += scenario.variantsInWords.map { "\($0).".wrapped(to: 102, indent: "      ") } ?? []
        }
        lines += ["", output.style.heading("Policies")] + file.policies.map { "  \($0.name)" }
        lines += ["", output.style.heading("Clients")] + file.clients.map { "  \($0.name)" }
        lines += ["", "\(file.trials.count) \(file.trials.count == 1 ? "trial" : "trials")", ""]
        return lines.joined(separator: "\n")
    }
}
