import Pinning

/// Pieces of a Markdown page.
package enum MarkdownText {
    package static func table(_ head: [String], _ rows: [[String]]) -> [String] {
        ([head, head.map { _ in "---" }] + rows).map { row in
            "| \(row.map { $0 == "---" ? $0 : escaped($0) }.joined(separator: " | ")) |".replacing("|  |", with: "| |")
        }
    }

    /// An author's words are text, and neither a table nor HTML.
    package static func escaped(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ").replacing("|", with: "\\|")
            .replacing("<", with: "&lt;")
    }

    /// Anybody's words as text of one line: whatever they hold, it is no markup (CommonMark 0.31, section 2.4).
    static func literal(_ text: String) -> String {
        var result = ""
        for scalar in text.printable.unicodeScalars {
            if "\\`*_[]<>#|~&$!".unicodeScalars.contains(scalar) { result.unicodeScalars.append("\\") }
            // GitHub takes `@name` in text for a mention.
            result += scalar == "@" ? "&#64;&#8203;" : String(scalar)
        }
        return result
    }

    /// A span in which nothing is markup, outside of tables: more backticks around it than it has in a row itself
    /// (CommonMark 0.31, section 6.1).
    static func code(_ text: String) -> String {
        let text = text.printable.replacing("\t", with: " ")
        let fence = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
        let ends = [text.unicodeScalars.first, text.unicodeScalars.last]
        let margin = ends.contains("`") || text.isEmpty ? " " : ""
        return fence + margin + text + margin + fence
    }

    /// Lines as they are.
    static func block(_ text: String) -> String {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            String($0).printable
        }
        let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: text) + 1))
        return ([fence + "text"] + lines + [fence]).joined(separator: "\n")
    }

    /// A backtick with a combining accent is another character, and the same code point.
    private static func longestRun(of mark: Unicode.Scalar, in text: String) -> Int {
        text.unicodeScalars.reduce(into: (run: 0, longest: 0)) { count, other in
            count.run = other == mark ? count.run + 1 : 0
            count.longest = max(count.longest, count.run)
        }.longest
    }
}
