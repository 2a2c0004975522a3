/// The part of a story in which a certificate is valid; it begins before it ends.
public struct StoryWindow: Hashable, Sendable, CustomStringConvertible {
    public var from: StoryTime
    public var to: StoryTime

    public init(from: StoryTime, to: StoryTime) {
        self.from = from
        self.to = to
    }

    /// As `scenarios.yaml` writes it: `[-30d, 60d]`.
    public var description: String { "[\(from), \(to)]" }
}
