import Foundation
import Pinning
import Scenarios

extension Forecast {
    /// For programs: `docs/forecast.md` describes it.
    package func json() throws -> String { try Document(self).asJSON() }

    private struct People: Encodable {
        var low: Double?
        var expected: Double
        var high: Double?

        /// What is not projected has no band.
        init(_ band: Band, _ basis: Population.Basis) {
            expected = band.expected
            if basis != .unchanged { (low, high) = (band.low, band.high) }
        }
    }

    /// Written as `null` where it is not known.
    private enum Known<Value: Encodable>: Encodable {
        case value(Value)
        case unknown

        init(_ value: Value, _ basis: Population.Basis) { self = basis == .unknown ? .unknown : .value(value) }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .value(let value): try value.encode(to: encoder)
            case .unknown:
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            }
        }
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
            let (population, counts) = (forecast.population, forecast.countsPeople)
            let total = population.total(on: population.lastDay)
            counted = Span(
                from: "\(population.firstDay)",
                to: "\(population.lastDay)",
                users: counts ? total : nil
            )
            versions = zip(forecast.fleet.versions, population.trends).enumerated().map { index, pair in
                let users = population.users(version: index, on: population.lastDay)
                return Version(
                    name: pair.0.name,
                    released: pair.0.released.map { "\($0)" },
                    users: counts ? users.expected : nil,
                    share: users.share(of: total).expected,
                    trend: pair.1
                )
            }
            events = forecast.events.map { Happening($0, counts: counts) }
        }
    }

    private struct Span: Encodable {
        var from: String
        var to: String
        /// Missing where only shares are known, as all numbers of people are.
        var users: Double?
    }

    private struct Version: Encodable {
        var name: String
        var released: String?
        var users: Double?
        var share: Double
        var trend: String
        var halfLifeDays: Double?

        init(name: String, released: String?, users: Double?, share: Double, trend: Trend) {
            (self.name, self.released, self.users, self.share) = (name, released, users, share)
            switch trend {
            case .declining(let decline):
                self.trend = "declining"
                halfLifeDays = decline.halfLife
            case .steady: self.trend = "steady"
            case .tooLittleData: self.trend = "too-little-data"
            case .gone: self.trend = "gone"
            case .unseen: self.trend = "unseen"
            }
        }
    }

    private struct Happening: Encodable {
        var name: String
        var day: String
        var countedOn: String?
        var basis: String
        var users: Known<Double>?
        var lockedOut: Known<People>?
        var undecided: Known<People>?
        var share: Known<People>
        var undecidedShare: Known<People>
        var safe: Safe
        var lockedOutVersions: [Kept]

        init(_ event: Event, counts: Bool) {
            let basis = event.basis
            name = event.name
            day = "\(event.day)"
            countedOn = event.countedOn == event.day ? nil : "\(event.countedOn)"
            self.basis = basis.rawValue
            if counts {
                users = Known(event.total, basis)
                lockedOut = Known(People(event.lockedOut, basis), basis)
                undecided = Known(People(event.undecided, basis), basis)
            }
            share = Known(People(event.atRisk, basis), basis)
            undecidedShare = Known(People(event.undecided.share(of: event.total), basis), basis)
            safe = Safe(event.safeDay)
            lockedOutVersions = event.fates.filter { $0.isAtRisk(on: event.countedOn) }
                .map { Kept($0, of: event, counts: counts) }
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
                if basis != .unchanged {
                    self.earliest = earliest.map { "\($0)" }
                    self.latest = latest.map { "\($0)" }
                }
            case .none(let reason): self.reason = reason
            }
        }
    }

    private struct Kept: Encodable {
        var version: String
        var outcome: String
        var reason: String
        var needed: [String]
        var users: Known<People>?
        var share: Known<People>
        var acceptsFrom: String?

        init(_ fate: Fate, of event: Event, counts: Bool) {
            version = fate.name
            outcome = fate.outcome.rawValue
            reason = fate.reason
            needed = fate.needed
            if counts { users = Known(People(fate.users, event.basis), event.basis) }
            share = Known(People(fate.users.share(of: event.total), event.basis), event.basis)
            acceptsFrom = fate.ends.map { "\($0)" }
        }
    }
}
