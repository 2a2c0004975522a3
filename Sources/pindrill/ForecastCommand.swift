import ArgumentParser
import Forecast
import Foundation
import Pinning
import Scenarios
import TLSCore

struct ForecastCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forecast",
        abstract: "Says whom a planned certificate locks out, and from which day on it is safe.",
        discussion: """
            A fleet file says which versions of an app are in use, with which pins, and by how many people; a plan says \
            what the server will show, and when. For each event of the plan comes out who is locked out on that day, by \
            version and reason, which pin those versions lack, and the earliest day from which on the part of all people \
            who are locked out stays under --tolerate.

            Days with data are counted. What comes after them is projected from each version's own decline, and called a \
            projection. Where there are too little data for that, the forecast says so.

            Exit status: 0 nothing is as bad as --fail-on; 1 something is; 64 usage; 65 a bad file.
            """
    )

    enum Format: String, CaseIterable, ExpressibleByArgument { case text, json, html }

    @Argument(help: "The fleet file: versions, their pins and their use.", completion: .file(extensions: ["yaml"]))
    var fleet: String

    @Argument(help: "The plan: what is shown when.", completion: .file(extensions: ["yaml"]))
    var plan: String

    @Option(
        help: ArgumentHelp("The part of all people that may be locked out. (default: 0.5%)", valueName: "share"),
        transform: Tolerance.init(parsing:)
    )
    var tolerate: Tolerance = Tolerance(share: 0.005)

    @Option(
        help: ArgumentHelp(
            "End with status 1 where an event locks out more, as in 'locked-out>1%'.",
            valueName: "condition"
        ),
        transform: LockOutLimit.init(parsing:)
    )
    var failOn: LockOutLimit?

    @Option(help: ArgumentHelp("The day up to which data count, as in 2026-11-30 (default: now).", valueName: "day"))
    var today: String?

    @Option(help: ArgumentHelp("How many days are looked ahead of today and of the last event.", valueName: "days"))
    var ahead: Int = 730

    @Option(help: ArgumentHelp("How: text, json or html, which is one page with a chart.", valueName: "format"))
    var format: Format = .text

    @OptionGroup
    var output: OutputOptions

    func validate() throws {
        if output.json, format == .html { throw ValidationError("--json and --format exclude each other") }
        guard 1...3650 ~= ahead else { throw ValidationError("--ahead is a number of days from 1 to 3650") }
    }

    func run() throws {
        output.begin()
        let forecast: Forecast
        let now = try today.map { text in
            guard let day = Day(parsing: text) else {
                throw ValidationError("--today '\(text)' is no day; write it as in 2026-11-30")
            }
            return day
        }
        do {
            forecast = try ForecastInput(fleet: fleet, plan: plan).forecast(
                today: now ?? Day(Date()),
                ahead: ahead,
                tolerance: tolerate.share
            )
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode(65)
        }
        switch format {
        case .text where !output.json: Terminal.write(forecast.text(output.style))
        case .text, .json: Terminal.write(json: try forecast.json())
        case .html: Terminal.write(forecast.html())
        }
        try Terminal.finish()
        if let failOn, forecast.events.contains(where: { $0.atRisk.expected > failOn.share }) { throw ExitCode(1) }
    }
}

/// A part of all people, as `0.5%`.
struct Tolerance {
    var share: Double

    init(share: Double) { self.share = share }

    init(parsing text: String) throws {
        guard let share = Share.parse(text) else {
            throw ValidationError("write a share with its per cent sign, as in 0.5%")
        }
        self.share = share
    }
}

/// `locked-out>1%`.
struct LockOutLimit {
    var share: Double

    init(parsing text: String) throws {
        let parts = text.split(separator: ">", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].filter({ $0 != " " }) == "locked-out",
            let share = Share.parse(parts[1].filter { $0 != " " })
        else { throw ValidationError("write a limit with its per cent sign, as in 'locked-out>1%'") }
        self.share = share
    }
}

/// Reads the files of a forecast. What they name is relative to their own folder.
struct ForecastInput {
    var fleet: String
    var plan: String

    /// - Throws: all that is wrong, each with its file.
    func forecast(today: Day, ahead: Int, tolerance: Double) throws -> Forecast {
        let fleet = try readFleet()
        let plan = try readPlan()
        let table = try table(of: fleet, today: today)
        let last = max(plan.events.map(\.day).max() ?? today, today)
        let population = Population(table, versions: fleet.versions.count, horizon: last + ahead)
        let roots = try store(plan)
        let chains = try PlannedChains(plan, host: fleet.host, roots: roots)
        return try Forecast(
            fleet,
            plan,
            chains: chains,
            population: population,
            today: today,
            tolerance: tolerance
        )
    }

    private func readFleet() throws -> Fleet {
        let folder = InputFile.folder(of: fleet)
        return try Fleet.parse(text(of: fleet), file: fleet) { source in
            try PolicyInput.configuration(
                source.path.hasPrefix("/") ? source.path : folder + source.path,
                dialect: source.dialect,
                device: AppDevice(parsing: source.device)
            )
        }
    }

    private func readPlan() throws -> Plan {
        let folder = InputFile.folder(of: plan)
        return try Plan.parse(text(of: plan), file: plan) { name in
            try PolicyInput.materials(name.hasPrefix("/") ? name : folder + name)
        }
    }

    private func text(of path: String) throws -> String {
        do {
            let bytes = try InputFile.read(path)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw InputError("this is no UTF-8 text; save it as UTF-8")
            }
            return text
        } catch {
            throw InputError("\(path): \(error)")
        }
    }

    /// The machine's own roots are read only where a chain needs them.
    private func store(_ plan: Plan) throws -> TrustStore {
        let needsRoots = plan.events.contains { if case .chain = $0.shown { true } else { false } }
        guard needsRoots || plan.roots != nil else { return try TrustStore([]) }
        let path = plan.roots.map { name in
            name == "system" || name.hasPrefix("/") ? name : InputFile.folder(of: self.plan) + name
        }
        return try TrustStore(PolicyInput.store([("roots", path ?? "system", .system)]).anchors, remembers: true)
    }

    private func table(of fleet: Fleet, today: Day) throws -> UsageTable {
        guard let usage = fleet.usage else {
            var table = UsageTable(versions: fleet.versions.count)
            // Shares are parts of something: of so many that no share is rounded away.
            let scale = fleet.weight == .shares ? 1_000_000_000.0 : 1
            for (index, version) in fleet.versions.enumerated() {
                table.add(version: index, day: today, users: Int(((version.weight ?? 0) * scale).rounded()))
            }
            if fleet.weight == .shares {
                // What nobody mentions is in use all the same.
                let rest = 1 - fleet.versions.reduce(0) { $0 + ($1.weight ?? 0) }
                table.add(version: nil, day: today, users: max(0, Int((rest * scale).rounded())))
            }
            return table
        }
        let path = usage.hasPrefix("/") ? usage : InputFile.folder(of: self.fleet) + usage
        var reader = UsageReader(versions: fleet.versions.map(\.name), today: today)
        do {
            try InputFile.stream(path) { try reader.take($0) }
            try reader.end()
        } catch {
            throw InputError("\(path): \(error)")
        }
        tell(reader, path, fleet.versions.map(\.name))
        return reader.table
    }

    /// What of the data did not count, or cannot be told.
    private func tell(_ reader: UsageReader, _ path: String, _ versions: [String]) {
        for row in reader.badRows.prefix(10) { Terminal.remark("note: \(path): \(row); left out") }
        if reader.badCount > 10 {
            Terminal.remark("note: \(path): \(reader.badCount) of \(reader.rowCount) rows are left out in all")
        }
        if reader.futureCount > 0 {
            let rows = reader.futureCount == 1 ? "1 row is of a day" : "\(reader.futureCount) rows are of days"
            Terminal.remark("note: \(path): \(rows) after today, and left out")
        }
        for oddity in reader.table.oddities(onLastDay: versions) { Terminal.remark("warning: \(path): \(oddity)") }
        let unknown = reader.unknownVersions
        guard !unknown.isEmpty else { return }
        let names = unknown.prefix(10).map { "'\($0)'" }.joined(separator: ", ")
        let more = unknown.count > 10 || reader.hasMoreUnknown ? ", …" : ""
        Terminal.remark(
            "note: \(path): versions that \(fleet) does not have count as locked out, for nobody knows their pins: "
                + "\(names)\(more)"
        )
    }
}
