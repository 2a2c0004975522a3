import Pinning
import TLSCore

extension CheckMatrix {
    /// For a terminal: the table, and below it what is not accepted, each reason once.
    package func text(_ style: TextStyle, width: Int = 100) -> String {
        var lines = [style.heading(headline), ""]
        lines += columns.enumerated().flatMap { index, column in
            "\(column.name), for \(column.host)".wrapped(to: width - 5, indent: "").enumerated().map { line, text in
                (line == 0 ? "\(index + 1)".padded(to: 4) : .spaces(4)) + text
            }
        }
        lines += blocks(style, width: width)
        for complaint in complaints {
            let place = "\(complaint.row) with \(complaint.columns.joined(separator: ", "))"
            let words = style.outcome(complaint.cell.outcome, complaint.cell.outcome.words)
            lines += ["", place + ":"] + "  \(words): \(complaint.cell.why)".wrapped(to: width - 2, indent: "  ")
            lines += complaint.cell.needs.flatMap { $0.wrapped(to: width - 4, indent: "    ") }
        }
        lines += cautions.isEmpty ? [] : [""]
        lines += cautions.flatMap { "* \($0)".wrapped(to: width, indent: "") }
        lines += [""] + sources.map(\.words)
        lines += rows.filter(\.lacksAnchors).map {
            "\($0.name): the app brings roots of its own along, which its configuration does not hold: see --app-trust."
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// One table under the other where the columns are too many for the width.
    private func blocks(_ style: TextStyle, width: Int) -> [String] {
        let names = rows.map { $0.name.shortened(to: width / 2) }
        let indent = (names.map(\.columns).max() ?? 0) + 2
        // The longest word, a mark and a gap.
        let cellWidth = 9
        let perBlock = max(1, (width - indent) / cellWidth)
        return stride(from: 0, to: columns.count, by: perBlock).flatMap { start -> [String] in
            let range = start..<min(start + perBlock, columns.count)
            let head = .spaces(indent) + range.map { "\($0 + 1)".padded(to: cellWidth) }.joined()
            return ["", style.heading(head.trimmingEnd)]
                + rows.indices.map { row in
                    let words = range.map { column in
                        let cell = cells[row][column]
                        return style.outcome(cell.outcome, cell.word) + .spaces(cellWidth - cell.word.count)
                    }
                    return (names[row].padded(to: indent) + words.joined()).trimmingEnd
                }
        }
    }

    /// What is not accepted: the same reason of one app once, with the chains that it holds for.
    var complaints: [(row: String, columns: [String], cell: Cell)] {
        rows.indices.flatMap { row in
            var found: [(row: String, columns: [String], cell: Cell)] = []
            for column in columns.indices where cells[row][column].decision.demand != .accept {
                let cell = cells[row][column]
                let index = found.firstIndex { $0.cell.why == cell.why && $0.cell.needs == cell.needs }
                if let index {
                    found[index].columns.append(columns[column].name)
                } else {
                    found.append((rows[row].name, [columns[column].name], cell))
                }
            }
            return found
        }
    }

    /// What is accepted and says nothing of the pins: each reason of an app once, with the chains that it holds for.
    var cautions: [String] {
        rows.indices.flatMap { row in
            let found = columns.indices.compactMap { column in
                cells[row][column].caution.map {
                    (reason: $0, place: "\(columns[column].name) (\(columns[column].host))")
                }
            }
            return found.map(\.reason).uniqued.map { reason in
                let places = found.filter { $0.reason == reason }.map(\.place).joined(separator: ", ")
                return "\(rows[row].name) with \(places): \(reason)"
            }
        }
    }

    var headline: String {
        let failures = cells.joined().count(where: \.isFailure)
        let required = cells.joined().count(where: \.isRequired)
        let scope = required == rows.count * columns.count ? "" : " that must be accepted"
        return failures == 0
            ? "accept: all \(required) of \(Count.of(rows.count, "policy", "policies")) and "
                + "\(Count.of(columns.count, "chain"))\(scope)"
            : "reject: \(failures) of \(required)\(scope), of \(Count.of(rows.count, "policy", "policies")) and "
                + Count.of(columns.count, "chain")
    }
}

extension CheckMatrix.Source {
    package var words: String { "\(option) \(name): \(Count.of(count, "certificate")) trusted" }
}

extension CheckMatrix.Cell {
    /// The reason, and what is missing.
    package var why: String { "\(decision)" + (missing.map { " (\($0))" } ?? "") }

    /// Which pins would have been needed, one text for each list.
    package var needs: [String] {
        needed.map { list in
            let words = list.map { needed in
                let pin = needed.match == .key ? "\(needed.pin)" : "certificate \(needed.pin.hex)"
                return "\(pin) (\(needed.certificate.subject.asOneLine))"
            }
            return "needed: " + words.joined(separator: ", or ")
        }
    }
}

/// A number and what it counts.
package enum Count {
    package static func of(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? one + "s")"
    }
}

extension String {
    /// The end of a path tells more than its beginning.
    fileprivate func shortened(to width: Int) -> String { columns <= width ? self : "…" + suffix(width - 1) }

    fileprivate var trimmingEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
