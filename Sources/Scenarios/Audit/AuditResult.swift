package import Pinning

/// One thing that an audit tells: a finding of a configuration's text, what the table shows of today, or what is not read.
package struct AuditResult: Hashable, Sendable {
    /// A finding's, or an `AuditRule`.
    package var rule: String
    /// `nil`: it is only worth knowing.
    package var severity: PolicyFinding.Severity?
    /// As its user named it.
    package var file: String
    /// The same from the root of the project.
    package var path: String
    /// 1-based.
    package var line: Int?
    /// When a configuration is in force that has conditions, such as a kind of build.
    package var conditions: [String] = []
    /// What code asks beside that, and no rule accounts for: `settings.level < 3 (line 9)`.
    package var asked: [String] = []
    /// Where in the document; empty where it is about the whole file.
    package var keyPath = ""
    /// The host, or the entry as the configuration writes it.
    package var host: String?
    /// What is wrong and whom it hurts, without a full stop.
    package var message: String
    /// What to do, without a full stop.
    package var fix: String?
    /// Whether it is shown by the table of events, and not by the text.
    package var isOfTable = false

    package var permission: AuditSettings.Permission?
    /// One that held once, where none holds now.
    package var endedPermission: AuditSettings.Permission?
    /// Where either of them stands.
    package var permissionPlace: String?

    package init(
        rule: String,
        _ severity: PolicyFinding.Severity?,
        file: String,
        path: String,
        line: Int? = nil,
        host: String? = nil,
        _ message: String
    ) {
        self.rule = rule
        self.severity = severity
        self.file = file
        self.path = path
        self.line = line
        self.host = host
        self.message = message
    }

    /// Where in the document, and what.
    package var text: String { keyPath.isEmpty ? message : "\(keyPath): \(message)" }

    /// What counts for the exit status.
    package var openSeverity: PolicyFinding.Severity? { permission == nil ? severity : nil }

    /// What was decided about it, in a sentence; `nil`: nothing.
    package var permissionWords: String? {
        let place = permissionPlace.map { " (\($0))" } ?? ""
        if let permission { return "Until \(permission.until): \(permission.because)\(place)" }
        return endedPermission.map { "Its permission ended on \($0.until)\(place)" }
    }
}

extension AuditReport {
    /// All that it tells, permissions counted in: the findings, the most severe first, and then what the table shows of today.
    package var results: [AuditResult] {
        let own = findings.map(result) + ends.map(result) + (audit?.hosts ?? []).flatMap(results)
        return own.map { settings.apply(to: $0, on: Day(instant)) }
    }

    private func result(of finding: PolicyFinding) -> AuditResult {
        var result = AuditResult(
            rule: finding.rule.rawValue,
            finding.severity,
            file: file,
            path: path,
            line: finding.line ?? line,
            host: finding.domain,
            finding.message
        )
        result.keyPath = finding.keyPath
        result.fix = finding.fix
        result.conditions = conditions
        result.asked = asked
        return result
    }

    private func result(of end: PinEnd) -> AuditResult {
        let days = end.days(from: instant)
        var result = AuditResult(
            rule: AuditRule.pinsEnd.rawValue,
            nil,
            file: file,
            path: path,
            line: end.line ?? line,
            host: end.domain,
            "its pins end on \(end.day), in \(days) \(days == 1 ? "day" : "days")"
        )
        result.keyPath = end.keyPath
        result.fix = AuditRule.pinsEnd.fix
        result.conditions = conditions
        result.asked = asked
        return result
    }

    /// What needs no event to happen: that the server of today is refused, or that an attacker gets in.
    private func results(of host: PolicyAudit.Host) -> [AuditResult] {
        func result(_ rule: AuditRule, _ severity: PolicyFinding.Severity, _ message: String) -> AuditResult {
            let name = host.domain ?? host.name
            let own = findings.first { $0.domain == name && $0.line != nil }
            var result = AuditResult(
                rule: rule.rawValue,
                severity,
                file: file,
                path: path,
                line: own?.line ?? line,
                host: name,
                "\(host.name): \(message)"
            )
            result.fix = rule.fix
            result.conditions = conditions
            result.asked = asked
            result.isOfTable = true
            return result
        }
        let breaches = host.worstFirst.filter { $0.outcome == .intercepted }
        let refused = host.refusal.map { "production's own chain is rejected today: \($0)" }
        return [
            host.refusesToday ? result(.refusedToday, .outage, refused ?? "the server of today is rejected") : nil,
            breaches.first.map { first in
                let names = breaches.map(\.scenario).joined(separator: ", ")
                let count = breaches.count == 1 ? "one event" : "\(breaches.count) events"
                return result(.attackerGetsIn, .breach, "an attacker gets in, in \(count): \(names) (\(first.why))")
            },
        ].compactMap(\.self)
    }
}

/// `1 outage, 1 warning, 1 permitted: 9 of 28 events lock users out`.
package struct AuditHeadline: CustomStringConvertible, Sendable {
    package let description: String

    /// - Parameter reports: of the configurations that the results are about.
    package init(_ results: [AuditResult], _ reports: [AuditReport]) {
        let worst = results.filter { !$0.isOfTable }.compactMap(\.openSeverity).max()
        // The end of the line tells what the table shows, and a finding mostly why.
        let severities = results.compactMap { result in
            result.openSeverity.flatMap { severity in
                result.isOfTable && worst.map { $0 >= severity } ?? false ? nil : severity
            }
        }
        var counts = PolicyFinding.Severity.allCases.reversed().compactMap { severity -> String? in
            let count = severities.count { $0 == severity }
            guard count > 0 else { return nil }
            let plural = severity == .breach ? "breaches" : "\(severity.rawValue)s"
            return "\(count) \(count == 1 ? severity.rawValue : plural)"
        }
        let permitted = results.count { $0.permission != nil }
        if permitted > 0 { counts.append("\(permitted) permitted") }
        let events = reports.map(\.eventCounts)
        let all = events.map(\.all).reduce(0, +)
        let lockingOut = events.map(\.lockingOut).reduce(0, +)
        let intercepted = events.map(\.intercepted).reduce(0, +)
        let what =
            all == 0
            ? "no event was tried"
            : "\(lockingOut) of \(all) events lock users out"
                + (intercepted > 0 ? ", and \(intercepted) let an attacker in" : "")
        description = (counts.isEmpty ? "No findings" : counts.joined(separator: ", ")) + ": " + what
    }
}
