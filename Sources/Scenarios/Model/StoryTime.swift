/// A moment of a story, counted in seconds from its day 0.
///
/// Nobody's clock is moved: a step at `+90d` is presented now, and the validity windows of its certificates are shifted
/// 90 days into the past.
package struct StoryTime: Hashable, Sendable {
    package var seconds: Int

    /// Day 0.
    package static let zero = StoryTime(seconds: 0)

    package static func days(_ count: Int) -> StoryTime { StoryTime(seconds: count * 86_400) }
    package static func hours(_ count: Int) -> StoryTime { StoryTime(seconds: count * 3_600) }
}

extension StoryTime: Comparable {
    package static func < (left: StoryTime, right: StoryTime) -> Bool { left.seconds < right.seconds }
}

extension StoryTime: CustomStringConvertible {
    /// The shortest form that `scenarios.yaml` reads back: `90d`, `12h`, `-30m`, `45s`.
    package var description: String {
        let units = [("d", 86_400), ("h", 3_600), ("m", 60)]
        for (unit, length) in units where seconds % length == 0 && (seconds != 0 || unit == "d") {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }
}
