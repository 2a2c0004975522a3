import Pinning

/// Something wrong in a scenario file, and where: `scenarios.yaml:34:18: no chain 'atacker'; did you mean 'attacker'?`.
public struct ScenarioProblem: Hashable, Sendable, CustomStringConvertible {
    public let location: SourceLocation
    /// Names the culprit and, where there is one, the way out; without a full stop.
    public let message: String

    /// A message is one short line, whatever the file put into it.
    public init(_ message: String, at location: SourceLocation) {
        self.location = location
        self.message = message.asOneLine
    }

    public var description: String { "\(location): \(message)" }
}
