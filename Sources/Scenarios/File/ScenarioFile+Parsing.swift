extension ScenarioFile {
    /// Reads the text of a `scenarios.yaml`; `file` is what problems call it.
    ///
    /// Strict: an unknown key, an unknown name or a value of the wrong kind is a problem, and every problem is reported,
    /// not only the first. Aliases may be used; merge keys and tags may not.
    public init(parsing text: String, file: String) throws(ScenarioFileError) {
        let root = try YAMLNode(parsing: text, file: file)
        self = try ScenarioReader().file(from: root)
    }
}
