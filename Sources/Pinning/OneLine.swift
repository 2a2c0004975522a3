extension String {
    /// One short line, whatever a file put into it: line breaks and other control characters become U+FFFD, and what is
    /// longer than 400 characters is cut.
    package var asOneLine: String {
        // Nearly all are.
        if utf8.count <= 400, utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
        let isLong = unicodeScalars.count > 400
        let scalars = unicodeScalars.prefix(400).map { $0.steersTerminal ? "\u{FFFD}" : $0 }
        return String(UnicodeScalarView(scalars)) + (isLong ? "…" : "")
    }
}

extension Unicode.Scalar {
    /// Whether it ends a line, moves the cursor, changes what is shown, or turns the direction of writing (UAX #9).
    package var steersTerminal: Bool {
        if 0x20..<0x7F ~= value { return false }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return properties.isBidiControl
        }
    }
}

extension Character {
    /// Whether an editor begins a line behind it. `isNewline` is also true of a vertical tab, a form feed and others, of which
    /// editors make none: behind one of those a line would have a number that nobody finds.
    var endsLine: Bool { self == "\n" || self == "\r\n" || self == "\r" }
}
