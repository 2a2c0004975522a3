import ArgumentParser
import ControlPlane
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

    @Flag(
        help: """
            Android, on a cable or emulated: sets the device's proxy, and its roots where the build allows that, by adb; all is put \
            back at the end.
            """
    )
    var android = false

    @Option(help: ArgumentHelp("The same for this one of several devices.", valueName: "serial"))
    var androidSerial: String?

    @Option(
        help: ArgumentHelp(
            "Goes on with the drill that this JSON report tells of: what it finished is kept, and stands in the new report.",
            valueName: "report"
        ),
        completion: .file(extensions: ["json"])
    )
    var resume: String?

    @Option(
        help: ArgumentHelp(
            "Answers on this port of 127.0.0.1, as 'pindrill serve' does: a browser and UI tests follow the drill, and give "
                + "its words as well.",
            valueName: "port"
        )
    )
    var control: Int?

    @OptionGroup
    var play: PlayOptions

    @OptionGroup
    var keyring: KeyringOption

    func validate() throws {
        if app.file == nil, app.catalogue.host != nil {
            throw ValidationError("--host means nothing without --policy-file")
        }
        if android || androidSerial != nil, port == 0 {
            throw ValidationError("--android needs a port: leave out --port 0")
        }
        guard (0...65_535).contains(port ?? 0) else { throw ValidationError("--port must be from 0 to 65535") }
        guard (0...65_535).contains(control ?? 0) else { throw ValidationError("--control must be from 0 to 65535") }
        if play.isolate { throw ValidationError("a drill starts no command: leave out --isolate") }
        if let jobs = play.jobs, jobs > 1 {
            throw ValidationError("a drill plays one trial at a time: leave out --jobs")
        }
    }

    func run() async throws {
        play.output.begin()
        let path = app.file == nil ? LoadedFile.path(file) : file
        let kept = try earlier(of: path ?? ScenarioFile.shippedName)
        var performance = try Performance(play, of: path ?? ScenarioFile.shippedName, after: kept)
        let loaded = try load(path, now: performance.started)
        var trials: [Trial]
        do {
            // Nobody has the patience to play a story again with other keys.
            trials = try selection.trials(of: loaded.file, called: loaded.name).filter {
                $0.client.isAttended && (selection.choice.all || $0.scenario.variant == nil)
            }
            guard !trials.isEmpty else {
                throw InputError("none of the chosen clients is attended: 'pindrill run' plays commands")
            }
            try leaveOut(kept, from: &trials)
        } catch {
            throw usageError(["\(error)"])
        }
        try loaded.warn(at: performance.started)
        if let resume {
            let count = kept.count == 1 ? "1 trial" : "\(kept.count) trials"
            Terminal.remark("kept of \(resume): \(count), which the exit status and reports count")
        }
        let place = play.listening.listen
        let setup: DeviceSetup
        let cable = try reachedByCable()
        do {
            setup = try DeviceSetup(
                trials,
                of: loaded,
                at: performance.started,
                keepsRoots: keyring.folder != nil,
                android: cable
            )
        } catch {
            throw usageError(["\(error)"])
        }
        defer { setup.remove() }
        let server = control.map { _ in
            var setting = ControlSetting(loaded, play, RunnerOptions())
            setting.onlyFollows = true
            return ControlServer(ControlRoom(setting), token: ControlServer.randomToken())
        }
        let serving = try await server?.listen(port: control ?? 0, option: "--control") { _, opening in
            Terminal.write("Browser: \(opening) (works once)\nToken: \(server?.token ?? "")\n")
        }
        defer { serving?.cancel() }
        let attendant = TerminalAttendant(
            oracle: loaded.oracle,
            setup: setup,
            style: play.output.style,
            width: play.lineWidth,
            place: place,
            endsWithInput: server == nil,
            onBegin: { session in Task { await server?.room.join(session) } }
        )
        defer { attendant.close() }
        let runner = try await performance.runner(
            of: loaded,
            attendant: attendant,
            page: setup.page,
            port: port ?? (place == nil || cable != nil ? 8899 : 0)
        )
        let report = try await performance.play(setup.trials, of: loaded, by: runner, isAttended: true) {
            [skipCheck, port = runner.options.port] in
            try cable?.lead(to: port)
            guard !skipCheck, let first = setup.trials.first else { return true }
            return try await DeviceCheck.with(first, of: runner) { try await attendant.check($0, of: first) } ?? true
        }
        serving?.cancel()
        await serving?.value
        if report.wasInterrupted, let json = play.report.first(where: { $0.kind == .json && !$0.isStandardOutput }) {
            Terminal.remark("to go on: the same command with --resume \(json.path)")
        }
        try performance.end(with: report)
    }

    /// The Android device that is to be set up; `nil`: none.
    private func reachedByCable() throws -> AndroidDevice? {
        guard android || androidSerial != nil else { return nil }
        do {
            return try AndroidDevice(androidSerial)
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode(2)
        }
    }

    /// What the drill that is to be resumed has finished.
    private func earlier(of name: String) throws -> [RecordedTrial] {
        guard let resume else { return [] }
        do {
            let data = Data(try InputFile.read(resume))
            guard let told = try? RecordedReport(parsing: data) else {
                throw InputError("this is not a report as --report json=PATH writes it")
            }
            guard told.file == name else {
                throw InputError("this report is of '\(told.file)', and the drill is of '\(name)': name the same file")
            }
            return told.trials
        } catch {
            Terminal.complain("\(resume): \(error)")
            throw ExitCode(65)
        }
    }

    private func leaveOut(_ kept: [RecordedTrial], from trials: inout [Trial]) throws(InputError) {
        guard let resume else { return }
        let known = Set(trials.map(\.name))
        if let other = kept.first(where: { !known.contains($0.name) }) {
            throw InputError(
                "\(resume): the drill has no trial '\(other.name)': choose the same scenarios, policies and clients as then"
            )
        }
        let finished = Set(kept.map(\.name))
        trials.removeAll { finished.contains($0.name) }
        guard !trials.isEmpty else {
            throw InputError("\(resume): nothing is left of this drill: each trial is finished")
        }
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
    ///
    /// - Parameter keepsOthers: whether the clients that nobody attends stay beside that device.
    func attended(asking ask: String?, keepsOthers: Bool = false) -> ScenarioFile {
        var file = self
        if !file.clients.contains(where: \.isAttended) {
            let device = ClientDeclaration(name: "device", kind: .attended(AttendedDeclaration()))
            file.clients = (keepsOthers ? file.clients.filter { $0.name != device.name } : []) + [device]
        }
        // Of a file that plays a part, what a person can play.
        if file.play != nil, file.scenarios.contains(where: { $0.tags.map(\.name).contains(ScenarioTag.drill) }) {
            file.play = ScenarioTag(ScenarioTag.drill)
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
