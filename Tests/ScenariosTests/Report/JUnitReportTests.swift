import Foundation
import TLSCore
import TestSupport
import Testing
import Witness

@testable import Scenarios

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite struct `The JUnit report` {
    @Test func `is a stable text`() throws {
        let report = Results.report(
            Results.trial(Results.control, Results.fooled),
            Results.trial(Results.skipped, scenario: "later")
        )

        let text = String(decoding: try report.document(.junit, exitStatus: 1), as: UTF8.self)

        #expect(
            text
                == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="scenarios.yaml" tests="3" failures="1" errors="0" skipped="1" time="1.234">
                  <testsuite name="attack" tests="2" failures="1" errors="0" skipped="0" time="0.055">
                    <testcase classname="attack.curl" name="pinned: control 1 today" time="0.021">
                      <system-out>shown: today (owner's leaf) to api.acme.example, store phone
                demanded: must accept: it is trusted, and nothing is pinned
                wire: sent its request
                client: succeeded (exit 0)
                verdict: pass: did what its policy demands
                consequence: served
                connection to api.acme.example: shown today, sent its request, “GET / HTTP/1.1”
                </system-out>
                    </testcase>
                    <testcase classname="attack.curl" name="pinned: 1 forged at 75d" time="0.021">
                      <failure type="fail" message="talked to the wrong server">shown: forged (attacker's evil) to api.acme.example, store phone
                demanded: must reject: its issuer is not trusted
                wire: sent its request
                client: succeeded (exit 0)
                verdict: fail: talked to the wrong server
                consequence: intercepted, which the file does not declare
                connection to api.acme.example: shown forged, sent its request, “GET / HTTP/1.1”
                </failure>
                    </testcase>
                  </testsuite>
                  <testsuite name="later" tests="1" failures="0" errors="0" skipped="1" time="0.055">
                    <testcase classname="later.curl" name="pinned: 1 today" time="0.000">
                      <skipped message="'curl' is not installed">'curl' is not installed</skipped>
                    </testcase>
                  </testsuite>
                </testsuites>

                """
        )
    }

    @Test(arguments: Growth.table)
    func `is well-formed from the first moment to the last, and counts correctly`(growth: Growth) throws {
        for text in try growth.texts(.junit) {
            let tests = try ReadTests(text)

            #expect(tests.suites.allSatisfy { $0.declared == $0.counted })
            #expect(tests.declared == nil || tests.declared == tests.counted)
            #expect(Set(tests.names).count == tests.names.count)
        }
    }

    @Test func `is red as long as trials are missing`() throws {
        let growth = Growth("two", [Results.trial(Results.served), Results.trial(Results.served, policy: "other")])

        let tests = try growth.texts(.junit).map(ReadTests.init)

        #expect(tests.map(\.counted.tests) == [1, 2, 3, 2, 2])
        #expect(tests.map(\.counted.errors) == [1, 1, 1, 0, 0])
        #expect(tests.map(\.suites.count) == [1, 2, 3, 2, 1])
        #expect(tests.last?.suites.map(\.name) == ["attack"])
    }

    @Test func `shows that scenarios were left out, and is not red for it`() throws {
        let report = Results.report(Results.trial(Results.served), scenarios: Coverage(played: 1, known: 3))

        let text = String(decoding: try report.document(.junit, exitStatus: 0), as: UTF8.self)

        let tests = try ReadTests(text)
        #expect(tests.names.last == "pindrill/pindrill.run/every scenario was played")
        #expect(tests.declared == tests.counted)
        #expect((tests.counted.failures, tests.counted.errors, tests.counted.skipped) == (0, 0, 1))
        #expect(text.contains(">1 of 3 scenarios played (--all plays every one).</skipped>"))
    }

    @Test(arguments: Ending.table)
    func `fails where the run does`(_ ending: Ending) throws {
        let table: [(Set<FailureCondition>, Int32)] = [
            ([], ending.status), ([.outage], ending.failingOnOutage), ([.unproven], ending.failingOnUnproven),
        ]
        for (conditions, status) in table {
            let text = try ending.report.document(.junit, exitStatus: status, failingOn: conditions)
            let counts = try ReadTests(String(decoding: text, as: UTF8.self)).counted

            switch status {
            case 1: #expect(counts.failures > 0)
            case 0: #expect(counts.failures + counts.errors == 0)
            case 130: #expect(counts.errors > 0)
            // Nothing was tried, or nothing was proven.
            default: #expect(counts.failures == 0 && (counts.errors > 0 || counts.skipped == counts.tests))
            }
        }
    }

    @Test func `survives what clients print, and what files are called`() throws {
        let nasty = "]]><&\"'\u{0}\u{1B}[31m\u{7F}\u{85}\u{FFFE}\u{FFFF}\u{1F600}\ta\r\nb\rc"
        let step = Results.step(
            Results.forged,
            [Connection.accepting("forged", to: nasty)],
            ClientReport(.succeeded, account: nasty, output: nasty)
        )
        var report = Results.report(Results.trial(step, Results.skipped))
        report.file = "a\n\"<b>\"\t&.yaml"

        let tests = try ReadTests(String(decoding: try report.document(.junit, exitStatus: 1), as: UTF8.self))

        #expect(tests.name == report.file)
        #expect(tests.bodies[0].contains("]]><&\"'\u{FFFD}\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{1F600}\ta"))
        #expect(tests.bodies[0].contains("\n| b\n| c\n"))
    }

    @Test func `holds no private key`() throws {
        let pki = try World.pki()
        let step = Step.presenting("today")
        let planned = PlannedStep(
            step: step,
            shownChains: try Oracle(pki).decide(Policies.leaf, step: step, instant: Sample.now)
        )
        let result = attempt([Connection.accepting()], ClientReport(.succeeded), planned.shownChains)
        let report = Results.report(Results.trial(StepResult(planned, attempts: [result], duration: .zero)))

        let text = String(decoding: try report.document(.junit, exitStatus: 0), as: UTF8.self)

        #expect(text.contains("a pinned key is in it"))
        #expect(!text.contains("PRIVATE"))
        let pem = try pki.key(named: "leaf").pem()
        for line in pem.split(separator: "\n") { #expect(!text.contains(line)) }
    }

    @Test func `numbers the steps of the file, and leaves inserted controls out`() throws {
        let report = Results.report(
            Results.trial(Results.served, Results.control, Results.protected, Results.fooled, Results.fooled)
        )

        let tests = try ReadTests(String(decoding: try report.document(.junit, exitStatus: 1), as: UTF8.self))

        #expect(
            tests.names == [
                "attack/attack.curl/pinned: 1 today",
                "attack/attack.curl/pinned: control 2 today",
                "attack/attack.curl/pinned: 2 forged",
                "attack/attack.curl/pinned: 3 forged at 75d",
                "attack/attack.curl/pinned: 4 forged at 75d",
            ]
        )
    }

    @Test func `points at the line of the step`() throws {
        var step = Results.fooled
        step.planned.step.location = SourceLocation(file: "dir/my.yaml", line: 34, column: 7)

        let text = String(
            decoding: try Results.report(Results.trial(step)).document(.junit, exitStatus: 1),
            as: UTF8.self
        )

        #expect(text.contains("file=\"dir/my.yaml\" line=\"34\">"))
    }
}

/// What a viewer makes of a JUnit document.
private final class ReadTests: NSObject, XMLParserDelegate {
    struct Counts: Equatable {
        var tests = 0
        var failures = 0
        var errors = 0
        var skipped = 0
    }

    struct Suite {
        var name: String
        var declared: Counts?
        var counted = Counts()
    }

    private(set) var name: String?
    /// `nil`: it does not say.
    private(set) var declared: Counts?
    private(set) var suites: [Suite] = []
    /// Suite, class and name of every test case.
    private(set) var names: [String] = []
    /// The text of every test case.
    private(set) var bodies: [String] = []

    var counted: Counts {
        suites.reduce(into: Counts()) {
            $0.tests += $1.counted.tests
            $0.failures += $1.counted.failures
            $0.errors += $1.counted.errors
            $0.skipped += $1.counted.skipped
        }
    }

    init(_ text: String) throws {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        if !parser.parse() { throw parser.parserError ?? CancellationError() }
    }

    func parser(
        _ parser: XMLParser,
        didStartElement element: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        switch element {
        case "testsuites":
            name = attributes["name"]
            declared = counts(attributes)
        case "testsuite": suites.append(Suite(name: attributes["name"] ?? "", declared: counts(attributes)))
        case "testcase":
            suites[suites.count - 1].counted.tests += 1
            let path = [suites.last?.name, attributes["classname"], attributes["name"]]
            names.append(path.map { $0 ?? "?" }.joined(separator: "/"))
            bodies.append("")
        case "failure": suites[suites.count - 1].counted.failures += 1
        case "error": suites[suites.count - 1].counted.errors += 1
        case "skipped": suites[suites.count - 1].counted.skipped += 1
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if !bodies.isEmpty { bodies[bodies.count - 1] += text }
    }

    private func counts(_ attributes: [String: String]) -> Counts? {
        guard let tests = attributes["tests"].flatMap(Int.init) else { return nil }
        func number(_ name: String) -> Int { attributes[name].flatMap(Int.init) ?? -1 }
        return Counts(
            tests: tests,
            failures: number("failures"),
            errors: number("errors"),
            skipped: number("skipped")
        )
    }
}
