import Foundation
import Pinning
package import Scenarios
import TLSCore

extension MonitorReport {
    /// For a terminal, or the mail of cron.
    package func text(_ style: TextStyle, width: Int = 100) -> String {
        var lines: [String] = []
        for shown in shown {
            let word = style.outcome(shown.isRefused ? .locksOut : .survives, shown.isRefused ? "reject" : "accept")
            let leaf = shown.chain.first.map { ": \($0.subject.asOneLine)" } ?? ""
            lines.append("\(word)  \(shown.kind.rawValue.padded(to: 6))  \(shown.title)\(leaf)")
            for (policy, cell) in zip(policies, shown.cells) {
                if let caution = cell.caution {
                    lines += "\(policy.asOneLine): \(caution)".wrapped(to: width, indent: .spaces(8))
                }
                if cell.decision.demand == .accept { continue }
                let words = "\(policy.asOneLine): \(cell.outcome.words): \(cell.why)"
                lines += words.wrapped(to: width, indent: .spaces(8))
                lines += cell.needs.flatMap { $0.wrapped(to: width, indent: .spaces(10)) }
            }
        }
        for silent in silent {
            let word = style.outcome(.depends, silent.kind == .served ? "silent" : "open  ")
            lines.append("\(word)  \(silent.kind.rawValue.padded(to: 6))  \(silent.reason.asOneLine)")
        }
        for ending in endings {
            let isSoon = ending.daysLeft < warnDays
            let word = isSoon ? style.outcome(.locksOut, "ends  ") : "ends  "
            let what = ending.subject == .pins ? "the pins of \(ending.name.asOneLine)" : ending.name.asOneLine
            let place = ending.owner.asOneLine + (ending.address.map { " at \($0)" } ?? "")
            lines.append("\(word)  \(ending.words): \(what), \(place)")
        }
        return (lines + ["", style.heading(headline)]).joined(separator: "\n") + "\n"
    }

    private var headline: String {
        let refused = shown.count(where: \.isRefused)
        var parts: [String] = []
        if refused > 0 { parts.append("\(refused) of \(Count.of(shown.count, "chain")) would lock users out") }
        if !soon.isEmpty {
            parts.append(
                "\(Count.of(soon.count, "thing")) \(soon.count == 1 ? "ends" : "end") within \(Count.of(warnDays, "day"))"
            )
        }
        let unasked = silent.count { $0.kind == .served }
        if unasked > 0 { parts.append("\(Count.of(unasked, "address", "addresses")) could not be asked") }
        let unsigned = silent.count - unasked
        if unsigned > 0 { parts.append("of \(Count.of(unsigned, "key")) it is not known who will sign") }
        return parts.isEmpty
            ? "all \(Count.of(policies.count, "policy", "policies")) accept all \(Count.of(shown.count, "chain"))"
            : parts.joined(separator: "; ")
    }
}

extension MonitorReport.Ending {
    var words: String {
        let day = "\(Day(instant))"
        return daysLeft < 0 ? "\(day), over" : "\(day), \(Count.of(daysLeft, "day")) left"
    }
}
