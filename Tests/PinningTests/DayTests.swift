import Foundation
import Testing

@testable import Pinning

struct DayTests {
    @Test func `a day is read as the calendar has it, and written back`() {
        var instant = Date(timeIntervalSince1970: 946_684_800 + 43_200)
        for number in 10_957..<47_482 {
            let day = Day(number: number)

            #expect(Day(instant) == day)
            #expect(Day(parsing: day.description) == day)
            instant += 86_400
        }
    }

    @Test(arguments: [
        "2026-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "2026-1-01", "1999-12-31", "2100-01-01", "2026-01-011",
        "", "x026-01-01", "2026-01-01T00:00:00Z", "+026-01-01",
    ])
    func `what is no day is none`(text: String) {
        #expect(Day(parsing: text) == nil)
    }
}
