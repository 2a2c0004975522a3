extension ScenarioFile {
    /// Reads the text of a `scenarios.yaml`; `file` is what problems call it.
    ///
    /// Strict: an unknown key, an unknown name or a value of the wrong kind is a problem, and every problem is reported,
    /// not only the first. Aliases may be used; merge keys and tags may not.
    public init(parsing text: String, file: String) throws(ScenarioFileError) {
        self = try withLargeStack { () -> Result<ScenarioFile, ScenarioFileError> in
            do throws(ScenarioFileError) {
                return .success(try ScenarioReader().file(from: YAMLNode(parsing: text, file: file)))
            } catch {
                return .failure(error)
            }
        }.get()
    }
}
