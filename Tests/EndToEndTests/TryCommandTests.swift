import Foundation
import TestSupport
import Testing

/// `try`: a command and nothing else.
@Suite(.enabled(if: Shipped.hasCurl, "curl is not installed"))
struct TryCommandTests {
    private static let curl = ["curl", "-sS", "--cacert", "{trust}", "--pinnedpubkey", "{pins}", "{url}"]
    private static let attack = ["--scenario", "attacker-installed-root"]

    @Test func `try: a command that pins is played the quick set, and passes`() async throws {
        let ending = try await Program.run(["try", "--"] + Self.curl)

        #expect(ending.status == 0, "\(ending.output)")
        #expect(ending.errors.isEmpty)
        #expect(ending.output.contains("\n  attacker-installed-root "))
        #expect(ending.output.contains(" 0 failed, 0 inconclusive, 0 skipped\n"))
        #expect(ending.output.contains("\nAssumed\n  Nothing leads it here by name, so its server is localhost;"))
        #expect(ending.output.contains("\n    # refused-pin: { exit: 90 }\n"))
    }

    @Test(arguments: [
        ["curl", "-sSk", "{url}"], ["curl", "-sSk", "[--pinnedpubkey", "{pins}]", "{url}"],
    ])
    func `try: a client that never refuses fails by the wire alone`(command: [String]) async throws {
        let ending = try await Program.run(["try", "--scenario", "attacker-unknown-root", "--"] + command)

        #expect(ending.status == 1, "\(ending.output)")
        #expect(ending.output.contains("\n        talked to the wrong server\n"))
    }

    @Test(arguments: [
        ["--proxy", "--", "curl", "-sS", "--cacert", "{trust}", "[--pinnedpubkey", "{pins}]", "{url}"],
        ["--policy", "leaf-only", "--", "curl", "-sS", "--cacert", "{trust}", "[--pinnedpubkey", "{pin}]", "{url}"],
        ["--", "curl", "-sSk", "{url}"],
        [
            "--refused", "exit:60", "--refused", "text:SSL", "--refused-pin", "exit:90", "--answer", "json={}",
            "--timeout", "5", "--", "sh", "client.sh", "{trust}", "{url}",
        ],
    ])
    func `try: the file that it saves lints clean, and plays to the same verdicts`(words: [String]) async throws {
        // The whole quick set once; of the others, each kind of verdict.
        let chosen =
            words.first == "--proxy"
            ? []
            : [
                "same-certificate", "expired-certificate", "attacker-installed-root", "attacker-unknown-root",
                "rotated-to-backup",
            ]
        let scenarios = chosen.flatMap { ["--scenario", $0] }
        try await withTemporaryFolder { folder in
            try "exec curl -sS --cacert \"$1\" \"$2\"".write(
                to: folder.appending(path: "client.sh"),
                atomically: false,
                encoding: .utf8
            )
            let tried = try await Program.run(
                ["try", "--save", "own.yaml", "--report", "json=try.json"] + scenarios + words,
                in: folder
            )
            let lint = try await Program.run("lint", "own.yaml", in: folder)
            let run = try await Program.run(
                ["run", "own.yaml", "--report", "json=run.json"] + scenarios,
                in: folder
            )

            #expect(tried.status == run.status)
            #expect((lint.output, lint.status) == ("", 0))
            let reports = try ["try", "run"].map { try WrittenReport(at: folder.appending(path: "\($0).json")) }
            #expect(reports[0].verdicts == reports[1].verdicts)
            #expect(reports[0].trials.count >= (chosen.isEmpty ? 15 : chosen.count))
        }
    }

    @Test func `try: it replaces a file only where that is asked for`() async throws {
        try await withTemporaryFolder { folder in
            let place = folder.appending(path: "own.yaml")
            try "mine".write(to: place, atomically: false, encoding: .utf8)
            let words = Self.attack + ["--save", "own.yaml"]

            let careful = try await Program.run(["try"] + words + ["--"] + Self.curl, in: folder)
            let kept = try String(contentsOf: place, encoding: .utf8)
            let forced = try await Program.run(["try"] + words + ["--force", "--"] + Self.curl, in: folder)

            #expect((careful.status, kept) == (64, "mine"))
            #expect(careful.errors == "own.yaml: there is such a file already; --force replaces it\n")
            #expect(forced.status == 0)
            #expect(try String(contentsOf: place, encoding: .utf8).contains("#   pindrill run own.yaml --scenario "))
        }
    }

    // The pins reach it by a way that no placeholder shows, so no twin of it can be tried.
    private static let mute = [
        "sh", "-c",
        "curl -sS --cacert \"$PINDRILL_TRUST\" --pinnedpubkey \"$PINDRILL_PINS\" --connect-to \"::$PINDRILL_ENDPOINT\" {url}",
    ]

    @Test func `K: a refusal that only a guess explains is never called the pin's doing`() async throws {
        let words = ["try", "--policy", "leaf-and-backup", "--scenario", "expired-certificate"] + Self.attack

        let guessed = try await Program.run(words + ["--"] + Self.mute)
        let strict = try await Program.run(words + ["--fail-on", "unproven", "--"] + Self.mute)
        let told = try await Program.run(
            words + ["--fail-on", "unproven", "--refused-pin", "exit:90", "--"] + Self.mute
        )

        #expect((guessed.status, strict.status, told.status) == (0, 1, 0), "\(strict.output)")
        #expect(guessed.output.contains("protected, by the pin: unproven"))
        #expect(!guessed.output.contains("protected by the pin"))
        #expect(guessed.output.contains("# refused-pin: { exit: 90 }"))
        #expect(told.output.contains("protected by the pin"))
    }

    @Test(arguments: [
        ("no-such-program {url}", "It cannot be started: 'no-such-program' is not installed", 65),
        (
            "./not-executable {url}",
            "It could not be started: '{here}/./not-executable' may not be executed; chmod +x", 65
        ),
        ("./no-interpreter {url}", "'{here}/./no-interpreter' is for '/no/such/program', which does not exist", 65),
        ("sh -c no-such-program\\ {url}", "It ended with exit status 127: a program that it starts was not found", 65),
        ("true", "It did not connect, and nothing in its command says where to: name the server as {url}", 2),
        ("true {url}", "It ended with success and never connected: does its command make a request to {url}?", 2),
        ("false {url}", "It ended (exit 1) before it connected: mend what it complains of", 2),
        (
            "--host foo.example -- curl -sS {url}",
            "'foo.example' is a name that no network knows. Lead it here by --proxy", 2
        ),
        ("curl -sS http://localhost:{port}/", "It spoke HTTP without TLS: its URL has to begin with https://", 2),
        (
            "curl -sS {url}",
            "(rejected with unknown_ca (48)): nothing tells it to trust our roots. Give it the file {trust}", 2
        ),
        (
            "sh -c curl\\ -sS\\ {url} {trust}",
            "does not know the root. It is in the file {trust}: does the client read", 2
        ),
        (
            "curl -sS --cacert {trust} https://127.0.0.1:{port}/",
            "It named no host (no SNI), so it asked for an address", 2
        ),
        (
            "curl -sS --cacert {trust} --connect-to ::{endpoint} https://other.example/",
            "It asked for 'other.example', and its server is 'api.acme.example': give it {url}, or say --host other.example",
            2
        ),
        (
            "curl -sS --cacert {trust} [--pinnedpubkey {pins.hex}] {url}",
            "accepts the same without pins: it does not read them", 2
        ),
        ("curl -sS --cacert {trust} --pinnedpubkey {pins.hex} {url}", "so one of these is not used as it is meant", 2),
        (
            "--answer GET\\ /v2\\ json={} -- curl -sSf --cacert {trust} {url}v1",
            "asked for GET /v1, which no --answer has: add --answer 'GET /v1 json={}'", 2
        ),
        ("sh -c curl\\ -sS\\ --cacert\\ {trust}\\ {url};exit\\ 3", "asked for GET /, and then failed (exit 3)", 2),
        ("--timeout 1 -- sleep 30", "It did not connect, and we ended it when its time was over", 2),
        ("sh -c curl\\ -sS\\ --cacert\\ {trust}\\ {url};sleep\\ 60", "It accepted its server and then did not end", 2),
        (
            "sh -c curl\\ -sS\\ --cacert\\ {trust}\\ {url}||true",
            "It ends with exit status 0 also where it turned a forged", 2
        ),
        (
            "--refused exit:3 -- sh -c curl\\ -sS\\ --cacert\\ {trust}\\ {url};exit\\ 3",
            "ended as --refused describes", 2
        ),
    ])
    func `try: what keeps a client from its own server is said in a sentence`(
        line: String,
        sentence: String,
        status: Int32
    ) async throws {
        let words = line.replacing("\\ ", with: "\u{0}").split(separator: " ")
            .map { String($0).replacing("\u{0}", with: " ") }
        let command = words.contains("--") ? words : ["--"] + words

        let (ending, here) = try await withTemporaryFolder { folder in
            let files = ["not-executable": "echo", "no-interpreter": "#!/no/such/program\n"]
            for (name, text) in files {
                try text.write(to: folder.appending(path: name), atomically: false, encoding: .utf8)
            }
            let script = folder.appending(path: "no-interpreter").path
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
            let ending = try await Program.run(["try", "--scenario", "attacker-unknown-root"] + command, in: folder)
            return (ending, folder.resolvingSymlinksInPath().path)
        }

        #expect(ending.status == status, "\(ending.output)\(ending.errors)")
        #expect(ending.errors.contains(sentence.replacing("{here}", with: here)), "\(ending.errors)")
        #expect(!ending.output.contains("trial"))
    }

    @Test func `init: the file that it writes has comments, lints clean and runs`() async throws {
        try await withTemporaryFolder { folder in
            let words = [
                "--refused", "exit:60,90", "--env", "A=b", "--", "curl", "-sS", "--cacert", "{trust}", "{url}",
            ]

            let first = try await Program.run(["init"] + words, in: folder)
            let second = try await Program.run(["init"] + words, in: folder)
            let third = try await Program.run(["init", "--force", "--save", "scenarios.yaml"] + words, in: folder)
            let lint = try await Program.run("lint", in: folder)
            let run = try await Program.run(["run"] + Self.attack, in: folder)

            #expect(first.output == "scenarios.yaml is written. Play it: pindrill run scenarios.yaml\n")
            #expect((first.status, second.status, third.status) == (0, 64, 0))
            #expect(second.errors == "scenarios.yaml: there is such a file already; --force replaces it\n")
            let text = try String(contentsOf: folder.appending(path: "scenarios.yaml"), encoding: .utf8)
            #expect(text.contains("    refused: { exit: [60, 90] }  # "))
            #expect(text.contains("    # refused-pin: { exit: 90 }\n"))
            #expect((lint.output, lint.status, run.status) == ("", 0, 0))
        }
    }

    @Test(.enabled(if: Tool("script") != nil, "util-linux's script is not installed"))
    func `init: on a terminal it asks`() async throws {
        try await withTemporaryFolder { folder in
            let answers =
                "curl -sS --cacert {trust} [--pinnedpubkey {pins}] {url}\\nexit:x\\nexit:60,90\\nexit:90\\ny\\n\\n"

            let ending = try await Started.with(
                URL(filePath: "/bin/sh"),
                ["-c", "printf '\(answers)' | script -qec \(Program.url.path)\\ init /dev/null"],
                in: folder
            ) { try await $0.ending() }

            let text = try String(contentsOf: folder.appending(path: "scenarios.yaml"), encoding: .utf8)
            #expect(ending.status == 0, "\(ending.output)")
            #expect(text.contains("    run: \"curl -sS --cacert {trust} [--pinnedpubkey {pins}] {url}\"\n"))
            #expect(text.contains("    refused: { exit: [60, 90] }"))
            #expect(text.contains("      HTTPS_PROXY: \"{proxy}\"\n"))
        }
    }

    @Test(arguments: [
        (["curl", "{url}"], "Error: put -- before the client's command, as in: pindrill try -- my-client {url}\n"),
        ([], "name the client's command behind '--'"),
        (["--", "curl", "{trsut}"], "no placeholder {trsut}; did you mean {trust}?\n"),
        (["--refused", "60", "--", "curl", "{url}"], "write exit:60,90 or text:'pin mismatch'"),
        (["--answer", "json={", "--", "curl", "{url}"], "'{' is not JSON"),
        (["--env", "A", "--", "curl", "{url}"], "write NAME=value"),
        (["--policy", "leaf-onli", "--", "curl", "{url}"], "did you mean 'leaf-only'?"),
        (["--dialect", "curl", "--", "curl", "{url}"], "--dialect means nothing without --policy-file"),
    ])
    func `try: a wrong command line is an error that says what to write`(words: [String], complaint: String)
        async throws
    {
        let ending = try await Program.run(["try"] + words)

        #expect(ending.status == 64)
        #expect(ending.errors.contains(complaint), "\(ending.errors)")
    }
}

extension WrittenReport {
    /// By trial and step, whoever's host it was.
    fileprivate var verdicts: [String] {
        trials.flatMap { trial in
            trial.steps.map { "\(trial.scenario) \(trial.policy) \($0.chains) \($0.verdict) \($0.consequence)" }
        }
    }
}
