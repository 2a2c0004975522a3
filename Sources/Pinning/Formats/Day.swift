package import Foundation

/// A day of the calendar in UTC, counted from 1970-01-01.
package struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
    package var number: Int

    package init(number: Int) { self.number = number }

    /// The day in which an instant lies.
    package init(_ instant: Date) { number = Int((instant.timeIntervalSince1970 / 86_400).rounded(.down)) }

    /// - Returns: `nil` where the calendar has no such day between the years 2000 and 2099: no app is older, and nobody
    ///   plans so far.
    package init?(year: Int, month: Int, day: Int) {
        guard 2000...2099 ~= year, 1...12 ~= month, day >= 1 else { return nil }
        let isLeap = year % 4 == 0
        let length =
            switch month {
            case 2: isLeap ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        guard day <= length else { return nil }
        // Years that begin in March, so that the day of the leap year is the last (every fourth year is one here).
        let (y, m) = month > 2 ? (year - 2000, month - 3) : (year - 2001, month + 9)
        // 2000-03-01 is day 11,017.
        number = 11_017 + y * 365 + Day.floorDivide(y, 4) + (153 * m + 2) / 5 + day - 1
    }

    /// As in `2026-11-30`, and nothing else.
    package init?(parsing text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy(digits.contains) else { return nil }
        let numbers = parts.compactMap { Int(Substring($0)) }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    package static func < (left: Day, right: Day) -> Bool { left.number < right.number }
    package static func + (day: Day, count: Int) -> Day { Day(number: day.number + count) }
    package static func - (left: Day, right: Day) -> Int { left.number - right.number }

    package var start: Date { Date(timeIntervalSince1970: Double(number) * 86_400) }
    /// The moment that stands for a day of which no more is said.
    package var noon: Date { start + 43_200 }

    package var description: String {
        start.formatted(.iso8601.year().month().day())
    }

    private static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
        value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
    }
}
