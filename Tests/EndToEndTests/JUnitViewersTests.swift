import Foundation
import TestSupport
import Testing

/// The JUnit report, as its viewers parse it: `Clients/junitviewers.py` has their rules.
@Suite(.enabled(if: Browser.junitPython != nil, "junitparser and junit2html of PyPI are missing"))
struct JUnitViewersTests {
    @Test func `a report with failures, errors and passes is what every viewer can read`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "file.yaml")
            try """
            version: 1
            host: api.acme.example
            keys: { leaf: {}, other: {}, evil: { by: attacker } }
            authorities: { root: {}, stranger: { by: attacker } }
            stores: { phone: { system: [root] } }
            chains: { today: { key: leaf, issuer: root }, later: { key: other, issuer: root }, forged: { key: evil, issuer: stranger } }
            policies: { pinned: { pins: [leaf] }, elsewhere: { pins: [other] } }
            clients:
              reference: { kind: reference }
              mute: { run: "true" }
              absent: { run: ./nothing-here }
            scenarios:
              - { name: story, steps: [ { present: today }, { present: forged, at: 75d } ] }
              - { name: outage, steps: [ { present: today } ] }
            """.write(to: file, atomically: false, encoding: .utf8)
            let words = ["run", "file.yaml", "--fail-on", "outage", "--report", "junit=report.xml"]
            let run = try await Program.run(words, in: folder)

            let script = Places.package.appending(path: "Tests/EndToEndTests/Clients/junitviewers.py").path
            let ending = try await Started.with(
                try #require(Browser.junitPython),
                [script, "report.xml"],
                environment: ["HOME": folder.path],
                in: folder
            ) { try await $0.ending() }

            #expect(run.status == 1, "\(run.errors)")
            #expect((ending.status, ending.output) == (0, "done\n"), "\(ending.errors)")
        }
    }
}
