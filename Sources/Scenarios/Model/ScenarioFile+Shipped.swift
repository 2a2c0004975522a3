internal import CEmbedded

extension ScenarioFile {
    /// What problems call the catalogue that the program carries along.
    public static let shippedName = shippedFileName("scenarios.yaml")

    /// The shipped catalogue, for runs, audits and configurations that come without a scenario file.
    public static func shipped() throws(ScenarioFileError) -> ScenarioFile { try carried.get() }

    /// Read once: an audit of a project asks for it for each configuration.
    private static let carried = Result { () throws(ScenarioFileError) in
        // The table has the file that includes the others, and a test holds it to the sources.
        try ScenarioFile(ScenarioSource(carried: "shipped", namedIn: "")!, files: NamedFiles())
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
    package static let shippedTexts: [String: String] = {
        var count = 0
        let files = UnsafeBufferPointer(start: CEmbeddedScenarioFiles(&count), count: count)
        return Dictionary(
            uniqueKeysWithValues: files.map { entry in
                let bytes = UnsafeBufferPointer(start: entry.file.bytes, count: entry.file.count)
                return (String(cString: entry.name), String(decoding: bytes, as: UTF8.self))
            }
        )
    }()

    fileprivate static func shippedFileName(_ name: String) -> String { name + shippedMark }
    fileprivate static let shippedMark = " (shipped)"
}

extension ScenarioSource {
    /// What `include` reads without a file: `shipped` is the catalogue that the program carries along, and its packs are
    /// those that it names. `nil`: a file is meant.
    init?(carried name: String, namedIn file: String) {
        let entry = ScenarioSource.isCarried(file) ? name : name == "shipped" ? "scenarios.yaml" : ""
        guard let text = ScenarioFile.shippedTexts[entry] else { return nil }
        self.init(file: ScenarioFile.shippedFileName(entry), text: text)
    }

    /// Whether problems call a part of the shipped catalogue so.
    static func isCarried(_ file: String) -> Bool { file.hasSuffix(ScenarioFile.shippedMark) }
}
