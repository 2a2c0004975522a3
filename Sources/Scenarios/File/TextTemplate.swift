/// A text with `{placeholders}`: a word of a command line, or all of a `stdin:` or `env:` value.
///
/// Only a name in braces is a placeholder (`{url}`, `{pins.hex}`), so JSON goes through as it is: `{"a":1}`. A
/// backslash before the brace makes it plain text: `\{url}`.
package struct TextTemplate: Sendable, Hashable {
    enum Fragment: Sendable, Hashable {
        case text(String)
        case placeholder(String)
    }

    let fragments: [Fragment]

    /// Reads a text.
    ///
    /// - Parameter knownPlaceholders: The names there are; none given, any name will do.
    /// - Throws: `TemplateError` for a placeholder that is not known.
    package init(parsing text: String, knownPlaceholders: [String]? = nil) throws(TemplateError) {
        var characters: [TemplateCharacter] = []
        for (offset, character) in text.enumerated() {
            if character == "{", let last = characters.last, last.character == "\\" {
                // `\{` is an escape only where it makes a difference: elsewhere the text may well mean a backslash.
                characters.append(TemplateCharacter("{", column: offset + 1))
                if Self.name(in: Array(text), after: offset) != nil {
                    characters.removeLast(2)
                    characters.append(TemplateCharacter("{", column: offset + 1, isPlain: true))
                }
            } else {
                characters.append(TemplateCharacter(character, column: offset + 1))
            }
        }
        try self.init(characters, knownPlaceholders: knownPlaceholders)
    }

    init(_ characters: [TemplateCharacter], knownPlaceholders: [String]?) throws(TemplateError) {
        let text = characters.map(\.character)
        var fragments: [Fragment] = []
        var plain = ""
        var index = 0
        while index < characters.count {
            guard !characters[index].isPlain, let name = Self.name(in: text, after: index) else {
                plain.append(text[index])
                index += 1
                continue
            }
            if let knownPlaceholders, !knownPlaceholders.contains(name) {
                throw .unknownPlaceholder(name, column: characters[index].column, known: knownPlaceholders)
            }
            if !plain.isEmpty { fragments.append(.text(plain)) }
            plain = ""
            fragments.append(.placeholder(name))
            index += name.count + 2
        }
        if !plain.isEmpty { fragments.append(.text(plain)) }
        self.fragments = fragments
    }

    /// The names of the placeholders in the text.
    package var placeholders: Set<String> {
        Set(fragments.compactMap { if case .placeholder(let name) = $0 { name } else { nil } })
    }

    /// Of a URL, the part between its scheme and its path, as it was written.
    var authority: String {
        let rest = source.firstRange(of: "://").map { source[$0.upperBound...] } ?? ""
        return String(rest.prefix { !"/?#".contains($0) })
    }

    /// As it was written.
    var source: String {
        fragments.map {
            switch $0 {
            case .text(let text): text
            case .placeholder(let name): "{\(name)}"
            }
        }.joined()
    }

    /// The text with its placeholders filled. An empty value is as good as any other here.
    ///
    /// - Throws: `TemplateError` if there is no value for a placeholder.
    package func fill(_ values: [String: String]) throws(TemplateError) -> String {
        var filled = ""
        for fragment in fragments {
            switch fragment {
            case .text(let text):
                filled += text
            case .placeholder(let name):
                guard let value = values[name] else {
                    throw .unknownPlaceholder(name, column: nil, known: Array(values.keys))
                }
                filled += value
            }
        }
        return filled
    }

    /// The name between braces, `[a-z][a-z0-9.]*`, if the brace at `index` opens a placeholder.
    private static func name(in text: [Character], after index: Int) -> String? {
        guard text[index] == "{", let end = text[index...].firstIndex(of: "}") else { return nil }
        let name = text[(index + 1)..<end]
        guard let first = name.first, "a"..."z" ~= first else { return nil }
        guard name.allSatisfy({ "a"..."z" ~= $0 || "0"..."9" ~= $0 || $0 == "." }) else { return nil }
        return String(name)
    }
}

/// A character of a template after its quotes and backslashes have been read.
struct TemplateCharacter {
    let character: Character
    /// Where it stood, counting from 1.
    let column: Int
    /// Whether a backslash took its meaning away.
    let isPlain: Bool
    /// Whether a shell would give it a meaning: outside all quotes.
    let isBare: Bool

    init(_ character: Character, column: Int, isPlain: Bool = false, isBare: Bool = false) {
        self.character = character
        self.column = column
        self.isPlain = isPlain
        self.isBare = isBare
    }
}
