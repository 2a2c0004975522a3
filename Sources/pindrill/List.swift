import ArgumentParser
import Foundation
import Scenarios

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists a file's scenarios, policies and clients.",
        discussion: """
            The file is checked as `run` checks it, its claims included; nothing is started. With `--format markdown` it \
            becomes a page to read: each scenario's steps, and how the users of each policy fare.
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

    func run() throws {
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
        case .text: Terminal.write(try text(of: file, loaded.oracle, now))
        case .markdown: Terminal.write(try CatalogueMarkdown(file, oracle: loaded.oracle, instant: now).render())
        }
        try Terminal.finish()
    }

    private func text(of file: ScenarioFile, _ oracle: Oracle, _ now: Date) throws -> String {
        var lines = ["Scenarios"]
        for scenario in file.scenarios {
            let cost = try oracle.cost(of: scenario, policies: file.policies, instant: now)
            let tags = scenario.tags.isEmpty ? "" : "\(scenario.tags.map(\.name).joined(separator: ", ")); "
            lines.append("  \(scenario.name)  (\(tags)\(cost))")
            lines += scenario.about.map { $0.wrapped(to: 102, indent: "      ") } ?? []
            lines += scenario.variantsInWords.map { "\($0).".wrapped(to: 102, indent: "      ") } ?? []
        }
        lines += ["", "Policies"] + file.policies.map { "  \($0.name)" }
        lines += ["", "Clients"] + file.clients.map { "  \($0.name)" }
        lines += ["", "\(file.trials.count) \(file.trials.count == 1 ? "trial" : "trials")", ""]
        return lines.joined(separator: "\n")
    }
}
