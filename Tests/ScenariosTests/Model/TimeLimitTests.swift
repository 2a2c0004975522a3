import Testing

@testable import Scenarios

/// Time limits, which options and files write alike.
struct TimeLimitTests {
    @Test(arguments: [
        ("10s", Duration.seconds(10), "10s"), ("500ms", .milliseconds(500), "500ms"), ("2m", .seconds(120), "2m"),
        ("1m", .seconds(60), "60s"), ("24h", .seconds(86_400), "24h"), ("10", .seconds(10), "10s"),
        ("0.5", .milliseconds(500), "500ms"), ("1.5s", .milliseconds(1500), "1500ms"), ("1ms", .milliseconds(1), "1ms"),
    ])
    func `a time limit is read, and written so that it is read again`(text: String, limit: Duration, written: String)
        throws
    {
        #expect(try Duration(limit: text) == limit)
        #expect(limit.written == written)
        #expect(try Duration(limit: written) == limit)
    }

    @Test(arguments: [
        "", "0", "0s", "0.0001s", "-1s", "25h", "2d", "10 s", "10sec", "nan", "1e3", "s", "99999999999999999999",
    ])
    func `mistake: what is no time limit is told what one is`(text: String) {
        #expect(throws: TimeLimitError(text: text)) { try Duration(limit: text) }
    }

    @Test func `mistake: the way out of a wrong time limit is written so that it can be copied`() {
        #expect(
            "\(TimeLimitError(text: "10 sec"))"
                == "'10 sec' is no time limit; write 10s, 500ms or 2m, more than nothing and at most 24h (a number alone is seconds)"
        )
    }
}
