import ArgumentParser
import Foundation
public import Pinning
import Scenarios
import TLSCore

struct Audit: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says what an app's pin configuration would do to its users.",
        discussion: """
            The configuration is held against the catalogue's rotations and its quick set: renewals, new authorities and \
            attacks. A table says of each whether the app survives it, locks its users out or lets an attacker in; above \
            it stand findings about the file itself, each with its fix. No client is started, and no server asked.

            Pins name keys that only production holds. With --chain, each plays the part that it has in production's own \
            chain, and pins that are not in it are taken for backups; without, the first is taken for the key in use.

            Of a folder, every configuration is found: property lists, XML, sources in Kotlin, Java, Swift, Objective-C, \
            Dart, TypeScript, JavaScript and C#, scripts and server configurations. What cannot be read is named. A \
            project's .pindrill.yml permits findings, each with a reason and for a while.

            Exit status: 0 nothing as severe as --fail-on; 1 something is; 64 usage; 65 a bad file, or no pins that can be \
            read.
            """
    )

    /// How the audit is written.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, markdown, html, sarif
    }

    @Argument(
        help: "Pin configurations in their own formats, sources that hold them, or folders of projects.",
        completion: .file()
    )
    var files: [String]

    @Option(
        name: .customLong("define"),
        help: ArgumentHelp(
            "What a name stands for that only the build or the device knows. May be given repeatedly.",
            valueName: "name=value"
        )
    )
    var definitions: [String] = []

    @OptionGroup
    var input: AppCatalogueInput

    @Option(help: ArgumentHelp("How: text, json, markdown, html, or sarif for code scanning.", valueName: "format"))
    var format: Format = .text

    @Option(
        help: ArgumentHelp("End with status 1 from this severity on: warning, outage or breach.", valueName: "severity")
    )
    var failOn: PolicyFinding.Severity = .outage

    @Option(help: ArgumentHelp("The day of the audit, as in 2026-11-30 (default: now).", valueName: "day"))
    var today: String?

    @Flag(help: "Shows every event, also those that the app survives.")
    var verbose = false

    @OptionGroup
    var output: OutputOptions

    func validate() throws {
        if output.json, [.markdown, .html, .sarif].contains(format) {
            throw ValidationError("--json and --format exclude each other")
        }
        for definition in definitions where definition.firstIndex(of: "=").map({ $0 == definition.startIndex }) ?? true
        {
            throw ValidationError("--define: found '\(definition)', expected NAME=VALUE")
        }
        if let today, Day(parsing: today) == nil {
            throw ValidationError("--today '\(today)' is no day; write it as in 2026-11-30")
        }
    }

    func run() throws {
        output.begin()
        let answer: any AuditAnswer
        do {
            answer = try audit(today.flatMap(Day.init(parsing:))?.noon ?? Date())
        } catch {
            // Code scanning wants a log of a bad file, too.
            if format == .sarif { try write(sarif: SARIFLog(failed: error, files)) }
            Terminal.complain("\(error)")
            throw ExitCode(65)
        }
        let status: Int32 =
            answer.failure != nil ? 65 : answer.results.compactMap(\.openSeverity).contains { $0 >= failOn } ? 1 : 0
        switch format {
        case .text where !output.json: Terminal.write(answer.text(output.style, isVerbose: verbose))
        case .text, .json: Terminal.write(json: try answer.json())
        case .markdown: Terminal.write(answer.markdown())
        case .html: Terminal.write(try answer.html())
        case .sarif:
            let invocation = SARIFLog.Invocation(exitStatus: status, complaint: answer.failure)
            try write(
                sarif: SARIFLog(answer.results, version: PinDrill.version, invocation: invocation)
            )
        }
        try Terminal.finish()
        if let failure = answer.failure { Terminal.complain(failure) }
        if status != 0 { throw ExitCode(status) }
    }

    private func write(sarif log: SARIFLog) throws { Terminal.write(json: try log.text()) }

    private func audit(_ now: Date) throws -> any AuditAnswer {
        let root = try ProjectRoot(of: files)
        guard files.count == 1 else {
            let reading = try ProjectReading(
                auditing: files.uniqued,
                defining: definitions,
                device: input.options.device,
                dialect: input.options.dialect
            )
            remark(on: reading)
            return try ProjectReport(reading, in: root, input, now: now)
        }
        let reading = try ProjectReading(
            auditing: files[0],
            defining: definitions,
            device: input.options.device,
            isSource: input.options.dialect == nil
        )
        remark(on: reading)
        if let reading, !reading.isSingle || !definitions.isEmpty {
            return try ProjectReport(reading, in: root, input, now: now)
        }
        let only = reading?.configurations.first
        var report = try audit(files[0], host: input.host ?? only?.host, now)
        report.take(only?.place ?? .init(path: files[0], form: "file"), root)
        return report
    }

    /// Says which definitions nothing uses: a name that is mistyped gives nothing, and its pins stay unread.
    private func remark(on reading: ProjectReading?) {
        let names = definitions.compactMap { $0.split(separator: "=").first.map(String.init) }
        for name in names.uniqued where !(reading?.usedDefinitions.contains(name) ?? false) {
            Terminal.remark("--define \(name): no file that was looked at holds this name")
        }
    }

    private func audit(_ file: String, host: String?, _ now: Date) throws -> AuditReport {
        var keys = PKI.Keys()
        return try AuditReport(
            file,
            dialect: input.options.dialect ?? PolicyInput.dialect(of: file),
            host: host,
            now: now,
            keys: &keys,
            policy: { try input.policy(file) },
            production: { try input.production() }
        )
    }
}

extension PolicyFinding.Severity: ExpressibleByArgument {}
