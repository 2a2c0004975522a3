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
        /// Absent where no pins do.
        var ends: [End]?
        var hosts: [Host]

        init(_ report: AuditReport) {
            file = report.file
            dialect = report.dialect.rawValue
            at = report.instant
            chainKnown = report.knowsProduction
            obstacle = report.audit == nil ? report.obstacle : nil
            severity = report.severity?.rawValue
            let results = report.results
            // They stand first, in their order.
            findings = zip(report.findings, results).map { Finding($0, $1) }
            ends = report.ends.isEmpty ? nil : report.ends.map { End($0, report.instant) }
            hosts = (report.audit?.hosts ?? []).map { host in
                Host(host, results.filter { $0.isOfTable && $0.host == host.domain ?? host.name })
            }
        }
    }

    private struct Finding: Encodable {
        var rule: String
        var severity: String
        var line: Int?
        var keyPath: String?
        var domain: String?
        var message: String
        var fix: String
        var permitted: Permitted?

        init(_ finding: PolicyFinding, _ result: AuditResult) {
            rule = finding.rule.rawValue
            severity = finding.severity.rawValue
            line = finding.line
            keyPath = finding.keyPath.isEmpty ? nil : finding.keyPath
            domain = finding.domain
            message = finding.message
            fix = finding.fix
            permitted = Permitted(result)
        }
    }

    private struct End: Encodable {
        var domain: String
        var line: Int?
        var on: String
        var days: Int

        init(_ end: PinEnd, _ instant: Date) {
            domain = end.domain
            line = end.line
            on = "\(end.day)"
            days = end.days(from: instant)
        }
    }

    private struct Permitted: Encodable {
        var rule: String
        var until: String
        var because: String

        /// - Returns: `nil` where it is not.
        init?(_ result: AuditResult) {
            guard let permission = result.permission else { return nil }
            rule = permission.rule
            until = "\(permission.until)"
            because = permission.because
        }
    }

    private struct Host: Encodable {
        var host: String
        var domain: String?
        var refusesToday: Bool
        var refusal: String?
        var pins: [Pin]
        var events: [Event]
        /// Of what the table shows; absent where nothing is.
        var permitted: [Permitted]?

        init(_ host: PolicyAudit.Host, _ results: [AuditResult]) {
            self.host = host.name
            domain = host.domain
            refusesToday = host.refusesToday
            refusal = host.refusal.map { "\($0)" }
            pins = host.ownStandIns.map(Pin.init)
            events = host.events.map(Event.init)
            let own = results.compactMap(Permitted.init)
            permitted = own.isEmpty ? nil : own
        }
    }

    private struct Pin: Encodable {
        var sha256: String?
        /// As the source writes it, where that is not the usual Base64 of the same bytes.
        var written: String?
        /// In hexadecimal, where it is another digest.
        var other: String?
        var match: String
        var part: String
        var certificate: String?
        var authority: Authority?

        init(_ standIn: StandIn) {
            let compared = standIn.pin.compared
            sha256 = compared.algorithm == .sha256 && compared.canMatch ? compared.pin.base64 : nil
            written =
                compared.algorithm == .sha256 ? (compared.canMatch ? compared.pin.written : compared.written) : nil
            other = compared.algorithm == .sha256 ? nil : standIn.pin.label
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
