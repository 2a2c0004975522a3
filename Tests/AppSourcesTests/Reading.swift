@testable import AppSources

/// One source by itself, as tests read it.
enum Reading {
    static func found(_ text: String, _ language: SourceLanguage, path: String = "a") -> [FoundPins] {
        let file = SourceModule.File(path: path, language: language, text: text)
        return SourceReader(SourceModule([file])).read(file)
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
