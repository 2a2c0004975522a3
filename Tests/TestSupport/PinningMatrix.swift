import Foundation

/// The table: a row for each event, a column for each pinning system.
package struct PinningMatrix: Sendable {
    /// The columns' names, in order.
    package let policies: [String]
    private let cells: [String: [String: String]]

    /// The TLS stacks that each column's system runs on.
    private let stacks: [String: String]

    package static let shared = PinningMatrix(
        VectorTable(at: Places.ownVectors.appending(path: "pinning-matrix.csv")),
        policies: VectorTable(at: Places.ownVectors.appending(path: "pinning-matrix-policies.csv"))
    )

    private init(_ table: VectorTable, policies legend: VectorTable) {
        stacks = Dictionary(legend.rows.map { ($0["policy_id", default: ""], $0["stack", default: ""]) }) { $1 }
        cells = Dictionary(table.rows.map { ($0["event_id", default: ""], $0) }) { first, _ in first }
        // The first two columns name the event.
        policies = Array(table.columns.dropFirst(2))
    }

    /// `accept`, `reject`, `stack` or `crash`; `nil` for an event or a policy that the table does not have.
    package func cell(event: String, policy: String) -> String? { cells[event]?[policy] }

    /// As in `java`, or `conscrypt or java`.
    package func stacks(of policy: String) -> [String] { stacks[policy, default: ""].components(separatedBy: " or ") }
}
