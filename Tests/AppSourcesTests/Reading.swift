import Testing

@testable import AppSources

/// One source by itself, as tests read it.
enum Reading {
    static func found(_ text: String, _ language: SourceLanguage, path: String = "a") -> [FoundPins] {
        read(SourceModule.File(path: path, language: language, text: text))
    }

    static func read(_ file: SourceModule.File) -> [FoundPins] {
        let found = SourceReader(SourceModule([file])).read(file)
        // What only a test reads is found in nobody's folder.
        if !found.isEmpty, !file.isLookedAt { Issue.record("a folder passes this source by") }
        return found
    }

    /// What is said of each; "no description" of what a model or a gap tells.
    static func told(_ text: String, _ language: SourceLanguage) -> [String] {
        found(text, language).map { found in
            if case .described(_, _, let what, _) = found.content { what } else { "no description" }
        }
    }

    /// The same, with the reasons of gaps.
    static func toldOrUnread(_ text: String, _ language: SourceLanguage, path: String = "a") -> [String] {
        found(text, language, path: path).map { found in
            switch found.content {
            case .described(_, _, let what, _): what
            case .gaps(let gaps, _, _): gaps.map(\.reason).joined()
            default: "no description"
            }
        }
    }
}

extension SourceModule.File {
    /// Whether it has one of the words, or a digest in quotes, for which `audit` of a folder reads a source.
    var isLookedAt: Bool {
        SourceReader.signs.contains(where: text.contains)
            || tokens.contains { [40, 44, 64, 88].contains($0.plainText?.utf8.count ?? 0) }
    }
}
