import Foundation
import TestSupport
import Testing

/// `--scenario`, `--policy`, `--client` and the other numbers and words of `run`.
struct SelectionTests {
    @Test func `patterns choose trials`() async throws {
        let ending = try await Program.run(
            [
                "run", "--scenario", "attacker-inst*", "--scenario", "same-certificat?", "--policy", "leaf-onl?",
                "--policy",
            ]
                + ["root-ca", "--client", "ref*", "--verbose"]
        )

        let trials = ending.output.split(separator: "\n").filter { $0.contains(" · ") && !$0.hasPrefix(" ") }
        let expected = ["same-certificate", "attacker-installed-root"].flatMap { scenario in
            ["leaf-only", "root-ca"].map { policy in
                "\(scenario) · \(policy) · reference  (model: proves the catalogue, not a client)"
            }
        }
        #expect(ending.status == 0)
        #expect(trials.map(String.init) == expected)
    }

    @Test(
        arguments: [
            // The shipped file says 'play: quick'.
            ([], nil, ["same-certificate", "stuffed-chain", "leaf-used-as-authority"]),
            (["--all"], nil, ["same-certificate", "leaf-used-as-authority", "old-tls-version"]),
            (["--tag", "protocol"], nil, ["old-tls-version", "long-chain"]),
            (["--tag", "MASTG-TEST-0218"], "old-tls-version", ["old-tls-version"]),
            (["--tag", "MASTG-TEST-0218", "--tag", "att*"], nil, ["old-tls-version", "leaf-used-as-authority"]),
            (
                ["--tag", "attack", "--scenario", "leaf-used-as-authority"], "leaf-used-as-authority",
                ["leaf-used-as-authority"]
            ),
            (["--scenario", "old-tls-*"], "old-tls-version", ["old-tls-version"]),
        ] as [([String], String?, [String])]
    )
    func `tags choose scenarios, and the tally says how many were left out`(
        options: [String],
        only: String?,
        some: [String]
    ) async throws {
        let ending = try await Program.run(
            ["run", "--policy", "no-pins", "--client", "reference", "--verbose", "--width", "1000"] + options
        )

        let lines = ending.output.split(separator: "\n")
        let heads = lines.filter { $0.contains(" · ") && !$0.hasPrefix(" ") }.map { $0.prefix { $0 != "·" } }
        let played = Set(heads.map { String($0.prefix { $0 != " " }) })
        #expect(ending.status == 0)
        #expect(played.isSuperset(of: some))
        #expect(lines.last?.hasPrefix("\(Set(heads).count) of ") == true)
        #expect(lines.last?.hasSuffix(" scenarios played (--all plays every one).") == true)
        #expect(only.map { played == [$0] } != false)
    }

    @Test(
        arguments: [
            (["--scenario", "attacker-unknown-root"], ["", " [p384]", " [TLS 1.2]"]),
            (["--scenario", "attacker-unknown-root [p*"], [" [p384]"]),
            (["--tag", "attack"], ["", " [p384]", " [TLS 1.2]"]),
            ([], [""]),
        ] as [([String], [String])]
    )
    func `a scenario's name chooses its variants too, and the quick part has none`(
        options: [String],
        variants: [String]
    ) async throws {
        let own = try Shipped.with(clients: "  reference: { kind: reference }").replacing(
            "  - name: attacker-unknown-root\n",
            with: "  - name: attacker-unknown-root\n    variants: { attacker-keys: [p384], tls: [1.2] }\n"
        )

        let part = options.isEmpty ? "\nplay: quick" : ""
        let ending = try await Shipped.run(own + part, ["--policy", "no-pins", "--verbose"] + options)

        let heads = ending.output.split(separator: "\n").filter { $0.contains(" · ") && !$0.hasPrefix(" ") }
        let played = heads.map { $0.prefix { $0 != "·" }.dropLast() }.filter { $0.hasPrefix("attacker-unknown-root") }
        #expect(played == variants.map { "attacker-unknown-root\($0)" })
    }

    @Test func `a file of one's own is played whole, unless it says otherwise`() async throws {
        let own = try Shipped.with(clients: "  reference: { kind: reference }")
            .replacing("tags: [rotation, quick,", with: "tags: [rotation,")
        let chosen = ["--policy", "no-pins", "--verbose"]

        let whole = try await Shipped.run(own, chosen)
        let part = try await Shipped.run(own + "\nplay: quick", chosen)

        #expect((whole.status, part.status) == (0, 0))
        #expect(whole.output.contains("rotated-to-backup · no-pins"))
        #expect(!whole.output.contains("scenarios played"))
        #expect(!part.output.contains("rotated-to-backup · no-pins"))
        #expect(part.output.contains("attacker-trusted-ca · no-pins"))
        #expect(part.output.contains("scenarios played (--all plays every one)."))
    }

    @Test func `a pattern that is near to nothing is answered with what there is`() async throws {
        let file = try Shipped.with(clients: "  one: { kind: reference }\n  two: { kind: reference }")

        let ending = try await Shipped.run(file, "--client", "x*")

        #expect(ending.status == 64)
        #expect(ending.errors == "--client 'x*' matches nothing; there are: one, two\n")
    }

    @Test(arguments: [
        (
            ["--scenario", "rotated-to-backupp"],
            "--scenario 'rotated-to-backupp' matches nothing; did you mean 'rotated-to-backup'?"
        ),
        (["--tag", "atack"], "--tag 'atack' matches nothing; did you mean 'attack'?"),
        (["--policy", "leaf_onli"], "--policy 'leaf_onli' matches nothing; did you mean 'leaf-only'?"),
        (["--client", "curly"], "--client 'curly' matches nothing; did you mean 'curl'?"),
        (
            ["--client", "curl", "--policy", "root-ca"],
            "no trial fits: the scenarios or clients chosen exclude the policies chosen"
        ),
    ])
    func `a pattern that matches nothing is an error`(arguments: [String], complaint: String) async throws {
        let ending = try await Program.run(["run"] + arguments)

        #expect(ending.status == 64)
        #expect(ending.output.isEmpty)
        #expect(ending.errors == complaint + "\n")
    }

    @Test(arguments: [
        (["--jobs", "0"], "Error: --jobs must be at least 1\n"),
        (["--jobs", "x"], "Error: The value 'x' is invalid for '--jobs <n>'\n"),
        (
            ["--timeout", "0"],
            "Error: The value '0' is invalid for '--timeout <time>': '0' is no time limit; write 10s, "
        ),
        (
            ["--timeout", "nan"],
            "Error: The value 'nan' is invalid for '--timeout <time>': 'nan' is no time limit; write"
        ),
        (
            ["--fail-on", "nonsense"],
            "Error: The value 'nonsense' is invalid for '--fail-on <condition>'. Please provide one of 'outage', 'unproven' or 'worse'.\n"
        ),
        (
            ["--report", "xml=x"],
            "Error: The value 'xml=x' is invalid for '--report <kind=path>': there is no kind 'xml'; the kinds are json, junit, conformance, jsonl, html, markdown and sarif\n"
        ),
        (
            ["--report", "json"],
            "Error: The value 'json' is invalid for '--report <kind=path>': say which kind, and where: json=report.json\n"
        ),
        (["--all", "--tag", "attack"], "Error: --all means nothing beside --tag\n"),
        (["--all", "--scenario", "same-*"], "Error: --all means nothing beside --scenario\n"),
        (["--verbos"], "Error: Unknown option '--verbos'. Did you mean '--verbose'?\n"),
    ])
    func `a wrong option is named`(arguments: [String], complaint: String) async throws {
        let ending = try await Program.run(["run"] + arguments)

        #expect(ending.status == 64)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.hasPrefix(complaint), "\(ending.errors)")
    }

    @Test func `a missing client is skipped, unless it was asked for by name`() async throws {
        let file = try Shipped.with(
            clients: "  reference: { kind: reference }\n  phone:\n    run: no-such-program {url}\n"
        )

        let all = try await Shipped.run(file, "--scenario", "same-certificate", "--policy", "no-pins")
        let named = try await Shipped.run(file, "--client", "phone")

        #expect(all.status == 0)
        #expect(all.errors.isEmpty)
        #expect(
            all.output.contains(
                "same-certificate · no-pins · phone\n  skipped  'no-such-program' is not installed\n"
            ),
            "\(all.output)"
        )
        #expect(named.status == 64)
        #expect(named.output.isEmpty)
        #expect(named.errors == "client 'phone': 'no-such-program' is not installed\n")
    }

    @Test func `when nothing can be tried nothing is proven`() async throws {
        let ending = try await Shipped.run(try Shipped.with(app: "    run: no-such-program {url}"))

        #expect(ending.status == 2)
    }

    @Test func `an outage fails only where that is asked for`() async throws {
        let file = Shipped.text.replacing(/, locks-out: \[[^\]]*\]/, with: "")
        let chosen = ["--scenario", "rotated-unknown-key", "--client", "reference"]

        let lenient = try await Shipped.run(file, chosen[0], chosen[1], chosen[2], chosen[3])
        let strict = try await Shipped.run(file, chosen[0], chosen[1], chosen[2], chosen[3], "--fail-on", "outage")

        #expect((lenient.status, strict.status) == (0, 1))
        #expect(
            strict.output.contains(
                "Outages the file does not declare\n  rotated-unknown-key · leaf-only, leaf-and-backup, leaf-certificate"
            ),
            "\(strict.output)"
        )
    }

    @Test(.enabled(if: Shipped.hasCurl, "curl is not installed"))
    func `a refusal that nobody explains fails only where that is asked for`() async throws {
        // Pins from the environment: a twin has no way to give it others.
        let mute = try Shipped.with(
            app: """
                    policies: [leaf-and-backup]
                    run: >-
                      sh -c 'curl --silent --fail --max-time 5 --cacert "$PINDRILL_TRUST" --pinnedpubkey "$PINDRILL_PINS"
                      --connect-to "::$PINDRILL_ENDPOINT" "$PINDRILL_URL"'
                    refused: { exit: [60, 90] }
                """
        )
        let speaking = mute.replacing("\n    refused:", with: "\n    refused-pin: { exit: 90 }\n    refused:")
        func run(_ file: String, _ conditions: String...) async throws -> Program.Ending {
            try await Shipped.run(file, ["--scenario", "attacker-installed-root"] + conditions)
        }

        let lenient = try await run(mute)
        let strict = try await run(mute, "--fail-on", "outage", "--fail-on", "unproven")
        let proven = try await run(speaking, "--fail-on", "unproven")

        #expect((lenient.status, strict.status, proven.status) == (0, 1, 0), "\(strict.output)")
        #expect(
            strict.output.contains(
                "Refusals of unproven cause\n  attacker-installed-root · leaf-and-backup · app, forged: "
            ),
            "\(strict.output)"
        )
    }

    @Test func `a declared outage does not fail even then`() async throws {
        let ending = try await Program.run(
            "run",
            "--scenario",
            "rotated-unknown-key",
            "--client",
            "reference",
            "--fail-on",
            "outage"
        )

        #expect(ending.status == 0)
    }
}
