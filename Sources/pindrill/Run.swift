import ArgumentParser
import Foundation
import Scenarios

struct Run: AsyncParsableCommand, Player {
    static let configuration = CommandConfiguration(
        abstract: "Plays a file's scenarios to its clients and judges them.",
        discussion: """
            Of a file that says `play: quick`, as the shipped one does, only the scenarios with that tag are played, unless \
            --all, --tag or --scenario asks for others; any other file is played whole.

            With --policy-file the app's own configuration takes the place of the file's policies, and the shipped \
            catalogue that of a file that is not named: the built-in client then shows what the app will do.

            Of more than four trials a table of marks is shown, and below it each step that failed or proved nothing; \
            --verbose tells of every step.

            Exit status: 0 every verdict is a pass; 1 a verdict failed, or somebody was intercepted where the file does \
            not say so; 2 something proved nothing, or nothing was tried; 64 usage; 65 a bad file; 74 the results \
            could not be written; 130 interrupted.
            """
    )

    @Argument(
        help: "The scenario file (default: the scenarios.yaml that is here, or else the shipped one).",
        completion: .file(extensions: ["yaml", "yml"])
    )
    var file: String?

    @OptionGroup
    var selection: Selection

    @OptionGroup
    var app: AppPolicy

    @OptionGroup
    var play: PlayOptions

    @OptionGroup
    var keyring: KeyringOption

    @Option(
        help: ArgumentHelp(
            "Plays one part of the trials, as 2/4; auto asks the environment (CI_NODE_INDEX, JOB_COMPLETION_INDEX), auto/4 "
                + "for its place alone.",
            valueName: "part"
        )
    )
    var shard: String?

    @Option(
        help: ArgumentHelp(
            "With --shard: a JSON report of an earlier run, by whose durations the trials are dealt out. Give all parts the "
                + "same report.",
            valueName: "report"
        )
    )
    var durations: String?

    @Flag(help: "Starts no client that is a command, as for a file from a stranger: they are skipped.")
    var noCommands = false

    func validate() throws {
        if app.file == nil, app.catalogue.host != nil {
            throw ValidationError("--host means nothing without --policy-file")
        }
        if durations != nil, shard == nil { throw ValidationError("--durations means nothing without --shard") }
        _ = try part()
    }

    func run() async throws {
        play.output.begin()
        // From here on no older report can be taken for this run's, however early it ends.
        let path = app.file == nil ? LoadedFile.path(file) : file
        var performance = try Performance(play, of: path ?? ScenarioFile.shippedName, shard: try part())
        let part = try dealtPart()
        let loaded = try load(path, now: performance.started) { file in
            guard let trials = try? selection.trials(of: file, called: path ?? "") else { return [] }
            return part?.part(of: trials) ?? trials
        }
        let trials: [Trial]
        do {
            trials = try selection.trials(of: loaded.file, called: loaded.name)
        } catch {
            throw usageError(["\(error)"])
        }
        let own = part?.part(of: trials) ?? trials
        let missing = selection.missingClients(in: own)
        guard missing.isEmpty else { throw usageError(missing) }
        // One part of a run says it for all.
        if part.map({ $0.index == 1 }) ?? true { try loaded.warn(at: performance.started) }
        let runner = try await performance.runner(of: loaded, startsCommands: !noCommands)
        if let part {
            Terminal.remark("part \(part.index) of \(part.count): \(own.count) of \(trials.count) trials")
        }
        let report = try await performance.play(own, of: loaded, by: runner, trialsInAll: trials.count)
        // There may be more parts than trials.
        try performance.end(with: report, isNothingFine: own.isEmpty)
    }

    private func part() throws -> Shard? {
        guard let shard else { return nil }
        do throws(Shard.Mistake) {
            return try Shard.parse(shard, environment: ProcessInfo.processInfo.environment)
        } catch {
            throw ValidationError("--shard: \(error)")
        }
    }

    /// The part, with what is known of what trials take.
    private func dealtPart() throws -> Shard? {
        var part = try part()
        if let durations { part?.durations = try WrittenReport.read(durations).durations }
        return part
    }

    func load(now: Date) throws -> LoadedFile {
        try load(app.file == nil ? LoadedFile.path(file) : file, now: now)
    }

    private func load(
        _ path: String?,
        now: Date,
        playing: ((ScenarioFile) -> [Trial])? = nil
    ) throws -> LoadedFile {
        try LoadedFile(
            path,
            now: now,
            keyring: keyring.folder,
            adapting: { try app.adapt($0, now: now) },
            playing: playing
        )
    }
}
