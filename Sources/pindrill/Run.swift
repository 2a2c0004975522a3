public import ArgumentParser
import Foundation
import MitmHarness
public import Scenarios

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Plays a file's scenarios to its clients and judges them.",
        discussion: """
            Exit status: 0 every verdict is a pass; 1 a verdict failed, or somebody was intercepted where the file does \
            not say so; 2 something proved nothing, or nothing was tried; 64 usage; 65 a bad file; 130 interrupted.
            """
    )

    @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml", "yml"]))
    var file = "scenarios.yaml"

    @OptionGroup
    var selection: Selection

    @Option(help: ArgumentHelp("Trials at the same time (default: the number of cores).", valueName: "n"))
    var jobs: Int?

    @Option(help: ArgumentHelp("How long one attempt of a client may take.", valueName: "seconds"))
    var timeout: Double = 10

    @Option(help: ArgumentHelp("Writes a report; the kind is json.", valueName: "kind=path"))
    var report: [ReportTarget] = []

    @Option(help: ArgumentHelp("Also fail on this: outage (somebody is locked out where the file does not say so)."))
    var failOn: [FailureCondition] = []

    @Option(help: ArgumentHelp("Colours: auto, always or never.", valueName: "when"))
    var color: ColorChoice = .auto

    @Flag(help: "Shows every connection and what each client printed.")
    var verbose = false

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
        guard timeout > 0, timeout <= 3600 else { throw ValidationError("--timeout must be between 0 and 3600 seconds") }
    }

    func run() async throws {
        let started = Date()
        let start = ContinuousClock.now
        let loaded = try LoadedFile(file, now: started)
        let trials = try selection.trials(of: loaded.file)
        let missing = selection.missingClients(in: trials)
        guard missing.isEmpty else {
            missing.forEach(Terminal.complain)
            throw ExitCode(64)
        }

        let options = RunnerOptions(jobs: jobs ?? RunnerOptions().jobs, timeout: .seconds(timeout))
        let runner = Runner(loaded.file, oracle: loaded.oracle, options: options)
        let text = TextReport(style: TextStyle(isColoured: color.isColoured), isVerbose: verbose)
        let results = await Interruption.cancelling {
            await runner.run(trials) { finished in
                Terminal.showProgress("\(finished) of \(trials.count) trials")
            } onResult: { result in
                Terminal.clearProgress()
                Terminal.write(text.render(result) + "\n")
            }
        }
        Terminal.clearProgress()

        let report = Report(
            file: loaded.name,
            started: started,
            duration: ContinuousClock.now - start,
            trials: results,
            planned: trials.count
        )
        Terminal.write(text.renderSummary(report))
        let status = report.exitStatus(failingOn: Set(failOn))
        let areWritten = self.report.allSatisfy { $0.write(report, exitStatus: status) }
        throw ExitCode(status == 0 && !areWritten ? 74 : status)
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

/// Where a report goes, and of which kind: `json=report.json`.
struct ReportTarget: ExpressibleByArgument {
    let path: String

    init?(argument: String) {
        guard argument.hasPrefix("json="), argument.count > 5 else { return nil }
        path = String(argument.dropFirst(5))
    }

    /// Whether it could be written; says why not.
    func write(_ report: Report, exitStatus: Int32) -> Bool {
        do {
            try JSONReport(report, exitStatus: exitStatus).encoded().write(to: URL(filePath: path), options: .atomic)
            return true
        } catch {
            Terminal.complain("\(path): the report could not be written: \(error.localizedDescription)")
            return false
        }
    }
}
