import ArgumentParser
import Foundation
import Scenarios

/// What is done with reports once runs are over.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Shows, converts, merges and compares reports of runs that are over.",
        discussion: """
            A report is read as --report json=PATH or --report jsonl=PATH wrote it: both hold all that any other kind shows.
            """,
        subcommands: [ShowReport.self, ConvertReport.self, MergeReports.self, DiffReports.self]
    )
}

struct ShowReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Prints a report as its run did.",
        discussion: """
            Exit status: 0, whatever the run ended with; 65 where it is no report.
            """
    )

    @Argument(help: "The report.", completion: .file(extensions: ["json", "jsonl"]))
    var report: String

    @Option(
        help: ArgumentHelp("Where lines are wrapped (default: the terminal's width, or 100).", valueName: "characters")
    )
    var width: Int?

    @Flag(help: "Tells of every step, every connection and what each client printed.")
    var verbose = false

    @OptionGroup
    var output: OutputOptions

    func validate() throws {
        if let width, !(40...1000).contains(width) { throw ValidationError("--width must be from 40 to 1000") }
    }

    func run() throws {
        output.begin()
        let told = try WrittenReport.read(report)
        if output.json {
            Terminal.write(json: try told.document(.json))
            return try Terminal.finish()
        }
        let text = TextReport(style: output.style, width: width ?? Terminal.width ?? 100, isVerbose: verbose)
        if verbose || told.trials.count <= Performance.fewTrials {
            for trial in told.trials { Terminal.write(text.render(trial) + "\n") }
            Terminal.write(text.renderSummary(told))
        } else {
            Terminal.write(text.renderMatrix(told))
        }
        try Terminal.finish()
    }
}

struct ConvertReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Makes reports of other kinds of one.",
        discussion: """
            What fails in the kinds that count failures is what failed in the run: its --fail-on stands in the report.

            Exit status: 0; 64 usage; 65 where it is no report; 74 where one could not be written.
            """
    )

    @Argument(help: "The report.", completion: .file(extensions: ["json", "jsonl"]))
    var input: String

    @OptionGroup
    var targets: ConversionOptions

    func run() throws {
        let told = try WrittenReport.read(input)
        let place = input == "-" ? targets.place ?? .asTheRunWroteIt : .file(input)
        for target in targets.report {
            try WrittenReport.write(try target.document(of: told, stable: targets.stable, place: place), to: target)
        }
    }
}

/// Where reports go that are made of others.
struct ConversionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Writes a report; the kind is \(ReportKind.convertible), the path '-' is standard output. May be given repeatedly.",
            valueName: "kind=path"
        ),
        completion: .file(),
        transform: ReportTarget.init(parsing:)
    )
    var report: [ReportTarget] = []

    @Flag(help: ArgumentHelp(StableOption.help))
    var stable = false

    /// Where `replay` will find what is made.
    var place: ReportPlace? {
        report.first { [.json, .jsonl].contains($0.kind) && !$0.isStandardOutput }.map { .file($0.path) }
    }

    func validate() throws {
        if report.isEmpty { throw ValidationError("say which kind, and where: --report html=report.html") }
        if report.contains(where: { $0.kind == .conformance }) {
            throw ValidationError(
                "a conformance page tells of more than a report holds: 'pindrill run FILE --report conformance=PATH' writes it, "
                    + "and a report becomes \(ReportKind.convertible)"
            )
        }
        if report.count(where: \.isStandardOutput) > 1 {
            throw ValidationError("only one report can go to standard output")
        }
        if let obstacle = report.lazy.compactMap(\.obstacle).first { throw ValidationError(obstacle) }
    }
}

struct MergeReports: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Puts the reports of all shards of a run together: the result is that of one run.",
        discussion: """
            Reports of lines (jsonl) are merged line by line, so they may be of any size.

            Exit status: that of the whole run, 0, 1 or 2; 64 usage; 65 where a shard is missing, is there twice, was \
            interrupted or is of another run; 74 where a report could not be written.
            """
    )

    @Argument(help: "The reports of all shards.", completion: .file(extensions: ["json", "jsonl"]))
    var shards: [String]

    @OptionGroup
    var targets: ConversionOptions

    func run() throws {
        do {
            let status = try MergedShards(shards).write(to: targets)
            guard status == 0 else { throw ExitCode(status) }
        } catch let error as ShardError {
            Terminal.complain("\(error)")
            throw ExitCode(65)
        } catch let error as InputError {
            Terminal.complain("\(error)")
            throw ExitCode(65)
        }
    }
}

struct DiffReports: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Says what changed from one report to another: verdicts, consequences, trials that came or went.",
        discussion: """
            Exit status: 0 nothing is worse; 1 a trial is worse, or is new and bad; 65 where one is no report.
            """
    )

    @Argument(help: "The earlier report.", completion: .file(extensions: ["json", "jsonl"]))
    var old: String

    @Argument(help: "The later one.", completion: .file(extensions: ["json", "jsonl"]))
    var new: String

    @OptionGroup
    var output: OutputOptions

    func run() throws {
        output.begin()
        let diff = ReportDiff(from: try WrittenReport.read(old), to: try WrittenReport.read(new))
        if output.json {
            Terminal.write(json: try diff.asJSON())
        } else {
            Terminal.write(TextReport(style: output.style, width: Terminal.width ?? 100).render(diff))
        }
        try Terminal.finish()
        if diff.worse > 0 { throw ExitCode(1) }
    }
}

/// `--stable`, which every command that writes reports has.
enum StableOption {
    static let help: String = """
        Leaves times, hashes and ports out of reports, so that those of two runs differ only where something differed.
        """
}

/// A report that a user named.
enum WrittenReport {
    /// - Throws: status 65, once it is said why.
    static func read(_ path: String) throws -> RecordedReport {
        do {
            var data = Data()
            try InputFile.stream(path) { data.append($0) }
            return try RecordedReport(parsing: data)
        } catch let error as InputError {
            Terminal.complain("\(path): \(error)")
        } catch let error as RecordedReport.UnknownVersion {
            Terminal.complain("\(path): \(error)")
        } catch {
            Terminal.complain("\(path): this is not a report as --report json=PATH or jsonl=PATH writes it")
        }
        throw ExitCode(65)
    }

    /// - Throws: status 74, once it is said why.
    static func write(_ document: String, to target: ReportTarget) throws {
        if target.isStandardOutput {
            Terminal.write(json: document)
            return try Terminal.finish()
        }
        do {
            try Data(document.utf8).write(to: URL(filePath: target.path), options: .atomic)
        } catch {
            Terminal.complain("\(target.path): the report could not be written: \(error.localizedDescription)")
            throw Terminal.writingFailed
        }
    }
}

extension ReportTarget {
    /// A whole document of the target's kind.
    func document(of report: RecordedReport, stable: Bool, place: ReportPlace) throws -> String {
        try report.document(kind, isStable: stable, place: place)
    }
}

extension ReportKind {
    /// Those that a report can become, as words.
    fileprivate static let convertible = "json, jsonl, junit, html, markdown or sarif"
}
