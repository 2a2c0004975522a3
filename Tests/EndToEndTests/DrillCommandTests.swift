import Foundation
import TestSupport
import Testing

/// `pindrill drill`, attended by a script that has curl for a device.
@Suite struct DrillCommandTests {
    private static let file = """
        version: 1
        host: api.acme.example
        keys: { leaf: {}, evil: { by: attacker } }
        authorities: { acme-root: {}, mallory: { by: attacker } }
        stores: { phone: { system: [acme-root], user: [mallory] } }
        chains:
          today: { key: leaf, issuer: acme-root }
          forged: { key: evil, issuer: mallory }
        policies: { pinned: { pins: [leaf] } }
        clients: { app: { kind: attended, ask: Pull to refresh. } }
        scenarios: [ { name: attack, steps: [ { present: today }, { present: forged } ] } ]

        """

    /// Reads what the drill says, does it with curl, and answers.
    private static let tester = """
        coproc DRILL { exec "$0" drill story.yaml --port 0 --skip-check; }
        pid=$DRILL_PID
        exec 5<&"${DRILL[0]}" 6>&"${DRILL[1]}"
        eval "exec ${DRILL[0]}<&- ${DRILL[1]}>&-"
        while IFS= read -r line <&5; do
            echo "$line"
            case $line in
            *"Proxy of the device: "*) proxy=${line#*device: }; proxy=${proxy%%,*} ;;
            *"Roots that it must trust"*)
                roots=${line##* }
                # The attacker's is the first, and the last again.
                if [ -n "$OWN" ]; then
                    sed '1,/END/d' "$roots" | sed '/END/q' >own.pem
                    roots=own.pem
                fi ;;
            *"w: worked"*)
                if curl --silent --output body --cacert "$roots" --proxy "http://$proxy" https://api.acme.example/; then
                    echo worked
                else
                    echo 'note it said so'; echo refused-pin
                fi >&6 ;;
            esac
        done
        exec 6>&-
        wait "$pid"
        """

    private static func play(environment: [String: String]) async throws -> Program.Ending {
        try await withTemporaryFolder { folder in
            try file.write(to: folder.appending(path: "story.yaml"), atomically: true, encoding: .utf8)
            return try await Started.with(
                URL(filePath: "/bin/bash"),
                ["-c", tester, Program.url.path],
                environment: environment,
                in: folder
            ) { try await $0.ending() }
        }
    }

    @Test(.enabled(if: Tool("curl") != nil, "curl is not installed"))
    func `an app that pins nothing is found, step by step`() async throws {
        let ending = try await Self.play(environment: [:])

        #expect(ending.status == 1, "\(ending)")
        #expect(ending.output.contains("Step 1 of 2"))
        #expect(ending.output.contains("Now: Pull to refresh."))
        #expect(ending.output.contains("Its key is held by an attacker."))
        #expect(ending.output.contains("talked to the wrong server"))
    }

    @Test(.enabled(if: Tool("curl") != nil, "curl is not installed"))
    func `an app that rejects the attacker passes`() async throws {
        // Without the attacker's root it must reject him; that it says so of its pin is the script's word.
        let ending = try await Self.play(environment: ["OWN": "yes"])

        #expect(ending.status == 0, "\(ending)")
        #expect(ending.output.contains("protected by the pin"))
    }

    @Test(arguments: [
        ("skip\\nskip\\n", Int32(2), "left out by whoever attended the client"),
        ("", 130, "Step 1 of 2"),
        ("perhaps\\ns\\ns\\n", 2, "'perhaps' is none of: worked, refused, refused-pin, failed, again, back, skip"),
    ])
    func `words of all kinds have an answer`(words: String, status: Int32, expected: String) async throws {
        let ending = try await withTemporaryFolder { folder in
            try Self.file.write(to: folder.appending(path: "story.yaml"), atomically: true, encoding: .utf8)
            return try await Started.with(
                URL(filePath: "/bin/sh"),
                ["-c", "printf '\(words)' | \"$0\" drill story.yaml --port 0 --skip-check", Program.url.path],
                in: folder
            ) { try await $0.ending() }
        }

        #expect(ending.status == status, "\(ending)")
        #expect(ending.output.contains(expected), "\(ending)")
    }
}
