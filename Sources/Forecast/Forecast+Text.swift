import Pinning
package import Scenarios

extension Forecast {
    /// For a terminal.
    package func text(_ style: TextStyle, width: Int = 100) -> String {
        var lines = headline.wrapped(to: width, indent: "").map(style.heading)
        lines += basisWords.wrapped(to: width, indent: "")
        for event in events { lines += [""] + text(of: event, style, width) }
        lines += ["", style.heading("Versions")]
        for (version, trend) in zip(fleet.versions, population.trends) {
            lines += "\(version.name.asOneLine): \(words(of: trend))".wrapped(to: width, indent: "  ")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func text(of event: Event, _ style: TextStyle, _ width: Int) -> [String] {
        let share = event.basis == .unknown ? "?" : Share.text(event.atRisk.expected)
        let mark = style.outcome(event.atRisk.expected > 0 ? .locksOut : .survives, "\(share) locked out")
        let may = event.isUncertain ? ", or may be" : ""
        let words = "\(style.heading(event.name.asOneLine)): \(mark)\(may) (\(event.people(counts: countsPeople)))"
        var lines = words.wrapped(to: width - 12, indent: "").enumerated().map { index, line in
            (index == 0 ? "\(event.day)  " : .spaces(12)) + line
        }
        for fate in event.harmed.prefix(12) {
            let part = Share.text(fate.users.share(of: event.total).expected)
            let people = countsPeople ? "\(Number.text(fate.users.expected)) people (\(part)), " : "\(part), "
            let end = fate.ends.map { "; its pins end, and it accepts from \($0) on" } ?? ""
            let words =
                "\(fate.name.asOneLine): \(event.basis == .unknown ? "" : people)\(fate.outcome.words): \(fate.reason)\(end)"
            lines += words.wrapped(to: width, indent: .spaces(12))
            lines += fate.needed.flatMap { "needed: \($0)".wrapped(to: width, indent: .spaces(14)) }
        }
        if event.harmed.count > 12 { lines.append(.spaces(12) + "and \(event.harmed.count - 12) more versions") }
        let unknown = population.users(version: nil, on: event.countedOn)
        if unknown.expected > 0 {
            let part = Share.text(unknown.share(of: event.total).expected)
            let people = countsPeople ? "\(Number.text(unknown.expected)) people (\(part))" : part
            lines.append(.spaces(12) + "\(people): versions that the fleet file does not have")
        }
        if event.atRisk.expected > 0 || event.basis == .unknown {
            lines += event.safeWords(tolerance: tolerance).wrapped(to: width, indent: .spaces(12))
        }
        return lines
    }
}
