extension String {
    /// One short line, whatever a file put into it: line breaks and other control characters become U+FFFD, and what is
    /// longer than 400 characters is cut.
    package var asOneLine: String {
        // Nearly all are.
        if utf8.count <= 400, utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
        let isLong = unicodeScalars.count > 400
        let scalars = unicodeScalars.prefix(400).map { $0.breaksLines ? "\u{FFFD}" : $0 }
        return String(UnicodeScalarView(scalars)) + (isLong ? "…" : "")
    }
}

extension Unicode.Scalar {
    /// Whether it could end a line, or steer a terminal.
    fileprivate var breaksLines: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
