import ArgumentParser
import Foundation
import MitmHarness
import Scenarios
import SelfTest

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

struct SelfTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "selftest",
        abstract: "Plays the shipped catalogue to clients with known bugs, and to clients without any.",
        discussion: """
            Each bug has to be found by the scenario that is about it, and no client without a bug may be accused. \
            docs/detection.md has the result as `--format markdown` writes it, and what was found of clients that were \
            written without the catalogue.

            Exit status: 0 every bug was found and nobody was accused; 1 a bug was missed, or a correct client accused.
            """
    )

    @Option(help: ArgumentHelp("Only clients of this name; * and ? are wildcards.", valueName: "glob"))
    var client: [String] = []

    @Option(help: ArgumentHelp("Trials at the same time (default: 8 for each core).", valueName: "n"))
    var jobs: Int?

    @Option(help: ArgumentHelp("How the result is written: text or markdown.", valueName: "format"))
    var format = SelfTestReport.Format.text

    @Option(
        help: ArgumentHelp("What was found of clients written without the catalogue, for the page.", valueName: "file"),
        completion: .file(extensions: ["tsv"])
    )
    var firstTry: String?

    @Flag(help: "Names every client and every doubt, not only those that went another way.")
    var verbose = false

    @OptionGroup
    var output: OutputOptions

    func validate() throws {
        if output.json, format != .text { throw ValidationError("--json and --format exclude each other") }
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
    }

    func run() async throws {
        output.begin()
        let start = ContinuousClock.now
        let loaded = try LoadedFile(nil, now: Date())
        let firstTry = try self.firstTry.map(readFirstTry)
        let patterns = Patterns(patterns: client, option: "--client", file: "the self-test")
        let clients: [SeededClient]
        do {
            clients = try patterns.choose(of: SeededClient.all, by: \.name)
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode(64)
        }
        // Most of a trial is waiting.
        let jobs = jobs ?? 8 * ProcessInfo.processInfo.activeProcessorCount
        let selfTest = SelfTest(clients: clients) { makeClient in
            Runner(
                loaded.file,
                oracle: loaded.oracle,
                options: RunnerOptions(jobs: jobs, patience: .milliseconds(500)),
                makeClient: makeClient
            )
        }
        let planned = selfTest.trials.count
        let results = await Interruption.cancelling {
            var finished = 0
            return await selfTest.run { _ in
                finished += 1
                Terminal.showProgress("\(finished) of \(planned) trials")
            }
        }
        Terminal.clearProgress()
        let report = SelfTestReport(results: results, firstTry: firstTry)
        switch format {
        case .text where output.json: Terminal.write(json: try report.json())
        case .text:
            Terminal.write(report.text(isVerbose: verbose))
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let processor = Double(clock()) / Double(CLOCKS_PER_SEC)
            Terminal.write(String(format: "%d trials in %.0f s, %.0f s of CPU\n", planned, seconds, processor))
        case .markdown: Terminal.write(report.markdown)
        }
        guard report.isRight else { throw ExitCode(1) }
        try Terminal.finish()
    }

    private func readFirstTry(_ path: String) throws -> FirstTry {
        do {
            return try FirstTry(parsing: String(decoding: try InputFile.read(path), as: UTF8.self))
        } catch {
            Terminal.complain("\(path): \(error)")
            throw ExitCode(65)
        }
    }
}

extension SelfTestReport.Format: ExpressibleByArgument {}
