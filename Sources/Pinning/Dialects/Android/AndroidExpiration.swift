package import Foundation

/// The day on which a pin set ends, in whatever time zone the device is.
package struct AndroidExpiration: Hashable, Sendable, CustomStringConvertible {
    package let year: Int
    package let month: Int
    package let day: Int

    /// A day of the calendar; `nil` when there is no such day.
    package init?(year: Int, month: Int, day: Int) {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard 1...9999 ~= year, 1...12 ~= month, 1...days[month - 1] ~= day else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// As Java's strict `SimpleDateFormat("yyyy-MM-dd")` reads: whatever stands behind the day is passed over, and a
    /// year of two digits is that year, not one of this century.
    package init?(parsing text: String) {
        let parts = text.drop { " \t\r\n".contains($0) }
            .split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let year = AndroidExpiration.number(parts[0]),
            let month = AndroidExpiration.number(parts[1]),
            let day = AndroidExpiration.number(parts[2].prefix { $0.isASCII && $0.isNumber })
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// As in `2027-01-31`.
    package var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Midnight at the beginning of the day, after which pins are not looked at any more.
    package func instant(in zone: TimeZone) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        // `init` admits only days that exist.
        return calendar.date(from: DateComponents(year: year, month: month, day: day)) ?? .distantFuture
    }

    private static func number(_ digits: Substring) -> Int? {
        1...9 ~= digits.utf8.count && digits.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(digits) : nil
    }
}
