/// The text of a YAML file, addressed as libyaml counts: lines and Unicode scalars, from 1.
struct YAMLText {
    let scalars: String.UnicodeScalarView

    init(_ text: String) { scalars = text.unicodeScalars }

    /// Where the scalar stands, or where the next one would.
    func index(of wanted: YAMLNode.Mark) -> String.Index? {
        var mark = YAMLNode.Mark()
        for index in scalars.indices {
            if mark == wanted { return index }
            advance(&mark, over: index)
        }
        return mark == wanted ? scalars.endIndex : nil
    }

    func mark(where predicate: (Unicode.Scalar) -> Bool) -> YAMLNode.Mark? {
        var mark = YAMLNode.Mark()
        for index in scalars.indices {
            if predicate(scalars[index]) { return mark }
            advance(&mark, over: index)
        }
        return nil
    }

    private func advance(_ mark: inout YAMLNode.Mark, over index: String.Index) {
        let next = scalars.index(after: index)
        let isFirstHalf = scalars[index] == "\r" && next < scalars.endIndex && scalars[next] == "\n"
        let isEnd = Self.isBreak(scalars[index]) && !isFirstHalf
        mark = YAMLNode.Mark(line: mark.line + (isEnd ? 1 : 0), column: isEnd ? 1 : mark.column + 1)
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }
}
