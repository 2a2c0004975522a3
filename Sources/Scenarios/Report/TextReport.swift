import Pinning
import TLSCore
package import Witness

/// A report as people read it: what matters, worst first, and each step on request.
package struct TextReport: Sendable {
    let style: TextStyle
    /// Where lines are wrapped, between words.
    let width: Int
    /// Shows what each client printed, and every connection.
    private let isVerbose: Bool
    /// Shows what attackers got.
    let showsStolen: Bool

    /// So much of a connection is shown.
    package static let mostStolenBytes = 2048

    package init(
        style: TextStyle = TextStyle(isColoured: false),
        width: Int = 100,
        isVerbose: Bool = false,
        showsStolen: Bool = false
    ) {
        self.showsStolen = showsStolen
        self.style = style
        self.width = width
        self.isVerbose = isVerbose
    }

    /// What an attacker got in one connection, as he sees it: the first bytes, and how many there were.
    typealias Theft = (thief: String, bytes: ArraySlice<UInt8>, count: Int)

    /// A step, and what no report has of it.
    struct Told {
        var trial: RecordedTrial
        var step: RecordedStep
        var stolen: [Theft] = []
    }

    // MARK: A trial

    /// The trial's name, and two lines for each step: what it shows and demands, and what came of it.
    package func render(_ result: TrialResult) -> String {
        render(RecordedTrial(result), told(result))
    }

    /// The same of a report's trial.
    package func render(_ trial: RecordedTrial) -> String {
        render(trial, trial.steps.map { Told(trial: trial, step: $0) })
    }

    func told(_ result: TrialResult) -> [Told] {
        let trial = RecordedTrial(result)
        return zip(trial.steps, result.steps).map {
            Told(trial: trial, step: $0, stolen: showsStolen ? $1.stolen : [])
        }
    }

    func render(_ trial: RecordedTrial, _ told: [Told]) -> String {
        let steps = told.map(\.step)
        let model = trial.model ? style.aside("  (model: proves the catalogue, not a client)") : ""
        let heading = style.heading(trial.name) + model + deviation(of: trial)
        let reasons = Set(steps.map { [$0.verdict.rawValue, $0.grounds] })
        if let only = steps.first, reasons.count == 1, only.verdict == .skipped || only.breakdown == true {
            let lines = only.grounds.wrapped(to: width - only.verdict.rawValue.count - 4, indent: "")
            let margin = String.spaces(only.verdict.rawValue.count + 4)
            let said =
                "  \(style.verdict(only.verdict, only.verdict.rawValue))  " + lines.joined(separator: "\n\(margin)")
            return "\(heading)\n\(said)\n"
        }
        let rows = steps.map(columns)
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = zip(told, rows).flatMap { told, row in
            self.lines(told.step, row, widths) + remarks(on: told.step, .spaces(widths[0] + 4))
                + stolen(told.stolen, .spaces(widths[0] + 4))
                + (isVerbose ? details(of: told.step, .spaces(widths[0] + 4)) : [])
        }
        let findings = (trial.findings ?? []).flatMap { $0.printable.wrapped(to: width, indent: "  ") }
        return ([heading] + lines + findings).joined(separator: "\n") + "\n"
    }

    private func deviation(of trial: RecordedTrial) -> String {
        guard let deviation = trial.deviation else { return "" }
        let words = deviation.seen ? "deviates as declared" : "declared to deviate (\(deviation.verdict.rawValue))"
        return style.aside("  (\(words): \(deviation.because))")
    }

    /// Verdict, chain, key, demand.
    private func columns(_ step: RecordedStep) -> [String] {
        [
            step.verdict.rawValue,
            step.name,
            step.shown.filter { $0.host == nil }.map { "\($0.holder.rawValue)'s \($0.key)" }.uniqued
                .joined(separator: ", "),
            step.shown.map { "\($0.host.map { "\($0) " } ?? "")\($0.demand.phrase): \($0.reason)" }.uniqued
                .joined(separator: "; "),
        ]
    }

    private func said(_ attempt: RecordedAttempt) -> String {
        attempt.account.isEmpty ? attempt.word.rawValue : "\(attempt.word.rawValue) (\(attempt.account.printable))"
    }

    /// What is shown, whose it is and what must be done with it; below, what the witnesses say and what it means.
    private func lines(_ step: RecordedStep, _ row: [String], _ widths: [Int]) -> [String] {
        let margin = String.spaces(widths[0] + 4)
        let column = margin.count + widths[1] + widths[2] + 4
        let name = "  \(style.step(step, row[0].padded(to: widths[0])))  \(row[1].padded(to: widths[1]))  "
        var lines: [String]
        if column > width / 2 {
            lines = [name + row[2]] + row[3].wrapped(to: width, indent: margin + "  ")
        } else {
            let demand = row[3].wrapped(to: width, indent: .spaces(column))
            lines = [name + row[2].padded(to: widths[2]) + "  " + (demand.first ?? "").dropFirst(column)]
            lines += demand.dropFirst()
        }
        let attempt = step.decisive
        let seen = "wire: \(attempt?.wire ?? "-"); client: \(attempt.map(said) ?? "-")"
        lines += seen.wrapped(to: width, indent: margin)
        let (meaning, time) = (step.meaning, "\(step.duration) ms")
        let end = "\(style.consequence(step.consequence, meaning))  \(time)"
        if (lines.last?.count ?? width) + meaning.count + time.count + 4 > width { return lines + [margin + end] }
        lines[lines.count - 1] += "  \(end)"
        return lines
    }

    /// Why a verdict is no pass, and what the author noted.
    private func remarks(on step: RecordedStep, _ indent: String) -> [String] {
        var lines: [String] = []
        if let note = step.note { lines.append("note: \(note)") }
        // The line above has said already what the wire saw.
        if step.verdict != .pass, step.decisive?.wire != step.grounds { lines.append(step.grounds) }
        lines += (step.leaks ?? []).map(\.printable)
        if step.verdict != .pass {
            let missing = step.missing.map(\.printable).uniqued
            lines += missing.prefix(10).map { "asked for \($0) and got 404: declare it in 'origin:'" }
        }
        if let advice = step.advice { lines.append(advice.printable) }
        let elsewhere = step.attempts.flatMap(\.connections).filter { !$0.counts }
            .compactMap(\.target?.printable).uniqued
        if !elsewhere.isEmpty { lines.append("also connected to: \(elsewhere.joined(separator: ", "))") }
        return lines.flatMap { $0.wrapped(to: width, indent: indent) }
    }

    /// What each attacker read, line by line, cut off at a size that is told.
    private func stolen(_ thefts: [Theft], _ indent: String) -> [String] {
        thefts.flatMap { theft in
            let part =
                theft.bytes.count < theft.count
                ? "the first \(theft.bytes.count) of \(theft.count) bytes" : "\(theft.count) bytes"
            let lines = String(decoding: theft.bytes, as: UTF8.self).replacing("\r\n", with: "\n")
                .split(separator: "\n", omittingEmptySubsequences: false)
            return ["\(indent)\(theft.thief) got \(part):"]
                + lines.flatMap { $0.escaped.cut(to: width - indent.count - 4) }.map { "\(indent)  > \($0)" }
        }
    }

    /// A connection in one line.
    package static func line(_ observation: Observation) -> String {
        line(RecordedConnection(observation, counts: true))
    }

    private static func line(_ connection: RecordedConnection) -> String {
        let request = connection.requestLine.map { ", “\($0.printable)”" } ?? ""
        return
            "connection to \(connection.target?.printable ?? "nobody named"): shown \(connection.shown ?? "nothing"), "
            + "\(connection.reaction)\(request)"
    }

    private func details(of step: RecordedStep, _ indent: String) -> [String] {
        step.attempts.enumerated().flatMap { index, attempt in
            let name = step.attempts.count > 1 ? "attempt \(index + 1), " : ""
            let connections = attempt.connections.map { "\(indent)\(name)\(Self.line($0))" }
            let stacks = attempt.connections.compactMap(\.hello?.stack).uniqued
            let kinds =
                stacks.count < 2
                ? []
                : [
                    "\(indent)\(name)its connections look like \(stacks.count) TLS stacks: \(stacks.joined(separator: ", "))"
                ]
            let output = attempt.output.split(whereSeparator: \.isNewline).suffix(20)
                .map { "\(indent)| \(String($0).printable)" }
            return connections + kinds + output
        }
    }
}

extension RecordedStep {
    /// What was presented, and at which story time unless that is day 0.
    var name: String { title + (at == "0d" ? "" : " at \(at)") + (control ? " (control)" : "") }

    /// The consequence, and what a refusal was due to. Who turns away and is served or intercepted all the same has not
    /// been so by the pin.
    var meaning: String {
        let consequence = self.consequence.rawValue + (declared ? " (declared)" : "")
        let isResult = self.consequence == .lockedOut || self.consequence == .protected
        return switch attribution {
        case .pin?: "\(consequence)\(isResult ? "" : "; rejected") by the pin"
        case .configuration?: "\(consequence)\(isResult ? "" : "; rejected") by its settings"
        case .other?: "\(consequence)\(isResult ? "" : "; rejected"), not by the pin"
        case .unproven?: "\(consequence)\(isResult ? "" : "; rejected"), by the pin: unproven"
        case nil: consequence
        }
    }
}

extension Decision.Demand {
    var phrase: String {
        switch self {
        case .accept: "must accept"
        case .reject: "must reject"
        case .either: "may do either"
        }
    }
}

extension TextStyle {
    /// Colour follows the people: a verdict is no good news to those who are locked out or intercepted.
    fileprivate func step(_ step: RecordedStep, _ text: String) -> String {
        step.verdict == .pass && step.consequence > .unknown
            ? consequence(step.consequence, text) : verdict(step.verdict, text)
    }
}

extension Duration {
    /// As in `21 ms`.
    var inMilliseconds: String { "\(milliseconds) ms" }

    /// Whole milliseconds.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}

extension StringProtocol {
    /// With a name in the place of each character that could steer a terminal, or hide what stands beside it.
    fileprivate var escaped: String {
        unicodeScalars.map { scalar in
            scalar.steersTerminal && scalar != "\t" ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
    }

    /// In pieces of so many characters; one empty piece where there is nothing.
    fileprivate func cut(to width: Int) -> [SubSequence] {
        var (pieces, rest) = ([prefix(width)], dropFirst(width))
        while !rest.isEmpty {
            pieces.append(rest.prefix(width))
            rest = rest.dropFirst(width)
        }
        return pieces
    }
}

extension String {
    /// Without what could steer a terminal, or turn the direction of writing: clients, and attackers of the reader, choose
    /// such texts. Line feeds go, too.
    var printable: String {
        // Nearly all are.
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
        return String(UnicodeScalarView(unicodeScalars.map { $0.steersTerminal && $0 != "\t" ? "\u{FFFD}" : $0 }))
    }
}
