import ArgumentParser
import Foundation
import MitmHarness
import MitmProxy
public import Scenarios
import Witness

/// How trials are played and told of: the same for every command that plays some.
struct PlayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Trials at the same time (default: the number of cores).", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "How long one attempt of a client may take, as in 500ms, 10s or 2m (default: 10s).",
            valueName: "time"
        ),
        transform: Duration.init(limit:)
    )
    var timeout: Duration?

    @Option(
        help: ArgumentHelp(
            "Writes a report; the kind is json, jsonl, junit, html, markdown, sarif or conformance, the path '-' is standard output. May be given repeatedly.",
            valueName: "kind=path"
        ),
        completion: .file(),
        transform: ReportTarget.init(parsing:)
    )
    var report: [ReportTarget] = []

    @Option(
        help: ArgumentHelp(
            "Also fail on this: outage (somebody is locked out where the file does not say so) or unproven (a rejection "
                + "that may have had another cause than the pins). worse, with --baseline, fails on what got worse, and on "
                + "nothing else. May be given repeatedly.",
            valueName: "condition"
        )
    )
    var failOn: [FailureCondition] = []

    @Option(
        help: ArgumentHelp(
            "Says what changed since this earlier report (JSON), which is read before the first trial.",
            valueName: "report"
        ),
        completion: .file(extensions: ["json", "jsonl"])
    )
    var baseline: String?

    @Flag(help: ArgumentHelp(StableOption.help))
    var stable = false

    @Option(
        help: ArgumentHelp(
            "What becomes of hosts that are not under test, where the client comes through a proxy: present (a certificate "
                + "is shown, the default), pass (bytes go through unread) or refuse.",
            valueName: "treatment"
        )
    )
    var others: Routing.Treatment?

    @Flag(
        help: """
            Linux: runs each client that is a command in a network of its own, in which all that it sends ends at PinDrill.
            """
    )
    var isolate = false

    @OptionGroup
    var listening: ListenOptions

    @OptionGroup
    var output: OutputOptions

    @Option(
        help: ArgumentHelp("Where lines are wrapped (default: the terminal's width, or 100).", valueName: "characters")
    )
    var width: Int?

    @Flag(help: "Tells of every step, every connection and what each client printed.")
    var verbose = false

    @Flag(help: ArgumentHelp(StolenOption.help))
    var showStolen = false

    @OptionGroup
    var evidence: EvidenceOptions

    @Option(
        help: ArgumentHelp(
            "Reaches real servers (upstream, and what is passed through) by this HTTP proxy, as in http://proxy:3128.",
            valueName: "url"
        )
    )
    var upstreamProxy: String?

    @Option(
        help: ArgumentHelp("A file whose first line is user:password for that proxy.", valueName: "file"),
        completion: .file()
    )
    var upstreamProxyUser: String?

    /// - Throws: where it is no proxy, or its file cannot be read.
    func outwardProxy() throws(InputError) -> UpstreamProxy? {
        guard let upstreamProxy else { return nil }
        guard var proxy = UpstreamProxy(upstreamProxy) else {
            throw InputError("--upstream-proxy: '\(upstreamProxy)' is no proxy; write http://host:port")
        }
        if let file = upstreamProxyUser {
            let bytes: [UInt8]
            do { bytes = try InputFile.read(file) } catch { throw InputError("\(file): \(error)") }
            proxy.credentials = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first
                .map(String.init)
            guard proxy.credentials?.contains(":") == true else {
                throw InputError("\(file): its first line is not user:password")
            }
        }
        return proxy
    }

    /// Where lines are wrapped.
    var lineWidth: Int { width ?? Terminal.width ?? 100 }

    func validate() throws {
        if failOn.contains(.worse), baseline == nil {
            throw ValidationError("--fail-on worse means nothing without --baseline")
        }
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
        if listening.listen != nil, jobs ?? 1 > 1 {
            throw ValidationError("--listen has one port, so --jobs can only be 1")
        }
        if listening.listen != nil, isolate {
            throw ValidationError("--listen means nothing with --isolate: nobody else is there")
        }
        if upstreamProxyUser != nil, upstreamProxy == nil {
            throw ValidationError("--upstream-proxy-user means nothing without --upstream-proxy")
        }
        if let width, !(40...1000).contains(width) { throw ValidationError("--width must be from 40 to 1000") }
    }
}

/// `--show-stolen`, which every command that plays has.
enum StolenOption {
    static let help: String = """
        Shows what each attacker got of the client: the first \(TextReport.mostStolenBytes) bytes, secrets included. No \
        report has them.
        """
}

/// One command's playing of trials, from its first report to its exit status.
struct Performance {
    let started = Date()
    private let start = ContinuousClock.now
    private let options: PlayOptions
    private var files: [ReportFile]
    /// What an earlier run has finished.
    private let kept: [RecordedTrial]
    /// What a run is compared with.
    private let baseline: RecordedReport?
    /// Which part of a run it plays, where several share one.
    private let shard: Shard?
    private var evidence: Evidence?

    /// So many trials fit a screen step by step.
    static let fewTrials = 4

    /// Begins the reports of a run that has not even read its file.
    ///
    /// - Parameter shard: which part of a run is played; `nil`: all of it.
    init(
        _ options: PlayOptions,
        of name: String,
        after kept: [RecordedTrial] = [],
        shard: Shard? = nil
    ) throws {
        self.options = options
        self.shard = shard
        self.kept = kept
        // Before the new report may take its place.
        baseline = try options.baseline.map(WrittenReport.read)
        let targets = options.report + (options.output.json ? [.standardOutput] : [])
        var impossible = targets.compactMap(\.obstacle)
        // It tells more of a trial than a JSON report has kept.
        if !kept.isEmpty, let other = targets.first(where: { $0.kind == .conformance }) {
            impossible.append("\(other): a drill that is resumed cannot write that")
        }
        guard impossible.isEmpty else { throw usageError(impossible) }
        do {
            files = try ReportFile.prepare(targets) { [started] kind in
                ReportDocument(
                    kind,
                    file: name,
                    started: started,
                    kept: kept,
                    command: ToldCommand.words,
                    shard: shard.map { RecordedReport.Shard($0) },
                    failingOn: Set(options.failOn),
                    isStable: options.stable
                )
            }
        } catch {
            throw usageError(["\(error)"])
        }
        for index in files.indices { files[index].begin() }
        try checkFiles()
    }

    /// - Throws: where fewer files may be open than its trials need.
    ///
    /// - Parameters:
    ///   - attendant: who attends clients; then one trial is played at a time.
    ///   - page: what devices are given in the clear.
    ///   - port: where proxies listen; 0: wherever there is room.
    mutating func runner(
        of loaded: LoadedFile,
        startsCommands: Bool = true,
        attendant: (any Attendant)? = nil,
        page: DevicePage? = nil,
        port: Int = 0
    ) async throws(ExitCode) -> Runner {
        var limits = RunnerOptions()
        (limits.port, limits.page) = (port, page)
        if attendant != nil { limits.jobs = 1 }
        limits.isolates = options.isolate
        let areIsolated = limits.isolates || loaded.file.clients.contains(where: \.isIsolated)
        limits.jobs = try affordableJobs(limits.jobs, areIsolated: areIsolated)
        limits.startsCommands = startsCommands
        limits.exposure = options.listening.exposure
        limits.forwarders = options.listening.proxyProtocolFrom
        try await options.listening.check(others: loaded.file.listeners.map(\.place.port))
        if let remark = options.listening.remark { Terminal.remark(remark) }
        if areIsolated { try await checkIsolation() }
        if let others = options.others {
            var routing = loaded.file.routing
            routing.others = others
            limits.routing = routing
        }
        do {
            try TrialFolder().remove()
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode(2)
        }
        if let timeout = options.timeout { limits.timeout = timeout }
        do {
            limits.upstreamProxy = try options.outwardProxy()
            let evidence = try Evidence(options.evidence, now: started)
            (limits.secrets, limits.capture) = (evidence.secrets, evidence.capture)
            self.evidence = evidence
        } catch {
            throw usageError(["\(error)"])
        }
        return Runner(loaded.file, oracle: loaded.oracle, options: limits) {
            try Runner.client($0, attendant: attendant)
        }
    }

    /// Plays the trials, shows their results, and writes them to the reports.
    ///
    /// - Parameters:
    ///   - isAttended: whether somebody follows it step by step.
    ///   - trialsInAll: of all parts of the run; `nil`: those that are played.
    ///   - opening: comes first; where it says no or fails, nothing is played.
    mutating func play(
        _ trials: [Trial],
        of loaded: LoadedFile,
        by runner: Runner,
        isAttended: Bool = false,
        trialsInAll: Int? = nil,
        opening: @escaping @Sendable () async throws -> Bool = { true }
    ) async throws(ExitCode) -> Report {
        var scenarios = Coverage(of: loaded.file, by: trials)
        scenarios.played = Set(trials.map(\.scenario.name) + kept.map(\.scenario)).count
        let planned = trials.count + kept.count
        let versions = await runner.versions(in: trials)
        let part = shard.map { RecordedReport.Shard($0, trialsInAll: trialsInAll ?? trials.count) }
        let stories =
            files.contains(where: \.tellsStories)
            ? loaded.file.stories(of: earlier(in: loaded.file) + trials, oracle: loaded.oracle, instant: started) : []
        for index in files.indices {
            files[index].begin(planned: planned, scenarios, versions: versions, stories: stories, shard: part)
        }
        try checkFiles()
        let text = TextReport(
            style: options.output.style,
            width: options.lineWidth,
            isVerbose: options.verbose,
            showsStolen: options.showStolen
        )
        // Of a few trials each step can be read; of many, marks.
        let isTold = options.verbose || isAttended || trials.count <= Self.fewTrials
        let results: [TrialResult]
        let hasBegun: Bool
        (results, files, hasBegun) = await Interruption.cancelling { [files, start] in
            var files = files
            var progress = Progress(planned: trials.count, start: start)
            if !isAttended { progress.show() }
            do {
                guard try await opening() else { return ([], files, true) }
            } catch {
                if !(error is CancellationError) { Terminal.complain("\(error)") }
                return ([], files, error is CancellationError)
            }
            let results = await runner.run(trials) { result in
                for index in files.indices { files[index].add(result, duration: ContinuousClock.now - start) }
                progress.add(result)
                if !isAttended { progress.show() }
            } onResult: { result in
                guard isTold else { return }
                Terminal.clearProgress()
                Terminal.write(text.render(result) + "\n")
                if !isAttended { progress.show() }
            }
            return (results, files, true)
        }
        Terminal.clearProgress()
        evidence?.finish()
        guard hasBegun else { throw ExitCode(2) }

        var report = Report(
            file: loaded.name,
            started: started,
            duration: ContinuousClock.now - start,
            trials: results,
            planned: planned,
            scenarios: scenarios,
            versions: versions,
            command: ToldCommand.words
        )
        report.kept = kept
        report.stories = stories
        report.shard = part
        Terminal.write(isTold ? text.renderSummary(report) : text.renderMatrix(report))
        if let remark = remark(onClientsOf: results, in: loaded.file) { Terminal.remark(remark) }
        if let remark = remark(onNamesIn: report) { Terminal.remark(remark) }
        return report
    }

    /// The trials that an earlier run has finished.
    private func earlier(in file: ScenarioFile) -> [Trial] {
        guard !kept.isEmpty else { return [] }
        let names = Set(kept.map(\.name))
        return file.trials.filter { names.contains($0.name) }
    }

    /// Takes a trial that was played as somebody wished, and not by `play`.
    mutating func add(_ result: TrialResult) {
        for index in files.indices { files[index].add(result, duration: ContinuousClock.now - start) }
    }

    /// Finishes the reports of such trials.
    mutating func end(with trials: [TrialResult], planned: Int, of loaded: LoadedFile) throws {
        evidence?.finish()
        let report = Report(
            file: loaded.name,
            started: started,
            duration: ContinuousClock.now - start,
            trials: trials,
            planned: planned,
            scenarios: Coverage(of: loaded.file, by: trials.map(\.trial)),
            command: ToldCommand.words
        )
        try end(with: report, isNothingFine: planned == 0)
    }

    /// Finishes the reports and ends the command with the run's exit status, unless that is 0.
    ///
    /// - Parameter isNothingFine: whether nobody asked for anything to be tried.
    mutating func end(with report: Report, isNothingFine: Bool = false) throws {
        let status = isNothingFine ? 0 : try compared(report, ending: report.exitStatus(failingOn: Set(options.failOn)))
        JobSummary.append(report, exitStatus: status, failingOn: Set(options.failOn))
        for index in files.indices { files[index].finish(report, exitStatus: status) }
        guard status == 0 else { throw ExitCode(status) }
        try Terminal.finish()
        try checkFiles()
    }

    /// Says what changed since an earlier report.
    ///
    /// - Returns: what the run ends with then, where only that counts.
    private func compared(_ report: Report, ending status: Int32) throws -> Int32 {
        guard let baseline, let path = options.baseline else { return status }
        let recorded = RecordedReport(report, exitStatus: status)
        let diff = ReportDiff(from: baseline, to: recorded)
        let text = TextReport(style: options.output.style, width: options.lineWidth)
        Terminal.write("\nSince \(path):\n\(text.render(diff))")
        return options.failOn.contains(.worse) ? diff.exitStatus(of: recorded) : status
    }

    private func checkFiles() throws(ExitCode) {
        guard !files.contains(where: \.hasFailed) else { throw Terminal.writingFailed }
    }

    private func checkIsolation() async throws(ExitCode) {
        guard let obstacle = await IsolatedNetwork.obstacle() else { return }
        Terminal.complain(obstacle)
        throw ExitCode(2)
    }

    /// What this run could not see.
    private func remark(onClientsOf results: [TrialResult], in file: ScenarioFile) -> String? {
        let played = Set(results.filter { $0.verdict != .skipped }.map(\.client))
        let names = file.clients.filter { client in
            guard case .command(let command) = client.kind else { return false }
            return played.contains(client.name) && command.isWatchedAtThePortOnly && !isIsolated(client)
        }.map(\.name)
        let isolated = file.clients.filter { isIsolated($0) && played.contains($0.name) }.map(\.name)
        var remarks: [String] = []
        if !isolated.isEmpty {
            remarks.append("note: everything that \(isolated.joined(separator: ", ")) sent was watched")
        }
        if !names.isEmpty {
            remarks.append(
                "note: only the port was watched of \(names.joined(separator: ", ")); a client that takes {proxy} is seen "
                    + "with every host that it asks for"
            )
        }
        return remarks.isEmpty ? nil : remarks.joined(separator: "\n")
    }

    private func isIsolated(_ client: ClientDeclaration) -> Bool {
        guard case .command = client.kind else { return false }
        return options.isolate || client.isIsolated
    }

    /// What a server that has several hosts could not see.
    private func remark(onNamesIn report: Report) -> String? {
        let names = report.clientsWithoutServerName
        guard !names.isEmpty else { return nil }
        return
            "note: \(names.joined(separator: ", ")) named no host in the handshake (no SNI); a server with several hosts may "
            + "show another host's certificate to such a client"
    }

    /// As many trials at a time as were asked for, or as there are files for; an error where there is no room for one.
    private func affordableJobs(_ standard: Int, areIsolated: Bool) throws(ExitCode) -> Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        if let space = AddressSpace.limit, space < AddressSpace.need(cores: cores) {
            Terminal.complain(
                "a run needs \(AddressSpace.need(cores: cores)) MiB of address space, and only \(space) are allowed: "
                    + "raise the limit (ulimit -v unlimited)"
            )
            throw ExitCode(2)
        }
        let room = OpenFiles.trials(cores: cores, areIsolated: areIsolated)
        // There is one port for those who come from elsewhere.
        let most = options.listening.listen == nil ? min(standard, room) : 1
        let needed = max(1, options.jobs ?? most)
        guard needed > room else { return needed }
        let trials = needed == 1 ? "a trial needs" : "\(needed) trials at a time need"
        let advice = room > 0 ? ", or give --jobs \(room)" : ""
        let count = OpenFiles.need(trials: needed, cores: cores, areIsolated: areIsolated)
        Terminal.complain(
            "\(trials) \(count) open files, and only \(OpenFiles.limit) are allowed: "
                + "raise the limit (ulimit -n 1024)\(advice)"
        )
        throw ExitCode(2)
    }
}

func usageError(_ complaints: [String]) -> ExitCode {
    complaints.forEach(Terminal.complain)
    return ExitCode(64)
}

/// How far a run is, for somebody who watches.
private struct Progress {
    let planned: Int
    let start: ContinuousClock.Instant
    private var finished = 0
    private var failed = 0

    init(planned: Int, start: ContinuousClock.Instant) {
        self.planned = planned
        self.start = start
    }

    mutating func add(_ result: TrialResult) {
        finished += 1
        if result.verdict == .fail { failed += 1 }
    }

    func show() {
        let trials = "\(finished) of \(planned) \(planned == 1 ? "trial" : "trials")"
        Terminal.showProgress(trials + (failed > 0 ? ", \(failed) failed" : "") + (remaining ?? ""))
    }

    /// Once some have finished, and where it is worth saying.
    private var remaining: String? {
        let left = planned - finished
        guard finished >= 5, left > 0 else { return nil }
        let seconds = ((ContinuousClock.now - start) * left / finished).components.seconds
        guard seconds > 2 else { return nil }
        return ", about \(seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min") left"
    }
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

extension Routing.Treatment: ExpressibleByArgument {}
