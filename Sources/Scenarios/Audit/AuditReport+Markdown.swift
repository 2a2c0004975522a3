import Pinning
import TLSCore

extension AuditReport {
    /// For a page, or a comment on a change.
    package func markdown() -> String {
        var parts = ["# \(MarkdownText.escaped(file)) (\(dialect.rawValue))", "**\(headline)**"]
        let results = results.filter { !$0.isOfTable || $0.permissionWords != nil }
        if results.isEmpty {
            parts.append("No findings.")
        } else {
            let rows = results.map { result in
                let severity = result.severity.map { "**\($0.rawValue)**" } ?? ""
                return [
                    result.permission == nil ? severity : "permitted", result.line.map(String.init) ?? "", result.text,
                    [result.fix, result.permissionWords].compactMap(\.self).joined(separator: ". "), "`\(result.rule)`",
                ]
            }
            parts.append(
                MarkdownText.table(["Severity", "Line", "Finding", "Fix", "Rule"], rows).joined(separator: "\n")
            )
        }
        if audit == nil { parts.append(MarkdownText.escaped(obstacle)) }
        for group in groups {
            let host = group[0]
            parts.append("## " + group.map { MarkdownText.escaped($0.title) }.joined(separator: ", "))
            let standIns = group.flatMap { host in
                let name = group.count > 1 ? "\(MarkdownText.escaped(host.name)): " : ""
                return host.ownStandIns.map { "- \(name)`\($0.pin.label)`: \(MarkdownText.escaped($0.words))" }
            }
            if !standIns.isEmpty { parts.append(standIns.joined(separator: "\n")) }
            if let warning = host.warning { parts.append(MarkdownText.escaped(warning)) }
            parts.append("**\(host.headline)**")
            let rows = host.hurting.map { event in
                [
                    event.scenario, event.outcome >= .locksOut ? "**\(event.outcome.words)**" : event.outcome.words,
                    event.why,
                ]
            }
            if !rows.isEmpty {
                parts.append(MarkdownText.table(["Event", "Users", "Why"], rows).joined(separator: "\n"))
            }
            if let folded = host.folded { parts.append(MarkdownText.escaped(folded)) }
        }
        return parts.joined(separator: "\n\n") + "\n"
    }
}
