import Foundation
import Pinning
import Scenarios
import TLSCore

extension MonitorReport {
    /// For programs: `docs/monitor.md` describes it.
    package func json() throws -> String { try Document(self).asJSON() }

    private struct Document: Encodable {
        var version = 1
        var at: Date
        var status: Int
        var warnDays: Int
        var policies: [String]
        var shown: [Entry]
        var silent: [Unasked]
        var endings: [End]

        init(_ report: MonitorReport) {
            at = report.instant
            status = report.status.rawValue
            warnDays = report.warnDays
            policies = report.policies
            shown = report.shown.map(Entry.init)
            silent = report.silent.map {
                Unasked(kind: $0.kind.rawValue, name: $0.name, address: $0.address, reason: $0.reason)
            }
            endings = report.endings.map(End.init)
        }
    }

    private struct Entry: Encodable {
        var kind: String
        var name: String
        var address: String?
        var subjects: [String]
        var accepted: Bool
        var answers: [Answer]

        init(_ shown: Shown) {
            kind = shown.kind.rawValue
            name = shown.name
            address = shown.address
            subjects = shown.chain.map(\.subject)
            accepted = !shown.isRefused
            answers = shown.cells.map(Answer.init)
        }
    }

    /// One for each policy, in their order.
    private struct Answer: Encodable {
        var decision: String
        var outcome: String
        var reason: String
        var missing: String?
        var needed: [[Needed]]

        init(_ cell: CheckMatrix.Cell) {
            decision = cell.decision.demand.rawValue
            outcome = cell.outcome.rawValue
            reason = "\(cell.decision)"
            missing = cell.missing
            needed = cell.needed.map { $0.map { Needed($0) } }
        }
    }

    private struct Unasked: Encodable {
        var kind: String
        var name: String
        var address: String?
        var reason: String
    }

    private struct End: Encodable {
        var subject: String
        var owner: String
        var address: String?
        var name: String
        var at: Date
        var daysLeft: Int

        init(_ ending: Ending) {
            subject = ending.subject.rawValue
            owner = ending.owner
            address = ending.address
            name = ending.name
            at = ending.instant
            daysLeft = ending.daysLeft
        }
    }
}
