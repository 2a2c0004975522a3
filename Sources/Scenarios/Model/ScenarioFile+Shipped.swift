internal import CEmbedded

extension ScenarioFile {
    /// What problems call the catalogue that the program carries along.
    public static let shippedName = shippedFileName("scenarios.yaml")

    /// The shipped catalogue, for runs, audits and configurations that come without a scenario file.
    public static func shipped() throws(ScenarioFileError) -> ScenarioFile {
        let texts = shippedTexts
        // The table has the file that includes the others, and a test holds it to the sources.
        let main = ScenarioSource(file: shippedName, text: texts["scenarios.yaml"]!)
        return try ScenarioFile(
            main,
            files: NamedFiles(pack: { name, _ in
                guard let text = texts[name] else { throw UnreadableFile("it is not carried along") }
                return ScenarioSource(file: shippedFileName(name), text: text)
            })
        )
    }

    /// What an audit tells of it: all that becomes of a server's keys and authorities, and the quick set of the rest.
    package static func shippedEvents() throws(ScenarioFileError) -> ScenarioFile {
        var file = try shipped()
        file.scenarios.removeAll { scenario in
            let tags = scenario.tags.map(\.name)
            return tags.first != "rotation" && !tags.contains(ScenarioTag.quick)
        }
        return file
    }

    /// The texts of the shipped scenario files by their names in the sources: `scenarios.yaml`, `catalogue/attack.yaml`.
    package static var shippedTexts: [String: String] {
        var count = 0
        let files = UnsafeBufferPointer(start: CEmbeddedScenarioFiles(&count), count: count)
        return Dictionary(
            uniqueKeysWithValues: files.map { entry in
                let bytes = UnsafeBufferPointer(start: entry.file.bytes, count: entry.file.count)
                return (String(cString: entry.name), String(decoding: bytes, as: UTF8.self))
            }
        )
    }

    private static func shippedFileName(_ name: String) -> String { "\(name) (shipped)" }
}
