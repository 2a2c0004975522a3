import Foundation
package import Pinning
package import Scenarios
import TLSCore

/// Who is locked out by what a plan will show: on the day of each event, and until when.
package struct Forecast: Sendable {
    /// What becomes of a version in an event.
    package struct Fate: Sendable {
        /// The index in the fleet.
        package var version: Int
        package var name: String
        package var outcome: PolicyAudit.Outcome
        package var reason: String
        /// One text for each list of pins that is not met.
        package var needed: [String]
        /// Those who use it on the day of the event.
        package var users: Band
        /// From this day on its pins have ended, and it accepts.
        package var ends: Day?

        /// Whether it may keep somebody out on a day.
        func isAtRisk(on day: Day) -> Bool { outcome != .survives && ends.map { day < $0 } ?? true }
    }

    /// From when on an event would lock out fewer than are tolerated, and as far as is looked ahead not more again.
    package enum SafeDay: Hashable, Sendable {
        /// With the first and the last day that the band allows; `nil`: beyond what is looked at.
        case day(Day, Population.Basis, earliest: Day?, latest: Day?)
        case none(String)
    }

    package struct Event: Sendable {
        package var name: String
        package var day: Day
        /// Whose people are counted: those of the event's own day, or of the first day with data, if that is later and
        /// the event's chain is still shown then.
        package var countedOn: Day
        package var basis: Population.Basis
        package var total: Double
        /// People whose version rejects what is shown.
        package var lockedOut: Band
        /// People of whom that cannot be said: TLS libraries differ, or the fleet does not have their version.
        package var undecided: Band
        /// In the fleet's order, those that survive too.
        package var fates: [Fate]
        package var safeDay: SafeDay

        /// All who may be locked out, as a part of all people.
        package var atRisk: Band { (lockedOut + undecided).share(of: total) }
    }

    package let fleet: Fleet
    package let today: Day
    /// A part from 0 to 1.
    package let tolerance: Double
    package let population: Population
    package let events: [Event]

    /// - Parameters:
    ///   - chains: of the plan's events.
    ///   - tolerance: the part of all people that may be locked out, from 0 to 1.
    package init(
        _ fleet: Fleet,
        _ plan: Plan,
        chains: PlannedChains,
        population: Population,
        today: Day,
        tolerance: Double
    ) throws {
        self.fleet = fleet
        self.today = today
        self.tolerance = tolerance
        self.population = population
        events = try plan.events.enumerated().map { index, event in
            // What is shown on the first day with data hurts the people of that day.
            let next = plan.events.indices.contains(index + 1) ? plan.events[index + 1].day : nil
            let isShownLater = next.map { $0 > population.firstDay } ?? true
            let day = isShownLater ? max(event.day, population.firstDay) : event.day
            // Asked for once: what is made anew is verified anew.
            let situation = try chains.situation(event: index, at: event.instant)
            let fates = try fleet.versions.indices.map { version in
                try Self.fate(
                    of: version,
                    in: fleet,
                    event: index,
                    situation,
                    chains,
                    population.users(version: version, on: day)
                )
            }
            let unknown = population.users(version: nil, on: day)
            func sum(_ isMeant: (Fate) -> Bool) -> Band {
                fates.filter { isMeant($0) && $0.isAtRisk(on: day) }.reduce(Band.zero) { $0 + $1.users }
            }
            return Event(
                name: event.name,
                day: event.day,
                countedOn: day,
                basis: Self.basis(of: day, fates, population),
                total: population.total(on: day),
                lockedOut: sum { $0.outcome == .locksOut || $0.outcome == .locksOutRegardless },
                undecided: sum { $0.outcome == .depends } + unknown,
                fates: fates,
                safeDay: SafeDaySearch(fates: fates, population: population, tolerance: tolerance).result
            )
        }
    }

    /// A day whose numbers hang on versions that are not projected is no projection.
    private static func basis(of day: Day, _ fates: [Fate], _ population: Population) -> Population.Basis {
        let basis = population.basis(of: day)
        let hurt = fates.filter { $0.isAtRisk(on: day) && $0.users.expected > 0 }
        guard basis == .projected, !hurt.isEmpty else { return basis }
        let isGuess = hurt.allSatisfy {
            if case .tooLittleData = population.trends[$0.version] { true } else { false }
        }
        return isGuess && population.total(on: day) == population.total(on: population.lastDay) ? .unchanged : basis
    }

    private static func fate(
        of version: Int,
        in fleet: Fleet,
        event: Int,
        _ situation: Situation,
        _ chains: PlannedChains,
        _ users: Band
    ) throws -> Fate {
        let rules = chains.rules(fleet.versions[version].rules, event: event)
        let instant = situation.instant
        let cell = CheckMatrix.Cell(rules, situation)
        var fate = Fate(
            version: version,
            name: fleet.versions[version].name,
            outcome: cell.outcome,
            reason: cell.why,
            needed: cell.needed.map { list in
                list.map { chains.words($0, event: event) }.joined(separator: ", or ")
            },
            users: users
        )
        if fate.outcome != .survives, let end = rules.scope(for: fleet.host)?.expires, end >= instant {
            // From the first whole day on.
            let day = Day(end) + 1
            let later = try chains.situation(event: event, at: day.noon)
            if rules.decide(later).demand == .accept { fate.ends = day }
        }
        return fate
    }
}

/// Looks for the day from which on few enough are locked out.
private struct SafeDaySearch {
    let fates: [Forecast.Fate]
    let population: Population
    let tolerance: Double

    var result: Forecast.SafeDay {
        guard population.total(on: population.horizon) > 0 else { return .none("nobody is left to be counted") }
        guard let day = first(\.expected) else { return .none(reason) }
        return .day(day, population.basis(of: day), earliest: first(\.low), latest: first(\.high))
    }

    /// The day after the last one on which too many are locked out; `nil` where that is the last one looked at.
    private func first(_ part: KeyPath<Band, Double>) -> Day? {
        var day = population.horizon
        guard isSafe(day, part) else { return nil }
        while day > population.firstDay, isSafe(day + -1, part) { day = day + -1 }
        return day
    }

    private func isSafe(_ day: Day, _ part: KeyPath<Band, Double>) -> Bool {
        let total = population.total(on: day)
        // Nobody can be locked out where there is nobody.
        guard total > 0 else { return true }
        let kept = users(on: day, part)
        return kept == 0 || kept / total < tolerance
    }

    private func users(on day: Day, _ part: KeyPath<Band, Double>) -> Double {
        var sum = population.users(version: nil, on: day)[keyPath: part]
        for fate in fates where fate.isAtRisk(on: day) {
            sum += population.users(version: fate.version, on: day)[keyPath: part]
        }
        return sum
    }

    /// What keeps the part of those who are locked out up.
    private var reason: String {
        let last = population.horizon
        let total = population.total(on: last)
        var parts: [String] = []
        let unknown = population.users(version: nil, on: last).expected
        if unknown / total >= tolerance { parts.append("the fleet file does not have all versions that are in use") }
        let kept = fates.filter { $0.isAtRisk(on: last) }
            .map { ($0, population.users(version: $0.version, on: last).expected) }
            .filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
        var rest = kept.reduce(0) { $0 + $1.1 }
        // Those without whom it would be few enough; the others are not the reason.
        for (fate, users) in kept.prefix(3) where rest / total >= tolerance {
            rest -= users
            switch population.trends[fate.version] {
            case .steady: parts.append("'\(fate.name)' does not decline")
            case .tooLittleData(let days, _):
                parts.append(
                    "there are too little data about '\(fate.name)' for a projection: \(Count.of(days, "day"))"
                )
            case .declining, .gone, .unseen: parts.append("'\(fate.name)' is still used by too many")
            }
        }
        return "not by \(last)" + (parts.isEmpty ? "" : ": " + parts.joined(separator: "; "))
    }
}
