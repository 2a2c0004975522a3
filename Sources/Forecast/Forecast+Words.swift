import Pinning
import Scenarios

/// What all forms of a forecast say in the same words.
extension Forecast {
    var headline: String {
        let worst = events.filter { $0.basis != .unknown }.max { $0.atRisk.expected < $1.atRisk.expected }
        guard let worst, worst.atRisk.expected > 0 else {
            return "Nobody is locked out by \(Count.of(events.count, "event"))."
        }
        let harmful = events.count { $0.basis != .unknown && $0.atRisk.expected > 0 }
        return
            "\(harmful) of \(Count.of(events.count, "event")) \(harmful == 1 ? "locks" : "lock") users out; at worst "
            + "\(Share.text(worst.atRisk.expected)) of them, on \(worst.day), by '\(worst.name)'."
    }

    /// Whether it is known how many people there are.
    var countsPeople: Bool { fleet.usage != nil || fleet.weight == .users }

    var basisWords: String {
        guard countsPeople else {
            return "The shares are those of \(population.lastDay). What comes after it is a projection."
        }
        let days = population.lastDay - population.firstDay + 1
        let total = Number.text(population.total(on: population.lastDay))
        let span =
            days == 1
            ? "on \(population.lastDay)"
            : "from \(population.firstDay) to \(population.lastDay), \(total) on the last day"
        let people = days == 1 ? "\(total) people were counted " : "People were counted "
        return "\(people)\(span). What comes after it is a projection."
    }

    /// How a version's use goes on.
    func words(of trend: Trend) -> String {
        switch trend {
        case .declining(let decline): "declines: half are left after \(Number.text(decline.halfLife)) days"
        case .steady: "does not decline: whoever leaves other versions is taken to come to it"
        case .tooLittleData(let days):
            "too little data (\(Count.of(days, "day")); \(Trend.fewestDays) days in \(Trend.shortestSpan) are needed): "
                + "not projected, taken to stay as it is"
        case .gone: "not in use any more"
        }
    }
}

extension Forecast.Event {
    /// - Parameter counts: whether people are known, or only shares.
    func people(counts: Bool) -> String {
        let band = lockedOut + undecided
        let (low, high) = (Share.text(atRisk.low), Share.text(atRisk.high))
        switch basis {
        case .counted where !counts: return "as given"
        case .projected where !counts: return "projected: \(low) to \(high)"
        case .unknown: return "no data for that day"
        case .counted: return "\(Number.text(band.expected)) of \(Number.text(total)) people, counted"
        case .projected:
            return "\(Number.text(band.expected)) of \(Number.text(total)) people, projected: \(low) to \(high)"
        }
    }

    var isUncertain: Bool { undecided.expected > 0 }

    /// Those who are kept out or may be, most people first.
    var harmed: [Forecast.Fate] {
        fates.filter { $0.outcome != .survives && ($0.users.expected > 0 || basis == .unknown) }
            .sorted { $0.users.expected > $1.users.expected }
    }

    func safeWords(tolerance: Double) -> String {
        let limit = Share.text(tolerance)
        switch safeDay {
        case .none(let reason): return "no safe day: \(reason)"
        case .day(let day, let basis, let earliest, let latest):
            if basis == .counted { return "under \(limit) from \(day) on, counted" }
            let band =
                "\(earliest.map { "\($0)" } ?? "before that") and \(latest.map { "\($0)" } ?? "beyond what is looked at")"
            return "under \(limit) from \(day) on, projected: between \(band)"
        }
    }
}

/// Numbers for people.
enum Number {
    /// Rounded, with commas between thousands; what is not nothing is never 0.
    static func text(_ value: Double) -> String {
        if value > 0, value < 0.5 { return "under 1" }
        var digits = Substring("\(Int(min(value, 1e15).rounded()))")
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits = digits.dropLast(3)
        }
        return ([digits] + groups).joined(separator: ",")
    }
}
