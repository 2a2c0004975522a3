/// A place in a scenario file, as an editor counts: the first line and the first column are 1.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The file as its reader named it.
    public var file: String
    public var line: Int
    /// Counts Unicode scalars, not bytes.
    public var column: Int

    /// Where a declaration comes from that was written in Swift, not in a file.
    public static let code = SourceLocation(file: "<code>", line: 1, column: 1)

    /// `scenarios.yaml:34:18`, which most editors and terminals turn into a link.
    public var description: String { "\(file):\(line):\(column)" }
}

extension SourceLocation: Comparable {
    public static func < (left: SourceLocation, right: SourceLocation) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}
