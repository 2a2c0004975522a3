import Foundation
package import Pinning
import TLSCore

extension CheckMatrix {
    /// For programs: `docs/check.md` describes it.
    package func json() throws -> String { try Document(self).asJSON() }

    /// For a page, or a comment on a change.
    package func markdown() -> String {
        var parts = ["**\(MarkdownText.escaped(headline))**"]
        let head = ["Policy"] + columns.map { "\($0.name) (\($0.host))" }
        let body = zip(rows, cells).map { row, cells in
            [row.name]
                + cells.map { cell in
                    let word = cell.decision.demand.rawValue
                    return cell.isFailure ? "**\(word)**" : cell.word
                }
        }
        parts.append(MarkdownText.table(head, body).joined(separator: "\n"))
        let reasons = complaints.map { complaint in
            [
                complaint.row, complaint.columns.joined(separator: ", "), complaint.cell.outcome.words,
                complaint.cell.why, complaint.cell.needs.joined(separator: "; "),
            ]
        }
        if !reasons.isEmpty {
            let head = ["Policy", "Chain", "Users", "Why", "Pin"]
            parts.append(MarkdownText.table(head, reasons).joined(separator: "\n"))
        }
        if !cautions.isEmpty {
            parts.append(cautions.map { "\\* \(MarkdownText.escaped($0))" }.joined(separator: "\n\n"))
        }
        parts.append(
            sources.map {
                "- `\($0.option)` \(MarkdownText.escaped($0.name)): \(Count.of($0.count, "certificate")) trusted"
            }.joined(separator: "\n")
        )
        return parts.joined(separator: "\n\n") + "\n"
    }

    private struct Document: Encodable {
        struct Chain: Encodable {
            var name: String
            var host: String
            var subjects: [String]
        }

        struct Policy: Encodable {
            var name: String
            var dialect: String
            var lacksAppTrust: Bool
        }

        struct Store: Encodable {
            var option: String
            var name: String
            var certificates: Int
        }

        struct Answer: Encodable {
            var policy: Int
            var chain: Int
            var decision: String
            var reason: String
            var outcome: String
            var missing: String?
            var needed: [[Needed]]
            var required: Bool
        }

        var version = 1
        var at: Date
        var accepted: Bool
        var policies: [Policy]
        var chains: [Chain]
        var trust: [Store]
        var cells: [Answer]

        init(_ matrix: CheckMatrix) {
            at = matrix.instant
            accepted = matrix.isAccepted
            policies = matrix.rows.map {
                Policy(
                    name: $0.name,
                    dialect: type(of: $0.configuration).dialect.rawValue,
                    lacksAppTrust: $0.lacksAnchors
                )
            }
            chains = matrix.columns.map { Chain(name: $0.name, host: $0.host, subjects: $0.chain.map(\.subject)) }
            trust = matrix.sources.map { Store(option: $0.option, name: $0.name, certificates: $0.count) }
            cells = matrix.cells.enumerated().flatMap { row, cells in
                cells.enumerated().map { column, cell in
                    Answer(
                        policy: row,
                        chain: column,
                        decision: cell.decision.demand.rawValue,
                        reason: "\(cell.decision)",
                        outcome: cell.outcome.rawValue,
                        missing: cell.missing,
                        needed: cell.needed.map { $0.map { Needed($0) } },
                        required: cell.isRequired
                    )
                }
            }
        }
    }
}

/// A pin that would have let a client in, as documents for programs have it.
package struct Needed: Encodable, Sendable {
    package var sha256: String
    package var match: String
    package var subject: String

    package init(_ needed: NeededPin) {
        sha256 = needed.pin.base64
        match = needed.match.rawValue
        subject = needed.certificate.subject
    }
}
