import Foundation
import Testing

/// The parts of a JSON report that the tests look at.
struct WrittenReport: Decodable {
    struct Trial: Decodable {
        let scenario: String
        let policy: String
        let client: String
        let steps: [Step]
    }

    struct Step: Decodable {
        struct Shown: Decodable {
            let chain: String
            let holder: String
            let demand: String
        }

        let shown: [Shown]
        let host: String
        let store: String
        let verdict: String
        let consequence: String
        let attribution: String?

        var chains: [String] { shown.map(\.chain) }
        func demands(_ demand: String) -> Bool { shown.allSatisfy { $0.demand == demand } }
    }

    struct Summary: Decodable {
        let verdicts: [String: Int]
        let consequences: [String: Int]
    }

    /// `nil`: the run was killed.
    let exitStatus: Int32?
    let interrupted: Bool
    let summary: Summary
    let trials: [Trial]

    init(at url: URL) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(WrittenReport.self, from: try Data(contentsOf: url))
    }

    func step(_ scenario: String, _ policy: String, _ client: String, _ chain: String) throws -> Step {
        let trial = trials.first { ($0.scenario, $0.policy, $0.client) == (scenario, policy, client) }
        return try #require(trial?.steps.last { $0.chains == [chain] })
    }
}
