package import Pinning

/// Reads an app's own pin configuration: its file's name as a scenario file gives it, its dialect where it is named, and
/// where the app runs.
package typealias PolicyLoader =
    @Sendable (_ file: String, _ dialect: Dialect?, _ device: AppDevice) throws -> any PinConfiguration

extension ScenarioFile {
    /// Reads the text of a `scenarios.yaml`; `file` is what problems call it.
    ///
    /// Strict: an unknown key, an unknown name or a value of the wrong kind is a problem, and every problem is reported,
    /// not only the first. Aliases may be used; merge keys and tags may not.
    ///
    /// Policies with a `file:` cannot be read here: this function reads no file.
    public init(parsing text: String, file: String) throws(ScenarioFileError) {
        try self.init(parsing: text, file: file, loadPolicy: noPolicyFiles)
    }

    /// - Parameter loadPolicy: called for each policy with a `file:`.
    package init(
        parsing text: String,
        file: String,
        loadPolicy: @escaping PolicyLoader
    ) throws(ScenarioFileError) {
        let root: YAMLNode
        do throws(YAMLError) {
            let name = "a scenario file"
            root = try YAMLNode(parsing: text, file: file, called: name, beginning: "'version: 1'", takesAliases: true)
        } catch {
            let location = SourceLocation(file: file, line: error.mark.line, column: error.mark.column)
            throw ScenarioFileError([ScenarioProblem(error.message, at: location)])
        }
        self = try ScenarioReader(loadPolicy: loadPolicy).file(from: root)
    }
}

/// Refuses every policy file: for readers that have no files.
package let noPolicyFiles: PolicyLoader = { file, _, _ in
    throw PolicyFileError(file: file, [.init("policy files cannot be read here")])
}
