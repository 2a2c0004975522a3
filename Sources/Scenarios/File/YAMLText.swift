/// The text of a YAML file, addressed as libyaml counts: lines and Unicode scalars, from 1.
struct YAMLText {
    let scalars: String.UnicodeScalarView

    init(_ text: String) { scalars = text.unicodeScalars }

    /// Where the scalar stands, or where the next one would.
    func index(line: Int, column: Int) -> String.Index? {
        var position = (line: 1, column: 1)
        for index in scalars.indices {
            if position == (line, column) { return index }
            advance(&position, over: index)
        }
        return position == (line, column) ? scalars.endIndex : nil
    }

    func position(where predicate: (Unicode.Scalar) -> Bool) -> (line: Int, column: Int)? {
        var position = (line: 1, column: 1)
        for index in scalars.indices {
            if predicate(scalars[index]) { return position }
            advance(&position, over: index)
        }
        return nil
    }

    private func advance(_ position: inout (line: Int, column: Int), over index: String.Index) {
        let next = scalars.index(after: index)
        let isFirstHalf = scalars[index] == "\r" && next < scalars.endIndex && scalars[next] == "\n"
        position =
            Self.isBreak(scalars[index]) && !isFirstHalf ? (position.line + 1, 1) : (position.line, position.column + 1)
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }
}
