extension ScenarioFile {
    /// Reads the text of a `scenarios.yaml`; `file` is what problems call it.
    ///
    /// Strict: an unknown key, an unknown name or a value of the wrong kind is a problem, and every problem is reported,
    /// not only the first. Aliases may be used; merge keys and tags may not.
    ///
    /// Policies and answers with a `file:`, and an `include:`, cannot be read here: this function reads no file.
    public init(parsing text: String, file: String) throws(ScenarioFileError) {
        try self.init(ScenarioSource(file: file, text: text), files: NamedFiles())
    }

    /// - Parameter files: reads what the file names.
    package init(_ source: ScenarioSource, files: NamedFiles) throws(ScenarioFileError) {
        self = try ScenarioReader(files).file(from: source)
    }
}
