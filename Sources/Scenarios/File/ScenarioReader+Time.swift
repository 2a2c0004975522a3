import Pinning

/// Time limits, moments and windows.
extension ScenarioReader {
    func time(_ node: YAMLNode) -> StoryTime? {
        seconds(node).map { StoryTime(seconds: $0) }
    }

    /// How long something may take.
    func timeLimit(_ node: YAMLNode) -> Duration? {
        guard let text = node.scalar, node.kind != .nothing else {
            report("expected a time limit such as 10s, 500ms or 2m, found \(node.kind.rawValue)", at: node)
            return nil
        }
        do throws(TimeLimitError) {
            return try Duration(limit: text)
        } catch {
            report("\(error)", at: node)
            return nil
        }
    }

    /// `[from, to]`.
    func window(_ node: YAMLNode) -> StoryWindow? {
        guard case .list(let ends) = node.content else {
            report("expected a window such as [-30d, 60d], found \(node.kind.rawValue)", at: node)
            return nil
        }
        guard ends.count == 2 else {
            report("a window is a list of two, such as [-30d, 60d]; this one has \(ends.count)", at: node)
            return nil
        }
        let times = ends.map(time)
        guard let from = times[0], let to = times[1] else { return nil }
        guard from < to else {
            report("the window ends at \(to), which is not after its beginning at \(from)", at: node)
            return nil
        }
        return StoryWindow(from: from, to: to)
    }

    private func seconds(_ node: YAMLNode) -> Int? {
        guard let text = node.scalar, node.kind != .nothing else {
            report("expected a duration such as 90d, 12h, 30m or 45s, found \(node.kind.rawValue)", at: node)
            return nil
        }
        let lengths: [Character: Int] = ["d": 86_400, "h": 3_600, "m": 60, "s": 1]
        guard let length = text.last.flatMap({ lengths[$0] }), let count = Int(text.dropLast()) else {
            report("'\(text)' is not a duration; write a whole number and d, h, m or s, as in -30d or 12h", at: node)
            return nil
        }
        // A certificate's dates end with the year 9999, and sums of moments must not overflow.
        let century = 36_525 * 86_400
        guard abs(count.clamped) <= century / length else {
            report("'\(text)' is more than a hundred years", at: node)
            return nil
        }
        return count * length
    }
}

extension Int {
    /// `abs` traps for the least number.
    fileprivate var clamped: Int { Swift.max(self, -Int.max) }
}
