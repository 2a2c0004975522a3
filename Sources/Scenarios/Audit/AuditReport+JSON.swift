import Foundation
import Pinning
import TLSCore

extension AuditReport {
    /// For programs: `docs/audit.md` describes it. UTF-8, indented, keys in a fixed order.
    package func json() throws -> String {
        try Document(self).asJSON()
    }

    private struct Document: Encodable {
        var version = 1
        var file: String
        var dialect: String
        var at: Date
        var chainKnown: Bool
        var obstacle: String?
        var severity: String?
        var findings: [Finding]
        var hosts: [Host]

        init(_ report: AuditReport) {
            file = report.file
            dialect = report.dialect.rawValue
            at = report.instant
            chainKnown = report.knowsProduction
            obstacle = report.audit == nil ? report.obstacle : nil
            severity = report.severity?.rawValue
            findings = report.findings.map(Finding.init)
            hosts = (report.audit?.hosts ?? []).map(Host.init)
        }
    }

    private struct Finding: Encodable {
        var rule: String
        var severity: String
        var line: Int?
        var keyPath: String?
        var message: String
        var fix: String

        init(_ finding: PolicyFinding) {
            rule = finding.rule.rawValue
            severity = finding.severity.rawValue
            line = finding.line
            keyPath = finding.keyPath.isEmpty ? nil : finding.keyPath
            message = finding.message
            fix = finding.fix
        }
    }

    private struct Host: Encodable {
        var host: String
        var domain: String?
        var refusesToday: Bool
        var refusal: String?
        var pins: [Pin]
        var events: [Event]

        init(_ host: PolicyAudit.Host) {
            self.host = host.name
            domain = host.domain
            refusesToday = host.refusesToday
            refusal = host.refusal.map { "\($0)" }
            pins = host.ownStandIns.map(Pin.init)
            events = host.events.map(Event.init)
        }
    }

    private struct Pin: Encodable {
        var sha256: String
        var match: String
        var part: String
        var certificate: String?
        var authority: Authority?

        init(_ standIn: StandIn) {
            sha256 = standIn.pin.pin.base64
            match = standIn.pin.match.rawValue
            part = standIn.part.rawValue
            certificate = standIn.certificate?.subject
            authority = standIn.pin.authority.map(Authority.init)
        }
    }

    private struct Authority: Encodable {
        var name: String
        var owner: String
        var ends: Date
        var issuesUntil: Date?
        var removedBefore: Date?

        init(_ authority: KnownAuthority) {
            name = authority.name
            owner = authority.owner
            ends = authority.end
            issuesUntil = authority.endsIssuing
            removedBefore = authority.removedBefore
        }
    }

    private struct Event: Encodable {
        var scenario: String
        var outcome: String
        var at: String
        var chain: String
        var reason: String

        init(_ event: PolicyAudit.Event) {
            scenario = event.scenario
            outcome = event.outcome.rawValue
            at = "\(event.at)"
            chain = event.chain
            reason = event.reason
        }
    }
}
