import Foundation
import TestSupport
import Testing

/// `pindrill serve`, asked with curl.
@Suite(.enabled(if: Tool("curl") != nil, "curl is not installed")) struct ServeCommandTests {
    private static let story = """
        version: 1
        host: api.acme.example
        keys: { leaf: {}, spare: {}, evil: { by: attacker } }
        authorities: { acme-root: {}, mallory: { by: attacker } }
        stores: { phone: { system: [acme-root], user: [mallory] } }
        chains:
          today: { key: leaf, issuer: acme-root }
          forged: { key: evil, issuer: mallory }
        policies: { pinned: { pins: [leaf, spare] } }
        clients:
          app: { kind: attended, ask: Pull to refresh. }
          curious: { run: 'sh -c "env; exec curl -sS --cacert $0 --proxy $1 $2" {trust} {proxy} {url}' }
        scenarios: [ { name: attack, steps: [ { present: today }, { present: forged } ] } ]

        """

    private static let start = """
        pindrill serve story.yaml --port 0 --proxy-port 0 --json --report json=report.json >ready.json & pid=$!
        until [ -s ready.json ]; do kill -0 $pid || exit 1; sleep 0.1; done
        url=$(sed 's/.*"url":"\\([^"]*\\)".*/\\1/' ready.json)
        token=$(sed 's/.*"token":"\\([^"]*\\)".*/\\1/' ready.json)
        api() { curl -sS -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@"; }

        """

    /// Runs a script beside the story's file, with `pindrill` in its path.
    private static func run(
        _ script: String,
        story: String = story,
        environment: [String: String] = [:]
    ) async throws -> Program.Ending {
        try await withTemporaryFolder { folder in
            try story.write(to: folder.appending(path: "story.yaml"), atomically: true, encoding: .utf8)
            let programs = Program.url.deletingLastPathComponent().path
            let path = "\(programs):\(Program.bareEnvironment["PATH", default: "/usr/bin:/bin"])"
            return try await Started.with(
                URL(filePath: "/bin/bash"),
                ["-c", script],
                environment: ["PATH": path].merging(environment) { $1 },
                in: folder
            ) { try await $0.ending() }
        }
    }

    @Test func `the script of the guide plays a drill`() async throws {
        let page = try String(contentsOf: Places.package.appending(path: "docs/control.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```sh\n").map { $0.components(separatedBy: "```")[0] }
        let script = try #require(blocks.first { $0.contains("# An attempt at a time") })
        let story = Places.package.appending(path: "Integrations/story.yaml")
        let ending = try await Self.run(script, story: String(contentsOf: story, encoding: .utf8))

        #expect(ending.output.contains("talked to the wrong server"), "\(ending)")
    }

    @Test func `ended amid a drill it leaves a whole report, and says that it was interrupted`() async throws {
        let ending = try await Self.run(
            Self.start + #"""
                api "$url/v1/drills?wait=60" -d '{"scenario": "attack"}' >/dev/null
                kill $pid; wait $pid; echo "status $?"; cat report.json
                """#
        )

        #expect(ending.output.hasPrefix("status 130\n"), "\(ending)")
        #expect(ending.output.contains("\"interrupted\" : true") && ending.output.hasSuffix("}\n"))
    }

    @Test func `ended with nothing begun it is content`() async throws {
        let ending = try await Self.run(Self.start + #"kill $pid; wait $pid; echo "status $?""#)

        #expect(ending.output == "status 0\n", "\(ending)")
    }

    @Test func `a port that is taken is one sentence`() async throws {
        let ending = try await Self.run(
            Self.start
                + #"pindrill serve story.yaml --port "${url##*:}" --quiet; echo "status $?"; kill $pid; wait $pid"#
        )

        #expect(ending.output.hasPrefix("status 2\n"), "\(ending)")
        #expect(ending.errors.contains("Address already in use; --port names another"))
    }

    @Test func `a client under test never learns the token`() async throws {
        let ending = try await Self.run(
            Self.start + #"""
                api "$url/v1/runs" -d '{"clients": ["curious"]}' >/dev/null
                api "$url/v1/runs/run-1?wait=60" >/dev/null
                kill $pid; wait $pid; grep -c PATH= report.json; grep -c "$token" report.json
                """#,
            environment: ["PINDRILL_SECRET": "nobody's"]
        )

        let lines = ending.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.first != "0" && lines.last == "0", "\(ending)")
    }

    @Test func `a token file is its owner's, and keeps the token out of what is printed`() async throws {
        let ending = try await Self.run(
            #"""
            pindrill serve story.yaml --port 0 --proxy-port 0 --json --token-file token >ready.json & pid=$!
            until [ -s ready.json ]; do kill -0 $pid || exit 1; sleep 0.1; done
            url=$(sed 's/.*"url":"\([^"]*\)".*/\1/' ready.json)
            grep -c '"token"' ready.json
            ls -l token | cut -c1-10
            curl -sS -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $(cat token)" "$url/v1/drills"
            kill $pid; wait $pid
            """#
        )

        #expect(ending.output == "0\n-rw-------\n200\n", "\(ending)")
    }

    @Test func `who reads events is told of what others do`() async throws {
        let ending = try await Self.run(
            Self.start + #"""
                api -N --no-buffer "$url/v1/events" >events & reader=$!
                until [ -s events ]; do sleep 0.1; done
                api "$url/v1/drills?wait=60" -d '{"scenario": "attack"}' >/dev/null
                until grep -q 'event: drill' events; do sleep 0.1; done
                kill $pid; wait $pid; wait $reader; grep -m1 -A1 'event: drill' events | cut -c1-30
                """#
        )

        #expect(ending.output.hasPrefix("event: drill\ndata: {\"ask\":\"Pull to refr"), "\(ending)")
    }

    /// As Scripts/clients installs it, or the machine has it.
    private static let schemathesis: String? = {
        let own = Places.package.appending(path: ".build/clients/venv/bin/schemathesis").path
        return FileManager.default.isExecutableFile(atPath: own) ? own : Tool("schemathesis")?.url.path
    }()

    @Test(.enabled(if: schemathesis != nil, "schemathesis is not installed: Scripts/clients does it"))
    func `the server does what its document says`() async throws {
        let ending = try await Self.run(
            Self.start + #"""
                "$SCHEMATHESIS" run "$url/openapi.json" -H "Authorization: Bearer $token" --exclude-path /v1/events \
                    --exclude-checks positive_data_acceptance,ignored_auth --phases coverage,fuzzing --max-examples 3 \
                    --seed 1 --request-timeout 70 2>&1
                echo "status $?"; kill $pid; wait $pid
                """#,
            environment: [
                "HOME": FileManager.default.temporaryDirectory.path, "SCHEMATHESIS": Self.schemathesis ?? "",
            ]
        )

        #expect(ending.output.contains("status 0\n"), "\(ending.output.suffix(4000))")
    }
}
