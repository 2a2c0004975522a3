import Pinning
import Scenarios

/// What makes the last day with data look like one that was not counted to its end.
extension UsageTable {
    /// So much less than on the day with data before is no decline.
    private static let halfDay = 0.5
    /// A version with fewer may well be missing for a day.
    private static let fewest = 0.01

    /// - Parameter versions: the names of the fleet's versions.
    /// - Returns: one sentence for each oddity.
    package func oddities(onLastDay versions: [String]) -> [String] {
        let days = days
        guard days.count > 1 else { return [] }
        let (last, before) = (days[days.count - 1], days[days.count - 2])
        let all = versions.indices.map(Optional.some) + [nil]
        func total(_ day: Day) -> Int { all.reduce(0) { $0 + users(version: $1, on: day) } }
        let (now, then) = (total(last), total(before))
        if Double(now) < Double(then) * Self.halfDay {
            return [
                "\(Number.text(Double(now))) people on \(last), the last day, and \(Number.text(Double(then))) on \(before); "
                    + "if that day was not over, leave it out with --today \(before)"
            ]
        }
        return versions.indices.compactMap { version in
            let users = users(version: version, on: before)
            guard self.users(version: version, on: last) == 0, Double(users) >= Double(then) * Self.fewest else {
                return nil
            }
            return
                "nobody has '\(versions[version])' on \(last), the last day, and \(Number.text(Double(users))) people had it on "
                + "\(before); if its rows are missing, leave that day out with --today \(before)"
        }
    }
}
