import Foundation
import TLSCore
import TestSupport
import Testing

/// `pindrill forecast`, on the outages of record and on bad files.
struct ForecastCommandTests {
    /// An outage of record: when it happened, how many it locked out then, and from when on it would have been safe.
    struct Outage: Sendable, CustomTestStringConvertible {
        var name: String
        var event: String
        var day: String
        /// Per cent of all people.
        var lockedOut: ClosedRange<Double>
        var version: String
        var safe: String
        /// The last event, which the last version has survived.
        var survived: Bool = false

        var testDescription: String { name }
    }

    private static let outages = [
        Outage(
            name: "symantec-2016",
            event: "current intermediate",
            day: "2016-11-24",
            lockedOut: 99...100,
            version: "1.0",
            safe: "2017-05-08"
        ),
        Outage(
            name: "digicert-intermediates-2021",
            event: "third intermediate",
            day: "2021-01-11",
            lockedOut: 99...100,
            version: "1.1",
            safe: "2021-06-07"
        ),
        Outage(
            name: "lets-encrypt-2021",
            event: "chain with the cross-signature",
            day: "2021-07-12",
            lockedOut: 99...100,
            version: "3.0",
            safe: "2022-01-31"
        ),
        Outage(
            name: "digicert-g2-2023",
            event: "second root",
            day: "2023-03-08",
            lockedOut: 30...40,
            version: "5.4",
            safe: "2023-09-04"
        ),
        Outage(
            name: "chrome-anchors-2026",
            event: "intermediates become anchors",
            day: "2026-01-12",
            lockedOut: 99...100,
            version: "1.80",
            safe: "2026-05-04"
        ),
        Outage(
            name: "expensify-2026",
            event: "Google Trust Services",
            day: "2026-07-06",
            lockedOut: 99...100,
            version: "9.1",
            safe: "2026-09-21"
        ),
    ]

    private func forecast(_ outage: Outage, _ more: String...) async throws -> (JSONValue, Program.Ending) {
        let folder = "Examples/outages/\(outage.name)"
        let ending = try await Program.run(
            ["forecast", "\(folder)/fleet.yaml", "\(folder)/plan.yaml", "--json"] + more
        )
        return (try JSONDecoder().decode(JSONValue.self, from: Data(ending.output.utf8)), ending)
    }

    @Test(arguments: outages)
    func `an outage of record locks out whom it locked out, and is safe on the day that the counts show`(
        outage: Outage
    ) async throws {
        let (document, ending) = try await forecast(outage, "--today", "2026-11-20", "--fail-on", "locked-out>1%")
        let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))
        let events = try #require(document["events"]?.array)
        let event = try #require(events.first { $0["name"]?.string == outage.event })

        #expect(schema.complaints(about: document, as: "forecast") == [])
        #expect(ending.status == 1)
        #expect(event["day"]?.string == outage.day)
        #expect(event["basis"]?.string == "counted")
        guard case .number(let share)? = event["share"]?["expected"] else {
            Issue.record("there is no share")
            return
        }
        #expect(outage.lockedOut.contains(share * 100), "\(share)")
        let versions = try #require(event["locked_out_versions"]?.array).compactMap { $0["version"]?.string }
        #expect(versions.contains(outage.version))
        #expect(event["safe"]?["day"]?.string == outage.safe, "\(String(describing: event["safe"]))")
        #expect(event["safe"]?["basis"]?.string == "counted")
        // What was shown before kept nobody out.
        #expect(events[0]["share"]?["expected"] == .number(0))
    }

    @Test func `on the day of an outage nobody can say when it will be safe, and some weeks later it is projected`()
        async throws
    {
        let outage = Self.outages[3]
        let (early, _) = try await forecast(outage, "--today", "2023-01-17")
        let (later, _) = try await forecast(outage, "--today", "2023-04-10")
        let event = { (document: JSONValue) in document["events"]?.array?.last?["safe"] }

        #expect(event(early)?["day"] == nil)
        #expect(event(early)?["reason"]?.string?.contains("'5.4'") == true)
        #expect(event(later)?["basis"]?.string == "projected")
        // It turned out to be 2023-09-04.
        let day = try #require(event(later)?["day"]?.string)
        let (earliest, latest) = (event(later)?["earliest"]?.string ?? "", event(later)?["latest"]?.string ?? "")
        #expect(earliest <= day && day <= latest)
        #expect(("2023-08-01"..."2023-09-10").contains(day), "\(day)")
    }

    @Test func `a page is written for each form, and the status is that of the condition`() async throws {
        let files = ["Examples/outages/digicert-g2-2023/fleet.yaml", "Examples/outages/digicert-g2-2023/plan.yaml"]
        let today = ["--today", "2026-11-20"]
        let html = try await Program.run(["forecast"] + files + today + ["--format", "html"])
        let text = try await Program.run(["forecast"] + files + today + ["--fail-on", "locked-out>99%"])

        #expect(html.status == 0)
        #expect(html.output.hasPrefix("<!doctype html>"))
        #expect(html.output.hasSuffix("</html>\n"))
        #expect(text.status == 0)
        #expect(text.output.contains("2023-03-08  second root: "))
        #expect(text.errors == "")
    }

    @Test(arguments: [
        (["--tolerate", "half"], 64, "--tolerate"), (["--fail-on", "locked-out=1%"], 64, "--fail-on"),
        (["--tolerate", "5"], 64, "write a share with its per cent sign, as in 0.5%"),
        (["--fail-on", "locked-out>0.01"], 64, "write a limit with its per cent sign, as in 'locked-out>1%'"),
        (["--today", "tomorrow"], 64, "--today 'tomorrow' is no day; write it as in 2026-11-30"),
        (["--ahead", "0"], 64, "--ahead is a number of days from 1 to 3650"),
        (
            ["--today", "2010-01-01"], 65,
            "usage.csv: there is no row to count in it; 110 rows are of days after 2010-01-01"
        ),
    ])
    func `what is wrong with the command line is an error`(options: [String], status: Int32, words: String) async throws
    {
        let folder = "Examples/outages/digicert-g2-2023"
        let ending = try await Program.run(["forecast", "\(folder)/fleet.yaml", "\(folder)/plan.yaml"] + options)

        #expect(ending.status == status)
        #expect(ending.errors.contains(words), "\(ending.errors)")
        #expect(ending.output == "")
    }

    @Test func `an event of yesterday fails a pipeline by the people of today`() async throws {
        try await withTemporaryFolder { folder in
            let files = [
                "a.txt": "sha256//\(Sample.server.pin.base64)",
                "fleet.yaml": """
                host: api.acme.example
                versions:
                  - { name: a, policy: a.txt, dialect: curl, share: 40% }
                  - { name: b, policy: none, share: 60% }
                """,
                "plan.yaml": """
                keys: { today: { pin: \(Sample.server.pin) }, next: {} }
                authorities: { root: {} }
                events:
                  - { on: 2026-11-19, key: next, issuer: root }
                """,
            ]
            for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
            let command = ["forecast", "fleet.yaml", "plan.yaml", "--today", "2026-11-20", "--fail-on"]
            let harm = try await Program.run(command + ["locked-out>39%"], in: folder)
            let good = try await Program.run(command + ["locked-out>41%"], in: folder)

            #expect(harm.status == 1, "\(harm.errors)")
            #expect(good.status == 0)
            #expect(harm.output.hasPrefix("1 of 1 event locks users out; at worst 40 % of them, on 2026-11-20"))
        }
    }

    @Test func `a file that cannot be read is named, and so is what it names`() async throws {
        try await withTemporaryFolder { folder in
            let files = [
                "fleet.yaml": "host: a.example\nversions:\n  - { name: a, policy: none.xml, users: 5 }\n",
                "good.yaml": "host: a.example\nversions:\n  - { name: a, policy: none, users: 5 }\n",
                "usage.yaml": "host: a.example\nusage: none.csv\nversions:\n  - { name: a, policy: none }\n",
                "plan.yaml": "events:\n  - { on: 2026-12-01, chain: none.pem }\n",
                "chain.yaml": "events:\n  - { on: 2026-12-01, chain: today.pem }\n",
                "today.pem": Sample.server.leaf.pem,
            ]
            for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
            let policy = try await Program.run("forecast", "fleet.yaml", "chain.yaml", in: folder)
            let chain = try await Program.run("forecast", "good.yaml", "plan.yaml", in: folder)
            let usage = try await Program.run("forecast", "usage.yaml", "chain.yaml", in: folder)
            let none = try await Program.run("forecast", "none.yaml", "chain.yaml", in: folder)

            #expect([policy, chain, usage, none].map(\.status) == [65, 65, 65, 65])
            #expect(policy.errors == "fleet.yaml:3:24 version 'a': none.xml: no such file\n")
            #expect(chain.errors == "plan.yaml:2:30 none.pem: no such file\n")
            #expect(usage.errors == "none.csv: no such file\n")
            #expect(none.errors == "none.yaml: no such file\n")
        }
    }
}
