/// Why a scenario file cannot be used: everything that could be found, in file order.
public struct ScenarioFileError: Error, Hashable, CustomStringConvertible {
    /// Never empty.
    public let problems: [Problem]

    public init(_ problems: [Problem]) { self.problems = problems }

    /// One line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
