import ArgumentParser
import Foundation
import MitmHarness
import Scenarios
import Witness

struct Drill: AsyncParsableCommand, Player {
    static let configuration = CommandConfiguration(
        abstract: "Plays scenarios to an app on a device, step by step, with you as the second witness.",
        discussion: """
            For an app that no command can start. Set the device's proxy to the address that is shown, or point the host \
            under test there, and let the device trust the roots that are named. Each step says what is shown and what to \
            do; you say how the app took it, with one key. On a terminal no Enter is needed; elsewhere each line is one \
            word: worked, refused, refused-pin, failed, again, back, skip, or note and a text.

            A client of `kind: attended` says in `ask` what to do. Where the file has none, the app is called 'device' and is \
            taken to obey each chosen policy; --policy-file names its own. Nothing is shown between attempts, and nothing \
            times out while you think. Hosts that are not under test pass through, unless the file or --others says otherwise.

            The device gets the roots at http://pindrill.test/, or at the address that is shown. First of all the app must \
            reach its own server: what is in its way is told with its remedy, one thing at a time.

            Exit status: as of `run`; 2 also where a step was left out; 130 where the words ended too soon.
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

    @Option(help: ArgumentHelp("What to do in each attempt, where the file does not say.", valueName: "text"))
    var ask: String?

    @Option(
        help: ArgumentHelp(
            "Where to listen on 127.0.0.1 and ::1 (default: 8899; with --listen where there is room).",
            valueName: "port"
        )
    )
    var port: Int?

    @Flag(help: "Begins without seeing to it that the device's app reaches its own server.")
    var skipCheck = false

    @OptionGroup
    var play: PlayOptions

    @OptionGroup
    var keyring: KeyringOption

    func validate() throws {
        if app.file == nil, app.catalogue.host != nil {
            throw ValidationError("--host means nothing without --policy-file")
        }
        guard (0...65_535).contains(port ?? 0) else { throw ValidationError("--port must be from 0 to 65535") }
        if play.isolate { throw ValidationError("a drill starts no command: leave out --isolate") }
        if let jobs = play.jobs, jobs > 1 {
            throw ValidationError("a drill plays one trial at a time: leave out --jobs")
        }
    }

    func run() async throws {
        play.output.begin()
        let path = app.file == nil ? LoadedFile.path(file) : file
        var performance = try Performance(play, of: path ?? ScenarioFile.shippedName)
        let loaded = try load(path, now: performance.started)
        let trials: [Trial]
        do {
            // Nobody has the patience to play a story again with other keys.
            trials = try selection.trials(of: loaded.file, called: loaded.name).filter {
                $0.client.isAttended && (selection.choice.all || $0.scenario.variant == nil)
            }
            guard !trials.isEmpty else {
                throw InputError("none of the chosen clients is attended: 'pindrill run' plays commands")
            }
        } catch {
            throw usageError(["\(error)"])
        }
        try loaded.warn(at: performance.started)
        let place = play.listening.listen
        let setup: DeviceSetup
        do {
            setup = try DeviceSetup(trials, of: loaded, at: performance.started, keepsRoots: keyring.folder != nil)
        } catch {
            throw usageError(["\(error)"])
        }
        defer { setup.remove() }
        let attendant = TerminalAttendant(
            oracle: loaded.oracle,
            setup: setup,
            style: play.output.style,
            width: play.lineWidth,
            address: place.map { "\($0.written):\($0.port)" }
        )
        defer { attendant.close() }
        let runner = try await performance.runner(
            of: loaded,
            attendant: attendant,
            page: setup.page,
            port: port ?? (place == nil ? 8899 : 0)
        )
        let report = try await performance.play(setup.trials, of: loaded, by: runner, isAttended: true) { [skipCheck] in
            guard !skipCheck, let first = setup.trials.first else { return true }
            return try await DeviceCheck.with(first, of: runner) { try await attendant.check($0, of: first) } ?? true
        }
        try performance.end(with: report)
        if report.trials.count < trials.count { throw ExitCode(130) }
    }

    func load(now: Date) throws -> LoadedFile {
        try load(app.file == nil ? LoadedFile.path(file) : file, now: now)
    }

    private func load(_ path: String?, now: Date) throws -> LoadedFile {
        try LoadedFile(path, now: now, keyring: keyring.folder) {
            try app.adapt($0, now: now).attended(asking: ask)
        }
    }
}

extension ScenarioFile {
    /// The same with an attended client: its own, or else a device that takes every policy.
    func attended(asking ask: String?) -> ScenarioFile {
        var file = self
        if !file.clients.contains(where: \.isAttended) {
            file.clients = [ClientDeclaration(name: "device", kind: .attended(AttendedDeclaration()))]
        }
        // Or else the device would seem to have no network at all.
        if file.routing == Routing() { file.routing.others = .pass }
        guard let ask else { return file }
        for index in file.clients.indices where file.clients[index].isAttended {
            file.clients[index].kind = .attended(AttendedDeclaration(ask: ask))
        }
        return file
    }
}
