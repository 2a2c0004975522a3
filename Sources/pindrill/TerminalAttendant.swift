import Dispatch
import Foundation
import MitmHarness
import Scenarios
import Synchronization
import Witness

/// A person at the terminal, or whoever writes lines to standard input.
final class TerminalAttendant: Attendant {
    private let oracle: Oracle
    private let style: TextStyle
    private let width: Int
    /// Where devices reach us; `nil`: on this machine only.
    private let address: String?
    private let input = StandardInput()
    private let trial = Mutex<String?>(nil)

    init(oracle: Oracle, style: TextStyle, width: Int, address: String? = nil) {
        self.oracle = oracle
        self.style = style
        self.width = width
        self.address = address
    }

    func attend(_ attempt: AttendedAttempt) async throws(CancellationError) -> (AttendedWord, note: String) {
        introduce(attempt)
        var notes: [String] = []
        while true {
            let answer: StandardInput.Answer? = await withTaskGroup(of: StandardInput.Answer?.self) { [input] group in
                group.addTask { await input.next() }
                // Shows connections until the word is there, and never ends first.
                group.addTask {
                    await Self.show(attempt)
                    return nil
                }
                defer { group.cancelAll() }
                return await group.next() ?? nil
            }
            switch answer {
            case nil: throw CancellationError()
            case .note(let text): notes.append(text)
            case .unknown(let text): Terminal.write("  '\(text.prefix(40))' is none of: \(StandardInput.words)\n")
            case .word(let word): return (word, notes.joined(separator: "\n"))
            }
        }
    }

    private func introduce(_ attempt: AttendedAttempt) {
        let trial = attempt.trial
        let name = [trial.scenario.name, trial.policy.name, trial.client.name].joined(separator: " · ")
        let isNew = self.trial.withLock { known in
            defer { known = name }
            return known != name
        }
        var lines: [String] = []
        if isNew {
            let trust = attempt.endpoint.folder.appending(path: "trust.pem")
            try? attempt.endpoint.store.pem().write(to: trust, atomically: true, encoding: .utf8)
            lines += [
                style.heading(name),
                "  Proxy of the device: \(address ?? "127.0.0.1:\(attempt.endpoint.port)"), or point \(attempt.endpoint.host) there.",
                "  Roots that it must trust, and no others of ours: \(trust.path)", "",
            ]
        }
        var scenario = trial.scenario
        scenario.steps = [attempt.planned.step]
        if let explanation = try? Explanation(scenario, policies: [], oracle: oracle, instant: attempt.endpoint.instant)
        {
            lines += ExplainText(style: style, width: width).shown(in: explanation)
        }
        let kind = attempt.planned.isControl ? ", the app's own server, to see that it works" : ""
        lines.insert(
            style.heading("Step \(attempt.number) of \(attempt.count)\(kind)"),
            at: isNew ? lines.startIndex + 4 : 0
        )
        lines += "Now: \(attempt.ask)".wrapped(to: width, indent: "  ")
        lines += StandardInput.keys.wrapped(to: width, indent: "  ")
        Terminal.write(lines.joined(separator: "\n") + "\n")
    }

    /// Writes a line for each connection, once it is known what came of it.
    private static func show(_ attempt: AttendedAttempt) async {
        var told: Set<Int> = []
        var isLast = false
        while !isLast {
            isLast = (try? await Task.sleep(for: .milliseconds(100))) == nil
            for seen in attempt.observations() {
                guard let number = seen.number, seen.isClosed || seen.reaction == .accepted,
                    told.insert(number).inserted
                else { continue }
                Terminal.write("  \(TextReport.line(seen))\n")
            }
        }
    }
}
