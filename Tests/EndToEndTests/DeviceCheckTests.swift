import Foundation
import TestSupport
import Testing

/// The beginning of `pindrill drill`, with curl for a device that has one thing after the other in its way.
@Suite(.enabled(if: Tool("curl") != nil, "curl is not installed"))
struct DeviceCheckTests {
    private static let file = """
        version: 1
        host: api.acme.example
        keys: { leaf: {}, evil: { by: attacker } }
        authorities: { acme-root: {}, mallory: { by: attacker } }
        stores: { phone: { system: [acme-root], user: [mallory] } }
        chains:
          today: { key: leaf, issuer: acme-root }
          forged: { key: evil, issuer: mallory }
        policies: { pinned: { pins: [leaf], allow: [no-redundancy] } }
        clients: { app: { kind: attended, ask: Pull to refresh. } }
        scenarios: [ { name: attack, steps: [ { present: today }, { present: forged } ] } ]

        """

    /// Does one thing of a list at each prompt, and then asks what is in the way; in the end it leaves both steps out.
    private static let device = """
        coproc DRILL { exec "$0" drill story.yaml --port 0; }
        pid=$DRILL_PID
        exec 5<&"${DRILL[0]}" 6>&"${DRILL[1]}"
        eval "exec ${DRILL[0]}<&- ${DRILL[1]}>&-"
        n=0
        ask() { curl --silent --output body --max-time 5 --proxy "http://$proxy" "$@"; }
        while IFS= read -r line <&5; do
            echo "$line"
            case $line in
            *"Proxy of the device: "*) proxy=${line#*device: }; proxy=${proxy%%,*} ;;
            *"Roots that it must trust"*) roots=${line##* } ;;
            *"what is in the way?"*)
                n=$((n + 1))
                case $n in
                1) ;;
                2) ask http://pindrill.test/; cp body page.html; curl --silent --output direct.html "http://$proxy/"
                   cmp page.html direct.html || echo they differ
                   ask http://pindrill.test/roots.pem; cmp "$roots" body || echo they differ ;;
                3) ask http://pindrill.test/; ask --cacert "$roots" https://trust-1.api.acme.example/
                   ask https://trust-2.api.acme.example/ ;;
                4) ask https://api.acme.example/ ;;
                5) ask --cacert "$roots" https://trust-1.api.acme.example/; ask https://api.acme.example/ ;;
                6) ask http://api.acme.example/ ;;
                7) ask https://127.0.0.9.nip.invalid/ ;;
                8) ask --cacert "$roots" --pinnedpubkey "sha256//$(printf %043d 0)=" https://api.acme.example/ ;;
                9) ask 'http://pindrill.test/trust?now=1000' ;;
                10) ask --cacert "$roots" https://api.acme.example/; n=0; continue ;;
                esac
                echo a >&6 ;;
            *"w: worked"*) echo skip >&6 ;;
            esac
        done
        exec 6>&-
        grep -o '<code>[0-9A-F:]*' page.html
        wait "$pid"
        """

    @Test func `tells what is in the way, one thing at a time, and begins once the app is there`() async throws {
        let ending = try await withTemporaryFolder { folder in
            try Self.file.write(to: folder.appending(path: "story.yaml"), atomically: true, encoding: .utf8)
            return try await Started.with(
                URL(filePath: "/bin/bash"),
                ["-c", Self.device, Program.url.path],
                in: folder
            ) { try await $0.ending() }
        }

        let told = [
            "Nothing arrives from the device.", "nothing of the app has come", "The device does not trust mallory.",
            "Everything on the device rejects", "The device trusts the roots, and the app does not.",
            "The app asks api.acme.example without TLS.", "api.acme.example never does.", "it pins other keys",
            "The device's clock is wrong", "and accepted it.", "Step 1 of 2",
        ]
        let output = ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        var rest = output[...]
        for words in told {
            let found = rest.range(of: words)
            #expect(found != nil, "\(words) is not in:\n\(ending.output)")
            rest = found.map { rest[$0.upperBound...] } ?? rest
        }
        #expect(ending.status == 2, "\(ending)")
        // The page shows the fingerprints that the terminal shows.
        let shown = output.matches(of: /<code>(?<print>[0-9A-F:]+)/).map(\.output.print)
        #expect(shown.count == 2 && shown.allSatisfy { ending.output.contains("    \($0)  ") }, "\(ending.output)")
        #expect(!ending.output.contains("differ"), "\(ending.output)")
    }

    @Test func `ends where no more words come`() async throws {
        let ending = try await withTemporaryFolder { folder in
            try Self.file.write(to: folder.appending(path: "story.yaml"), atomically: true, encoding: .utf8)
            return try await Program.run("drill", "story.yaml", "--port", "0", in: folder)
        }

        #expect(ending.status == 130)
        #expect(ending.output.contains("Is the device ready?"))
        #expect(!ending.output.contains("Step 1"))
    }
}
