import Foundation
import Pinning
import Scenarios

extension Forecast {
    /// For programs: `docs/forecast.md` describes it.
    package func json() throws -> String { try Document(self).asJSON() }

    private struct People: Encodable {
        var low: Double
        var expected: Double
        var high: Double

        init(_ band: Band) { (low, expected, high) = (band.low, band.expected, band.high) }
    }

    private struct Document: Encodable {
        var version = 1
        var host: String
        var today: String
        var tolerate: Double
        var counted: Span
        var versions: [Version]
        var events: [Happening]

        init(_ forecast: Forecast) {
            host = forecast.fleet.host
            today = "\(forecast.today)"
            tolerate = forecast.tolerance
            let population = forecast.population
            counted = Span(
                from: "\(population.firstDay)",
                to: "\(population.lastDay)",
                users: population.total(on: population.lastDay)
            )
            versions = zip(forecast.fleet.versions, population.trends).enumerated().map { index, pair in
                Version(
                    name: pair.0.name,
                    released: pair.0.released.map { "\($0)" },
                    users: population.users(version: index, on: population.lastDay).expected,
                    trend: pair.1
                )
            }
            events = forecast.events.map(Happening.init)
        }
    }

    private struct Span: Encodable {
        var from: String
        var to: String
        var users: Double
    }

    private struct Version: Encodable {
        var name: String
        var released: String?
        var users: Double
        var trend: String
        var halfLifeDays: Double?

        init(name: String, released: String?, users: Double, trend: Trend) {
            (self.name, self.released, self.users) = (name, released, users)
            switch trend {
            case .declining(let decline):
                self.trend = "declining"
                halfLifeDays = decline.halfLife
            case .steady: self.trend = "steady"
            case .tooLittleData: self.trend = "too-little-data"
            case .gone: self.trend = "gone"
            }
        }
    }

    private struct Happening: Encodable {
        var name: String
        var day: String
        var basis: String
        var users: Double
        var lockedOut: People
        var undecided: People
        var share: People
        var safe: Safe
        var lockedOutVersions: [Kept]

        init(_ event: Event) {
            name = event.name
            day = "\(event.day)"
            basis = event.basis.rawValue
            users = event.total
            lockedOut = People(event.lockedOut)
            undecided = People(event.undecided)
            share = People(event.atRisk)
            safe = Safe(event.safeDay)
            lockedOutVersions = event.fates.filter { $0.outcome != .survives }.map(Kept.init)
        }
    }

    private struct Safe: Encodable {
        var day: String?
        var basis: String?
        var earliest: String?
        var latest: String?
        var reason: String?

        init(_ safe: SafeDay) {
            switch safe {
            case .day(let day, let basis, let earliest, let latest):
                self.day = "\(day)"
                self.basis = basis.rawValue
                self.earliest = earliest.map { "\($0)" }
                self.latest = latest.map { "\($0)" }
            case .none(let reason): self.reason = reason
            }
        }
    }

    private struct Kept: Encodable {
        var version: String
        var outcome: String
        var reason: String
        var needed: [String]
        var users: People
        var acceptsFrom: String?

        init(_ fate: Fate) {
            version = fate.name
            outcome = fate.outcome.rawValue
            reason = fate.reason
            needed = fate.needed
            users = People(fate.users)
            acceptsFrom = fate.ends.map { "\($0)" }
        }
    }
}
