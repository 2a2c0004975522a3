package import Foundation
import Pinning
package import Scenarios
package import TLSCore

/// Whether every version in use accepts what is shown now and what will be, and what ends soon.
package struct MonitorReport: Sendable {
    package enum Kind: String, Sendable {
        /// By a server, now.
        case served
        /// What it will show.
        case next
    }

    /// A chain, or a key that will have one.
    package struct Shown: Sendable {
        package var kind: Kind
        /// The server or the file, as it was named.
        package var name: String
        /// The address that was connected to; `nil` where nobody was.
        package var address: String?
        /// Leaf first; empty where only a key is known.
        package var chain: [Certificate]
        /// One for each policy.
        package var cells: [CheckMatrix.Cell]

        package init(
            _ kind: Kind,
            name: String,
            address: String? = nil,
            chain: [Certificate],
            cells: [CheckMatrix.Cell]
        ) {
            (self.kind, self.name, self.address, self.chain, self.cells) = (kind, name, address, chain, cells)
        }
    }

    /// What could not be held against any policy: an address that nobody answered at, or a key that nobody is known to sign.
    package struct Silent: Sendable {
        package var kind: Kind
        /// The server or the file, as it was named.
        package var name: String
        package var address: String?
        package var reason: String

        package init(_ kind: Kind, name: String, address: String? = nil, reason: String) {
            (self.kind, self.name, self.address, self.reason) = (kind, name, address, reason)
        }
    }

    /// Something with a last day.
    package struct Ending: Sendable {
        package enum Subject: String, Sendable { case certificate, pins }

        package var subject: Subject
        /// What it belongs to: a server, a file or a policy.
        package var owner: String
        package var address: String?
        /// The certificate's subject, or the domain of the pins.
        package var name: String
        package var instant: Date
        /// Whole days; negative once it is over.
        package var daysLeft: Int
    }

    package enum Status: Int, Sendable {
        case good = 0
        /// Somebody is or will be locked out, or something ends too soon.
        case bad = 1
        /// Nothing is bad, and something is not known.
        case silent = 2
    }

    package let policies: [String]
    package let shown: [Shown]
    package let silent: [Silent]
    package let endings: [Ending]
    package let instant: Date
    package let warnDays: Int

    /// - Parameters:
    ///   - hosts: that are asked for, whose pins may end.
    ///   - warnDays: what ends within so many days is bad.
    package init(
        _ rows: [CheckMatrix.Row],
        hosts: [String],
        shown: [Shown],
        silent: [Silent],
        at instant: Date,
        warnDays: Int
    ) {
        policies = rows.map(\.name)
        self.shown = shown
        self.silent = silent
        self.instant = instant
        self.warnDays = warnDays
        func daysLeft(_ end: Date) -> Int { Int((end.timeIntervalSince(instant) / 86_400).rounded(.down)) }
        let certificates = shown.flatMap { shown in
            shown.chain.map { certificate in
                let end = certificate.validity.notAfter
                return Ending(
                    subject: .certificate,
                    owner: shown.name,
                    address: shown.address,
                    name: certificate.subject,
                    instant: end,
                    daysLeft: daysLeft(end)
                )
            }
        }
        let pins = rows.flatMap { row in
            hosts.compactMap { host -> Ending? in
                guard let scope = row.configuration.scope(for: host), let end = scope.expires else { return nil }
                return Ending(
                    subject: .pins,
                    owner: row.name,
                    name: scope.name.isEmpty ? host : scope.name,
                    instant: end,
                    daysLeft: daysLeft(end)
                )
            }
        }
        endings = (certificates + pins).sorted { ($0.instant, $0.owner) < ($1.instant, $1.owner) }
    }

    /// What ends within the days of warning, or is over.
    package var soon: [Ending] { endings.filter { $0.daysLeft < warnDays } }

    package var status: Status {
        if !soon.isEmpty || shown.contains(where: \.isRefused) { return .bad }
        return silent.isEmpty ? .good : .silent
    }
}

extension MonitorReport.Shown {
    /// Whether some policy does not accept it, or not with every TLS library.
    package var isRefused: Bool { cells.contains { $0.decision.demand != .accept } }

    /// As people call it.
    var title: String { name.asOneLine + (address.map { " at \($0)" } ?? "") }
}
