import Foundation
import MitmHarness
import TestSupport
import Testing
import Witness

@testable import Scenarios

@Suite struct `A command client` {
    // MARK: What it says

    @Test(arguments: [
        ("exit 0", ClientReport.Word.succeeded, "exit 0"),
        ("exit 1", .failed, "exit 1"),
        ("echo begun; echo no such script >&2; exit 2", .failed, "exit 2: no such script"),
        ("exit 60", .refused, "exit 60"),
        ("echo the pin is wrong >&2; exit 7", .refused, "exit 7"),
        ("echo the pin is wrong; exit 0", .succeeded, "exit 0"),
        ("exit 126", .nothing, "exit 126: it could not be run"),
        ("exit 127", .nothing, "exit 127: it could not be run"),
        (
            "echo no such app >&2; echo; exit 127", .nothing,
            "exit 127: it could not be run: no such app"
        ),
        ("kill -KILL $$", .nothing, "ended by signal 9"),
        ("kill -SEGV $$", .nothing, "ended by signal 11"),
    ])
    func `is taken at its word`(script: String, word: ClientReport.Word, account: String) async throws {
        var command = scripted(script)
        command.refused = OutcomeRule(exit: [60, 7], text: [])
        if script.contains("pin") { command.refused = OutcomeRule(exit: [7], text: ["pin (is|was) wrong"]) }

        let attempt = try await attempt(command)

        #expect(attempt.report.word == word)
        #expect(attempt.report.account == account)
    }

    @Test(arguments: [
        ("sh -c 'echo 1.2, for {here}; echo more'", "1.2, for /tmp"), ("sh -c 'echo 1.2; exit 1'", nil),
        ("no-such-program", nil), ("true", nil), (nil, nil),
    ])
    func `is asked for its version`(command: String?, version: String?) async throws {
        var declaration = scripted("exit 1")
        declaration.version = command

        #expect(try await CommandClient(declaration, here: "/tmp").version() == version)
    }

    @Test(arguments: [
        ("(a+)+$", String(repeating: "a", count: 40) + "!"), ("(?:a|bc)*d", String(repeating: "a", count: 1 << 20)),
    ])
    func `R1, F8: whose output a pattern would be compared with for ever says nothing`(
        pattern: String,
        output: String
    ) async throws {
        var command = scripted("cat; exit 1")
        command.stdin = output
        command.refused = OutcomeRule(text: [pattern])
        // The twin: the same output, and a pattern that is found in it.
        var honest = command
        honest.refused = OutcomeRule(text: ["(?i)A{40}"])

        #expect(try await attempt(honest).report.word == .refused)
        let report = try await attempt(command).report
        #expect(report.word == .nothing)
        #expect(
            report.account
                == "exit 1: '\(pattern)' takes too long to search for; does it repeat a repetition, as (a+)+ does?"
        )
    }

    @Test func `F4: whose program is there and cannot be run is no client that is not installed`() async throws {
        let client = { try CommandClient(CommandDeclaration(run: $0), inherited: ["PATH": searchPath]) }

        #expect(try client("/etc/passwd {url}").absence == nil)
        #expect(try client("cd app").absence == nil)
        #expect(throws: (any Error).self) { try client("cd app && ./run {url}") }
        #expect(try client("/etc/no-such-program {url}").absence == "'/etc/no-such-program' does not exist")
        #expect(try client("no-such-program {url}").absence == "'no-such-program' is not installed")
    }

    @Test(arguments: ["exit 0", "exit 1", "exit 60", "kill -KILL $$", "exit 127", "sleep 60"])
    func `never passes without a connection`(script: String) async throws {
        var command = scripted(script)
        command.refused = OutcomeRule(exit: [60])
        if script.hasPrefix("sleep") { command.timeout = .milliseconds(100) }

        let result = try await playSteps("- { present: today }\n- { present: forged }", CommandClient(command))

        let nobody = Judgement(.inconclusive, .wireProvesNothing(.nobodyConnected))
        #expect(result.steps.map(\.judgement) == [nobody, nobody])
    }

    @Test func `that is silent says nothing, whatever its exit status`() async throws {
        var command = scripted("exit 1")
        command.isSilent = true

        #expect(try await attempt(command).report.word == .nothing)
    }

    @Test func `that hangs is ended, and says nothing`() async throws {
        var command = scripted("sleep 60")
        command.timeout = .milliseconds(100)

        let report = try await attempt(command).report

        #expect(report.word == .nothing)
        #expect(report.account == "ended by our timeout")
    }

    @Test func `that forks a child which holds its output is not waited for`() async throws {
        let report = try await attempt(scripted("sleep 600 & echo done; exit 0")).report

        #expect(report.word == .succeeded)
        #expect(report.output == "done\n")
        #expect(report.duration < .seconds(300))
    }

    @Test func `that prints a hundred megabytes is quoted in a few words`() async throws {
        let report = try await attempt(scripted("head -c 100000000 /dev/zero; echo last words; exit 3")).report

        #expect(report.word == .failed)
        #expect(report.output.hasSuffix("last words\n"))
        #expect(report.output.utf8.count <= 2000)
    }

    @Test func `whose program depends on the attempt and is missing says so`() async throws {
        let attempt = try await attempt(CommandDeclaration(run: "{dir}/nothing"))

        #expect(attempt.report.word == .nothing)
        #expect(attempt.report.account.hasSuffix("/nothing' does not exist"))
        #expect(attempt.judgement == Judgement(.inconclusive, .wireProvesNothing(.nobodyConnected)))
    }

    // MARK: What it is told

    @Test func `reads what the file says on its standard input`() async throws {
        var command = scripted("cat")
        command.stdin = "hello {host}\\n{step}\n"

        #expect(try await attempt(command).report.output == "hello api.acme.example\\n1-today\n")
    }

    @Test func `sees PATH, LANG, folders of the trial, PinDrill's variables, and its own`() async throws {
        var command = scripted("/usr/bin/env")
        command.env = ["GREETING": "hello {host}"]
        let ours = [
            "PATH": "/usr/bin:/bin", "LANG": "C", "SSL_CERT_FILE": "/evil.pem", "HTTPS_PROXY": "http://evil.example",
            "HOME": "/home/evil", "XDG_CONFIG_HOME": "/home/evil", "CURL_CA_BUNDLE": "/evil.pem", "LC_ALL": "C",
        ]

        let report = try await attempt(command, inherited: ours).report

        let lines = report.output.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let seen = Dictionary(uniqueKeysWithValues: lines.map { ($0[0], $0.count > 1 ? $0[1] : "") })
        // A shell adds some by itself.
        let shells: Set = ["PWD", "OLDPWD", "SHLVL", "_"]
        let folders: Set = [
            "HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
        ]
        let told = Set(CommandPlaceholder.allCases.filter { !$0.isRepeated }.map(\.variable))
        #expect(Set(seen.keys).subtracting(shells) == folders.union(told).union(["PATH", "LANG", "GREETING"]))
        #expect(seen["PATH"] == "/usr/bin:/bin")
        #expect(seen["GREETING"] == "hello api.acme.example")
        let folder = try #require(seen["PINDRILL_DIR"])
        for name in folders { #expect(seen[name]?.hasPrefix(folder + "/") == true, "\(name)") }
    }

    @Test func `starts in the trial's own folder, which nobody else can read and which is gone afterwards`()
        async throws
    {
        let report = try await attempt(scripted("pwd -P; ls -ld . | cut -c1-10")).report

        let lines = report.output.split(separator: "\n").map(String.init)
        #expect(lines.last == "drwx------")
        #expect(!FileManager.default.fileExists(atPath: try #require(lines.first)))
    }

    @Test func `is ended when the run is cancelled`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pindrill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var command = scripted("echo $$ > \"$OUT/pid\"; mv \"$OUT/pid\" \"$OUT/ready\"; sleep 60 & wait")
        command.env = ["OUT": folder.path]
        let client = try CommandClient(command)

        let catalogue = try Catalogue.story("- { present: today }")

        let running = Task { await catalogue.runner { _ in client }.run(catalogue.file.trials) }
        let process = try #require(pid_t(try await contents(of: "\(folder.path)/ready").trimmed))
        running.cancel()

        #expect(await running.value == [])
        #expect(await isGone(process))
    }

    // MARK: -

    private func attempt(
        _ command: CommandDeclaration,
        inherited: [String: String] = ["PATH": searchPath]
    ) async throws -> AttemptResult {
        let result = try await playSteps("- { present: today }", CommandClient(command, inherited: inherited))
        return try #require(result.steps.first?.attempts.first)
    }
}

/// A client that is a script for `sh`; braces would be placeholders.
func scripted(_ text: String) -> CommandDeclaration {
    CommandDeclaration(run: "sh -c '\(text.replacing("'", with: #"'\''"#))'")
}
