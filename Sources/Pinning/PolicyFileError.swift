/// Why a configuration file cannot be used: everything that could be found.
public struct PolicyFileError: Error, Hashable, CustomStringConvertible, Sendable {
    /// One thing that is wrong, and where.
    public struct Problem: Hashable, CustomStringConvertible, Sendable {
        /// 1-based, where the format has lines and the parser tells.
        public var line: Int?
        /// Where in the document, as in `NSPinnedDomains.example.org.NSPinnedCAIdentities[0]`.
        public var keyPath: String
        /// What was found and what was expected, without a full stop.
        public var message: String

        public init(line: Int? = nil, keyPath: String = "", _ message: String) {
            self.line = line
            self.keyPath = keyPath
            self.message = message
        }

        public var description: String { keyPath.isEmpty ? message : "\(keyPath): \(message)" }
    }

    /// As its reader named it.
    public var file: String
    /// Never empty.
    public var problems: [Problem]

    public init(file: String, _ problems: [Problem]) {
        self.file = file
        self.problems = problems
    }

    /// One line for each problem, as in `Info.plist:12: key.path: found this, expected that`.
    public var description: String {
        problems.map { "\(file):\($0.line.map { "\($0):" } ?? "") \($0)" }.joined(separator: "\n")
    }
}
