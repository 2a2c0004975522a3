import Foundation
import Pinning
import Scenarios
import TLSCore
import TestSupport
import Testing

@testable import Forecast

struct ForecastTests {
    private static func outcomes(_ event: Forecast.Event) -> [PolicyAudit.Outcome] { event.fates.map(\.outcome) }

    @Test func `a version without the next key is locked out by it, and by nothing before`() throws {
        let forecast = try ForecastWorld.forecast()

        #expect(Self.outcomes(forecast.events[0]) == [.survives, .survives, .survives])
        #expect(Self.outcomes(forecast.events[1]) == [.locksOut, .survives, .survives])
        #expect(forecast.events[0].atRisk == .zero)
        let fate = forecast.events[1].fates[0]
        #expect(fate.reason == "no pin matches")
        #expect(fate.needed == ["\(ForecastWorld.pins.next) ('next')"])
        // 11 days after today, of 10,000 that halve every ten days for 59 + 11 days.
        #expect(abs(fate.users.expected - 10_000 * pow(0.5, 7)) < 2)
        #expect(forecast.events[1].basis == .projected)
    }

    @Test func `the day on which it is safe is projected by the decline, and counted where that is past`() throws {
        let forecast = try ForecastWorld.forecast(tolerance: 0.000_5)
        let past = try ForecastWorld.forecast(tolerance: 0.05)

        // 10,000 are under ten of 20,010 after ln(1000)/ln(2) tens of days.
        guard case .day(let day, .projected, let earliest, let latest) = forecast.events[1].safeDay else {
            Issue.record("\(forecast.events[1].safeDay)")
            return
        }
        #expect(abs(day - ForecastWorld.today + 59 - 100) <= 1)
        #expect(try earliest.unwrapped <= day)
        #expect(try latest.unwrapped >= day)
        // Under 1000.5 after 33.2 days.
        #expect(
            past.events[1].safeDay
                == .day(
                    ForecastWorld.today + (34 - 59),
                    .counted,
                    earliest: ForecastWorld.today + (34 - 59),
                    latest: ForecastWorld.today + (34 - 59)
                )
        )
    }

    @Test func `versions that do not decline are named, and no day is guessed`() throws {
        var fleet = ForecastWorld.fleet
        fleet.versions[1].rules = ForecastWorld.leaf(ForecastWorld.pins.today)

        let forecast = try ForecastWorld.forecast(fleet)

        guard case .none(let reason) = forecast.events[1].safeDay else {
            Issue.record("\(forecast.events[1].safeDay)")
            return
        }
        // Nobody is left with 1.0 by then.
        #expect(reason.hasSuffix(": '2.0' does not decline"))
    }

    @Test func `a version that declines too slowly is a reason`() throws {
        let forecast = try ForecastWorld.forecast(tolerance: 0.000_5, ahead: 30)

        guard case .none(let reason) = forecast.events[1].safeDay else {
            Issue.record("\(forecast.events[1].safeDay)")
            return
        }
        #expect(reason.hasSuffix(": '1.0' is still used by too many"))
    }

    @Test func `what is shown on the first day with data counts for the people of that day`() throws {
        let plan = ForecastWorld.plan.replacing("2026-10-01", with: "2026-09-01").replacing(
            "2026-12-01",
            with: "2026-09-10"
        )

        let forecast = try ForecastWorld.forecast(plan: plan)

        #expect(forecast.events.map(\.basis) == [.unknown, .counted])
        #expect("\(forecast.events[1].countedOn)" == "2026-09-22")
        #expect(forecast.events[1].lockedOut == Band(10_000))
        let text = forecast.text(TextStyle(isColoured: false), width: 200)
        #expect(
            text.hasPrefix(
                "1 of 2 events locks users out; at worst 50 % of them, on 2026-09-22, by 'after'. "
                    + "Not known for 1 event before the first day with data.\n"
            )
        )
        #expect(text.contains("(10,000 of 20,010 people, counted on 2026-09-22, the first day with data)"))
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(try forecast.json().utf8))
        #expect(document["events"]?.array?.map { $0["share"] == .null } == [true, false])
        #expect(document["events"]?.array?.map { $0["counted_on"]?.string } == [nil, "2026-09-22"])
    }

    @Test func `an event that has been replaced by the first day with data is not told as harmless`() throws {
        let plan = ForecastWorld.plan.replacing("2026-10-01", with: "2026-09-01").replacing(
            "key: next",
            with: "key: today"
        )

        let text = try ForecastWorld.forecast(
            plan: plan.replacing("2026-12-01", with: "2026-09-22")
        ).text(TextStyle(isColoured: false))

        #expect(
            text.hasPrefix(
                "Nobody is locked out by 1 event. Not known for 1 event before the first day with data.\n"
            )
        )
    }

    @Test func `too little data is said, and not made up for`() throws {
        var table = UsageTable(versions: 3)
        for day in 0..<4 {
            table.add(version: 0, day: ForecastWorld.today + -day, users: 500 + day)
            table.add(version: 1, day: ForecastWorld.today + -day, users: 500)
        }

        let forecast = try ForecastWorld.forecast(table: table)

        #expect(
            forecast.events[1].safeDay
                == .none("not by 2027-11-20: there are too little data about '1.0' for a projection: 4 days")
        )
        #expect(forecast.events[1].lockedOut == Band(500))
        #expect(
            forecast.text(TextStyle(isColoured: false)).contains(
                "1.0: too little data (4 days with users, 3 from the first to the last; needed are 5, and 14)"
            )
        )
        #expect(forecast.events[1].basis == .unchanged)
        let text = forecast.text(TextStyle(isColoured: false), width: 200)
        #expect(text.contains("not projected: as on the last day with data"))
        #expect(!text.contains("projected: 50"))
        #expect(!text.contains("is a projection"))
        let page = forecast.html()
        #expect(page.contains("not projected: as on the last day with data"))
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(try forecast.json().utf8))
        let share = document["events"]?.array?.last?["share"]?.object
        #expect(share.map { Array($0.keys) } == ["expected"])
        #expect(text.contains("3.0: never seen in use"))
    }

    @Test func `a version about which too little is known is not projected among others that are`() throws {
        let table = ForecastWorld.table
        var fleet = ForecastWorld.fleet
        fleet.versions[0].rules = fleet.versions[1].rules
        fleet.versions.append(Fleet.Version(name: "4.0", rules: ForecastWorld.leaf(ForecastWorld.pins.today)))
        var counts = UsageTable(versions: 4)
        for day in table.days {
            for version in 0..<3 {
                counts.add(version: version, day: day, users: table.users(version: version, on: day))
            }
        }
        counts.add(version: 3, day: ForecastWorld.today, users: 90)

        let forecast = try ForecastWorld.forecast(fleet, table: counts)

        #expect(forecast.events[1].basis == .unchanged)
        #expect(forecast.events[1].lockedOut == Band(90))
    }

    @Test func `people whose version nobody knows count as locked out`() throws {
        var table = ForecastWorld.table
        table.add(version: nil, day: ForecastWorld.today, users: 5000)

        let forecast = try ForecastWorld.forecast(table: table)

        #expect(forecast.events[1].undecided == Band(5000))
        #expect(forecast.events[1].atRisk.expected > 0.2)
        guard case .none(let reason) = forecast.events[1].safeDay else {
            Issue.record("\(forecast.events[1].safeDay)")
            return
        }
        #expect(reason.contains("the fleet file does not have all versions that are in use"))
    }

    @Test func `an authority that is pinned survives new keys, and not a new authority`() throws {
        var fleet = ForecastWorld.fleet
        fleet.versions[0].rules = ForecastWorld.any(ForecastWorld.pins.issuer)
        let plan = ForecastWorld.plan + "\n  - { on: 2026-12-05, name: moved, key: next, issuer: other }"

        let forecast = try ForecastWorld.forecast(fleet, plan: plan)

        #expect(forecast.events.map { $0.fates[0].outcome } == [.survives, .survives, .locksOut])
        #expect(
            forecast.events[2].fates[0].needed
                == ["\(ForecastWorld.pins.next) ('next'), or \(ForecastWorld.pins.other) ('other')"]
        )
    }

    @Test func `devices that do not trust an authority are locked out, pins or not`() throws {
        let plan =
            ForecastWorld.plan + "\n  - { on: 2026-12-05, name: moved, key: next, issuer: other, trusts: [root] }"

        let forecast = try ForecastWorld.forecast(plan: plan)

        #expect(Self.outcomes(forecast.events[2]) == [.locksOutRegardless, .locksOutRegardless, .locksOutRegardless])
    }

    @Test func `rules renew with the same key, and rotate to the keys that are named and then to others`() throws {
        let plan = ForecastWorld.plan.replacing(
            "  - { on: 2026-12-01, name: after, key: next, issuer: issuing }",
            with: """
                  - { rule: "renew every 47d, same key", until: 2027-01-10 }
                  - { rule: rotate key every 10d, keys: [next], until: 2027-01-30 }
                """
        )

        let forecast = try ForecastWorld.forecast(plan: plan)

        #expect(
            forecast.events.map { "\($0.day) \($0.name)" } == [
                "2026-10-01 before", "2026-11-17 before, renewal 1", "2027-01-03 before, renewal 2",
                "2027-01-13 before, renewal 2, key 1", "2027-01-23 before, renewal 2, key 2",
            ]
        )
        #expect(
            forecast.events.map { $0.fates[1].outcome } == [.survives, .survives, .survives, .survives, .locksOut]
        )
        #expect(
            forecast.events[4].fates[1].needed == ["the pin of 'a key that nobody has named, 4'"]
        )
    }

    @Test func `a chain that exists is shown as it is, and renewed by its own authorities`() throws {
        let server = Sample.server
        let plan = """
            events:
              - { on: 2026-10-01, name: today, chain: today.pem }
              - { rule: "renew every 47d, same key", until: 2026-12-30 }
            """
        var fleet = ForecastWorld.fleet
        fleet.versions = [
            Fleet.Version(name: "key", rules: ForecastWorld.leaf(server.pin)),
            Fleet.Version(name: "certificate", rules: ForecastWorld.leaf(server.leaf.fingerprint, match: .certificate)),
            Fleet.Version(name: "issuer", rules: ForecastWorld.any(Sample.issuing.certificate.pin)),
            Fleet.Version(name: "root", rules: ForecastWorld.any(Sample.root.certificate.pin)),
            Fleet.Version(name: "stranger", rules: ForecastWorld.any(Pin(hashing: [9]))),
        ]

        let forecast = try ForecastWorld.forecast(
            fleet,
            plan: plan,
            materials: ["today.pem": server.chain.map { KeyMaterial($0) }],
            table: UsageTable(versions: 5).with(ForecastWorld.today)
        )

        #expect(Self.outcomes(forecast.events[0]) == [.survives, .survives, .survives, .survives, .locksOut])
        // The renewal has another digest, whoever signs it.
        #expect(Self.outcomes(forecast.events[1]) == [.survives, .locksOut, .survives, .survives, .locksOut])
    }

    @Test func `pins that end let people in again from that day on`() throws {
        let xml = """
            <network-security-config><domain-config><domain>\(Sample.host)</domain>
            <pin-set expiration="2026-12-24"><pin digest="SHA-256">\(ForecastWorld.pins.today.base64)</pin></pin-set>
            </domain-config></network-security-config>
            """
        var fleet = ForecastWorld.fleet
        fleet.versions[0].rules = try PolicyFile.load(Data(xml.utf8), file: "a.xml")
        fleet.versions[1].rules = fleet.versions[0].rules

        let forecast = try ForecastWorld.forecast(fleet)

        #expect(forecast.events[1].fates[0].outcome == .locksOut)
        let end = try forecast.events[1].fates[0].ends.unwrapped
        #expect(["2026-12-24", "2026-12-25"].contains("\(end)"))
        guard case .day(end, .projected, _, _) = forecast.events[1].safeDay else {
            Issue.record("\(forecast.events[1].safeDay)")
            return
        }
    }

    @Test func `shares that are tolerated are a limit that is not reached`() throws {
        var table = UsageTable(versions: 3)
        for day in 0..<2 {
            table.add(version: 0, day: ForecastWorld.today + (day - 1), users: day == 0 ? 10 : 9)
            table.add(version: 2, day: ForecastWorld.today + (day - 1), users: day == 0 ? 990 : 991)
        }

        let forecast = try ForecastWorld.forecast(table: table)

        let today = ForecastWorld.today
        #expect(forecast.events[1].safeDay == .day(today, .counted, earliest: today, latest: today))
    }
}

extension UsageTable {
    /// The same with one person for each version on a day.
    func with(_ day: Day) -> UsageTable {
        var table = self
        for version in 0..<5 { table.add(version: version, day: day, users: 1) }
        return table
    }
}
