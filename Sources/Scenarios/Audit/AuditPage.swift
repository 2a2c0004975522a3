import Mustache
package import Pinning

/// An audit as one page that needs nothing else: no file beside it, no network and no script.
///
/// What comes from files stands as the text of elements only, escaped by the template.
package struct AuditPage {
    private var view: [String: Any]

    /// Something that is no configuration: what was not read, say.
    package struct Remark {
        package var severity: String
        package var text: String
        package var rule: String

        package init(severity: String, text: String, rule: String = "") {
            self.severity = severity
            self.text = text
            self.rule = rule
        }
    }

    /// - Parameters:
    ///   - title: what was audited.
    ///   - severity: the worst that was found and is not permitted.
    ///   - sentences: what was looked at, and when.
    package init(
        _ title: String,
        headline: String,
        severity: PolicyFinding.Severity?,
        sentences: [String],
        configurations: [(heading: String, report: AuditReport)],
        remarks: [(heading: String, rows: [Remark])] = []
    ) {
        let style = PageParts.style
        view = [
            "title": "PinDrill: \(title.printable)",
            "style": style,
            "security": PageParts.security(style: style),
            "headline": headline.printable,
            "outcome": severity.look,
            "sentences": sentences.map(\.printable),
            "configurations": configurations.map { $0.report.view(heading: $0.heading) },
            "remarks": remarks.filter { !$0.rows.isEmpty }.map { remark in
                [
                    "heading": remark.heading.printable,
                    "rows": remark.rows.map { row in
                        var view = ["text": row.text.printable]
                        if !row.severity.isEmpty { view["severity"] = row.severity }
                        if !row.rule.isEmpty { view["rule"] = row.rule }
                        return view
                    },
                ] as [String: Any]
            },
        ]
    }

    package func html() throws -> String { try PageParts.template("audit.mustache").render(view) }
}

extension AuditReport {
    /// One configuration as a page.
    package func html() throws -> String {
        try AuditPage(
            file,
            headline: headline,
            severity: severity,
            sentences: ["Audited as of \(Day(instant))."],
            configurations: [("\(file) (\(dialect.rawValue))", self)]
        ).html()
    }

    fileprivate func view(heading: String) -> [String: Any] {
        let told = results.filter { !$0.isOfTable || $0.permissionWords != nil }
        var view: [String: Any] = [
            "heading": heading.printable,
            "hasFindings": !told.isEmpty,
            "findings": told.map { result in
                [
                    "severity": result.permission == nil ? result.severity?.rawValue ?? "note" : "permitted",
                    "look": result.openSeverity == nil ? "calm" : result.openSeverity.look,
                    "place": result.line.map(String.init) ?? "",
                    "text": result.text.printable,
                    "rule": result.rule,
                    "fix": [result.permission == nil ? result.fix : nil, result.permissionWords]
                        .compactMap(\.self).joined(separator: ". ").printable,
                ]
            },
            "groups": groups.map { self.view(of: $0) },
        ]
        if audit == nil, !obstacle.isEmpty { view["obstacle"] = obstacle.printable }
        return view
    }

    private func view(of group: [PolicyAudit.Host]) -> [String: Any] {
        let host = group[0]
        func view(of event: PolicyAudit.Event) -> [String: Any] {
            [
                "event": event.scenario.printable, "outcome": event.outcome.words, "look": event.outcome.look,
                "why": event.why.printable,
            ]
        }
        let hurting = host.hurting
        let others = host.worstFirst.filter { $0.outcome < .depends }
        var result: [String: Any] = [
            "names": group.map(\.title).joined(separator: ", ").printable,
            "fate": host.headline,
            "pins": group.flatMap { host in
                host.ownStandIns.map { standIn in
                    [
                        "host": group.count > 1 ? "\(host.name): ".printable : "", "pin": standIn.pin.label.printable,
                        "part": standIn.words.printable,
                    ]
                }
            },
            "hasHurting": !hurting.isEmpty,
            "hurting": hurting.map(view),
            "hasOthers": !others.isEmpty,
            "othersCount": others.count,
            "others": others.map(view),
        ]
        if let warning = host.warning { result["warning"] = warning.printable }
        if let folded = host.folded { result["folded"] = folded.printable }
        return result
    }
}

extension Optional<PolicyFinding.Severity> {
    fileprivate var look: String {
        switch self {
        case nil: "good"
        case .warning: "doubt"
        case .outage, .breach: "bad"
        }
    }
}

extension PolicyAudit.Outcome {
    fileprivate var look: String {
        switch self {
        case .survives: "good"
        case .depends: "doubt"
        case .notApplicable, .locksOutRegardless: "calm"
        case .locksOut, .intercepted: "bad"
        }
    }
}
