import ArgumentParser
import Foundation
import MitmHarness
import Pinning
import Scenarios

struct Try: AsyncParsableCommand, Player {
    static let configuration = CommandConfiguration(
        abstract: "Tries one command against the shipped catalogue, without a scenario file.",
        discussion: """
            The command is run again and again, each time before another server: its own, and attackers'. What it is to \
            ask for, to trust and to pin stands in its placeholders, as in

              pindrill try -- curl --cacert {trust} --pinnedpubkey {pins} {url}

            First it has to accept its own server; where it does not, one sentence says what to change. At the end stands \
            what was assumed, and the scenario file that says the same; --save writes it.

            Exit status: as of `run`, and 2 where the command did not accept its own server, 65 where it cannot be started.
            """
    )

    @OptionGroup
    var starter: StarterOptions

    @OptionGroup
    var play: PlayOptions

    @OptionGroup
    var keyring: KeyringOption

    func run() async throws {
        play.output.begin()
        var draft: StarterDraft
        do {
            draft = try starter.draft(timeout: play.timeout, isIsolated: play.isolate)
            if let save = starter.save { try starter.checkPlace(save) }
        } catch {
            throw usageError(["\(error)"])
        }
        var performance = try Performance(play, of: draft.file.file)
        let loaded = try starter.load(draft, now: performance.started, keyring: keyring.folder)
        let trials: [Trial]
        do {
            trials = try starter.choice.trials(of: loaded.file, called: "the shipped catalogue")
        } catch {
            throw usageError(["\(error)"])
        }
        let runner = try await performance.runner(of: loaded)
        if let diagnosis = try await diagnose(trials, of: loaded, by: runner, placeholders: draft.placeholders) {
            Terminal.complain("\(diagnosis)")
            throw ExitCode(diagnosis.isMistake ? 65 : 2)
        }
        let report = try await performance.play(trials, of: loaded, by: runner)
        draft.file.propose(from: report.trials)
        if !loaded.leftOut.isEmpty { draft.assumptions.append("\(loaded.omission).") }
        Terminal.write(draft.summary(width: play.lineWidth))
        if let save = starter.save { try starter.write(draft.file.text, to: save) }
        try performance.end(with: report)
    }

    func load(now: Date) throws -> LoadedFile {
        try starter.load(
            try starter.draft(timeout: play.timeout, isIsolated: play.isolate),
            now: now,
            keyring: keyring.folder
        )
    }

    /// Shows the client its own server, and one that everybody refuses.
    private func diagnose(
        _ trials: [Trial],
        of loaded: LoadedFile,
        by runner: Runner,
        placeholders: [CommandPlaceholder]
    ) async throws -> Diagnosis? {
        let now = Date()
        func result(of trial: Trial?) async -> TrialResult? {
            guard let trial else { return nil }
            return await Interruption.cancelling { await runner.run([trial]) }.first
        }
        if let client = trials.first?.client, case .command = client.kind,
            let absence = (try? Runner.client(client) as? CommandClient)?.absence
        {
            Terminal.complain("It cannot be started: \(absence)")
            throw ExitCode(65)
        }
        let controls = try trials.map(\.policy).uniqued.compactMap { policy in
            try trials.lazy.filter { $0.policy == policy }.compactMap {
                try loaded.oracle.control(of: $0, instant: now)
            }.first
        }
        // With its pins first: they are what it is tried for.
        guard let control = controls.last, let seen = await result(of: control) else { return nil }
        let bare = seen.verdict != .pass && controls.count > 1 ? await result(of: controls.first) : nil
        let diagnosis = Diagnosis(
            of: seen,
            placeholders: placeholders,
            host: control.scenario.steps[0].host,
            mayHang: play.timeout != nil,
            acceptsWithoutPins: bare.map { $0.verdict == .pass }
        )
        if let diagnosis { return diagnosis }
        guard starter.client.refused.isEmpty, starter.client.succeeded.isEmpty,
            let attack = loaded.file.trials.first(where: { $0.scenario.name.hasPrefix("attacker-unknown-root") })
        else { return nil }
        return await result(of: attack).flatMap(Diagnosis.init(statusOf:))
    }
}
