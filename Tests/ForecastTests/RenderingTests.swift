import Foundation
import Pinning
import Scenarios
import TLSCore
import TestSupport
import Testing

@testable import Forecast

/// What a forecast and a monitor say, in each of their forms.
struct RenderingTests {
    private static let hostile = "<script>alert(\"1\")</script>&\u{1B}[31m\u{202E}"

    @Test func `text says who, how many, why, which pin is missing, and until when`() throws {
        let text = try ForecastWorld.forecast(tolerance: 0.000_5).text(TextStyle(isColoured: false))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

        #expect(lines[0] == "1 of 2 events locks users out; at worst 0.39 % of them, on 2026-12-01, by 'after'.")
        #expect(
            lines[1].hasPrefix("People were counted from 2026-09-22 to 2026-11-20, 20,010 on the last day.")
        )
        #expect(lines.contains("2026-10-01  before: 0 % locked out (0 of 20,010 people, counted)"))
        #expect(
            lines.contains { $0.hasPrefix("2026-12-01  after: 0.39 % locked out (78 of 20,010 people, projected: 0.3") }
        )
        #expect(lines.contains("            1.0: 78 people (0.39 %), locks users out: no pin matches"))
        #expect(lines.contains("              needed: \(ForecastWorld.pins.next) ('next')"))
        #expect(
            lines.contains { $0.hasPrefix("            under 0.05 % from 2026-12-31 on, projected: between 2026-12-") }
        )
        #expect(lines.contains("  1.0: declines: half are left after 10 days"))
        #expect(lines.allSatisfy { $0.count <= 100 })
    }

    @Test func `a page is one file, and nothing that files say is markup in it`() throws {
        var fleet = ForecastWorld.fleet
        fleet.versions[0].name = Self.hostile
        let plan = ForecastWorld.plan.replacing("name: after", with: "name: '<img src=x onerror=alert(1)>'")

        // So that there is no safe day, and its reason names the version.
        fleet.versions[1].rules = ForecastWorld.leaf(ForecastWorld.pins.today)

        let page = try ForecastWorld.forecast(fleet, plan: plan).html()

        #expect(page.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
        for part in [
            "<script", "<img", "onerror=alert(1)>", "\u{1B}", "\u{202E}", "src=\"", "href=\"", "@import", "url(http",
            "style=",
        ] {
            #expect(!page.contains(part), "\(part)")
        }
        #expect(page.contains("&lt;script&gt;alert(\"1\")&lt;/script&gt;&amp;"))
        #expect(page.contains("default-src 'none'"))
        // The legend has the colours of the areas, by means that the policy allows.
        for colour in ["#08306b", "#7f2704", "#00441b"] {
            #expect(page.matches(of: try Regex("fill=\"\(colour)\"")).count == 2, "\(colour)")
        }
        for part in ["<svg viewBox", "role=\"img\"", "<caption>", "scope=\"row\"", "@media print"] {
            #expect(page.contains(part), "\(part)")
        }
        // Well-formed where it matters: every tag of the tables and of the chart is closed.
        for tag in ["table", "tr", "th", "td", "svg", "figure", "text", "ul", "li", "main", "body"] {
            let opened = page.matches(of: try Regex("<\(tag)[ >]")).count
            #expect(opened == page.matches(of: try Regex("</\(tag)>")).count, "\(tag)")
        }
        #expect(!page.contains("nan") && !page.contains("inf"))
    }

    @Test func `a fleet of one day has a page, too`() throws {
        var table = UsageTable(versions: 3)
        table.add(version: 0, day: ForecastWorld.today, users: 1)

        let page = try ForecastWorld.forecast(table: table).html()

        #expect(page.contains("</html>"))
        #expect(!page.contains("nan"))
    }

    @Test func `JSON keeps to its schema`() throws {
        let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(try ForecastWorld.forecast().json().utf8))

        #expect(schema.complaints(about: document, as: "forecast") == [])
        #expect(document["events"]?.array?.count == 2)
    }

    @Test func `JSON of shares has no number of people`() throws {
        var fleet = ForecastWorld.fleet
        (fleet.usage, fleet.weight) = (nil, .shares)
        let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))
        let plan = ForecastWorld.plan.replacing("2026-10-01", with: "2026-09-01")
        let text = try ForecastWorld.forecast(fleet, plan: plan).json()
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))

        #expect(schema.complaints(about: document, as: "forecast") == [])
        #expect(!text.contains("\"users\""))
        guard case .number(let share)? = document["versions"]?.array?[1]["share"] else {
            Issue.record("\(text)")
            return
        }
        #expect(abs(share - 0.99) < 0.01)
    }

    // MARK: Monitor

    private static func report(
        warnDays: Int = 7,
        silent: Bool = false,
        unsigned: Bool = false,
        pin: Pin = Sample.server.pin,
        domain: String = Sample.host
    ) throws -> MonitorReport {
        let xml = """
            <network-security-config><domain-config><domain>\(domain)</domain>
            <pin-set expiration="2026-11-01"><pin digest="SHA-256">\(pin.base64)</pin></pin-set>
            </domain-config></network-security-config>
            """
        let row = CheckMatrix.Row("a \"b\"\\c\n.xml", try PolicyFile.load(Data(xml.utf8), file: "a.xml"))
        let situation = Situation(chain: Sample.server.chain, store: Sample.store, host: Sample.host, at: Sample.now)
        return MonitorReport(
            [row],
            hosts: [Sample.host],
            shown: [
                MonitorReport.Shown(
                    .served,
                    name: "api.acme.example:443",
                    address: "127.0.0.1",
                    chain: Sample.server.chain,
                    cells: [CheckMatrix.Cell(row.configuration, situation)]
                )
            ],
            silent: (silent
                ? [.init(.served, name: "b:1", address: "::1", reason: "b:1 (::1): connection refused")] : [])
                + (unsigned ? [.init(.next, name: "next.key", reason: "next.key: nobody signs")] : []),
            at: Sample.now,
            warnDays: warnDays
        )
    }

    @Test func `what is accepted because nothing is pinned for the host is said, and what a pin accepts is not`() throws
    {
        let caution = "nothing is pinned for this host"
        let style = TextStyle(isColoured: false)

        #expect(try Self.report(domain: "www.acme.example").text(style).contains(caution))
        #expect(try !Self.report().text(style).contains(caution))
    }

    @Test func `the status is that of the worst`() throws {
        #expect(try Self.report().status == .good)
        #expect(try Self.report(silent: true).status == .silent)
        // The pins end in 40 days, and the leaf in 198.
        #expect(try Self.report(warnDays: 39).status == .good)
        #expect(try Self.report(warnDays: 41).status == .bad)
        #expect(try Self.report(silent: true, pin: Pin(hashing: [1])).status == .bad)
    }

    @Test func `OpenMetrics keeps to the grammar`() throws {
        for report in [try Self.report(), try Self.report(silent: true, pin: Pin(hashing: [1]))] {
            #expect(OpenMetricsGrammar.complaints(about: report.openMetrics()) == [])
        }
        let text = try Self.report(silent: true, unsigned: true).openMetrics()
        let labels = #"name="api.acme.example:443",address="127.0.0.1",kind="served",policy="a \"b\"\\c\n.xml""#
        #expect(text.contains("pindrill_accepted{\(labels)} 1\n"))
        #expect(text.contains(#"pindrill_reachable{name="b:1",address="::1"} 0"# + "\n"))
        #expect(!text.contains("next.key"))
    }

    @Test func `a key that nobody is known to sign is no address`() throws {
        let style = TextStyle(isColoured: false)
        let text = try Self.report(unsigned: true).text(style)
        let both = try Self.report(silent: true, unsigned: true).text(style)

        #expect(text.contains("open    next    next.key: nobody signs\n"))
        #expect(text.hasSuffix("\nof 1 key it is not known who will sign\n"))
        #expect(both.contains("silent  served  b:1 (::1): connection refused\n"))
        #expect(both.hasSuffix("\n1 address could not be asked; of 1 key it is not known who will sign\n"))
    }

    @Test(arguments: [
        "# TYPE a gauge\na 1\n", "# TYPE a gauge\na 1\n\n# EOF\n", "a{b=\"c} 1\n# EOF\n",
        "a 1\n# TYPE a gauge\n# EOF\n",
        "# TYPE a gauge\na 1\na 1\n# EOF\n", "# TYPE a gauge\na x\n# EOF\n",
        "# TYPE a gauge\n# UNIT a seconds\na 1\n# EOF\n",
    ])
    func `the grammar refuses what is not of it`(text: String) {
        #expect(OpenMetricsGrammar.complaints(about: text) != [])
    }

    @Test func `a monitor's JSON keeps to its schema`() throws {
        let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))
        let text = try Self.report(silent: true, unsigned: true, pin: Pin(hashing: [1])).json()
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))

        #expect(schema.complaints(about: document, as: "monitor") == [])
        #expect(document["silent"]?.array?.map { $0["kind"]?.string } == ["served", "next"])
    }
}

/// The parts of OpenMetrics 1.0's grammar that gauges need.
enum OpenMetricsGrammar {
    static func complaints(about text: String) -> [String] {
        guard text.hasSuffix("\n# EOF\n") else { return ["it does not end with # EOF"] }
        var complaints: [String] = []
        var (family, families, series): (String?, Set<String>, Set<Substring>) = (nil, [], [])
        for line in text.dropLast("# EOF\n".count).dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            if let match = line.wholeMatch(of: #/# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) gauge/#) {
                family = String(match.1)
                if !families.insert(String(match.1)).inserted { complaints.append("twice: \(line)") }
            } else if let match = line.wholeMatch(of: #/# UNIT ([a-zA-Z_:][a-zA-Z0-9_:]*) ([a-z]+)/#) {
                if String(match.1) != family || !match.1.hasSuffix("_\(match.2)") { complaints.append("unit: \(line)") }
            } else if let match = line.wholeMatch(of: #/# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (?:[^\\"]|\\\\|\\n|\\")*/#) {
                if String(match.1) != family { complaints.append("help: \(line)") }
            } else if let match = line.wholeMatch(
                of:
                    #/(([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^\\"]|\\\\|\\n|\\")*",?)*\})?) -?[0-9]+(?:\.[0-9]+)?/#
            ) {
                if String(match.2) != family { complaints.append("of no family: \(line)") }
                if !series.insert(match.1).inserted { complaints.append("a second sample: \(line)") }
            } else {
                complaints.append("no line of the format: \(line)")
            }
        }
        return complaints
    }
}
