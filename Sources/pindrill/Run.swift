import ArgumentParser
import Foundation
import MitmHarness
public import Scenarios

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Plays a file's scenarios to its clients and judges them.",
        discussion: """
            Of a file that says `play: quick`, as the shipped one does, only the scenarios with that tag are played, unless \
            --all, --tag or --scenario asks for others; any other file is played whole.

            With --policy-file the app's own configuration takes the place of the file's policies, and the shipped \
            catalogue that of a file that is not named: the built-in client then shows what the app will do.

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

    @Option(
        help: ArgumentHelp("An app's pin configuration, in its own format, as the only policy.", valueName: "file"),
        completion: .file()
    )
    var policyFile: String?

    @OptionGroup
    var appCatalogue: AppCatalogueInput

    @Option(help: ArgumentHelp("Trials at the same time (default: the number of cores).", valueName: "n"))
    var jobs: Int?

    @Option(help: ArgumentHelp("How long one attempt of a client may take (default: 10).", valueName: "seconds"))
    var timeout: Double?

    @Option(
        help: ArgumentHelp(
            "Writes a report; the kind is json, junit or conformance, the path '-' is standard output. May be given repeatedly.",
            valueName: "kind=path"
        ),
        completion: .file(),
        transform: ReportTarget.init(parsing:)
    )
    var report: [ReportTarget] = []

    @Option(
        help: ArgumentHelp(
            "Also fail on this: outage (somebody is locked out where the file does not say so) or unproven (a refusal "
                + "that may have had another cause than the pins). May be given repeatedly.",
            valueName: "condition"
        )
    )
    var failOn: [FailureCondition] = []

    @Option(help: ArgumentHelp("Colours: auto, always or never.", valueName: "when"))
    var color: ColorChoice = .auto

    @Flag(help: "Shows every connection and what each client printed.")
    var verbose = false

    func validate() throws {
        if policyFile == nil, let option = appCatalogue.given {
            throw ValidationError("\(option) means nothing without --policy-file")
        }
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
        if let timeout, !(timeout > 0 && timeout <= 3600) {
            throw ValidationError("--timeout must be more than 0 and at most 3600 seconds")
        }
    }

    func run() async throws {
        let impossible = report.compactMap(\.obstacle)
        guard impossible.isEmpty else { throw usageError(impossible) }

        let started = Date()
        let start = ContinuousClock.now
        // From here on no older report can be taken for this run's, however early it ends.
        let path = policyFile == nil ? LoadedFile.path(file) : file
        var begun = try begin(report, of: path ?? ScenarioFile.shippedName, started: started)
        let loaded = try load(path, now: started)
        let trials: [Trial]
        do {
            trials = try selection.trials(of: loaded.file, called: loaded.name)
        } catch {
            throw usageError(["\(error)"])
        }
        let missing = selection.missingClients(in: trials)
        guard missing.isEmpty else { throw usageError(missing) }
        try loaded.warn(at: started)

        var options = RunnerOptions()
        options.jobs = try affordableJobs(options.jobs)
        if let timeout { options.timeout = .seconds(timeout) }
        let scenarios = Coverage(of: loaded.file, by: trials)
        let runner = Runner(loaded.file, oracle: loaded.oracle, options: options)
        let versions = await runner.versions(in: trials)
        for index in begun.indices { begun[index].begin(planned: trials.count, scenarios, versions: versions) }
        guard !begun.contains(where: \.hasFailed) else { throw Terminal.writingFailed }
        let text = TextReport(style: TextStyle(isColoured: color.isColoured), isVerbose: verbose)
        var (results, files) = await Interruption.cancelling { [begun] in
            var files = begun
            var progress = Progress(planned: trials.count)
            progress.show()
            let results = await runner.run(trials) { result in
                for index in files.indices { files[index].add(result, duration: ContinuousClock.now - start) }
                progress.finished += 1
                progress.show()
            } onResult: { result in
                Terminal.clearProgress()
                Terminal.write(text.render(result) + "\n")
                progress.show()
            }
            return (results, files)
        }
        Terminal.clearProgress()

        let report = Report(
            file: loaded.name,
            started: started,
            duration: ContinuousClock.now - start,
            trials: results,
            planned: trials.count,
            scenarios: scenarios,
            versions: versions
        )
        Terminal.write(text.renderSummary(report))
        if let remark = remark(onClientsOf: results, in: loaded.file) { Terminal.complain(remark) }
        let status = report.exitStatus(failingOn: Set(failOn))
        for index in files.indices { files[index].finish(report, exitStatus: status) }
        guard status == 0 else { throw ExitCode(status) }
        try Terminal.finish()
        guard !files.contains(where: \.hasFailed) else { throw Terminal.writingFailed }
    }

    private func load(_ path: String?, now: Date) throws -> LoadedFile {
        guard let policyFile else { return try LoadedFile(path, now: now) }
        return try LoadedFile(path, now: now) { file in
            let appCatalogue = try appCatalogue.appCatalogue(
                of: try appCatalogue.policy(policyFile),
                with: file,
                try appCatalogue.production()
            )
            let refusals = appCatalogue.refusals(at: now).map { host, decision in
                let strangers = appCatalogue.strangers(of: host).map { "\n  \($0) matches none of its certificates" }
                return "\(policyFile): production's own chain is refused for \(host): \(decision)" + strangers.joined()
            }
            guard refusals.isEmpty else { throw InputError(refusals.joined(separator: "\n")) }
            return appCatalogue.file
        }
    }

    /// What this run could not see.
    private func remark(onClientsOf results: [TrialResult], in file: ScenarioFile) -> String? {
        let played = Set(results.filter { $0.verdict != .skipped }.map(\.client))
        let names = file.clients.filter { client in
            guard case .command(let command) = client.kind else { return false }
            return played.contains(client.name) && command.isWatchedAtThePortOnly
        }.map(\.name)
        guard !names.isEmpty else { return nil }
        return
            "note: only the port was watched of \(names.joined(separator: ", ")); a client that takes {proxy} is seen "
            + "with every host that it asks for"
    }

    /// As many trials at a time as were asked for, or as there are files for.
    private func affordableJobs(_ standard: Int) throws(ExitCode) -> Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let room = OpenFiles.trials(cores: cores)
        let needed = max(1, jobs ?? min(standard, room))
        guard needed > room else { return needed }
        let trials = needed == 1 ? "a trial needs" : "\(needed) trials at a time need"
        let advice = room > 0 ? ", or give --jobs \(room)" : ""
        Terminal.complain(
            "\(trials) \(OpenFiles.need(trials: needed, cores: cores)) open files, and only \(OpenFiles.limit) are allowed: "
                + "raise the limit (ulimit -n 1024)\(advice)"
        )
        throw ExitCode(2)
    }

    /// The reports of a run that has not even read its file.
    private func begin(_ targets: [ReportTarget], of name: String, started: Date) throws(ExitCode) -> [ReportFile] {
        var files: [ReportFile]
        do {
            files = try ReportFile.prepare(targets) { kind in
                ReportDocument(kind, file: name, started: started, failingOn: Set(failOn))
            }
        } catch {
            throw usageError(["\(error)"])
        }
        for index in files.indices { files[index].begin() }
        guard !files.contains(where: \.hasFailed) else { throw Terminal.writingFailed }
        return files
    }

    private func usageError(_ complaints: [String]) -> ExitCode {
        complaints.forEach(Terminal.complain)
        return ExitCode(64)
    }
}

/// How far a run is, for somebody who watches.
private struct Progress {
    let planned: Int
    var finished = 0

    func show() { Terminal.showProgress("\(finished) of \(planned) \(planned == 1 ? "trial" : "trials")") }
}

extension FailureCondition: ExpressibleByArgument {}

/// When to use colours.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never

    /// `NO_COLOR`, set to anything, means none (no-color.org), unless colours are asked for.
    var isColoured: Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            Terminal.isOutputTerminal
                && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
                && ProcessInfo.processInfo.environment["TERM"] != "dumb"
        }
    }
}
