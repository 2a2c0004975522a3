import Foundation

/// One measure in plain text: a row for each thing measured, and what it should be.
struct Table {
    let title: String
    let unit: String
    /// How many digits behind the point are worth printing.
    var digits = 0
    private var rows: [[String]] = []
    private var judgements: [String] = []

    init(_ title: String, unit: String, digits: Int = 0) {
        self.title = title
        self.unit = unit
        self.digits = digits
    }

    /// - Parameters:
    ///   - ratio: to the row it is compared with, taken round by round.
    ///   - remark: what a reader must know to compare it.
    mutating func add(
        _ name: String,
        _ samples: Samples,
        ratio: Samples? = nil,
        failed: Int? = nil,
        remark: String = ""
    ) {
        let range = samples.range
        rows.append([
            name, text(samples.median), "\(text(range.lowerBound))–\(text(range.upperBound))",
            ratio.map { String(format: "%.2f", $0.median) } ?? "",
            failed.map { "\($0)" } ?? "", remark,
        ])
    }

    /// A line below the rows: whether a target is met.
    mutating func judge(_ name: String, _ value: Double, atMost target: Double) {
        judgements.append(
            "target: \(name) at most \(short(target)): \(short(value)), \(value <= target ? "met" : "missed")"
        )
    }

    mutating func judge(_ name: String, _ value: Double, atLeast target: Double) {
        judgements.append(
            "target: \(name) at least \(short(target)): \(short(value)), \(value >= target ? "met" : "missed")"
        )
    }

    /// A line instead of the rows: why nothing is measured.
    mutating func skip(_ reason: String) { judgements.append("skipped: \(reason)") }

    var rendered: String {
        let head = ["", "median", "min–max", "ratio", "failed", ""]
        let all = rows.isEmpty ? [] : [head] + rows
        let used = head.indices.filter { column in rows.contains { !$0[column].isEmpty } }
        let widths = used.map { column in all.map { $0[column].count }.max() ?? 0 }
        let lines = all.map { row in
            let cells = zip(used, widths).map { column, width in
                let gap = String(repeating: " ", count: width - row[column].count)
                return 1...4 ~= column ? gap + row[column] : row[column] + gap
            }
            return ("  " + cells.joined(separator: "  ")).replacing(/\s+$/, with: "")
        }
        return (["\(title) (\(unit))"] + lines + judgements.map { "  " + $0 }).joined(separator: "\n") + "\n"
    }

    private func short(_ value: Double) -> String { String(format: "%.4g", value) }

    private func text(_ value: Double) -> String { String(format: "%.\(digits)f", value) }
}
