package import Foundation
package import Pinning
import TLSCore

/// What an audit found, for people and for programs.
package struct AuditReport: Sendable {
    /// The configuration's file, as its user named it.
    package var file: String
    package var dialect: Dialect
    package var instant: Date
    /// Whether production's chain is known; else the parts of the pins are assumed.
    package var knowsProduction: Bool
    /// Most severe first.
    package var findings: [PolicyFinding]
    package var audit: PolicyAudit?
    /// Why there is no audit: a sentence.
    package var obstacle: String
    /// The file from the root of its project.
    package var path: String
    /// Where in the file the configuration begins, if that holds other things as well.
    package var line: Int?
    /// When it is in force.
    package var conditions: [String] = []
    /// What code asks beside that: `settings.level < 3 (line 9)`.
    package var asked: [String] = []
    package var settings = AuditSettings()
    /// Entries whose pins hold today, and will not for ever.
    package var ends: [PinEnd] = []

    package init(
        file: String,
        dialect: Dialect,
        instant: Date,
        knowsProduction: Bool,
        findings: [PolicyFinding],
        audit: PolicyAudit?,
        obstacle: String = ""
    ) {
        self.file = file
        path = file
        self.dialect = dialect
        self.instant = instant
        self.knowsProduction = knowsProduction
        self.findings = findings
        self.audit = audit
        self.obstacle = obstacle
    }

    /// The worst that was found, and that is not permitted; `nil` where all is well.
    package var severity: PolicyFinding.Severity? { results.compactMap(\.openSeverity).max() }

    package var headline: String { AuditHeadline(results, [self]).description }

    /// Of all hosts: how many events lock users out or let an attacker in, and how many there are.
    package var eventCounts: (lockingOut: Int, intercepted: Int, all: Int) {
        let events = (audit?.hosts ?? []).flatMap(\.events).filter { $0.outcome != .notApplicable }
        return (
            events.count { $0.outcome == .locksOut }, events.count { $0.outcome == .intercepted }, events.count
        )
    }

    /// Hosts that fare alike in every event, in the order of the first of each.
    var groups: [[PolicyAudit.Host]] {
        var groups: [[PolicyAudit.Host]] = []
        for host in audit?.hosts ?? [] {
            let alike = groups.firstIndex { group in
                group[0].refusesToday == host.refusesToday && group[0].refusal == host.refusal
                    && group[0].outcomes == host.outcomes
            }
            if let alike { groups[alike].append(host) } else { groups.append([host]) }
        }
        return groups
    }
}

/// From when on an entry pins nothing.
package struct PinEnd: Hashable, Sendable {
    /// As the configuration writes it.
    package var domain: String
    package var keyPath: String
    package var line: Int?
    package var day: Day

    /// Of a configuration, or of what one host is held to.
    package static func all(of configuration: any PinConfiguration, host: String?, at instant: Date) -> [PinEnd] {
        let scopes = host.map { host in configuration.scope(for: host).map { [$0] } ?? [] } ?? configuration.scopes
        return scopes.compactMap { scope in
            guard let end = scope.expires, end > instant, !scope.lists.isEmpty else { return nil }
            return PinEnd(domain: scope.name, keyPath: scope.keyPath, line: scope.line, day: Day(end))
        }
    }

    func days(from instant: Date) -> Int { day - Day(instant) }
}

extension PolicyAudit.Host {
    fileprivate var outcomes: [PolicyAudit.Outcome] { events.map(\.outcome) }

    /// The worst first, and alike ones in the catalogue's order.
    var worstFirst: [PolicyAudit.Event] {
        events.enumerated().sorted { ($1.element.outcome, $0.offset) < ($0.element.outcome, $1.offset) }.map(\.element)
    }

    /// What hurts somebody, or may: the rest needs no row of its own.
    var hurting: [PolicyAudit.Event] {
        worstFirst.filter { $0.outcome == .depends || $0.outcome > .locksOutRegardless }
    }

    /// What no app survives, in a line; `nil` where there is nothing.
    var folded: String? {
        let names = worstFirst.filter { $0.outcome == .locksOutRegardless }.map(\.scenario)
        return names.isEmpty ? nil : "\(names.count) that no app survives: \(names.joined(separator: ", "))"
    }

    /// How its users fare in all, in a line.
    var headline: String {
        func count(_ outcome: PolicyAudit.Outcome) -> Int { outcomes.count { $0 == outcome } }
        let worse: [PolicyAudit.Outcome] = [.intercepted, .locksOut, .locksOutRegardless, .depends]
        let others = worse.filter { $0 > .locksOutRegardless || count($0) > 0 }.map { "; \($0.words): \(count($0))" }
        return "survives \(count(.survives)) of \(events.count - count(.notApplicable))\(others.joined())"
    }

    /// The stand-ins that say something of this host.
    var ownStandIns: [StandIn] { standIns.filter { $0.part != .none || $0.pin.domain == domain } }

    /// What must be known before its events are read; `nil`: nothing.
    var warning: String? {
        if let refusal { return "Production's own chain is rejected today: \(refusal)." }
        return refusesToday ? "The server of today is rejected; nothing else in this table says much." : nil
    }
}

extension PolicyAudit.Outcome {
    /// For people.
    package var words: String {
        switch self {
        case .notApplicable: "does not apply"
        case .survives: "survives"
        case .depends: "depends on the TLS library"
        case .locksOutRegardless: "locks out, pins or not"
        case .locksOut: "locks users out"
        case .intercepted: "lets an attacker in"
        }
    }
}

extension PolicyAudit.Event {
    /// What must be known beside the outcome; empty where all is well.
    var why: String {
        switch outcome {
        case .survives: ""
        case .notApplicable: "this app pins no such key as that of '\(chain)'"
        case .depends, .locksOutRegardless, .locksOut, .intercepted: "\(at), \(chain): \(reason)"
        }
    }
}

extension StandIn {
    /// The part in words: what production's key is, or is taken for.
    var words: String {
        let part =
            switch part {
            case .leaf: "the server's key of today"
            case .issuer: "the authority that issues its certificates"
            case .root: certificate?.isSelfSigned == false ? "an authority above that" : "the root above that"
            case .backup: "a backup key"
            case .otherAuthority: "another provider"
            case .none: "never shown"
            }
        if let certificate { return "\(part): \(certificate.subject)" }
        let known = pin.authority.map { ": \($0)" } ?? ""
        return (self.part == .none ? part : "taken for \(part)") + known
    }
}
