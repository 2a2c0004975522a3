extension YAMLNode {
    /// The limits of a file: far above any file a person writes, far below what hurts the machine.
    enum Limit {
        static let bytes = 1 << 20
        static let depth = 32
        static let values = 50_000
    }

    /// The only document of `text`. Needs a large stack.
    init(parsing text: String, file: String) throws(ScenarioFileError) {
        let start = SourceLocation(file: file, line: 1, column: 1)
        // YAML allows the mark that some editors write (section 5.2 of 1.2.2).
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        guard text.utf8.count <= Limit.bytes else {
            throw ScenarioFileError([ScenarioProblem("the file is larger than \(Limit.bytes >> 20) MiB", at: start)])
        }
        if let problem = AliasExpansion(of: text).problem(at: start) { throw ScenarioFileError([problem]) }

        var composition = YAMLComposition(text: text, file: file)
        self = try composition.node()
    }
}
