package import Pinning

/// How many people used each version on each day: what was counted, and nothing else.
package struct UsageTable: Sendable {
    /// One version's users from its first day on.
    private struct Series: Sendable {
        var first = 0
        var users: [Int] = []

        mutating func add(_ count: Int, on day: Int) {
            if users.isEmpty { first = day }
            if day < first {
                // Exports that begin with the newest day come here for each; room is made for a year at once.
                let room = first - day + (users.count < 36_525 ? 365 : 0)
                users.insert(contentsOf: repeatElement(0, count: room), at: 0)
                first -= room
            }
            if day - first >= users.count { users += repeatElement(0, count: day - first + 1 - users.count) }
            users[day - first] = min(users[day - first] + count, UsageTable.most)
        }

        func value(_ day: Int) -> Int { users.indices.contains(day - first) ? users[day - first] : 0 }
    }

    /// No sum of some thousand of these overflows.
    static let most = 1 << 50

    /// One for each version of the fleet, and the last for all that the fleet does not have.
    private var series: [Series]
    private var daysWithData: Set<Int> = []
    private var lastDay = -1

    package init(versions: Int) {
        series = Array(repeating: Series(), count: versions + 1)
    }

    /// - Parameters:
    ///   - version: the index in the fleet; `nil`: one that it does not have.
    ///   - users: not negative.
    package mutating func add(version: Int?, day: Day, users: Int) {
        if day.number != lastDay {
            daysWithData.insert(day.number)
            lastDay = day.number
        }
        series[version ?? series.count - 1].add(users, on: day.number)
    }

    /// The days for which there are data, sorted.
    package var days: [Day] { daysWithData.sorted().map(Day.init(number:)) }

    package func users(version: Int?, on day: Day) -> Int { series[version ?? series.count - 1].value(day.number) }
}
