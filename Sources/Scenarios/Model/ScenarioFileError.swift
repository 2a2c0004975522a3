/// Why a scenario file cannot be used: everything that could be found, in file order.
public struct ScenarioFileError: Error, Hashable, CustomStringConvertible {
    /// Never empty.
    public let problems: [ScenarioProblem]

    public init(_ problems: [ScenarioProblem]) { self.problems = problems }

    /// One line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
