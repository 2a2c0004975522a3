import Pinning
import TLSCore

extension AuditReport {
    /// For a terminal.
    ///
    /// - Parameter isVerbose: shows every event; else those that hurt, and in a line those that no app survives.
    package func text(_ style: TextStyle, width: Int = 100, isVerbose: Bool = false) -> String {
        let lines =
            headline.wrapped(to: width, indent: "").map(style.heading) + [
                style.heading(file) + " (\(dialect.rawValue))", "",
            ]
        return (lines + body(style, width: width, isVerbose: isVerbose) + hints(style, isVerbose: isVerbose))
            .joined(separator: "\n") + "\n"
    }

    /// Without its headline, for a list of several.
    package func body(_ style: TextStyle, width: Int, isVerbose: Bool) -> [String] {
        let results = results.filter { !$0.isOfTable || $0.permissionWords != nil }
        var lines = results.contains { $0.severity != nil } ? [] : ["No findings."]
        lines += results.flatMap { $0.lines(style, width: width) }
        if audit == nil { lines += [""] + obstacle.wrapped(to: width, indent: "") }
        for group in groups { lines += [""] + text(of: group, style, width: width, isVerbose: isVerbose) }
        return lines
    }

    /// How to learn more.
    package func hints(_ style: TextStyle, isVerbose: Bool) -> [String] {
        let standIns = (audit?.hosts ?? []).flatMap(\.standIns)
        let isAssumed = !knowsProduction && standIns.contains { $0.part != .none }
        let hints = [
            isAssumed ? "--chain with production's own chain tells the parts of the pins." : nil,
            isVerbose || audit == nil ? nil : "--verbose shows every event.",
        ].compactMap(\.self)
        return hints.isEmpty ? [] : ["", style.aside(hints.joined(separator: " "))]
    }

    private func text(of group: [PolicyAudit.Host], _ style: TextStyle, width: Int, isVerbose: Bool) -> [String] {
        let host = group[0]
        var lines = group.map(\.title).joined(separator: ", ").wrapped(to: width, indent: "").map(style.heading)
        for host in group {
            let name = group.count > 1 ? "\(host.name)  " : ""
            lines += host.ownStandIns.map { "  \(name)\($0.pin.label.prefix(19))…  \($0.words)" }
        }
        lines += (host.warning.map { $0.wrapped(to: width - 2, indent: "") } ?? []).map { "  " + $0 }
        lines += host.headline.wrapped(to: width - 2, indent: "").map { "  " + style.heading($0) }
        let told = isVerbose ? host.worstFirst : host.hurting
        let names = told.map(\.scenario.count).max() ?? 0
        let words = told.map(\.outcome.words.count).max() ?? 0
        for event in told {
            let outcome = event.outcome.words
            let row =
                "  \(event.scenario.padded(to: names))  "
                + style.outcome(event.outcome, outcome.padded(to: event.why.isEmpty ? 0 : words))
            let indent = names + words + 6
            let why = event.why.wrapped(to: max(40, width - indent), indent: "")
            lines.append(why.isEmpty ? row : "\(row)  \(why[0])")
            lines += why.dropFirst().map { String.spaces(indent) + $0 }
        }
        if !isVerbose, let folded = host.folded {
            lines += folded.wrapped(to: width - 2, indent: "").map { "  " + style.aside($0) }
        }
        return lines
    }
}

extension AuditResult {
    /// Severity, place, what is wrong and what to do.
    package func lines(_ style: TextStyle, width: Int) -> [String] {
        let margin = 10
        let word = permission != nil ? "permitted" : severity?.rawValue ?? "note"
        let painted = openSeverity.map { style.severity($0, word) } ?? style.aside(word)
        let place = line.map { "\(file):\($0): " } ?? ""
        let message = "\(place)\(text) [\(rule)]".wrapped(to: width - margin, indent: "")
        let advice = permission == nil ? [fix.map { "Fix: \($0)" }, permissionWords] : [permissionWords]
        let rest = advice.compactMap(\.self).flatMap { $0.wrapped(to: width - margin, indent: "") }
        return message.enumerated().map { index, line in
            index == 0 ? painted + String.spaces(margin - word.count) + line : String.spaces(margin) + line
        } + rest.map { String.spaces(margin) + $0 }
    }
}
