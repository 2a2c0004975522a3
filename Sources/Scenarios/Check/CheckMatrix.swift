package import Foundation
package import Pinning
package import TLSCore

/// Which of several apps accept which of several chains.
package struct CheckMatrix: Sendable {
    /// An app, by the name of its configuration's file.
    package struct Row: Sendable {
        package var name: String
        package var configuration: any PinConfiguration
        /// Whether it trusts authorities of its own, which nobody named.
        package var lacksAnchors: Bool

        package init(_ name: String, _ configuration: any PinConfiguration, lacksAnchors: Bool = false) {
            self.name = name
            self.configuration = configuration
            self.lacksAnchors = lacksAnchors
        }
    }

    /// A chain as a server shows it, leaf first, and the host that is asked for.
    package struct Column: Sendable {
        package var name: String
        package var host: String
        package var chain: [Certificate]

        package init(_ name: String, host: String, chain: [Certificate]) {
            self.name = name
            self.host = host
            self.chain = chain
        }
    }

    /// Where trust came from: an option, what it was given, and how many certificates that holds.
    package struct Source: Sendable {
        package var option: String
        package var name: String
        package var count: Int

        package init(option: String, name: String, count: Int) {
            self.option = option
            self.name = name
            self.count = count
        }
    }

    /// What one app makes of one chain.
    package struct Cell: Sendable {
        package var decision: Decision
        package var outcome: PolicyAudit.Outcome
        /// What stands between the chain and an anchor, in words; `nil` where nothing does.
        package var missing: String?
        /// One element for each list of pins that is not met, with the pins of which one would do.
        package var needed: [[NeededPin]]
        package var isRequired: Bool

        package var isFailure: Bool { isRequired && decision.demand != .accept }

        /// Why what is accepted says nothing of the pins; `nil` where a pin matches, and for what is not accepted.
        package var caution: String? {
            switch decision.reason {
            case .trusted: "nothing is pinned for this host, so that any trusted chain is accepted"
            case .reportedOnly, .exempt: "\(decision)"
            default: nil
            }
        }

        /// The decision in a table, with its marks.
        package var word: String { decision.demand.rawValue + (isFailure ? "!" : caution == nil ? "" : "*") }
    }

    package let rows: [Row]
    package let columns: [Column]
    package let sources: [Source]
    package let instant: Date
    /// Row by row.
    package let cells: [[Cell]]

    /// - Parameters:
    ///   - store: what devices trust.
    ///   - isRequired: whether a row's app must accept a column's chain.
    package init(
        rows: [Row],
        columns: [Column],
        store: TrustStore,
        sources: [Source],
        at instant: Date,
        isRequired: (Row, Column) -> Bool
    ) {
        self.rows = rows
        self.columns = columns
        self.sources = sources
        self.instant = instant
        cells = rows.map { row in
            columns.map { column in
                let situation = Situation(chain: column.chain, store: store, host: column.host, at: instant)
                return Cell(row.configuration, situation, isRequired: isRequired(row, column))
            }
        }
    }

    /// The first failure stops a deployment.
    package var isAccepted: Bool { !cells.joined().contains(where: \.isFailure) }
}

extension CheckMatrix.Cell {
    package init(_ configuration: any PinRules, _ situation: Situation, isRequired: Bool = true) {
        decision = configuration.decide(situation)
        outcome = PolicyAudit.Outcome(of: decision, configuration, situation)
        needed = decision.isRefusalByPin ? configuration.neededPins(for: situation) : []
        self.isRequired = isRequired
        switch decision.reason {
        case .untrusted(let failure), .stackDecides(let failure):
            missing = situation.store.missing(above: situation.chain, failure)
        default: missing = nil
        }
    }
}

extension PolicyAudit.Outcome {
    /// What a decision about the owner's own server means for users.
    package init(of decision: Decision, _ configuration: any PinRules, _ situation: Situation) {
        switch decision.demand {
        case .accept: self = .survives
        case .either: self = .depends
        case .reject:
            // An app may trust fewer authorities than its device does, and a system may have rules of its own.
            let ordinary = situation.on(configuration.stack).decide(PinPolicy())
            self = decision.isRefusalByPin || ordinary.demand == .accept ? .locksOut : .locksOutRegardless
        }
    }
}
