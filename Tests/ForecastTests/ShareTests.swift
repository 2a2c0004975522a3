import Testing

@testable import Forecast

struct ShareTests {
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
