/// Something wrong in a scenario file, and where: `scenarios.yaml:34:18: no chain 'atacker'; did you mean 'attacker'?`.
public struct Problem: Hashable, Sendable, CustomStringConvertible {
    public let location: SourceLocation
    /// Names the culprit and, where there is one, the way out; without a full stop.
    public let message: String

    /// A message is one short line whatever the file put into it: line breaks and other control characters become
    /// U+FFFD, and what is longer than 400 characters is cut.
    public init(_ message: String, at location: SourceLocation) {
        self.location = location
        let scalars = message.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
        self.message = String(String.UnicodeScalarView(scalars.prefix(400))) + (scalars.count > 400 ? "…" : "")
    }

    public var description: String { "\(location): \(message)" }
}
