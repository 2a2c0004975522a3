import ArgumentParser
import Foundation
import MitmHarness
import Scenarios

/// A command that plays trials, and whose reports can be played again.
protocol Player: ParsableCommand {
    var play: PlayOptions { get }
    func load(now: Date) throws -> LoadedFile
}

struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Plays one trial of a JSON report again, and prints each command that it starts.",
        discussion: """
            The file that the report names is read as it is now, from the folder in which the run was started. Before each \
            attempt stands the client's command with its folder and its environment, to be copied; --hold waits there, so \
            that it can be run by hand, or under a debugger, while the server stands.

            Exit status: as of `run`, of that trial alone; 65 where the report does not tell how it was made.
            """
    )

    @Argument(
        help: "The report, as --report json=… or jsonl=… wrote it.",
        completion: .file(extensions: ["json", "jsonl"])
    )
    var report: String

    @Argument(
        help:
            "The trial: its number in the report, from 1, or its name as 'scenario · policy · client'; * and ? are wildcards."
    )
    var trial: String

    @Option(
        help: ArgumentHelp(
            "The value of a variable that `try` was given by --env; reports do not hold it. May be given repeatedly.",
            valueName: "name=value"
        ),
        transform: Variable.init(parsing:)
    )
    var env: [Variable] = []

    @Flag(help: "Waits for Enter before each attempt. What is done by hand until then counts as the client's.")
    var hold = false

    @Flag(help: "Linux: runs the client in a network of its own, as a run with --isolate did.")
    var isolate = false

    @OptionGroup
    var output: OutputOptions

    @Flag(help: ArgumentHelp(StolenOption.help))
    var showStolen = false

    func run() async throws {
        output.begin()
        let now = Date()
        let (loaded, trial, told, play) = try found(now)
        var limits = RunnerOptions(jobs: 1)
        if let timeout = play.timeout { limits.timeout = timeout }
        limits.isolates = isolate || play.isolate
        var files = try reports(of: loaded, now)
        let runner = Runner(loaded.file, oracle: loaded.oracle, options: limits) { [hold] client in
            try Runner.client(client) { command in
                Terminal.write("\(command.asShell)\n")
                guard hold else { return }
                Terminal.complain("Enter starts it.")
                _ = readLine()
            }
        }
        let results = await Interruption.cancelling { await runner.run([trial]) }
        guard let result = results.first else { throw ExitCode(130) }
        let text = TextReport(style: output.style, isVerbose: true, showsStolen: showStolen)
        Terminal.write("\n\(text.render(result))\nThe report says: \(told); now: \(result.verdict.rawValue)\n")
        let report = Report(
            file: loaded.name,
            started: now,
            duration: result.duration,
            trials: [result],
            planned: 1,
            command: ToldCommand.words
        )
        let status = report.exitStatus()
        for index in files.indices { files[index].finish(report, exitStatus: status) }
        guard status == 0 else { throw ExitCode(status) }
        try Terminal.finish()
    }

    /// The report on standard output, where one is wanted.
    private func reports(of loaded: LoadedFile, _ now: Date) throws -> [ReportFile] {
        do {
            return try ReportFile.prepare(output.json ? [.standardOutput] : []) { kind in
                ReportDocument(
                    kind,
                    file: loaded.name,
                    started: now,
                    command: ToldCommand.words,
                    failingOn: []
                )
            }
        } catch {
            throw usageError(["\(error)"])
        }
    }

    /// The value of a variable that the report hides.
    private func value(of name: String) throws(InputError) -> String {
        if let given = env.last(where: { $0.name == name }) { return given.value }
        throw InputError("\(report): it does not hold the value of \(name): give it again, by --env \(name)=…")
    }

    /// The trial, what its report says of it, and how it was played then.
    private func found(_ now: Date) throws -> (LoadedFile, Trial, String, PlayOptions) {
        do {
            let written = try Written(report)
            guard let told = written.command else { throw Written.unplayable(report) }
            let words = try ToldCommand.revealing(told, value)
            guard let player = try PinDrill.parseAsRoot(words) as? any Player else { throw Written.unplayable(report) }
            let entry = try written.entry(trial)
            let loaded = try player.load(now: now)
            guard let trial = loaded.file.trials.first(where: entry.isOf) else {
                throw InputError("\(loaded.name) has no trial '\(entry.name)' any more")
            }
            return (loaded, trial, entry.verdict, player.play)
        } catch let error as InputError {
            Terminal.complain("\(error)")
            throw ExitCode(65)
        }
    }
}

/// What of a report for programs is needed here.
private struct Written {
    struct Entry {
        var scenario: String
        var policy: String
        var client: String
        var verdict: String

        var name: String { "\(scenario) · \(policy) · \(client)" }

        func isOf(_ trial: Trial) -> Bool {
            (trial.scenario.name, trial.policy.name, trial.client.name) == (scenario, policy, client)
        }
    }

    var command: [String]?
    var trials: [Entry]

    init(_ path: String) throws(InputError) {
        do {
            let report = try RecordedReport(parsing: Data(try InputFile.read(path)))
            command = report.command
            trials = report.trials.map { trial in
                Entry(
                    scenario: trial.scenario,
                    policy: trial.policy,
                    client: trial.client,
                    verdict: trial.verdict.rawValue
                )
            }
        } catch let error as InputError {
            throw InputError("\(path): \(error)")
        } catch let error as RecordedReport.UnknownVersion {
            throw InputError("\(path): \(error)")
        } catch {
            throw InputError("\(path): this is not a report as --report json=PATH or jsonl=PATH writes it")
        }
    }

    static func unplayable(_ path: String) -> InputError {
        InputError("\(path): this report does not tell the command that made it")
    }

    /// The one that a number or a name means.
    func entry(_ wanted: String) throws(InputError) -> Entry {
        if let number = Int(wanted) {
            guard trials.indices.contains(number - 1) else {
                throw InputError("there is no trial \(number); the report has \(trials.count)")
            }
            return trials[number - 1]
        }
        let patterns = wanted.components(separatedBy: " · ").map(Glob.init)
        let fitting = trials.filter { trial in
            zip(patterns, [trial.scenario, trial.policy, trial.client]).allSatisfy { $0.matches($1) }
        }
        guard let only = fitting.first, fitting.count == 1 else {
            let names = (fitting.isEmpty ? trials : fitting).prefix(12).map { "\n  \($0.name)" }.joined()
            throw InputError(
                "'\(wanted)' means \(fitting.isEmpty ? "no trial" : "\(fitting.count) trials") of:\(names)"
            )
        }
        return only
    }
}

extension ChildCommand {
    /// As somebody types it.
    fileprivate var asShell: String {
        let variables = environment.sorted { $0.key < $1.key }.map { "  \($0.key)=\(quoted($0.value)) \\" }
        let words = arguments.map(quoted).joined(separator: " ")
        return (["cd \(quoted(workingDirectory)) && env -i \\"] + variables + ["  \(words)"]).joined(separator: "\n")
    }

    private func quoted(_ word: String) -> String { CommandTemplate.quoted(word) }
}
