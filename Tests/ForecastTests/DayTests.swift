import Foundation
import Testing

@testable import Forecast

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

    @Test(arguments: [
        (0, "0 %"), (0.5, "50 %"), (0.123_45, "12.3 %"), (0.012_345, "1.23 %"), (0.000_01, "under 0.01 %"),
    ])
    func `a share is written so that something is never nothing`(share: Double, text: String) {
        #expect(Share.text(share) == text)
    }

    @Test(arguments: [("0.5%", 0.005), ("100%", 1), ("0%", 0), ("5", nil), ("-1%", nil), ("101%", nil), ("nan%", nil)])
    func `a share is read from a number and a per cent sign`(text: String, share: Double?) {
        #expect(Share.parse(text) == share)
    }
}
