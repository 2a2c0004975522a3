/// What was found of clients that were written by somebody who had not seen the catalogue: a table that was made once, by
/// hand or by script, and that nothing here changes.
///
/// Lines of tab-separated columns: client, language, its bug, and the scenarios that found it, with commas between them.
/// A line that begins with `# ` is a paragraph about the clients below it. Empty lines count for nothing.
package struct FirstTry: Sendable {
    private var rounds: [(about: [String], rows: [[String]])] = []

    package init(parsing text: String) throws {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            if line.hasPrefix("# ") {
                if rounds.last?.rows.isEmpty != true { rounds.append(([], [])) }
                rounds[rounds.count - 1].about.append(String(line.dropFirst(2)))
                continue
            }
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count == 4, !columns[0].isEmpty else { throw Flaw(line: index + 1) }
            if rounds.isEmpty { rounds.append(([], [])) }
            rounds[rounds.count - 1].rows.append(columns)
        }
    }

    package struct Flaw: Error, CustomStringConvertible {
        let line: Int
        package var description: String {
            "line \(line): expected client, language, bug and scenarios, with a tab between them"
        }
    }

    package var markdown: String {
        rounds.map { about, rows in
            let found = rows.count { !$0[3].isEmpty }
            let table = rows.map { row in
                "| \(row[0]) | \(row[1]) | \(row[2]) | \(row[3].isEmpty ? "**missed**" : "found by \(row[3])") |"
            }
            let head = ["| client | language | its bug | |", "|---|---|---|---|"]
            let tally = "\(found) of \(rows.count) bugs found."
            return (about + [tally, (head + table).joined(separator: "\n")]).joined(separator: "\n\n")
        }
        .joined(separator: "\n\n")
    }
}
