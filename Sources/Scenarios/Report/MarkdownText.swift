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
}
