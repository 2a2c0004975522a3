import ArgumentParser
import ControlPlane
import Foundation
import MitmHarness
import MitmProxy
import Scenarios
import SelfTest
import Synchronization

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Answers on loopback, so that browsers and UI tests play drills and runs.",
        discussion: """
            Drills, runs and presentations of the file that is loaded, over HTTP: GET /openapi.json says how, and \
            docs/control.md explains it. It begins with a token, which every request must carry, and an address for a \
            browser that works once. Requests choose by name from what was loaded: they bring no commands and no files.

            Reports of --report have every drill and run, and are whole whenever it ends: by Ctrl-C, or by SIGTERM. With \
            --json one line of JSON says where it listens, and nothing else is written to standard output.

            Exit status: as of `run`, of all that was begun; 0 if nothing was; 2 also where a port is taken.
            """
    )

    @Argument(
        help: "The scenario file (default: the scenarios.yaml that is here, or else the shipped one).",
        completion: .file(extensions: ["yaml", "yml"])
    )
    var file: String?

    @OptionGroup
    var app: AppPolicy

    @Option(help: ArgumentHelp("What to do in each attempt, where the file does not say.", valueName: "text"))
    var ask: String?

    @Option(help: ArgumentHelp("Where to answer on 127.0.0.1; 0: wherever there is room.", valueName: "port"))
    var port = 8870

    @Option(
        help: ArgumentHelp(
            "Where the app under test comes, as to a proxy; 0: wherever there is room.",
            valueName: "port"
        )
    )
    var proxyPort = 8899

    @Option(
        help: ArgumentHelp(
            "Writes the token to this file, which only its owner can read, and does not print it.",
            valueName: "file"
        ),
        completion: .file()
    )
    var tokenFile: String?

    @OptionGroup
    var play: PlayOptions

    @OptionGroup
    var keyring: KeyringOption

    @Flag(help: "Starts no client that is a command, as for a file from a stranger: they are skipped.")
    var noCommands = false

    func validate() throws {
        if app.file == nil, app.catalogue.host != nil {
            throw ValidationError("--host means nothing without --policy-file")
        }
        for number in [port, proxyPort] where !(0...65_535).contains(number) {
            throw ValidationError("a port is from 0 to 65535")
        }
        if port != 0, port == proxyPort { throw ValidationError("--port and --proxy-port must differ") }
    }

    func run() async throws {
        play.output.begin()
        var options = play
        // What is written there is where it listens.
        options.output.json = false
        let path = app.file == nil ? LoadedFile.path(file) : file
        var performance = try Performance(options, of: path ?? ScenarioFile.shippedName)
        let loaded = try LoadedFile(path, now: performance.started, keyring: keyring.folder) {
            try app.adapt($0, now: performance.started).attended(asking: ask, keepsOthers: true)
        }
        try loaded.warn(at: performance.started)
        let runner = try await performance.runner(of: loaded, startsCommands: !noCommands)
        if proxyPort != 0 { try await checkProxyPort() }
        let (results, found) = AsyncStream.makeStream(of: TrialResult.self)
        var setting = ControlSetting(loaded, play, runner.options)
        setting.devicePort = proxyPort
        setting.equip = { [started = performance.started] trial, options in
            options.page = try? DeviceSetup.page(for: trial, of: loaded, at: started)
        }
        setting.example = LoginApp.obedient
        setting.onResult = { found.yield($0) }
        let token = ControlServer.randomToken()
        if let tokenFile { try writeToken(token, to: tokenFile) }
        let server = ControlServer(ControlRoom(setting), token: token)
        let serving = Task { [port] in
            let failure = await Interruption.cancelling { () -> (any Error)? in
                var failure: (any Error)?
                do {
                    try await server.run(port: port) { port, opening in announce(loaded, token, port, opening) }
                } catch is CancellationError {
                } catch {
                    failure = error
                }
                await server.room.close()
                return failure
            }
            found.finish()
            return failure
        }
        var standing = Standing(play)
        for await result in results {
            standing.add(result)
            performance.add(result)
        }
        if let failure = await serving.value {
            throw ControlServer.cannotListen(port, failure, option: "--port")
        }
        let unfinished = await server.room.begun - standing.count
        try performance.end(with: standing.trials, planned: standing.trials.count + unfinished, of: loaded)
    }

    /// Listens there for a moment: the first drill may come hours later, and would fail for it.
    private func checkProxyPort() async throws {
        do {
            try await InterceptingProxy.probe(port: proxyPort)
        } catch {
            Terminal.complain("--proxy-port: \(error)")
            throw ExitCode(2)
        }
    }

    private func writeToken(_ token: String, to path: String) throws {
        do {
            try PrivateFile.write(Array("\(token)\n".utf8), to: path)
        } catch {
            Terminal.complain("--token-file \(error)")
            throw ExitCode(64)
        }
    }

    private func announce(_ loaded: LoadedFile, _ token: String, _ port: Int, _ opening: String) {
        let address = "http://127.0.0.1:\(port)"
        guard !play.output.json else {
            struct Ready: Encodable {
                var url: String
                var token: String?
                var open: String
            }
            let ready = Ready(url: address, token: tokenFile == nil ? token : nil, open: opening)
            Terminal.write(json: (try? ready.asLine()).map { $0 + "\n" } ?? "")
            return
        }
        let (file, style) = (loaded.file, play.output.style)
        let here = proxyPort == 0 ? "each drill says where" : "127.0.0.1:\(proxyPort)"
        let place = play.listening.listen.map { "\($0.written):\($0.port); on this machine \(here)" } ?? here
        let attended = file.clients.filter(\.isAttended).map(\.name).joined(separator: ", ")
        let roots = ControlServer.fingerprints(of: loaded.oracle).map { "    \($0.sha256.colonHex)  \($0.name)" }
        let lines =
            [
                style.heading("PinDrill answers at \(address), for who has the token."),
                "  Browser     \(opening)",
                "              works once; POST /v1/codes makes another",
                "  Token       \(tokenFile.map { "in \($0)" } ?? token)",
                "  Scenarios   \(file.scenarios.count) of \(loaded.name); attended: \(attended)",
                "  Proxy       \(place), for the app under test",
                "  Roots       SHA-256 of certificates, to compare with what a device shows:",
            ] + roots + [
                "  Next        curl -H 'Authorization: Bearer TOKEN' \(address)/v1/scenarios",
                "  End         Ctrl-C",
            ]
        Terminal.write(lines.joined(separator: "\n") + "\n")
    }
}

/// What all trials so far amount to. A server may play trials for weeks, and each holds certificates: where only the exit status
/// is asked for, the first of those that mean the same for it stands for them all.
private struct Standing {
    private struct Meaning: Hashable {
        var status: Int32
        /// Else a status of 2 says that nothing passed.
        var isInconclusive: Bool
    }

    private let keepsAll: Bool
    private let conditions: Set<FailureCondition>
    private var known: Set<Meaning> = []
    private(set) var trials: [TrialResult] = []
    /// Of all that were added.
    private(set) var count = 0

    init(_ options: PlayOptions) {
        keepsAll = !options.report.isEmpty || options.baseline != nil || JobSummary.isAsked
        conditions = Set(options.failOn)
    }

    mutating func add(_ result: TrialResult) {
        count += 1
        if keepsAll { return trials.append(result) }
        let report = Report(file: "", started: .distantPast, duration: .zero, trials: [result], planned: 1)
        let meaning = Meaning(
            status: report.exitStatus(failingOn: conditions),
            isInconclusive: result.steps.contains { $0.judgement.verdict == .inconclusive }
        )
        if known.insert(meaning).inserted { trials.append(result) }
    }
}

extension ControlSetting {
    /// What was loaded, and how it is played.
    init(_ loaded: LoadedFile, _ play: PlayOptions, _ options: RunnerOptions) {
        self.init(loaded.file, oracle: loaded.oracle, name: loaded.name, options: options)
        if let place = play.listening.listen { invite(to: place.address, port: place.port) }
        showsStolen = play.showStolen
        version = PinDrill.version
        conditions = Set(play.failOn)
        check = { try CheckReport($0).json() }
        audit = { try AuditReport($0).json() }
        profile = RootExport.mobileconfig
    }
}

extension ControlServer {
    static func cannotListen(_ port: Int, _ failure: any Error, option: String) -> ExitCode {
        Terminal.complain("127.0.0.1:\(port): \(words(for: failure)); \(option) names another")
        return ExitCode(2)
    }

    /// Listens beside something else, until the task is cancelled.
    func listen(port: Int, option: String, announce: (Int, String) -> Void) async throws(ExitCode) -> Task<Void, Never>
    {
        let (places, found) = AsyncStream.makeStream(of: Result<(Int, String), any Error>.self)
        let task = Task {
            do {
                try await run(port: port) { found.yield(.success(($0, $1))) }
            } catch {
                found.yield(.failure(error))
            }
            found.finish()
        }
        for await place in places {
            switch place {
            case .success(let (port, opening)):
                announce(port, opening)
                return task
            case .failure(let error): throw Self.cannotListen(port, error, option: option)
            }
        }
        throw ExitCode(130)
    }
}
