import AppSources

extension FuzzTarget {
    /// What apps write their pins in.
    static let sources: [FuzzTarget] =
        SourceLanguage.allCases.map { language in
            FuzzTarget(name: "source-\(language)") { bytes in
                let text = String(decoding: bytes, as: UTF8.self)
                let file = SourceModule.File(path: "App", language: language, text: text)
                for found in SourceReader(SourceModule([file])).read(file) {
                    require((1...lineCount(bytes)).contains(found.line), "a line that is not there: \(found.line)")
                }
            }
        }
}
