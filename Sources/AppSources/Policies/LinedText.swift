/// A text in which words stand on lines of our choice, so that what reads it names the lines of the source.
struct LinedText {
    private(set) var text = ""
    private var line = 1

    /// - Parameter line: where it stands, unless what is written already goes further; `nil`: behind it.
    mutating func write(_ words: String, at line: Int? = nil) {
        if let line {
            while self.line < line {
                text += "\n"
                self.line += 1
            }
        }
        text += words
    }
}
