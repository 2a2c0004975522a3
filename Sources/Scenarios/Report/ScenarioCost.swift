package import Foundation
import Pinning

/// What a scenario costs with the one policy that makes it longest.
package struct ScenarioCost: Hashable, Sendable {
    /// At least: a client may make more of its own accord.
    package var connections: Int
    /// How often a client is started that lives for one attempt.
    package var starts: Int

    package init(connections: Int, starts: Int) {
        self.connections = connections
        self.starts = starts
    }
}

extension ScenarioCost: CustomStringConvertible {
    /// As in `4 connections, 3 starts`.
    package var description: String {
        "\(connections) \(connections == 1 ? "connection" : "connections"), "
            + "\(starts) \(starts == 1 ? "start" : "starts")"
    }
}

extension Oracle {
    /// What a trial of the scenario costs at most: inserted controls count, and repetitions for a client that cannot say
    /// why it refused do not.
    package func cost(
        of scenario: Scenario,
        policies: [PolicyDeclaration],
        instant: Date
    ) throws -> ScenarioCost {
        let client = ClientDeclaration(name: "", kind: .reference)
        let costs = try policies.filter { scenario.policies?.contains($0.name) ?? true }.map { policy in
            let steps = try plan(Trial(scenario: scenario, policy: policy, client: client), instant: instant).map(
                \.step
            )
            return ScenarioCost(
                connections: steps.map { max($0.attempts, $0.present.count) }.reduce(0, +),
                starts: steps.map(\.attempts).reduce(0, +)
            )
        }
        return costs.max { ($0.connections, $0.starts) < ($1.connections, $1.starts) }
            ?? ScenarioCost(connections: 0, starts: 0)
    }
}

extension Scenario {
    /// What there is to say of it beside its steps, with what to call each.
    func account(cost: ScenarioCost? = nil) -> [(label: String?, text: String)] {
        [
            (nil, about), ("Hurts", hurts), ("Prevented by", preventedBy),
            ("References", references.isEmpty ? nil : references.joined(separator: ", ")),
            ("Tags", tags.isEmpty ? nil : tags.map(\.name).joined(separator: ", ")),
            ("Cost", cost.map { "\($0) a trial" }),
        ].compactMap { label, text in text.map { (label, $0) } }
    }
}
