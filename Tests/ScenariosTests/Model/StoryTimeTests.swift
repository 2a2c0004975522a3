import Testing

@testable import Scenarios

@Suite struct `A moment of a story` {
    @Test(arguments: [
        (StoryTime.zero, "0d"), (.days(90), "90d"), (.days(-30), "-30d"), (.hours(12), "12h"), (.hours(48), "2d"),
        (StoryTime(seconds: -5_400), "-90m"), (StoryTime(seconds: 45), "45s"), (StoryTime(seconds: 3_601), "3601s"),
    ])
    func `is written in its largest whole unit`(time: StoryTime, expected: String) {
        #expect("\(time)" == expected)
    }

    @Test func `comes before a later one`() {
        #expect(StoryTime.days(-1) < .zero)
        #expect(StoryTime.hours(25) > .days(1))
    }
}
