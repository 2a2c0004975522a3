/// Something wrong in a scenario file, and where: `scenarios.yaml:34:18: no chain 'atacker'; did you mean 'attacker'?`.
public struct Problem: Hashable, Sendable, CustomStringConvertible {
    public var location: SourceLocation
    /// Names the culprit and, where there is one, the way out; one line, without a full stop.
    public var message: String

    public init(_ message: String, at location: SourceLocation) {
        self.location = location
        self.message = message
    }

    public var description: String { "\(location): \(message)" }
}
