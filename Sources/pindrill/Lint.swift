import ArgumentParser
import Foundation
import Scenarios

struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Finds what makes a file prove less than its author believes.",
        discussion: """
            Each finding has its line, the fix, and the name of its rule; docs/lints.md explains the rules. A declaration \
            says that something is meant by `allow: [rule]`.

            Exit status: 0 nothing was found; 1 something was; 65 a bad file.
            """
    )

    @Argument(
        help: "The scenario file (default: the scenarios.yaml that is here, or else the shipped one).",
        completion: .file(extensions: ["yaml", "yml"])
    )
    var file: String?

    @OptionGroup
    var output: OutputOptions

    /// Findings as programs read them.
    private struct Document: Encodable {
        struct Finding: Encodable {
            var rule: String
            var file: String
            var line: Int
            var column: Int
            var message: String
            var fix: String

            init(_ finding: LintFinding) {
                rule = finding.rule.rawValue
                (file, line, column) = (finding.location.file, finding.location.line, finding.location.column)
                (message, fix) = (finding.message, finding.fix)
            }
        }

        var version = 1
        var file: String
        var findings: [Finding]
    }

    func run() throws {
        output.begin()
        let now = Date()
        let loaded = try LoadedFile(LoadedFile.path(file), now: now)
        let findings = try loaded.findings(at: now)
        if output.json {
            Terminal.write(
                json: try Document(file: loaded.name, findings: findings.map(Document.Finding.init)).asJSON()
            )
        } else {
            Terminal.write(findings.map { "\($0)\n" }.joined())
        }
        guard findings.isEmpty else { throw ExitCode(1) }
        try Terminal.finish()
    }
}

extension LoadedFile {
    /// What of the shipped catalogue is not played, in words.
    var omission: String {
        let count = leftOut.count == 1 ? "1 scenario" : "\(leftOut.count) scenarios"
        let (are, they) = leftOut.count == 1 ? ("is", "it is") : ("are", "they are")
        let reason =
            file.host.contains(".")
            ? "what the catalogue claims does not hold for '\(file.host)' and the keys and roots at hand"
            : "\(they) about the parts of a name, which '\(file.host)' does not have"
        return "\(count) of the shipped catalogue \(are) left out, for \(reason): \(leftOut.joined(separator: ", "))"
    }

    /// - Throws: `ExitCode` 65 after it has printed why the file cannot be judged.
    func findings(at now: Date) throws -> [LintFinding] {
        do {
            return try file.lint(oracle, instant: now)
        } catch {
            Terminal.complain("\(name): \(error)")
            throw ExitCode(65)
        }
    }

    /// Says what is left out, and prints the findings that matter most, rule by rule; they never stop a run.
    func warn(at now: Date) throws {
        if !leftOut.isEmpty { Terminal.remark("note: \(omission)") }
        // The tests of this project hold the shipped catalogue to all rules.
        guard !file.isShipped else { return }
        let findings = try findings(at: now)
        let byImportance = LintRule.allCases.flatMap { rule in findings.filter { $0.rule == rule } }
        byImportance.prefix(10).forEach { Terminal.remark("\($0)") }
        if findings.count > 10 { Terminal.remark("(+\(findings.count - 10) more: pindrill lint \(name))") }
    }
}
