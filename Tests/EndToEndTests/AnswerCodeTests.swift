import Foundation
import TestSupport
import Testing

/// A drill whose answers carry a code: an app that shows an older one did not work.
@Suite(.enabled(if: Tool("curl") != nil, "curl is not installed")) struct AnswerCodeTests {
    private static let file = """
        version: 1
        host: api.acme.example
        origin: { GET /: { body: "Code: {code}." } }
        keys: { leaf: {}, evil: { by: attacker } }
        authorities: { acme-root: {}, mallory: { by: attacker } }
        stores: { phone: { system: [acme-root], user: [mallory] } }
        chains: { today: { key: leaf, issuer: acme-root }, forged: { key: evil, issuer: mallory } }
        policies: { pinned: { pins: [leaf], allow: [no-redundancy] } }
        clients: { app: { kind: attended } }
        scenarios: [ { name: attack, steps: [ { present: today }, { present: forged } ] } ]

        """

    private static let helpers = #"""
        shown() { curl -s --cacert "$roots" --proxy "http://$proxy" https://api.acme.example/ | sed 's/[^0-9]//g'; }
        said() { until [ "$(grep -c "$1" said)" -ge "$2" ]; do kill -0 $pid || exit 9; sleep 0.1; done; }
        learn() {
            said 'w: worked' 1
            proxy=$(sed -n 's/.*Proxy of the device: \([^,]*\),.*/\1/p' said)
            roots=$(sed -n 's/.*Roots that it must trust.* //p' said | tr -d '\r')
        }

        """#

    private static func play(_ script: String, file: String = file) async throws -> Program.Ending {
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

    @Test func `lines name the code, and an older one does not count`() async throws {
        let ending = try await Self.play(
            #"""
            mkfifo lines
            "$0" drill story.yaml --port 0 --skip-check <lines >said 2>&1 & pid=$!
            exec 7>lines
            learn
            old=$(shown)
            echo worked >&7; said "'worked' needs the code" 1
            echo again >&7; said 'w: worked' 2
            new=$(shown)
            [ "$new" = "$old" ] || { echo "worked $old" >&7; said 'not the code' 1; }
            echo "worked $new" >&7; said 'w: worked' 3
            echo "worked $(shown)" >&7
            wait $pid; echo "status $?"
            cat said
            """#
        )

        #expect(ending.output.hasPrefix("status 1\n"), "\(ending)")
        #expect(ending.output.contains("talked to the wrong server"), "\(ending)")
    }

    @Test func `a code that no answer has counts for nothing`() async throws {
        let ending = try await Self.play(
            #"""
            mkfifo lines
            "$0" drill story.yaml --port 0 --skip-check <lines >said 2>&1 & pid=$!
            exec 7>lines
            learn
            shown
            echo 'worked at last' >&7; said 'no code of this attempt' 1
            echo worked >&7; said 'w: worked' 2
            echo skip >&7
            wait $pid; echo "status $?"
            cat said
            """#,
            file: Self.file.replacing("Code: {code}.", with: "Hello.")
        )

        #expect(ending.output.contains("status 2\n"), "\(ending)")
        #expect(ending.output.contains("'at last' is no code of this attempt: its answer has none"), "\(ending)")
    }

    @Test func `the API asks for the code, and tells it to nobody`() async throws {
        let ending = try await Self.play(
            #"""
            "$0" serve story.yaml --port 0 --proxy-port 0 --json >ready.json 2>/dev/null & pid=$!
            until [ -s ready.json ]; do kill -0 $pid || exit 9; sleep 0.1; done
            url=$(sed 's/.*"url":"\([^"]*\)".*/\1/' ready.json)
            token=$(sed 's/.*"token":"\([^"]*\)".*/\1/' ready.json)
            api() { curl -sS -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@"; }
            word() { api "$url/v1/drills/drill-1/word?wait=60" -d "$1"; }
            roots=roots.pem
            api "$url/v1/trust/phone" >roots.pem
            api "$url/v1/drills?wait=60" -d '{"scenario": "attack"}' >drill.json
            grep -o '"code":[a-z]*' drill.json
            proxy=$(sed -n 's|.*"url":"http://\([^"]*\)".*|\1|p' drill.json)
            code=$(shown)
            word '{"attempt": 1, "word": "worked"}' | grep -o '"code":"[a-z]*"'
            word '{"attempt": 1, "word": "worked", "code": "0"}' | grep -o '"code":"[a-z]*"'
            word "{\"attempt\": 1, \"word\": \"worked\", \"code\": \"$code\"}" >next.json
            grep -o '"attempt":2' next.json
            cat drill.json next.json | grep -c "\"$code\""
            word '{"attempt": 2, "word": "refused"}' | grep -o '"state":"[a-z]*"'
            kill $pid; wait $pid
            """#
        )

        let expected = [
            #""code":true"#, #""code":"conflict""#, #""code":"conflict""#, #""attempt":2"#, "0", #""state":"finished""#,
        ]
        #expect(ending.output == expected.joined(separator: "\n") + "\n", "\(ending)")
    }

    @Test(.enabled(if: Tool("tmux") != nil, "tmux is not installed"))
    func `a terminal asks for the code after the key`() async throws {
        let ending = try await Self.play(
            #"""
            echo "'$0' drill story.yaml --port 0 --skip-check --color never; echo \"status \$?\"; read -r end" >inner
            tmux() { env --default-signal tmux -S "$PWD/socket" -f /dev/null "$@"; }
            tmux new-session -d -x 200 -y 50 "bash inner" \; pipe-pane 'cat >said'
            trap 'tmux kill-server' EXIT
            pid=$(tmux display-message -p '#{pid}')
            learn
            code=$(shown)
            tmux send-keys w; said 'code: ' 1; tmux send-keys "$code" Enter
            said 'Step 2 of 2' 1
            tmux send-keys s
            said '^status ' 1
            tr -d '\r' <said
            """#
        )

        #expect(ending.output.contains("status 2\n"), "\(ending)")
        #expect(ending.output.contains("This attempt's answer has a code"), "\(ending)")
    }
}
