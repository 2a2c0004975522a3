internal import CEmbedded

extension ScenarioFile {
    /// What problems call the catalogue that the program carries along.
    public static let shippedName = "scenarios.yaml (shipped)"

    /// The text of the shipped catalogue, the `scenarios.yaml` of the sources.
    public static var shippedText: String {
        let file = CEmbeddedScenarios()
        return String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
    }

    /// The shipped catalogue, for audits and for configurations that come without a scenario file.
    public static func shipped() throws(ScenarioFileError) -> ScenarioFile {
        try ScenarioFile(parsing: shippedText, file: shippedName)
    }
}
