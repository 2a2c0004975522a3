import TestSupport
import Testing

@testable import Scenarios

/// Every message, word for word: each row breaks one line of a file that is otherwise sound.
@Suite struct `A scenario file that cannot be used` {
    @Test(arguments: Mistake.document) func `is refused as a document`(mistake: Mistake) { mistake.check() }
    @Test(arguments: Mistake.shape) func `names what has the wrong shape`(mistake: Mistake) { mistake.check() }
    @Test(arguments: Mistake.names) func `names what is declared wrongly`(mistake: Mistake) { mistake.check() }
    @Test(arguments: Mistake.blueprint) func `names what cannot be minted`(mistake: Mistake) { mistake.check() }
    @Test(arguments: Mistake.policies) func `names what cannot be pinned`(mistake: Mistake) { mistake.check() }
    @Test(arguments: Mistake.tls) func `names limits and variants that mean nothing`(mistake: Mistake) {
        mistake.check()
    }

    @Test(arguments: Mistake.clients) func `names what cannot be run`(mistake: Mistake) { mistake.check() }
    @Test(arguments: Mistake.scenarios) func `names what cannot be played`(mistake: Mistake) { mistake.check() }
    @Test(arguments: Mistake.lints) func `names what cannot be allowed`(mistake: Mistake) { mistake.check() }

    @Test func `reports everything at once, in file order`() {
        let text = Mistake.sound
            .changing("issuer: acme-root", to: "issuer: acme-rot")
            .changing("present: today", to: "present: yesterday")
            .changing("host: api.acme.example", to: "hots: api.acme.example")

        #expect(
            problems(in: text) == [
                "f.yaml:1:1: the file has no 'host'",
                "f.yaml:2:1: unknown key 'hots'; did you mean 'host'?",
                "f.yaml:5:27: no authority 'acme-rot'; did you mean 'acme-root'?",
                "f.yaml:11:48: no chain 'yesterday'; known here: today",
            ]
        )
    }

    @Test func `survives many keys given twice, and as many unknown names`() {
        let twice = (1...50).map { "  k\($0): {}\n  k\($0): {}\n" }.joined()
        let unknown = "[" + (1...10_000).map { "policy-\($0)" }.joined(separator: ", ") + "]"

        #expect(problems(in: "version: 1\nkeys:\n" + twice).count == 1)
        #expect(
            problems(in: Mistake.sound.changing("name: calm", to: "name: calm, policies: \(unknown)")).count == 100
        )
    }

    @Test func `quotes no control characters and no long texts`() {
        let host = "\"a\\n\\e[31m" + String(repeating: "b", count: 1_000) + "\""

        let found = problems(in: Mistake.sound.changing("host: api.acme.example", to: "host: \(host)"))

        let quoted = "a\u{FFFD}\u{FFFD}[31m" + String(repeating: "b", count: 73)
        #expect(found == ["f.yaml:2:7: '\(quoted)' is not a DNS name"])
    }

    @Test func `prints one problem a line`() throws {
        let error = ScenarioFileError([
            ScenarioProblem(
                "no chain 'atacker'; did you mean 'attacker'?",
                at: .init(file: "a.yaml", line: 34, column: 18)
            ),
            ScenarioProblem("the file has no 'host'", at: .init(file: "a.yaml", line: 1, column: 1)),
        ])

        #expect(
            error.description == """
                a.yaml:34:18: no chain 'atacker'; did you mean 'attacker'?
                a.yaml:1:1: the file has no 'host'
                """
        )
    }
}
