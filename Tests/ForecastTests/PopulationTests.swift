import Foundation
import Pinning
import TestSupport
import Testing

@testable import Forecast

struct PopulationTests {
    private static let start = Day(number: 20_454)

    /// A table of the users of each version, every `step` days.
    private static func table(_ days: Int, step: Int = 1, _ users: [(Int) -> Double]) -> UsageTable {
        var table = UsageTable(versions: users.count)
        for day in stride(from: 0, to: days, by: step) {
            for (version, users) in users.enumerated() {
                table.add(version: version, day: start + day, users: Int(users(day).rounded()))
            }
        }
        return table
    }

    @Test func `a version that halves every ten days goes on to do so`() throws {
        let table = Self.table(
            60,
            [{ 1_000_000 * pow(0.5, Double($0) / 10) }, { 1_000_000 * (2 - pow(0.5, Double($0) / 10)) }]
        )
        let population = Population(table, versions: 2, horizon: Self.start + 100)

        guard case .declining(let decline) = population.trends[0] else {
            Issue.record("\(population.trends[0])")
            return
        }
        #expect(abs(decline.halfLife - 10) < 0.01)
        let band = population.users(version: 0, on: Self.start + 79)
        #expect(abs(band.expected / (1_000_000 * pow(0.5, 7.9)) - 1) < 0.01)
        #expect(band.high / band.low < 1.05)
        #expect(population.trends[1] == .steady)
    }

    @Test func `people who leave a version come to those that do not decline, and nobody is lost`() {
        let table = Self.table(
            60,
            [{ 900 * pow(0.5, Double($0) / 20) }, { 100 + 900 * (1 - pow(0.5, Double($0) / 20)) }]
        )
        let population = Population(table, versions: 2, horizon: Self.start + 200)

        for day in [70, 120, 200] {
            let (old, new) = (
                population.users(version: 0, on: Self.start + day), population.users(version: 1, on: Self.start + day)
            )
            #expect(abs(old.expected + new.expected - population.total(on: Self.start + 59)) < 0.01)
            #expect(old.low <= old.expected && old.expected <= old.high)
            #expect(new.low <= new.expected && new.expected <= new.high)
        }
    }

    @Test func `where every version declines, so does the whole, and shares stay`() {
        let table = Self.table(60, [{ 800 * pow(0.5, Double($0) / 20) }, { 200_000 * pow(0.5, Double($0) / 20) }])
        let population = Population(table, versions: 2, horizon: Self.start + 120)

        let (now, later) = (Self.start + 59, Self.start + 119)
        #expect(population.total(on: later) < population.total(on: now) / 6)
        let share = { (day: Day) in population.users(version: 1, on: day).expected / population.total(on: day) }
        #expect(abs(share(now) - share(later)) < 0.001)
    }

    @Test(arguments: [(4, 7), (13, 1), (2, 30)])
    func `too few days are not projected, and are said to be too few`(count: Int, step: Int) {
        let table = Self.table(count * step, step: step, [{ 1000 * pow(0.5, Double($0) / 10) }, { _ in 1000 }])
        let population = Population(table, versions: 2, horizon: Self.start + 300)

        let days = min(count, (55 / step) + 1)
        #expect(population.trends[0] == .tooLittleData(days: days, span: (days - 1) * step))
        #expect(population.basis(of: Self.start + 300) == .unchanged)
        let end = Self.start + (count - 1) * step
        #expect(population.users(version: 0, on: Self.start + 300) == population.users(version: 0, on: end))
    }

    @Test func `a version that nobody ever used is not told as one that nobody uses any more`() {
        let population = Population(
            Self.table(20, [{ $0 < 5 ? 10 : 0 }, { _ in 0 }, { _ in 9 }]),
            versions: 3,
            horizon: Self.start + 30
        )

        #expect(population.trends == [.gone, .unseen, .steady])
    }

    @Test(arguments: [
        // A day that is not over, and one that is a bit lower.
        ([100, 30], [100, 30], [4, 1]), ([100, 90], [100, 90], [4, 4]),
        // A version without rows, and one that is too rare for that to tell anything.
        ([100, 0], [100, 190], [4, 4]), ([100, 100], [100, 103], [1, 0]),
    ])
    func `a last day that was not counted to its end is told`(first: [Int], second: [Int], rare: [Int]) {
        let table = Self.table(2, [first, second, rare].map { users in { Double(users[$0]) } })

        let oddities = table.oddities(onLastDay: ["1.0", "2.0", "3.0"])

        switch (first[1], rare[1]) {
        case (30, _):
            #expect(
                oddities == [
                    "61 people on 2026-01-02, the last day, and 204 on 2026-01-01; if that day was not over, leave it out "
                        + "with --today 2026-01-01"
                ]
            )
        case (0, _):
            #expect(
                oddities == [
                    "nobody has '1.0' on 2026-01-02, the last day, and 100 people had it on 2026-01-01; if its rows are "
                        + "missing, leave that day out with --today 2026-01-01"
                ]
            )
        default: #expect(oddities == [])
        }
    }

    @Test func `enough days are projected`() {
        let table = Self.table(15, [{ 1000 * pow(0.5, Double($0) / 10) }, { _ in 1000 }])

        let population = Population(table, versions: 2, horizon: Self.start + 30)

        #expect(population.basis(of: Self.start + 15) == .projected)
        guard case .declining = population.trends[0] else {
            Issue.record("\(population.trends[0])")
            return
        }
    }

    @Test func `growth before the peak says nothing about the decline after it`() {
        let table = Self.table(
            50,
            [{ $0 < 20 ? Double($0 + 1) * 50 : 1000 * pow(0.5, Double($0 - 19) / 15) }, { _ in 10 }]
        )
        let population = Population(table, versions: 2, horizon: Self.start + 60)

        guard case .declining(let decline) = population.trends[0] else {
            Issue.record("\(population.trends[0])")
            return
        }
        #expect(abs(decline.halfLife - 15) < 0.2)
    }

    @Test func `the band holds about 95 of 100 days`() {
        var random = SplitMix64(seed: 7)
        var inside = 0
        for _ in 0..<400 {
            var noise: [Double] = []
            for _ in 0..<61 {
                // Irwin and Hall: twelve of these are nearly normal.
                noise.append((0..<12).reduce(0.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) } - 6)
            }
            let users = { (day: Int) in 1e8 * exp(-Double(day) / 30 + 0.05 * noise[day]) }
            let counts = (0..<56).map { ($0, Int(users($0))) }
            guard let decline = Decline(counts.map { (day: $0.0, users: $0.1) }) else { continue }
            let band = decline.users(on: Day(number: 60))
            if band.low <= users(60), users(60) <= band.high { inside += 1 }
        }

        #expect(370...392 ~= inside, "\(inside) of 400")
    }

    @Test func `days without data are as the one before, and days before the first are unknown`() {
        let population = Population(
            Self.table(15, step: 7, [{ Double(100 + $0) }]),
            versions: 1,
            horizon: Self.start + 20
        )

        #expect(population.users(version: 0, on: Self.start + 6).expected == 100)
        #expect(population.users(version: 0, on: Self.start + 7).expected == 107)
        #expect(population.basis(of: Self.start + -1) == .unknown)
        #expect(population.basis(of: Self.start + 14) == .counted)
        #expect(population.basis(of: Self.start + 15) == .unchanged)
        #expect(population.total(on: Self.start + -1) == 0)
    }
}
