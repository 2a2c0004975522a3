import Pinning
import TLSCore

extension AuditReport {
    /// For a terminal.
    package func text(_ style: TextStyle, width: Int = 100) -> String {
        var lines = [style.heading("\(file)") + " (\(dialect.rawValue))", ""]
        lines += findings.isEmpty ? ["No findings."] : findings.flatMap { text(of: $0, style, width: width) }
        if audit == nil { lines += ["", obstacle] }
        for group in groups { lines += [""] + text(of: group, style, width: width) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func text(of finding: PolicyFinding, _ style: TextStyle, width: Int) -> [String] {
        let place = finding.line.map { "\(file):\($0): " } ?? ""
        let severity = style.severity(finding.severity, finding.severity.rawValue)
        let message = "\(place)\(finding) [\(finding.rule.rawValue)]".wrapped(to: width - 10, indent: "")
        let padding = String.spaces(10 - finding.severity.rawValue.count)
        return message.enumerated().map { $0 == 0 ? severity + padding + $1 : String.spaces(10) + $1 }
            + "Fix: \(finding.fix)".wrapped(to: width - 10, indent: "").map { String.spaces(10) + $0 }
    }

    private func text(of group: [PolicyAudit.Host], _ style: TextStyle, width: Int) -> [String] {
        let host = group[0]
        var lines = group.map(\.name).joined(separator: ", ").wrapped(to: width, indent: "").map(style.heading)
        for host in group {
            let name = group.count > 1 ? "\(host.name)  " : ""
            lines += host.ownStandIns.map { "  \(name)\($0.pin.pin.description.prefix(19))…  \($0.words)" }
        }
        if !knowsProduction, host.standIns.contains(where: { $0.part != .none }) {
            lines.append(style.aside("  (--chain with production's own chain tells the parts of the pins)"))
        }
        lines += (host.warning.map { $0.wrapped(to: width - 2, indent: "") } ?? []).map { "  " + $0 }
        let names = host.events.map(\.scenario.count).max() ?? 0
        let words = host.events.map(\.outcome.words.count).max() ?? 0
        lines += host.headline.wrapped(to: width - 2, indent: "").map { "  " + style.heading($0) }
        for event in host.worstFirst {
            let outcome = event.outcome.words
            let row =
                "  \(event.scenario.padded(to: names))  "
                + style.outcome(event.outcome, outcome.padded(to: event.why.isEmpty ? 0 : words))
            let indent = names + words + 6
            let why = event.why.wrapped(to: max(40, width - indent), indent: "")
            lines.append(why.isEmpty ? row : "\(row)  \(why[0])")
            lines += why.dropFirst().map { String.spaces(indent) + $0 }
        }
        return lines
    }
}

extension AuditReport {
    /// The findings and what locks users out, for a list of several: rows in which the app fares as any other does are
    /// told in a line.
    package func brief(_ style: TextStyle, width: Int = 100) -> [String] {
        var lines = findings.isEmpty ? ["No findings."] : findings.flatMap { text(of: $0, style, width: width) }
        if audit == nil { lines += obstacle.wrapped(to: width, indent: "") }
        for group in groups {
            let host = group[0]
            lines += group.map(\.name).joined(separator: ", ").wrapped(to: width, indent: "").map(style.heading)
            for host in group {
                let name = group.count > 1 ? "\(host.name)  " : ""
                lines += host.ownStandIns.map { "  \(name)\($0.pin.pin.description.prefix(19))…  \($0.words)" }
            }
            lines += (host.warning.map { $0.wrapped(to: width - 2, indent: "") } ?? []).map { "  " + $0 }
            lines += host.headline.wrapped(to: width - 2, indent: "").map { "  " + style.heading($0) }
            let told = host.worstFirst.filter { $0.outcome > .locksOutRegardless }
            let names = told.map(\.scenario.count).max() ?? 0
            for event in told {
                let why = event.why.wrapped(to: max(40, width - names - 4), indent: "")
                lines.append(
                    "  " + style.outcome(event.outcome, event.scenario.padded(to: names)) + "  " + (why.first ?? "")
                )
                lines += why.dropFirst().map { String.spaces(names + 4) + $0 }
            }
            let folded = host.worstFirst.filter { $0.outcome == .locksOutRegardless }.map(\.scenario)
            if !folded.isEmpty {
                let text = "\(folded.count) that no app survives: \(folded.joined(separator: ", "))"
                lines += text.wrapped(to: width - 2, indent: "").map { "  " + style.aside($0) }
            }
        }
        return lines
    }

    /// Of all hosts: how many events lock users out or let an attacker in, and how many there are.
    package var eventCounts: (lockingOut: Int, intercepted: Int, all: Int) {
        let events = (audit?.hosts ?? []).flatMap(\.events).filter { $0.outcome != .notApplicable }
        return (
            events.count { $0.outcome == .locksOut }, events.count { $0.outcome == .intercepted }, events.count
        )
    }
}
