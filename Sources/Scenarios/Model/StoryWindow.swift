/// The part of a story in which a certificate is valid; it begins before it ends.
package struct StoryWindow: Hashable, Sendable, CustomStringConvertible {
    package var from: StoryTime
    package var to: StoryTime

    package init(from: StoryTime, to: StoryTime) {
        self.from = from
        self.to = to
    }

    /// As `scenarios.yaml` writes it: `[-30d, 60d]`.
    package var description: String { "[\(from), \(to)]" }
}
