import Foundation
import Pinning
import Scenarios
import TLSCore
import TestSupport
import Testing

@testable import Forecast

/// A fleet and a plan to begin with: three versions, of which the oldest pins the key of today alone.
struct ForecastWorld {
    /// 2026-11-20.
    static let today = Day(number: 20_777)
    static let pins = (
        today: Pin(hashing: [1]), next: Pin(hashing: [2]), issuer: Pin(hashing: [3]), other: Pin(hashing: [4])
    )

    static let plan = """
        version: 1
        keys:
          today: { pin: \(pins.today) }
          next: { pin: \(pins.next) }
          unplanned: {}
        authorities:
          root: {}
          issuing: { issuer: root, pin: \(pins.issuer) }
          other: { pin: \(pins.other) }
        events:
          - { on: 2026-10-01, name: before, key: today, issuer: issuing }
          - { on: 2026-12-01, name: after, key: next, issuer: issuing }
        """

    /// A policy that wants one of these keys of leaves.
    static func leaf(_ pins: Pin..., match: PinRequirement.Match = .key) -> any PinRules {
        UniformPolicy(PinPolicy(requirements: [PinRequirement(pins: pins, match: match, position: .leaf)]))
    }

    static func any(_ pins: Pin..., match: PinRequirement.Match = .key) -> any PinRules {
        UniformPolicy(PinPolicy(requirements: [PinRequirement(pins: pins, match: match)]))
    }

    static var fleet: Fleet {
        Fleet(
            host: Sample.host,
            versions: [
                Fleet.Version(name: "1.0", rules: leaf(pins.today)),
                Fleet.Version(name: "2.0", rules: leaf(pins.today, pins.next)),
                Fleet.Version(name: "3.0", rules: UniformPolicy(PinPolicy())),
            ],
            usage: "usage.csv"
        )
    }

    /// Sixty days up to today: 1.0 halves every ten days, 2.0 takes over.
    static var table: UsageTable {
        var table = UsageTable(versions: 3)
        for day in 0..<60 {
            let old = Int(10_000 * pow(0.5, Double(day) / 10))
            table.add(version: 0, day: today + (day - 59), users: old)
            table.add(version: 1, day: today + (day - 59), users: 20_000 - old)
            table.add(version: 2, day: today + (day - 59), users: 10)
        }
        return table
    }

    static func plan(_ text: String = plan, materials: [String: [KeyMaterial]] = [:]) throws -> Plan {
        try Plan.parse(text, file: "plan.yaml") { try materials[$0].unwrapped }
    }

    static func forecast(
        _ fleet: Fleet = fleet,
        plan text: String = plan,
        materials: [String: [KeyMaterial]] = [:],
        table: UsageTable = table,
        tolerance: Double = 0.01,
        ahead: Int = 365,
        roots: TrustStore = Sample.store
    ) throws -> Forecast {
        let plan = try plan(text, materials: materials)
        return try Forecast(
            fleet,
            plan,
            chains: PlannedChains(plan, host: fleet.host, roots: roots),
            population: Population(table, versions: fleet.versions.count, horizon: today + ahead),
            today: today,
            tolerance: tolerance
        )
    }

    struct Missing: Error {}
}

extension Optional {
    var unwrapped: Wrapped {
        get throws {
            guard let self else { throw ForecastWorld.Missing() }
            return self
        }
    }
}
