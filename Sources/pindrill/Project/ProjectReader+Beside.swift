import AppSources

/// What else a project has beside the code with pins.
extension ProjectReader {
    /// Code that accepts every certificate, beside pins, and where nothing else says so of its file.
    mutating func nameAccepting(_ files: [SourceModule.File], _ reader: SourceReader) {
        guard !configurations.isEmpty || !unread.isEmpty || !described.isEmpty else { return }
        let told = Set(described.filter(\.acceptsAll).map(\.place.path))
        for found in files.flatMap(reader.accepting) where !told.contains(folder.path(of: found.path)) { take(found) }
    }

    /// Whether a file that is no source names a type, as a storyboard or a manifest does.
    func isNamedElsewhere(_ name: String, than path: String) -> Bool {
        folder.files.contains { file in
            file.path != path && SourceLanguage(fileName: file.path) == nil && file.holds(name)
        }
    }

    /// Whether a file names TrustKit's validator, or starts it as versions did that ask by themselves unless they are told.
    var asksTrustKit: Bool {
        folder.files.contains { $0.holds("inningValidator") || $0.holds("initializeWithConfiguration") }
    }
}
