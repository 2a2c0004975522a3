import AppSources

/// What else a project has beside the code with pins.
extension ProjectReader {
    /// Code that accepts every certificate, beside pins, and where nothing else says so of its file.
    mutating func nameAccepting(_ files: [SourceModule.File], _ reader: SourceReader) {
        guard !configurations.isEmpty || !unread.isEmpty || !described.isEmpty else { return }
        let told = Set(described.filter(\.acceptsAll).map(\.place.path))
        for found in files.flatMap(reader.accepting) where !told.contains(folder.path(of: found.path)) { take(found) }
    }

    /// Whether a file that is no source names a type, as a storyboard or a manifest does, and no text for people.
    func isNamedElsewhere(_ name: String, than path: String) -> Bool {
        folder.files.contains { file in
            file.path != path && ![".md", ".txt", ".rst"].contains(where: file.path.hasSuffix)
                && SourceLanguage(fileName: file.path) == nil && file.holds(name)
        }
    }

    /// Whether code names TrustKit's validator, or starts it as versions did that ask by themselves unless they are told.
    var asksTrustKit: Bool {
        let sources = folder.files.filter { $0.holds("inningValidator") }.map(\.path)
        return SourceReader(module).names(in: Set(sources)) { $0.hasSuffix("inningValidator") }
            || folder.files.contains { file in
                ["initializeWithConfiguration", "TrustKit.initialize("].contains(where: file.holds)
            }
    }
}
