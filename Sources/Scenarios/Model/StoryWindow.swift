/// The part of a story in which a certificate is valid; it begins before it ends.
package struct StoryWindow: Hashable, Sendable, CustomStringConvertible {
    package var from: StoryTime
    package var to: StoryTime

    /// As `scenarios.yaml` writes it: `[-30d, 60d]`.
    package var description: String { "[\(from), \(to)]" }
}
