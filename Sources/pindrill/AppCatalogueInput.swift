import ArgumentParser
import Foundation
import Pinning
import Scenarios
import TLSCore

/// What must be known to play a catalogue for an app's own configuration.
struct AppCatalogueInput: ParsableArguments {
    // These two are those of `PolicyOptions`. Another group in this one would cost each start a quarter of a second where
    // groups are validated, in a debug build: each level asks all below it again.
    @Option(help: PolicyOptions.dialectHelp)
    var dialect: Dialect?

    @Option(help: PolicyOptions.deviceHelp)
    var device: [String] = []

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

    var options: PolicyOptions {
        var options = PolicyOptions()
        options.dialect = dialect
        options.device = device
        return options
    }

    /// The first option that means something for a configuration alone; `nil` where none does.
    var given: String? {
        if dialect != nil { return "--dialect" }
        if !device.isEmpty { return "--device" }
        if chain != nil { return "--chain" }
        return trust == "system" ? nil : "--trust"
    }

    func validate() throws {
        try options.validate()
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
        _ production: ProductionChain?,
        at instant: Date
    ) throws -> AppCatalogue {
        try AppCatalogue(of: policy, with: catalogue, host: host, production: production, at: instant)
    }

    /// A catalogue with the app's own configuration in the place of its policies.
    func adapt(_ file: ScenarioFile, to policyFile: String, now: Date) throws -> ScenarioFile {
        let appCatalogue = try appCatalogue(of: try policy(policyFile), with: file, try production(), at: now)
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
