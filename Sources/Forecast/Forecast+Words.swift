import Pinning
import Scenarios

/// What all forms of a forecast say in the same words.
extension Forecast {
    var headline: String {
        let known = events.filter { $0.basis != .unknown }
        let unknown = events.count - known.count
        let open = unknown == 0 ? "" : " Not known for \(Count.of(unknown, "event")) before the first day with data."
        guard let worst = known.max(by: { $0.atRisk.expected < $1.atRisk.expected }), worst.atRisk.expected > 0 else {
            return "Nobody is locked out by \(Count.of(known.count, "event")).\(open)"
        }
        let harmful = known.count { $0.atRisk.expected > 0 }
        return
            "\(harmful) of \(Count.of(events.count, "event")) \(harmful == 1 ? "locks" : "lock") users out; at worst "
            + "\(Share.text(worst.atRisk.expected)) of them, on \(worst.countedOn), by '\(worst.name)'.\(open)"
    }

    private var outlook: String {
        population.isProjected
            ? "What comes after it is a projection."
            : "Too little is known for a projection: what comes after it is taken to stay as on that day."
    }

    /// Whether it is known how many people there are.
    var countsPeople: Bool { fleet.usage != nil || fleet.weight == .users }

    var basisWords: String {
        guard countsPeople else {
            return "The shares are those of \(population.lastDay). \(outlook)"
        }
        let days = population.lastDay - population.firstDay + 1
        let total = Number.text(population.total(on: population.lastDay))
        let span =
            days == 1
            ? "on \(population.lastDay)"
            : "from \(population.firstDay) to \(population.lastDay), \(total) on the last day"
        let people = days == 1 ? "\(total) people were counted " : "People were counted "
        return "\(people)\(span). \(outlook)"
    }

    /// How a version's use goes on.
    func words(of trend: Trend) -> String {
        switch trend {
        case .declining(let decline): "declines: half are left after \(Number.text(decline.halfLife)) days"
        case .steady: "does not decline: whoever leaves other versions is taken to come to it"
        case .tooLittleData(let days, let span):
            "too little data (\(Count.of(days, "day")) with users, \(span) from the first to the last; needed are "
                + "\(Trend.fewestDays), and \(Trend.shortestSpan)): not projected, taken to stay as it is"
        case .gone: "not in use any more"
        case .unseen: "never seen in use"
        }
    }
}

extension Forecast.Event {
    /// - Parameter counts: whether people are known, or only shares.
    func people(counts: Bool) -> String {
        let (low, high) = (Share.text(atRisk.low), Share.text(atRisk.high))
        let people = "\(Number.text((lockedOut + undecided).expected)) of \(Number.text(total)) people"
        let later = countedOn == day ? "" : " on \(countedOn), the first day with data"
        let how =
            switch basis {
            case .unknown: "no data for that day"
            case .counted: (counts ? "counted" : "as given") + later
            case .projected: "projected: \(low) to \(high)"
            case .unchanged: "not projected: as on the last day with data"
            }
        return counts && basis != .unknown ? "\(people), \(how)" : how
    }

    var isUncertain: Bool { undecided.expected > 0 }

    /// Those who are kept out or may be, most people first.
    var harmed: [Forecast.Fate] {
        fates.filter { $0.isAtRisk(on: countedOn) && ($0.users.expected > 0 || basis == .unknown) }
            .sorted { $0.users.expected > $1.users.expected }
    }

    func safeWords(tolerance: Double) -> String {
        let limit = Share.text(tolerance)
        switch safeDay {
        case .none(let reason): return "no safe day: \(reason)"
        case .day(let day, let basis, let earliest, let latest):
            if basis == .counted { return "under \(limit) from \(day) on, counted" }
            if basis == .unchanged {
                return "under \(limit) from \(day) on, if the use stays as on the last day with data"
            }
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
