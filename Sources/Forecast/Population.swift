package import Pinning

/// How many people use which version on which day: counted as far as there are data, and projected from there on.
package struct Population: Sendable {
    /// What is known of a day.
    package enum Basis: String, Sendable {
        case counted
        case projected
        /// After the last data, of which too little is known to project anything: all stays as on the last day.
        case unchanged
        /// Before the first data.
        case unknown
    }

    package let firstDay: Day
    /// The last day that was counted.
    package let lastDay: Day
    package let horizon: Day
    /// Of the fleet's versions, in order.
    package let trends: [Trend]
    private let versionCount: Int
    /// Day by day from the first to the horizon: of each version, and at the end of all that the fleet does not have.
    private let users: [[Band]]
    private let totals: [Double]

    /// - Parameters:
    ///   - table: must have a day.
    ///   - versions: how many the fleet has.
    ///   - horizon: up to which day is looked ahead.
    package init(_ table: UsageTable, versions: Int, horizon: Day) {
        let days = table.days
        let (first, last) = (days.first ?? horizon, days.last ?? horizon)
        (firstDay, lastDay, versionCount) = (first, last, versions)
        self.horizon = max(horizon, last)
        // A day without data is as the one before it that has some.
        var counted: [[Band]] = []
        var next = 0
        for number in first.number...last.number {
            if next < days.count, days[next].number == number {
                let day = days[next]
                counted.append(
                    (0...versions).map { Band(Double(table.users(version: $0 < versions ? $0 : nil, on: day))) }
                )
                next += 1
            } else {
                counted.append(counted[counted.count - 1])
            }
        }
        let recent = days.filter { $0.number > last.number - Trend.window }
        trends = (0..<versions).map { version in
            guard days.contains(where: { table.users(version: version, on: $0) > 0 }) else { return .unseen }
            return Trend(recent.map { ($0.number, table.users(version: version, on: $0)) })
        }
        let end = counted[counted.count - 1].map(\.expected)
        var users = counted
        var totals = counted.map { $0.reduce(0) { $0 + $1.expected } }
        if self.horizon > last {
            for number in (last.number + 1)...self.horizon.number {
                let (bands, total) = Self.project(Day(number: number), trends, end)
                users.append(bands)
                totals.append(total)
            }
        }
        self.users = users
        self.totals = totals
    }

    /// Declining versions follow their own line, never above what they had. The people who leave them are shared out to
    /// the versions that do not decline. Where there are none, they are gone.
    private static func project(_ day: Day, _ trends: [Trend], _ end: [Double]) -> ([Band], Double) {
        var bands = end.map { Band($0) }
        var left = Band.zero
        var steady = 0.0
        for (index, trend) in trends.enumerated() {
            switch trend {
            case .declining(let decline):
                let most = end[index]
                let users = decline.users(on: day)
                bands[index] = Band(
                    low: min(users.low, most),
                    expected: min(users.expected, most),
                    high: min(users.high, most)
                )
                left =
                    left
                    + Band(
                        low: most - bands[index].high,
                        expected: most - bands[index].expected,
                        high: most - bands[index].low
                    )
            case .steady: steady += end[index]
            case .tooLittleData, .gone, .unseen: break
            }
        }
        if steady > 0 {
            for (index, trend) in trends.enumerated() where trend == .steady {
                let part = end[index] / steady
                bands[index] = Band(
                    low: end[index] + left.low * part,
                    expected: end[index] + left.expected * part,
                    high: end[index] + left.high * part
                )
            }
        }
        return (bands, bands.reduce(0) { $0 + $1.expected })
    }

    package func basis(of day: Day) -> Basis {
        day < firstDay ? .unknown : day <= lastDay ? .counted : isProjected ? .projected : .unchanged
    }

    /// Whether there is a version about which enough is known to say how its use goes on.
    package var isProjected: Bool {
        trends.contains {
            switch $0 {
            case .declining, .steady: true
            case .tooLittleData, .gone, .unseen: false
            }
        }
    }

    /// - Parameter version: `nil` for all that the fleet does not have.
    package func users(version: Int?, on day: Day) -> Band {
        guard let index = index(of: day) else { return .zero }
        return users[index][version ?? versionCount]
    }

    /// All versions together.
    package func total(on day: Day) -> Double { index(of: day).map { totals[$0] } ?? 0 }

    private func index(of day: Day) -> Int? {
        let index = day - firstDay
        return users.indices.contains(index) ? index : nil
    }
}
