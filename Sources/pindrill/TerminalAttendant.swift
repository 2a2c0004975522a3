import Dispatch
import Foundation
import MitmHarness
import MitmProxy
import Scenarios
import Synchronization
import Witness

/// A person at the terminal, or whoever writes lines to standard input.
final class TerminalAttendant: Attendant {
    private let oracle: Oracle
    private let style: TextStyle
    private let width: Int
    /// Where devices reach us; `nil`: on this machine only.
    private let place: ListenOptions.Place?
    private let setup: DeviceSetup
    /// The address that was told last.
    private let told = Mutex<String?>(nil)
    private let input = StandardInput()
    /// Whether the drill ends with the input: nobody else can give a word.
    private let endsWithInput: Bool
    /// Is shown each trial as it begins.
    private let onBegin: @Sendable (DrillSession) -> Void
    private let session = Mutex<DrillSession?>(nil)
    private let reading = Mutex<Task<Void, Never>?>(nil)
    private let hasEnded = Mutex(false)
    private let (openings, opened) = AsyncStream.makeStream(of: Void.self)

    init(
        oracle: Oracle,
        setup: DeviceSetup,
        style: TextStyle,
        width: Int,
        place: ListenOptions.Place? = nil,
        endsWithInput: Bool = true,
        onBegin: @escaping @Sendable (DrillSession) -> Void = { _ in }
    ) {
        self.setup = setup
        self.oracle = oracle
        self.style = style
        self.width = width
        self.place = place
        self.endsWithInput = endsWithInput
        self.onBegin = onBegin
    }

    func attend(_ attempt: AttendedAttempt) async throws(CancellationError) -> (AttendedWord, note: String) {
        if hasEnded.withLock(\.self) { throw CancellationError() }
        let (session, isNew) = session(of: attempt.trial)
        introduce(attempt, isNew: isNew)
        let told = Told()
        let view = Task {
            for await state in session.states() where state.phase == .waiting { told.tell(state.connections) }
        }
        defer {
            view.cancel()
            told.tell(attempt.observations())
        }
        reading.withLock { $0 = $0 ?? Task { await read() } }
        opened.yield()
        return try await session.attend(attempt)
    }

    func take(_ step: StepResult, number: Int, mayPause: Bool) async throws(CancellationError) {
        try await session.withLock(\.self)?.take(step, number: number, mayPause: mayPause)
    }

    func take(_ result: TrialResult?) { session.withLock(\.self)?.take(result) }

    /// Gives the terminal back as it was.
    func close() { input.close() }

    private func session(of trial: Trial) -> (DrillSession, isNew: Bool) {
        let (session, isNew) = session.withLock { known in
            if let known, known.trial == trial, !known.state.phase.isOver { return (known, false) }
            let session = DrillSession(trial)
            known = session
            return (session, true)
        }
        if isNew { onBegin(session) }
        return (session, isNew)
    }

    /// Gives the words of the input, each to the attempt that is waited for when it comes.
    private func read() async {
        for await () in openings {
            _ = await session.withLock(\.self)?.state(where: \.phase.isAtRest)
            while let session = session.withLock(\.self), session.state.phase == .waiting {
                let answer = await input.next()
                // Somebody else may have given the word meanwhile, and another attempt may have begun.
                let session = self.session.withLock(\.self) ?? session
                do {
                    switch answer {
                    case nil:
                        hasEnded.withLock { $0 = endsWithInput }
                        if endsWithInput { session.stop() }
                        return
                    case .note(let text): try session.note(text)
                    case .unknown(let text):
                        Terminal.write("  '\(text.prefix(40))' is none of: \(StandardInput.words)\n")
                    case .word(let word, var code):
                        let attempt = session.state.attempt
                        let isAsked = session.state.scene?.code != nil
                        if let code, !isAsked {
                            Terminal.write("  '\(code.prefix(40))' is no code of this attempt: its answer has none\n")
                            break
                        }
                        if word == .worked, code == nil, isAsked { code = await input.answer(to: "  code: ") }
                        try session.give(word, for: attempt, code: code)
                    }
                } catch {
                    Terminal.write("  \(error)\n")
                }
            }
        }
    }

    private func introduce(_ attempt: AttendedAttempt, isNew: Bool) {
        let trial = attempt.trial
        var lines: [String] = []
        if isNew {
            lines +=
                [style.heading(trial.name)] + welcome(trial, attempt.endpoint.host, port: attempt.endpoint.port) + [""]
        }
        let start = lines.count
        var scenario = trial.scenario
        scenario.steps = [attempt.planned.step]
        if let explanation = try? Explanation(scenario, policies: [], oracle: oracle, instant: attempt.endpoint.instant)
        {
            lines += ExplainText(style: style, width: width).shown(in: explanation)
        }
        let kind = attempt.planned.isControl ? ", the app's own server, to see that it works" : ""
        lines.insert(
            style.heading("Step \(attempt.number) of \(attempt.count)\(kind)"),
            at: start
        )
        lines += "Now: \(attempt.ask)".wrapped(to: width, indent: "  ")
        if attempt.code != nil {
            let text = "This attempt's answer has a code: say 'worked' with the code that the app shows."
            lines += text.wrapped(to: width, indent: "  ")
        }
        lines += StandardInput.keys.wrapped(to: width, indent: "  ")
        input.askAnew()
        Terminal.write(lines.joined(separator: "\n") + "\n")
    }

    /// Where the device is to go, and what it must trust from now on, as far as that has changed.
    private func welcome(_ trial: Trial, _ host: String, port: Int) -> [String] {
        let address = address(port: port)
        var lines: [String] = []
        let before = told.withLock { told in
            defer { told = address }
            return told
        }
        if before != address {
            lines.append("  Proxy of the device: \(address), or point \(host) there.")
            if let place, place.isUnspecified {
                let hint = "\(place.address) is every address of this machine: give the device the one in its network."
                lines += hint.wrapped(to: width, indent: "  ")
            }
        }
        do {
            lines += try setup.lines(for: trial, address: address, style: style)
        } catch {
            Terminal.complain("\(error)")
        }
        guard style.isDrawn, before == nil, let place, !place.isUnspecified else { return lines }
        return lines + (QRCode("http://\(address)/")?.lines.map { "  \($0)" } ?? [])
    }

    /// Where the device is to go, with the port of loopback where nobody comes from elsewhere.
    private func address(port: Int) -> String { place.map { "\($0.written):\($0.port)" } ?? "127.0.0.1:\(port)" }

    /// Sees to it that the app reaches its own server, before anything counts.
    ///
    /// - Returns: whether the drill may begin; `false`: no more words will come.
    func check(_ check: DeviceCheck, of trial: Trial) async throws -> Bool {
        let address = address(port: check.port)
        var lines = [style.heading("Is the device ready?")] + welcome(trial, check.host, port: check.port) + [""]
        let task =
            "Now: set the proxy, open http://\(DevicePage.host)/ on the device, install the roots, and open the app."
        lines += task.wrapped(to: width, indent: "  ")
        Terminal.write(lines.joined(separator: "\n") + "\n")
        while true {
            Terminal.write("  a: what is in the way?  s: begin without this check\n")
            let answer = await input.next { check.finding == .ready }
            guard let answer else {
                Terminal.write("  \(check.finding.advice(host: check.host, proxy: address)[0])\n\n")
                return true
            }
            switch answer {
            case nil: return false
            case .word(.skip, _): return true
            default:
                let advice = try await check.settled().advice(host: check.host, proxy: address)
                for (index, line) in advice.enumerated() {
                    let lines = line.wrapped(to: width, indent: index == 0 ? "  " : "    ")
                    Terminal.write(lines.joined(separator: "\n") + "\n")
                }
                try await check.lookAnew()
            }
        }
    }
}

/// Writes a line for each connection of an attempt, once it is known what came of it.
private final class Told: Sendable {
    private let numbers = Mutex<Set<Int>>([])

    func tell(_ connections: [Observation]) {
        for seen in connections {
            guard let number = seen.number, seen.isClosed || seen.reaction == .accepted,
                numbers.withLock({ $0.insert(number).inserted })
            else { continue }
            Terminal.write("  \(TextReport.line(seen))\n")
        }
    }
}
