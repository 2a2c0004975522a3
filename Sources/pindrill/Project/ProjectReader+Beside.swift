import AppSources
import TLSCore

/// What else a project has beside the code with pins.
extension ProjectReader {
    /// Code that accepts every certificate, beside pins, and where nothing else says so of its file.
    mutating func nameAccepting(_ files: [SourceModule.File], _ reader: SourceReader) {
        guard !configurations.isEmpty || !unread.isEmpty || !described.isEmpty else { return }
        let told = Set(described.filter(\.acceptsAll).map(\.place.path))
        for found in files.flatMap(reader.accepting) where !told.contains(folder.path(of: found.path)) { take(found) }
    }

    /// Certificates in sources that no form has made anything of: whose they are is not known.
    ///
    /// - Parameter programs: files of languages that are not read.
    mutating func nameCertificates(
        _ files: [SourceModule.File],
        _ programs: [ProjectFolder.File],
        _ found: [FoundPins]
    ) {
        let told = described.flatMap(\.pins) + unread.flatMap(\.pins) + found.flatMap(\.digests)
        let known = Set(told.compactMap(FoundPins.body(ofCertificate:)))
        // What keeps them from being read is told of these.
        let unread = Set(unread.map(\.place.path))
        let sources = files.map { ($0.path, $0.certificates) }
        let others = programs.map { ($0.path, TextPins.certificates(String(decoding: $0.bytes, as: UTF8.self))) }
        for (path, certificates) in sources + others where !unread.contains(folder.path(of: path)) {
            let rest = certificates.filter { one in
                FoundPins.body(ofCertificate: one.text).map { !known.contains($0) } ?? false
            }
            guard let first = rest.first else { continue }
            let what =
                rest.count == 1
                ? "a certificate stands here, and nothing that is known uses it"
                : "\(rest.count) certificates stand here, and nothing that is known uses them"
            let place = place(path, first.line, "text")
            described.append(.init(place: place, hosts: [], pins: rest.map(\.text).uniqued, known: [], what: what))
        }
    }

    /// Whether a file that is no source names a type, as a storyboard or a manifest does, and no text for people.
    func isNamedElsewhere(_ name: String, than path: String) -> Bool {
        folder.files.contains { file in
            file.path != path && ![".md", ".txt", ".rst"].contains(where: file.path.hasSuffix)
                && SourceLanguage(fileName: file.path) == nil && file.holds(name)
        }
    }

    /// Whether all code that asks TrustKit's validator goes on, whatever that answers.
    var ignoresTrustKit: Bool {
        SourceReader(module).ignoresValidator(in: Set(folder.files.filter { $0.holds("inningValidator") }.map(\.path)))
    }

    /// Whether code names TrustKit's validator, or starts it as versions did that ask by themselves unless they are told.
    var asksTrustKit: Bool {
        let sources = folder.files.filter { $0.holds("inningValidator") }.map(\.path)
        return SourceReader(module).names(in: Set(sources)) { $0.hasSuffix("inningValidator") }
            || folder.files.contains { file in
                ["initializeWithConfiguration", "TrustKit.initialize("].contains(where: file.holds)
            }
            // Where a library is given the configuration, that starts TrustKit, and asks it.
            || !folder.files.contains { file in
                ["initSharedInstance", "TrustKit(", "initWithConfiguration", "TSKConfiguration"].contains(
                    where: file.holds
                )
            }
    }
}
