import Foundation
package import Pinning

/// Three values for one number: the expected one, and between which others it is likely to lie.
package struct Band: Hashable, Sendable {
    package var low: Double
    package var expected: Double
    package var high: Double

    package init(low: Double, expected: Double, high: Double) {
        (self.low, self.expected, self.high) = (low, expected, high)
    }

    package init(_ value: Double) { self.init(low: value, expected: value, high: value) }

    package static let zero = Band(0)

    package static func + (left: Band, right: Band) -> Band {
        Band(low: left.low + right.low, expected: left.expected + right.expected, high: left.high + right.high)
    }

    /// As a part of a whole; nothing of nothing is nothing.
    package func share(of whole: Double) -> Band {
        guard whole > 0 else { return .zero }
        return Band(low: min(1, low / whole), expected: min(1, expected / whole), high: min(1, high / whole))
    }
}

/// Where a version's use is going, by its own past.
package enum Trend: Hashable, Sendable {
    /// It declines as a straight line of logarithms.
    case declining(Decline)
    /// It does not decline: whoever leaves other versions comes to one of these.
    case steady
    /// So few days, with so many from the first to the last, cannot be projected.
    case tooLittleData(days: Int, span: Int)
    /// Nobody was left on the last day.
    case gone
    /// Nobody has ever been counted with it.
    case unseen

    /// How far back decline is looked at: long enough for weeks to even out, short enough to be the present.
    package static let window = 56
    /// What a projection needs at least.
    package static let fewestDays = 5
    package static let shortestSpan = 14

    /// - Parameter counts: by day, sorted; the last is the last day that was counted.
    package init(_ counts: [(day: Int, users: Int)]) {
        guard let last = counts.last, last.users > 0 else {
            self = .gone
            return
        }
        let recent = counts.filter { $0.day > last.day - Self.window && $0.users > 0 }
        guard recent.count >= Self.fewestDays, last.day - recent[0].day >= Self.shortestSpan else {
            self = .tooLittleData(days: recent.count, span: last.day - recent[0].day)
            return
        }
        // What a version did before it was at its height says nothing about its decline.
        let peak = recent.lastIndex { count in count.users == recent.map(\.users).max() } ?? 0
        let past = recent[peak...]
        guard past.count >= Self.fewestDays, last.day - recent[peak].day >= Self.shortestSpan,
            let decline = Decline(past.map { ($0.day, $0.users) })
        else {
            self = .steady
            return
        }
        self = .declining(decline)
    }
}

/// A line of logarithms by least squares.
package struct Decline: Hashable, Sendable {
    /// Per day; negative.
    package let slope: Double
    private let mean: (day: Double, log: Double)
    private let spread: Double
    private let count: Double
    /// The standard error of one day's logarithm.
    private let error: Double
    private let quantile: Double

    /// - Returns: `nil` where it does not fall.
    init?(_ counts: [(day: Int, users: Int)]) {
        let count = Double(counts.count)
        let logs = counts.map { log(Double($0.users)) }
        let mean = (day: counts.reduce(0) { $0 + Double($1.day) } / count, log: logs.reduce(0, +) / count)
        var (spread, product) = (0.0, 0.0)
        for (point, log) in zip(counts, logs) {
            let distance = Double(point.day) - mean.day
            spread += distance * distance
            product += distance * (log - mean.log)
        }
        guard spread > 0, product < 0 else { return nil }
        slope = product / spread
        self.mean = mean
        self.spread = spread
        self.count = count
        let residuals = zip(counts, logs).reduce(0) { sum, point in
            let residual = point.1 - mean.log - product / spread * (Double(point.0.day) - mean.day)
            return sum + residual * residual
        }
        error = (residuals / (count - 2)).squareRoot()
        quantile = Self.quantile(count - 2)
    }

    /// How many are left on a day, and the band in which 95 of 100 such days lie.
    package func users(on day: Day) -> Band {
        let distance = Double(day.number) - mean.day
        let middle = mean.log + slope * distance
        let width = quantile * error * (1 + 1 / count + distance * distance / spread).squareRoot()
        return Band(low: exp(middle - width), expected: exp(middle), high: exp(middle + width))
    }

    /// After how many days half are left.
    package var halfLife: Double { log(2) / -slope }

    /// Student's t at 97.5 % by its expansion (Abramowitz and Stegun 26.7.5); right to 0.03 from three degrees of freedom on.
    private static func quantile(_ degrees: Double) -> Double {
        let z = 1.959_964
        let (z3, z5, z7) = (z * z * z, z * z * z * z * z, z * z * z * z * z * z * z)
        return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees * degrees)
            + (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * degrees * degrees * degrees)
    }

    package static func == (left: Decline, right: Decline) -> Bool {
        (left.slope, left.mean.day, left.mean.log, left.error) == (
            right.slope, right.mean.day, right.mean.log, right.error
        )
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(slope)
        hasher.combine(mean.day)
    }
}
