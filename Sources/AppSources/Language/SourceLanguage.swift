/// The C-like languages in which apps write their pins.
package enum SourceLanguage: String, CaseIterable, Sendable {
    case kotlin
    case java
    case swift
    case objectiveC = "objective-c"
    case dart
    /// TypeScript and JavaScript.
    case script
    case cSharp = "c#"
    /// Gradle's build files.
    case groovy

    /// By the end of a file's name; `nil` for what is none of them.
    package init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        switch fileName[fileName.index(after: dot)...].lowercased() {
        case "kt", "kts": self = .kotlin
        case "java": self = .java
        case "swift": self = .swift
        case "m", "mm", "h": self = .objectiveC
        case "dart": self = .dart
        case "ts", "tsx", "js", "jsx", "mjs", "cjs", "vue", "svelte": self = .script
        case "cs": self = .cSharp
        case "gradle", "groovy": self = .groovy
        default: return nil
        }
    }

    /// A file's text without what is markup: of a component of Vue or Svelte, what stands in `<script>`, on its own lines.
    package static func code(of text: String, fileName: String) -> String {
        guard [".vue", ".svelte"].contains(where: fileName.lowercased().hasSuffix) else { return text }
        var code = ""
        var isCode = false
        var isComment = false
        for part in text.split(separator: "<", omittingEmptySubsequences: false) {
            if !isCode, !isComment, part.hasPrefix("!--") { isComment = true }
            if isCode, part.lowercased().hasPrefix("/script") { isCode = false }
            var own = part
            if !isCode, !isComment, part.lowercased().hasPrefix("script"),
                part.dropFirst(6).first.map({ $0 == ">" || $0.isWhitespace }) ?? false,
                let end = part.firstIndex(of: ">")
            {
                isCode = true
                code += part[..<end].filter(\.isNewline)
                own = part[part.index(after: end)...]
            } else if isCode {
                code += "<"
            }
            code += isCode ? String(own) : own.filter(\.isNewline)
            if isComment, part.contains("-->") { isComment = false }
        }
        return code
    }

    var nestsComments: Bool { self == .kotlin || self == .swift || self == .dart }

    /// Whether `'` begins a text, and not a character.
    var quotesSingly: Bool { self == .dart || self == .script || self == .groovy }

    /// What `$` means in a text in double quotes.
    var interpolatesByDollar: Bool { self == .kotlin || self == .dart || self == .groovy }

    var hasDirectives: Bool { self == .swift || self == .objectiveC || self == .cSharp }

    /// Whether a line's end ends a statement.
    var endsStatementsByLine: Bool { self == .kotlin || self == .swift || self == .script || self == .groovy }

    /// Whether a block behind a call is its last argument.
    var hasTrailingClosures: Bool { self == .kotlin || self == .swift || self == .groovy }

    /// Which others' names it sees.
    func shares(with other: SourceLanguage) -> Bool {
        switch self {
        case .kotlin, .java: other == .kotlin || other == .java
        case .swift, .objectiveC: other == .swift || other == .objectiveC
        default: self == other
        }
    }
}
