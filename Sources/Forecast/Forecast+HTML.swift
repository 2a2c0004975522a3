import Pinning
import Scenarios

extension Forecast {
    /// One page that needs nothing else: no script, no font, no picture of another place.
    package func html() -> String {
        let chart = ForecastChart(self)
        let title = "Forecast for \(fleet.host.asOneLine.xmlText)"
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="\(PageParts.security(style: Self.style))">
            <title>\(title)</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <main>
            <h1>\(title)</h1>
            <p class="verdict"><strong>\(headline.pageText)</strong></p>
            <p>\(basisWords.xmlText)</p>
            <figure>
            \(chart.svg)
            <figcaption>\(chart.legend)</figcaption>
            </figure>
            \(eventTable)
            \(fateTable)
            \(versionTable)
            </main>
            </body>
            </html>

            """
    }

    /// That of every page; the chart has colours of its own, for light paper.
    private static let style =
        PageParts.style + """
            .day { white-space: nowrap; }
            figure { margin: 1rem 0; padding: .5rem; color: #111; background: #fff; }
            svg { width: 100%; height: auto; font-size: 12px; }
            .legend svg { width: .9em; height: .9em; margin-right: .4em; vertical-align: -.1em; }

            """

    private var eventTable: String {
        let rows = events.enumerated().map { index, event in
            let share = event.basis == .unknown ? "no data" : Share.text(event.atRisk.expected)
            let isHarm = event.atRisk.expected >= max(tolerance, .leastNonzeroMagnitude)
            return
                "<tr\(isHarm ? " class=\"harm\"" : "")><td class=\"number\">\(index + 1)</td><td class=\"day\">\(event.day)</td>"
                + "<th scope=\"row\">\(event.name.asOneLine.xmlText)</th><td class=\"number\">\(share)</td>"
                + "<td>\(event.people(counts: countsPeople).xmlText)</td><td>\(event.safeWords(tolerance: tolerance).pageText)</td></tr>"
        }
        return table(
            "What will be shown, and who is locked out on that day",
            ["Mark", "Day", "Event", "Locked out", "People", "Safe"],
            rows
        )
    }

    private var fateTable: String {
        let rows = events.enumerated().flatMap { index, event in
            event.harmed.map { fate in
                let people = event.basis == .unknown || !countsPeople ? "no data" : Number.text(fate.users.expected)
                let share = Share.text(fate.users.share(of: event.total).expected)
                let end = fate.ends.map { "; its pins end, and it accepts from \($0) on" } ?? ""
                return "<tr><td class=\"number\">\(index + 1)</td><th scope=\"row\">\(fate.name.asOneLine.xmlText)</th>"
                    + "<td class=\"number\">\(people)</td><td class=\"number\">\(share)</td>"
                    + "<td>\("\(fate.outcome.words): \(fate.reason)\(end)".pageText)</td>"
                    + "<td>\(fate.needed.joined(separator: "; ").pageText)</td></tr>"
            }
        }
        guard !rows.isEmpty else { return "<p>No version in use is locked out by any event.</p>" }
        return table(
            "Versions that are locked out, by event",
            ["Mark", "Version", "People", "Share", "Why", "The pin that would have been needed"],
            rows
        )
    }

    private var versionTable: String {
        let rows = zip(fleet.versions, population.trends).enumerated().map { index, pair in
            let users = population.users(version: index, on: population.lastDay).expected
            return "<tr><th scope=\"row\">\(pair.0.name.asOneLine.xmlText)</th>"
                + "<td class=\"day\">\(pair.0.released.map { "\($0)" } ?? "")</td><td class=\"number\">\(countsPeople ? Number.text(users) : Share.text(users / max(1, population.total(on: population.lastDay))))</td>"
                + "<td>\(words(of: pair.1).xmlText)</td></tr>"
        }
        return table(
            "Versions, with the people who used each on \(population.lastDay)",
            ["Version", "Released", "People", "What its use does"],
            rows
        )
    }

    private func table(_ caption: String, _ head: [String], _ rows: [String]) -> String {
        let columns = head.map { "<th scope=\"col\">\($0)</th>" }.joined()
        return "<table><caption>\(caption)</caption><thead><tr>\(columns)</tr></thead>\n<tbody>\n"
            + rows.joined(separator: "\n") + "\n</tbody></table>"
    }
}

extension String {
    /// As the content of an element, whatever names of files and certificates put into it: nothing that turns the
    /// direction of writing.
    fileprivate var pageText: String {
        String(UnicodeScalarView(unicodeScalars.map { $0.steersTerminal ? "\u{FFFD}" : $0 })).xmlText
    }
}
