/// The `run:` line of a client: words with `{placeholders}`, and groups of words that may be left out.
///
///     curl --cacert {trust} [--pinnedpubkey {pins}] {url}
///
/// The line is split as a POSIX shell would split it, but there is no shell: quotes and backslashes only group, nothing
/// is expanded. It is split before it is filled, so no value can become two words. A `[...]` group is left out when a
/// placeholder in it is empty, and repeated for each value of a placeholder that has several; a bracket inside a word
/// (`https://[::1]/`) is only a bracket.
package struct CommandTemplate: Sendable, Hashable {
    private struct Part: Hashable {
        var words: [TextTemplate]
        var isGroup: Bool
    }

    private let parts: [Part]

    /// Splits a line.
    ///
    /// - Parameter knownPlaceholders: The names there are; none given, any name will do.
    /// - Throws: `TemplateError`, with the column, for quotes or brackets without their partner, an unknown
    ///   placeholder, a group that could never be left out, a line without words, and what only a shell understands.
    package init(parsing text: String, knownPlaceholders: [String]? = nil) throws(TemplateError) {
        var parts: [Part] = []
        for token in try CommandTokens(text).tokens {
            if let sign = token.signOfShell(isFirst: parts.isEmpty) { throw sign }
            switch token {
            case .word(let characters):
                let word = try TextTemplate(characters, knownPlaceholders: knownPlaceholders)
                parts.append(Part(words: [word], isGroup: false))
            case .group(let words, let column):
                var group = Part(words: [], isGroup: true)
                for word in words {
                    group.words.append(try TextTemplate(word, knownPlaceholders: knownPlaceholders))
                }
                guard group.words.contains(where: { !$0.placeholders.isEmpty }) else {
                    throw .groupWithoutPlaceholder(column: column)
                }
                parts.append(group)
            }
        }
        guard !parts.isEmpty else { throw .noWords }
        self.parts = parts
    }

    /// The first word, where it holds no placeholder.
    package var program: String? {
        guard let part = parts.first, !part.isGroup, let word = part.words.first else { return nil }
        return word.placeholders.isEmpty ? try? word.fill([:]) : nil
    }

    /// The names of the placeholders in the line.
    package var placeholders: Set<String> {
        parts.reduce(into: []) { names, part in
            for word in part.words { names.formUnion(word.placeholders) }
        }
    }

    /// Those of them that stand in no group, and so must have a value.
    package var required: Set<String> {
        parts.filter { !$0.isGroup }.flatMap(\.words).reduce(into: []) { $0.formUnion($1.placeholders) }
    }

    /// The words of the command line with their placeholders filled; the first is the program.
    ///
    /// - Parameters:
    ///   - values: by placeholder.
    ///   - lists: placeholders that have any number of values. A group is repeated for each; the lists of one group are
    ///     gone through together.
    /// - Throws: `TemplateError` if a placeholder outside a group is empty, or has several values, or none is known.
    ///   Programs take an empty word for a wrong one: curl answers an empty pin with the exit status of a failed pin.
    package func fill(
        _ values: [String: String],
        lists: [String: [String]] = [:]
    ) throws(TemplateError) -> [String] {
        var words: [String] = []
        for part in parts {
            let names = part.words.flatMap { $0.placeholders.sorted() }
            if let several = names.first(where: { lists[$0].map { $0.count > 1 } ?? false }), !part.isGroup {
                throw .severalValues(several)
            }
            if let empty = names.first(where: { values[$0] == "" || lists[$0] == [] }) {
                guard part.isGroup else { throw .emptyPlaceholder(empty) }
                continue
            }
            for round in 0..<(names.compactMap { lists[$0]?.count }.max() ?? 1) {
                let current = values.merging(lists.compactMapValues { round < $0.count ? $0[round] : nil }) { $1 }
                for word in part.words { words.append(try word.fill(current)) }
            }
        }
        return words
    }
}
