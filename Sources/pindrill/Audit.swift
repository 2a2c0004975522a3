import ArgumentParser
import ControlPlane
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
            Dart, TypeScript, JavaScript and C#, scripts and server configurations. What cannot be read is named.

            Exit status: 0 nothing as severe as --fail-on; 1 something is; 64 usage; 65 a bad file, or no pins that can be \
            read.
            """
    )

    /// How the audit is written.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, markdown
    }

    @Argument(
        help: "The app's pin configuration in its own format, a source that holds it, or the folder of a project.",
        completion: .file()
    )
    var file: String

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

    @Option(help: ArgumentHelp("How: text, json or markdown.", valueName: "format"))
    var format: Format = .text

    @Option(
        help: ArgumentHelp("End with status 1 from this severity on: warning, outage or breach.", valueName: "severity")
    )
    var failOn: PolicyFinding.Severity = .outage

    @OptionGroup
    var output: OutputOptions

    func validate() throws {
        if output.json, format == .markdown { throw ValidationError("--json and --format exclude each other") }
        for definition in definitions where definition.firstIndex(of: "=").map({ $0 == definition.startIndex }) ?? true
        {
            throw ValidationError("--define: found '\(definition)', expected NAME=VALUE")
        }
    }

    func run() throws {
        output.begin()
        let now = Date()
        if let project = try project(now) { return try write(project) }
        let report: AuditReport
        do {
            report = try audit(now)
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode(65)
        }
        switch format {
        case .text where !output.json: Terminal.write(report.text(output.style))
        case .text, .json: Terminal.write(json: try report.json())
        case .markdown: Terminal.write(report.markdown())
        }
        try Terminal.finish()
        if let severity = report.severity, severity >= failOn { throw ExitCode(1) }
    }

    /// `nil` for what is one configuration in one file.
    private func project(_ now: Date) throws -> ProjectReport? {
        do {
            let reading = try ProjectReading(
                auditing: file,
                defining: definitions,
                device: input.options.device,
                isSource: input.options.dialect == nil
            )
            guard let reading, !reading.isSingle || !definitions.isEmpty else { return nil }
            return try ProjectReport(reading, input, now: now)
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode(65)
        }
    }

    private func write(_ report: ProjectReport) throws {
        switch format {
        case .text where !output.json: Terminal.write(report.text(output.style))
        case .text, .json: Terminal.write(json: try report.json())
        case .markdown: Terminal.write(report.markdown())
        }
        try Terminal.finish()
        if report.configurations.isEmpty {
            Terminal.complain(report.obstacle)
            throw ExitCode(65)
        }
        if let severity = report.severity, severity >= failOn { throw ExitCode(1) }
    }

    private func audit(_ now: Date) throws -> AuditReport {
        try AuditReport(
            file,
            dialect: input.options.dialect ?? PolicyInput.dialect(of: file),
            host: input.host,
            now: now,
            policy: { try input.policy(file) },
            production: { try input.production() }
        )
    }
}

extension AuditReport {
    /// The same of texts. Nothing that they name is read.
    init(_ asked: AuditRequest) throws {
        let name = "policy"
        try self.init(
            name,
            dialect: asked.dialect.flatMap(Dialect.init) ?? PolicyFile.dialect(of: Data(asked.policy.utf8), file: name),
            host: asked.host,
            now: Date(),
            policy: {
                ImportedPolicy(
                    file: name,
                    configuration: try PolicyInput.configuration(asked.policy, asked.dialect, asked.device)
                )
            },
            production: {
                guard let chain = asked.chain else { return nil }
                let roots = try TrustStore(PolicyInput.anchors(asked.trust, "trust").map { TrustAnchor($0) })
                return try ProductionChain(PolicyInput.certificates(inText: chain, "chain"), roots: roots)
            }
        )
    }

    init(
        _ file: String,
        dialect: @autoclosure () throws -> Dialect?,
        host: String?,
        now: Date,
        policy read: () throws -> ImportedPolicy,
        production: () throws -> ProductionChain?
    ) throws {
        let policy: ImportedPolicy
        do {
            policy = try read()
        } catch let error as PolicyFileError {
            guard let findings = error.findings, let dialect = try? dialect() else { throw error }
            self.init(
                file: file,
                dialect: dialect,
                instant: now,
                knowsProduction: false,
                findings: findings,
                audit: nil,
                obstacle: findings.contains { $0.rule == .throwsAtStart }
                    ? "The app does not start with this configuration, so no scenario was tried."
                    : "Nothing can be made of this configuration, so no scenario was tried."
            )
            return
        }
        let production = try production()
        self.init(
            file: file,
            dialect: type(of: policy.configuration).dialect,
            instant: now,
            knowsProduction: production != nil,
            findings: policy.configuration.findings(at: now, knownChain: production?.path ?? [], host: host),
            audit: nil
        )
        do {
            let catalogue = try AppCatalogue(
                of: policy,
                with: ScenarioFile.shippedEvents(),
                host: host,
                production: production
            )
            audit = try PolicyAudit(catalogue, instant: now)
        } catch let found as AppCatalogue.Obstacle where host == nil && production == nil {
            guard let severity, severity >= .outage else { throw found }
            // What is wrong with the file itself is worth more than that nothing can be tried with it.
            obstacle = "No scenario was tried: \(found)."
        }
    }
}

extension PolicyFinding.Severity: ExpressibleByArgument {}

/// What must be known to play a catalogue for an app's own configuration.
struct AppCatalogueInput: ParsableArguments {
    @OptionGroup
    var options: PolicyOptions

    @Option(
        help: ArgumentHelp("The host that is asked for (default: all that the configuration names).", valueName: "name")
    )
    var host: String?

    @Option(
        help: ArgumentHelp(
            "Production's own chain in PEM, leaf first: tells which pin is which key.",
            valueName: "file"
        ),
        completion: .file()
    )
    var chain: String?

    @Option(help: ArgumentHelp("Where that chain's root is: a PEM file, or 'system'.", valueName: "file"))
    var trust = "system"

    /// The first option that means something for a configuration alone; `nil` where none does.
    var given: String? {
        if options.dialect != nil { return "--dialect" }
        if !options.device.isEmpty { return "--device" }
        if chain != nil { return "--chain" }
        return trust == "system" ? nil : "--trust"
    }

    func validate() throws {
        if let host, host.isEmpty { throw ValidationError("--host is empty") }
        if chain == nil, trust != "system" { throw ValidationError("--trust means nothing without --chain") }
    }

    /// An app's own configuration.
    func policy(_ file: String) throws -> ImportedPolicy {
        ImportedPolicy(file: file, configuration: try options.configuration(file))
    }

    func appCatalogue(
        of policy: ImportedPolicy,
        with catalogue: ScenarioFile,
        _ production: ProductionChain?
    ) throws -> AppCatalogue {
        try AppCatalogue(of: policy, with: catalogue, host: host, production: production)
    }

    /// A catalogue with the app's own configuration in the place of its policies.
    func adapt(_ file: ScenarioFile, to policyFile: String, now: Date) throws -> ScenarioFile {
        let appCatalogue = try appCatalogue(of: try policy(policyFile), with: file, try production())
        let refusals = appCatalogue.refusals(at: now).map { host, decision in
            let strangers = appCatalogue.strangers(of: host).map { "\n  \($0) matches none of its certificates" }
            return "\(policyFile): production's own chain is rejected for \(host): \(decision)" + strangers.joined()
        }
        guard refusals.isEmpty else { throw InputError(refusals.joined(separator: "\n")) }
        return appCatalogue.file
    }

    /// - Returns: `nil` where no chain was named.
    func production() throws -> ProductionChain? {
        guard let chain else { return nil }
        let certificates = try PolicyInput.certificates(chain)
        let roots = try PolicyInput.store([("--trust", trust, .system)])
        do throws(ProductionChain.Flaw) {
            return try ProductionChain(certificates, roots: roots)
        } catch {
            throw InputError("\(chain): \(error)")
        }
    }
}

/// An app's own configuration as the only policy of what is played.
struct AppPolicy: ParsableArguments {
    @Option(
        name: .customLong("policy-file"),
        help: ArgumentHelp("An app's pin configuration, in its own format, as the only policy.", valueName: "file"),
        completion: .file()
    )
    var file: String?

    @OptionGroup
    var catalogue: AppCatalogueInput

    func validate() throws {
        if file == nil, let option = catalogue.given {
            throw ValidationError("\(option) means nothing without --policy-file")
        }
    }

    /// The catalogue itself where no configuration is named.
    func adapt(_ file: ScenarioFile, now: Date) throws -> ScenarioFile {
        try self.file.map { try catalogue.adapt(file, to: $0, now: now) } ?? file
    }
}
