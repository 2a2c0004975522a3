import ArgumentParser
import Foundation
import Pinning
import Scenarios
import Witness

/// A client of one's own and what it is to be played, without a scenario file: what `try` and `init` begin with.
struct StarterOptions: ParsableArguments {
    @OptionGroup
    var client: ClientOptions

    @OptionGroup
    var choice: Choice

    @OptionGroup
    var app: AppPolicy

    @Option(
        help: ArgumentHelp("Where the scenario file that says the same is written.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var save: String?

    @Flag(help: "Lets it replace a file.")
    var force = false

    func draft(timeout: Duration?, isIsolated: Bool = false) throws -> StarterDraft {
        try StarterDraft(self, timeout: timeout, isIsolated: isIsolated)
    }

    /// - Throws: `ExitCode` 65 after it has printed what is wrong with the draft.
    func load(_ draft: StarterDraft, now: Date, keyring: KeyringFolder? = nil) throws -> LoadedFile {
        try LoadedFile(draft.file.file, holding: draft.file.text, now: now, keyring: keyring) { file in
            try app.adapt(file, now: now)
        }
    }

    /// - Throws: where writing to a place would destroy what is there.
    func checkPlace(_ path: String) throws(InputError) {
        guard !force, FileManager.default.fileExists(atPath: path) else { return }
        throw InputError("\(path): there is such a file already; --force replaces it")
    }

    func write(_ text: String, to path: String) throws(ExitCode) {
        do {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            Terminal.complain("\(path): it could not be written: \(error.localizedDescription)")
            throw Terminal.writingFailed
        }
    }
}

/// The scenario file that a command line amounts to, and what had to be assumed for it.
struct StarterDraft {
    var file: StarterFile
    let placeholders: [CommandPlaceholder]
    var assumptions: [String] = []

    fileprivate init(_ options: StarterOptions, timeout: Duration?, isIsolated: Bool) throws {
        let client = options.client
        guard let program = client.command.first else {
            throw InputError("name the client's command behind '--', as in: -- curl --cacert {trust} {url}")
        }
        let path = options.save ?? "scenarios.yaml"
        let isHere = InputFile.resolved(InputFile.folder(of: path) + ".") == InputFile.resolved(".")
        let words = client.command.map {
            $0.naming(filesIn: isHere ? "{here}" : FileManager.default.currentDirectoryPath)
        }
        let line = CommandTemplate.line(of: words)
        let known = CommandPlaceholder.allCases.map(\.rawValue)
        let template = try CommandTemplate(parsing: line, knownPlaceholders: known)
        let named = try client.environment.reduce(into: template.placeholders) {
            $0.formUnion(try TextTemplate(parsing: $1.value, knownPlaceholders: known).placeholders)
        }
        placeholders = CommandPlaceholder.allCases.filter { named.contains($0.rawValue) }

        let isLed = isIsolated || !CommandPlaceholder.leading.isDisjoint(with: placeholders)
        let shipped = try ScenarioFile.shipped()
        let host = options.app.catalogue.host ?? (isLed ? shipped.host : "localhost")
        file = StarterFile(
            file: path,
            host: host,
            name: (words.first { $0.hasPrefix("{here}/") } ?? program).clientName,
            run: line
        )
        if options.app.catalogue.host == nil, options.app.file == nil {
            assumptions.append(
                isLed
                    ? "It can be led here, so its server is \(host), and any name would do (--host)."
                    : "Nothing leads it here by name, so its server is localhost; --proxy or {endpoint} would allow any other."
            )
        }
        if words != client.command {
            assumptions.append(
                "It starts in a temporary folder, so files named on its command line are named as {here}/…."
            )
        }
        file.env = client.environment
        file.answers = client.answer
        file.succeeded = OutcomeRule(client.succeeded)
        file.refused = OutcomeRule(client.refused)
        file.refusedPin = OutcomeRule(client.refusedPin)
        file.timeout = timeout
        file.isIsolated = isIsolated
        file.startTLS = client.starttls?.rawValue
        file.options = options.repeated
        if options.app.file == nil {
            file.policies = try policies(template, options.choice.policy, shipped)
        }
        if file.refused == nil, file.refusedPin == nil {
            assumptions.append(
                "Exit status 0 is success; no other is known to mean a rejection (--refused), so the wire alone tells that."
            )
        }
        if file.answers.isEmpty {
            assumptions.append(
                "Every request is answered with status 200, and with {} where JSON is asked for (--answer)."
            )
        }
    }

    /// What it can be told to pin, unless that is said.
    private mutating func policies(_ template: CommandTemplate, _ asked: [String], _ shipped: ScenarioFile) throws
        -> [String]
    {
        guard asked.isEmpty else {
            return try Patterns(patterns: asked, option: "--policy", file: "").choose(of: shipped.policies, by: \.name)
                .map(\.name)
        }
        func fits(_ name: String) -> Bool {
            let pins = shipped.policy(named: name)?.requirements.map { ($0.match, $0.pins.count) } ?? []
            let keys = pins.filter { $0.0 == .key }.reduce(0) { $0 + $1.1 }
            let certificates = pins.filter { $0.0 == .certificate }.reduce(0) { $0 + $1.1 }
            let taken = Set(placeholders.compactMap(\.match))
            return (keys == 0 || taken.contains(.key)) && (certificates == 0 || taken.contains(.certificate))
                && template.takes(keys: keys, certificates: certificates)
        }
        let pinned = ["leaf-and-backup", "leaf-only"].first(where: fits).map { [$0] } ?? []
        let all = (fits("no-pins") ? ["no-pins"] : []) + pinned + (fits("leaf-certificate") ? ["leaf-certificate"] : [])
        guard !placeholders.contains(where: { $0.match != nil }) else {
            let words = all.filter { $0 != "no-pins" }.joined(separator: ", ")
            assumptions.append("It pins what its placeholders say, of the leaf alone: \(words) (--policy).")
            // An empty variable is no way to say that there are no pins.
            let isOptional = template.placeholders.contains { CommandPlaceholder(rawValue: $0)?.match != nil }
            return isOptional ? all : all.filter { $0 != "no-pins" }
        }
        assumptions.append("It takes no pins ({pins} and others), so it is held to ordinary trust: no-pins (--policy).")
        return ["no-pins"]
    }

    func summary(width: Int) -> String {
        let lines = assumptions.flatMap { assumption in
            assumption.wrapped(to: width, indent: "    ").enumerated().map { $0 == 0 ? String($1.dropFirst(2)) : $1 }
        }
        return (["", "Assumed"] + lines + ["", "The same as a scenario file (--save FILE):", ""])
            .joined(separator: "\n") + "\n" + file.text
    }
}

extension StarterOptions {
    /// What `run` has to be told as well, to play the same.
    fileprivate var repeated: [String] {
        var words = choice.scenario.flatMap { ["--scenario", $0] } + choice.tag.flatMap { ["--tag", $0] }
        if choice.all { words.append("--all") }
        if let policyFile = app.file {
            words += ["--policy-file", policyFile]
            words += choice.policy.flatMap { ["--policy", $0] }
            if let dialect = app.catalogue.options.dialect { words += ["--dialect", dialect.rawValue] }
            words += app.catalogue.options.device.flatMap { ["--device", $0] }
            if let host = app.catalogue.host { words += ["--host", host] }
            if let chain = app.catalogue.chain { words += ["--chain", chain, "--trust", app.catalogue.trust] }
        }
        return words.map { word in
            word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=".contains($0) } ? word : "'\(word)'"
        }
    }
}

extension String {
    /// A file of the current folder, named so that it is found from another: also behind an equals sign.
    fileprivate func naming(filesIn folder: String) -> String {
        if hasPrefix("/") || isEmpty { return self }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: self, isDirectory: &isFolder), !isFolder.boolValue || contains("/") {
            return "\(folder)/\(self)"
        }
        guard hasPrefix("-"), let sign = firstIndex(of: "="), self[sign...].dropFirst().first != "-" else {
            return self
        }
        return self[...sign] + String(self[sign...].dropFirst()).naming(filesIn: folder)
    }

    /// A name for a client, from its program's.
    fileprivate var clientName: String {
        let base = split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? ""
        let name = base.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }.prefix(64)
        return name.first.map { $0.isLetter || $0.isNumber } == true ? String(name) : "client"
    }
}
