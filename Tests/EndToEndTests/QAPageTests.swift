import Foundation
import TestSupport
import Testing

/// `docs/qa.md`: what it tells to type, with curl in place of an app that pins.
@Suite(.enabled(if: Tool("curl") != nil, "curl is not installed"))
struct QAPageTests {
    private static func blocks(_ kind: String) throws -> [String] {
        let text = try String(contentsOf: Places.package.appending(path: "docs/qa.md"), encoding: .utf8)
        return text.components(separatedBy: "```\(kind)\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
    }

    /// Plays the line that it is given as `$1`, and counts the words that it needed; sets up the device as the page says.
    private static let tester = """
        coproc DRILL { eval "exec $1"; }
        pid=$DRILL_PID
        exec 5<&"${DRILL[0]}" 6>&"${DRILL[1]}"
        eval "exec ${DRILL[0]}<&- ${DRILL[1]}>&-"
        keys=0
        while IFS= read -r line <&5; do
            echo "$line"
            case $line in
            *"Proxy of the device: "*) proxy=${line#*device: }; proxy=${proxy%%,*} ;;
            *"what is in the way?"*)
                curl -s --proxy "http://$proxy" --output roots.pem http://pindrill.test/roots.pem
                curl -s --proxy "http://$proxy" --cacert roots.pem --output body https://api.acme.example/ ;;
            *"w: worked"*)
                curl -s --proxy "http://$proxy" --cacert roots.pem --pinnedpubkey "$PINS" --output body https://api.acme.example/
                case $? in 0) echo w ;; 90) echo p ;; *) echo r ;; esac >&6
                keys=$((keys + 1)) ;;
            esac
        done
        exec 6>&-
        wait "$pid"; status=$?
        echo "keys: $keys"
        exit "$status"
        """

    @Test func `each command of the page does what it says`() async throws {
        let file = try #require(try Self.blocks("yaml").first)
        let lines = try Self.blocks("sh").flatMap { $0.split(separator: "\n").map(String.init) }
        let bin = Program.url.deletingLastPathComponent().path
        let path = ["PATH": "\(bin):\(Program.bareEnvironment["PATH", default: ""])"]
        var drills: [String] = []
        try await withTemporaryFolder { folder in
            try file.write(to: folder.appending(path: "drill.yaml"), atomically: true, encoding: .utf8)
            for line in lines {
                guard line.hasPrefix("pindrill drill") else {
                    let ending = try await Started.with(
                        URL(filePath: "/bin/sh"),
                        ["-c", line],
                        environment: path,
                        in: folder
                    ) { try await $0.ending() }
                    #expect(ending.status == 0, "\(line): \(ending)")
                    continue
                }
                drills.append(line)
                // Nobody else's address is here.
                let command = line.replacing(
                    "--listen 192.168.1.5 --allow 192.168.1.0/24",
                    with: "--port 0"
                )
                #expect(command != line)
                let pins = try await Program.run(
                    "certs",
                    "export",
                    "leaf-1",
                    "leaf-2",
                    "leaf-rsa",
                    "--as",
                    "curl",
                    in: folder
                )
                let ending = try await Started.with(
                    URL(filePath: "/bin/bash"),
                    ["-c", Self.tester, Program.url.path, command],
                    environment: path.merging([
                        "PINS": pins.output.trimmingCharacters(in: .whitespacesAndNewlines)
                    ]) { $1 },
                    in: folder
                ) { try await $0.ending() }
                guard drills.count == 1 else {
                    #expect(ending.errors.contains("nothing is left of this drill"), "\(ending)")
                    continue
                }
                #expect(ending.status == 0, "\(ending)")
                // A key for each step, and none for the beginning.
                #expect(ending.output.contains("keys: 6\n"), "\(ending)")
                #expect(ending.output.contains("3 trials, 6 steps"), "\(ending)")
                let report = try String(contentsOf: folder.appending(path: "drill.json"), encoding: .utf8)
                for control in ["MASTG-TEST-0244", "MASTG-TEST-0282", "MASTG-TEST-0283"] {
                    #expect(report.contains("\"\(control)\""))
                }
            }
        }
        #expect(drills.count == 2)
    }
}
