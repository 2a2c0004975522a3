import Foundation
import TestSupport
import Testing

/// `pindrill drill --control`: the terminal, programs and browsers see one drill, and each may give its words.
@Suite(.enabled(if: Tool("curl") != nil, "curl is not installed")) struct SharedDrillTests {
    private static let file = """
        version: 1
        host: api.acme.example
        keys: { leaf: {}, evil: { by: attacker } }
        authorities: { acme-root: {}, mallory: { by: attacker } }
        stores: { phone: { system: [acme-root], user: [mallory] } }
        chains: { today: { key: leaf, issuer: acme-root }, forged: { key: evil, issuer: mallory } }
        policies: { pinned: { pins: [leaf], allow: [no-redundancy] } }
        clients: { app: { kind: attended, ask: Pull to refresh. } }
        scenarios: [ { name: attack, steps: [ { present: today }, { present: forged } ] } ]

        """

    /// What a program and a browser need, as the terminal's words in `$said` tell it.
    private static let helpers = """
        until_said() { until grep -q "$1" "$said"; do kill -0 "$pid" || exit 9; sleep 0.1; done; }
        learn() {
            until_said 'Step 1 of 2'
            until_said 'w: worked'
            open=$(sed -n 's/^Browser: \\([^ ]*\\) .*/\\1/p' "$said" | tr -d '\\r')
            url=${open%/enter*}
            token=$(sed -n 's/^Token: //p' "$said" | tr -d '\\r')
            proxy=$(sed -n 's/.*Proxy of the device: \\([^,]*\\),.*/\\1/p' "$said")
            curl -sS -L -c jar -o page "$open"
            api "$url/v1/trust/phone" >roots.pem
        }
        api() { curl -sS -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@"; }
        browser() { curl -sS -b jar "$url/v1/drills/drill-1"; }
        app() { curl -s -o body --cacert roots.pem --proxy "http://$proxy" https://api.acme.example/; }

        """

    private static func play(_ script: String) async throws -> Program.Ending {
        try await withTemporaryFolder { folder in
            try file.write(to: folder.appending(path: "story.yaml"), atomically: true, encoding: .utf8)
            return try await Started.with(
                URL(filePath: "/bin/bash"),
                ["-c", helpers + script, Program.url.path],
                environment: ["TERM": "xterm", "LANG": "C.UTF-8"],
                in: folder
            ) { try await $0.ending() }
        }
    }

    private static let start = """
        mkfifo lines
        "$0" drill story.yaml --port 0 --control 0 --skip-check --report json=report.json <lines >said 2>&1 & pid=$!
        exec 7>lines
        said=said
        learn

        """

    /// The same on a terminal.
    private static let terminal = """
        cat >inner <<END
        '$0' drill story.yaml --port 0 --control 0 --skip-check --color never; echo "status \\$?"; read -r end
        END
        tmux() { env --default-signal tmux -S "$PWD/socket" -f /dev/null "$@"; }
        tmux new-session -d -x 200 -y 50 "bash inner" \\; pipe-pane 'cat >said'
        trap 'tmux kill-server' EXIT
        pid=$(tmux display-message -p '#{pid}')
        said=said
        learn

        """

    @Test func `a word of the API is the terminal's, and the browser sees what both see`() async throws {
        let ending = try await Self.play(
            Self.start + """
                app
                api "$url/v1/drills/drill-1/word?wait=60" -d '{"attempt": 1, "word": "worked"}' >by-api
                browser >by-browser
                cmp by-api by-browser && echo the same
                until_said 'Step 2 of 2'
                app
                echo worked >&7
                exec 7>&-
                wait $pid; echo "status $?"
                cat by-api said
                """
        )

        #expect(ending.output.hasPrefix("the same\nstatus 1\n"), "\(ending)")
        #expect(ending.output.contains("\"attempt\":2,"), "\(ending)")
        for words in ["sent its request", "talked to the wrong server", "1 trial, 2 steps"] {
            #expect(ending.output.contains(words), "\(words): \(ending)")
        }
    }

    @Test func `whoever gives the last word reads the verdict, although the terminal ends with it`() async throws {
        let ending = try await Self.play(
            Self.start + """
                app
                echo worked >&7
                until_said 'Step 2 of 2'
                app
                api "$url/v1/drills/drill-1/word?wait=60" -d '{"attempt": 2, "word": "worked"}'
                wait $pid; echo "status $?"
                """
        )

        #expect(ending.output.contains("\"verdict\":\"fail\""), "\(ending)")
        #expect(ending.output.hasSuffix("status 1\n"), "\(ending)")
    }

    @Test func `lines that end end nothing, and a drill that the API stops ends the terminal's`() async throws {
        let ending = try await Self.play(
            Self.start + """
                exec 7>&-
                app
                api "$url/v1/drills/drill-1/word?wait=60" -d '{"attempt": 1, "word": "worked"}' >by-api
                api "$url/v1/drills/drill-1/stop" -d '{}' | grep -o '"state":"[a-z]*"'
                wait $pid; echo "status $?"
                cat said
                """
        )

        #expect(ending.output.hasPrefix("\"state\":\"stopped\"\nstatus 130\n"), "\(ending)")
        #expect(ending.output.contains("0 of 1 trial"), "\(ending)")
    }

    @Test(.enabled(if: Tool("tmux") != nil, "tmux is not installed"))
    func `a key that is pressed twice answers once`() async throws {
        let ending = try await Self.play(
            Self.terminal + """
                app
                tmux send-keys www
                until_said 'Step 2 of 2'
                app
                tmux send-keys r
                until_said 'status '
                tr -d '\\r' <said
                """
        )

        // Else the second would be the word for an attempt that nobody has made.
        #expect(ending.output.components(separatedBy: "  worked\n").count == 2, "\(ending)")
        #expect(ending.output.contains("status 1\n"), "\(ending)")
    }

    @Test(.enabled(if: Tool("tmux") != nil, "tmux is not installed"))
    func `keys of a terminal and words of the API play one drill`() async throws {
        let ending = try await Self.play(
            Self.terminal + """
                app
                tmux send-keys n; until_said 'note: '; tmux send-keys 'by hand' Enter
                until browser | grep -q '"notes":."by hand"'; do sleep 0.1; done
                tmux send-keys w
                until_said 'Step 2 of 2'
                browser | grep -o '"attempt":2,'
                app
                tmux send-keys a
                until browser | grep -q '"attempt":3,'; do sleep 0.1; done
                app
                api "$url/v1/drills/drill-1/word?wait=60" -d '{"attempt": 3, "word": "worked"}' | grep -o '"consequence":"[a-z]*"'
                until_said 'status '
                tr -d '\\r' <said
                """
        )

        #expect(ending.output.hasPrefix("\"attempt\":2,\n"), "\(ending)")
        #expect(ending.output.contains("\"consequence\":\"intercepted\""), "\(ending)")
        for words in ["  worked\n", "  again\n", "status 1\n"] {
            #expect(ending.output.contains(words), "\(words): \(ending)")
        }
    }
}
