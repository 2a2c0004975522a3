package import Foundation
import Pinning
import TLSCore

/// A file's scenarios as a page to read: what happens, what is shown, and how the users of each policy fare.
package struct CatalogueMarkdown: Sendable {
    private let text: String

    /// - Parameter instant: the real one; nothing in the page depends on it.
    package init(_ file: ScenarioFile, oracle: Oracle, instant: Date) throws {
        let head = """
            # Catalogue

            <!-- Generated from the scenario file by `make docs`; do not edit. -->

            What each scenario shows, and what a client that obeys its policy does to its users. **locked out** is an
            outage, **intercepted** a breach, *either* is left to the client's TLS library, and a dash means that the
            scenario is not played with that policy.
            """
        let contents = file.scenarios.map { "- [\($0.name)](#\($0.name.lowercased().replacing(".", with: "")))" }
            .joined(separator: "\n")
        let scenarios = try file.scenarios.map { try Self.page($0, file, oracle, instant: instant) }
        text = ([head, contents] + scenarios).joined(separator: "\n\n") + "\n"
    }

    package func render() -> String { text }

    private static func page(
        _ scenario: Scenario,
        _ file: ScenarioFile,
        _ oracle: Oracle,
        instant: Date
    ) throws -> String {
        let account = scenario.account(cost: try oracle.cost(of: scenario, policies: file.policies, instant: instant))
            .map { label, text in
                "\(label.map { "**\($0):** " } ?? "")\(MarkdownText.escaped(text))".wrapped(to: 120, indent: "")
                    .joined(separator: "\n")
            }
        let steps = scenario.steps.enumerated().map { index, step in
            let chains = (step.present + step.also.map(\.chain)).compactMap(file.blueprint.chain)
            let keys = chains.compactMap { file.blueprint.key(named: $0.key) }.map {
                "\($0.name), \($0.holder.rawValue)'s"
            }
            return [
                "\(index + 1)", "\(step.at)", step.shownInWords(", then "),
                keys.uniqued.joined(separator: "; "),
                step.store, remarks(on: step, in: file).joined(separator: "; "),
            ]
        }
        let head = ["Policy"] + scenario.steps.enumerated().map { "\($0 + 1): \($1.shownInWords(", "))" }
        let policies = try file.policies.map { policy in
            guard scenario.policies?.contains(policy.name) ?? true else {
                return [policy.name] + scenario.steps.map { _ in "–" }
            }
            return [policy.name]
                + (try scenario.steps.map { step in
                    let shown =
                        try oracle.decide(policy, step: step, instant: instant)
                        + oracle.decideElsewhere(policy, step: step, instant: instant)
                    return shown.map(\.consequence.markdown).uniqued.joined(separator: ", then ")
                })
        }
        let stepTable = MarkdownText.table(["Step", "At", "Shown", "Key", "Device", "Remarks"], steps)
        let tables = [stepTable, MarkdownText.table(head, policies)].map { $0.joined(separator: "\n") }
        let variants = scenario.variantsInWords.map { ["\($0)."] } ?? []
        return (["## \(scenario.name)"] + account + tables + variants).joined(separator: "\n\n")
    }

    private static func remarks(on step: Step, in file: ScenarioFile) -> [String] {
        var remarks = step.note.map { [$0] } ?? []
        if step.host != file.host { remarks.append("asked for `\(step.host)`") }
        remarks += step.particulars
        if step.attempts > 1 { remarks.append("tried \(step.attempts) times") }
        return remarks
    }
}

extension Consequence {
    fileprivate var markdown: String {
        switch self {
        case .served: "served"
        case .protected: "protected"
        case .lockedOut: "**locked out**"
        case .intercepted: "**intercepted**"
        case .unknown: "*either*"
        }
    }
}
