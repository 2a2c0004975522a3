import Pinning
import Scenarios
import TLSCore
import TestSupport
import Testing

@testable import Forecast

/// Keys of ours stand for production's: one for each, whatever names a plan and its rules give it.
struct StandInTests {
    /// Versions that pin the key, the certificate and those above them, and one that pins none of that.
    private static func pinning(_ server: Identity, _ issuing: Certificate, _ root: Certificate) -> Fleet {
        var fleet = ForecastWorld.fleet
        fleet.versions = [
            Fleet.Version(name: "key", rules: ForecastWorld.leaf(server.pin)),
            Fleet.Version(name: "issuer", rules: ForecastWorld.any(issuing.pin)),
            Fleet.Version(name: "root", rules: ForecastWorld.any(root.pin)),
            Fleet.Version(name: "root's certificate", rules: ForecastWorld.any(root.fingerprint, match: .certificate)),
            Fleet.Version(name: "stranger", rules: ForecastWorld.any(Pin(hashing: [9]))),
        ]
        return fleet
    }

    @Test func `a key that a chain and the plan both name is one key`() throws {
        let (server, issuing, root) = (Sample.server, Sample.issuing.certificate, Sample.root.certificate)
        let plan = """
            keys: { today: { file: today.pem }, next: { pin: \(ForecastWorld.pins.next) } }
            authorities:
              root: { file: root.pem }
              issuing: { issuer: root, pin: \(issuing.pin) }
              other: { issuer: root }
            events:
              - { on: 2026-10-01, name: today, chain: today.pem }
              - { rule: "renew every 47d, same key", until: 2026-11-20 }
              - { on: 2026-12-01, name: same key, key: today, issuer: other }
              - { on: 2026-12-02, name: same issuer, key: next, issuer: issuing }
              - { on: 2026-12-03, name: same root, key: next, issuer: other }
            """

        let forecast = try ForecastWorld.forecast(
            Self.pinning(server, issuing, root),
            plan: plan,
            materials: ["today.pem": server.chain.map { KeyMaterial($0) }, "root.pem": [KeyMaterial(root)]],
            table: UsageTable(versions: 5).with(ForecastWorld.today)
        )

        #expect(
            forecast.events.map { event in event.fates.filter { $0.outcome == .survives }.map(\.name) } == [
                ["key", "issuer", "root", "root's certificate"], ["key", "issuer", "root", "root's certificate"],
                ["key", "root", "root's certificate"], ["issuer", "root", "root's certificate"],
                ["root", "root's certificate"],
            ]
        )
        #expect(
            forecast.events[4].fates[0].needed == [
                "\(ForecastWorld.pins.next) ('next')"
            ]
        )
        // By the names of the file, and not by those of a rule.
        #expect(
            forecast.events[4].fates[1].needed == [
                "\(ForecastWorld.pins.next) ('next'), or the pin of 'other', or \(root.pin) ('root')"
            ]
        )
    }

    @Test func `two names of one key and of one authority are one`() throws {
        let (server, issuing, root) = (Sample.server, Sample.issuing.certificate, Sample.root.certificate)
        let plan = """
            keys: { today: { file: today.pem }, other: { pin: \(server.pin) } }
            authorities:
              root: { file: root.pem }
              again: { file: root.pem }
              issuing: { issuer: root, file: issuing.pem }
              twin: { issuer: again, key: issuing }
            events:
              - { on: 2026-10-01, name: first, key: today, issuer: issuing }
              - { on: 2026-12-01, name: second, key: other, issuer: twin }
            """

        let forecast = try ForecastWorld.forecast(
            Self.pinning(server, issuing, root),
            plan: plan,
            materials: [
                "today.pem": [KeyMaterial(server.leaf)], "root.pem": [KeyMaterial(root)],
                "issuing.pem": [KeyMaterial(issuing)],
            ],
            table: UsageTable(versions: 5).with(ForecastWorld.today)
        )

        for event in forecast.events {
            #expect(
                event.fates.map(\.outcome) == [.survives, .survives, .survives, .survives, .locksOut],
                "\(event.name)"
            )
        }
    }

    @Test func `what a rule makes is called as its certificates are`() throws {
        let plan = """
            events:
              - { on: 2026-10-01, name: today, chain: today.pem }
              - { rule: "rotate key every 47d", until: 2026-11-20 }
            """

        let forecast = try ForecastWorld.forecast(
            Self.pinning(Sample.server, Sample.issuing.certificate, Sample.root.certificate),
            plan: plan,
            materials: ["today.pem": Sample.server.chain.map { KeyMaterial($0) }],
            table: UsageTable(versions: 5).with(ForecastWorld.today)
        )

        let needed = try #require(forecast.events[1].fates[4].needed.first)
        #expect(needed.contains("('\(Sample.issuing.certificate.commonName)')"))
        #expect(needed.hasSuffix("('the root above today')"))
        #expect(!needed.contains("CN="))
    }
}
