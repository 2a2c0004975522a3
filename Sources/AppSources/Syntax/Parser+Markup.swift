/// Elements of React: `<View style={…} onPress={() => …}>…</View>`.
extension Parser {
    /// What stands in its braces, as a list.
    mutating func readMarkup(_ start: Int) -> Expression {
        var parts: [Expression] = []
        var open = 0
        var isInTag = false
        reading: while let token = current, case let next = self.token(index + 1) {
            guard case .mark(let mark) = token.kind else {
                index += 1
                continue
            }
            switch mark {
            case "<":
                if next?.isMark("/") ?? false {
                    while let token = current, !token.isMark(">"), !token.isMark("{") { index += 1 }
                    index = min(index + 1, tokens.count)
                    open -= 1
                    if open <= 0 { break reading }
                } else {
                    index += 1
                    if next?.isMark(">") ?? false || next?.name != nil {
                        open += 1
                        isInTag = true
                    }
                }
            case ">":
                isInTag = false
                index += 1
            case "/" where isInTag && next?.isMark(">") ?? false:
                isInTag = false
                index += 2
                open -= 1
                if open <= 0 { break reading }
            case "{":
                let end = behind(index)
                index += 1
                _ = take("...")
                if !at("}") { parts.append(readExpression()) }
                index = max(index, end)
            case "(", "[": index = behind(index)
            case ")", "]", "}", ";": break reading
            default: index += 1
            }
        }
        return expression(.list(parts), at: start)
    }

    /// Whether an element begins, and neither a type in brackets nor parameters of one.
    func isMarkup(at start: Int) -> Bool {
        guard language == .script else { return false }
        if token(start + 1)?.isMark(">") ?? false { return true }
        guard let name = token(start + 1)?.name else { return false }
        var place = start + 2
        while let mark = token(place), mark.isMark(".") || mark.isMark("-") || mark.isMark(":") { place += 2 }
        guard let next = token(place) else { return false }
        switch next.kind {
        case .name(let word): return word != "extends" && !(token(place + 1)?.isMark(",") ?? true)
        case .mark("{"): return true
        case .mark("/"): return token(place + 1)?.isMark(">") ?? false
        case .mark(">"):
            guard let behind = token(place + 1) else { return false }
            if behind.isMark("<") || behind.startsLine { return true }
            guard place + 1 < tokens.count - 2 else { return false }
            return ((place + 1)..<min(place + 200, tokens.count - 2)).contains {
                tokens[$0].isMark("<") && tokens[$0 + 1].isMark("/") && tokens[$0 + 2].isName(name)
            }
        default: return false
        }
    }
}
