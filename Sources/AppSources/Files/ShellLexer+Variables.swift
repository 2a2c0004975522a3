/// `$NAME`, `${NAME:-usual}`, `$(…)` and `${{ … }}` in a shell's words.
extension ShellLexer {
    mutating func variable(_ isQuoted: Bool, into word: inout ShellWord) {
        let start = place
        func written() -> String { String(text[start..<min(place, text.count)]) }
        place += 1
        // Make's own way to write a `$` for the shell.
        if kind == .makefile, next == "$" { place += 1 }
        switch next {
        case "'" where !isQuoted: return
        case "(":
            let isArithmetic = at(1) == "("
            let inner = bracketed()
            let isName = inner.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && !inner.isEmpty
            if kind == .makefile, isName {
                word.pieces.append(.init(.variable(inner, written: written(), usual: []), isQuoted))
            } else {
                if !isArithmetic { scripts.append((inner, line)) }
                word.pieces.append(.init(.unknown("$(…)"), isQuoted))
            }
        case "{":
            if at(1) == "{" {
                while let next, next != "}", !next.isNewline { place += 1 }
                while next == "}" { place += 1 }
                let name = written().dropFirst(3).dropLast(2).filter { !$0.isWhitespace }
                let piece: ShellWord.Piece =
                    name.hasPrefix("env.")
                    ? .variable(String(name.dropFirst(4)), written: written(), usual: []) : .unknown(written())
                word.pieces.append(.init(piece, isQuoted))
            } else {
                braced(isQuoted, start, into: &word)
            }
        default:
            var name = ""
            if let first = next, first.isNumber || "@*#?!-".contains(first) {
                name = String(first)
                place += 1
            } else {
                while let next, next.isASCII, next.isLetter || next.isNumber || next == "_" {
                    name.append(next)
                    place += 1
                }
            }
            word.pieces.append(
                .init(name.isEmpty ? .plain(written()) : .variable(name, written: written(), usual: []), isQuoted)
            )
        }
    }

    /// `${NAME}`, `${NAME[@]}`, `${NAME:-usual}`, `${NAME:+words}`
    private mutating func braced(_ isQuoted: Bool, _ start: Int, into word: inout ShellWord) {
        var depth = 0
        var end = place
        while end < text.count {
            if text[end] == "{" { depth += 1 } else if text[end] == "}" { depth -= 1 }
            if depth == 0 { break }
            end += 1
        }
        let inner = text[min(place + 1, text.count)..<min(end, text.count)]
        place = min(end + 1, text.count)
        line += inner.count { $0.isNewline }
        var name = String(inner.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "@" || $0 == "*" })
        var rest = inner.dropFirst(name.count)
        for list in ["[@]", "[*]"] where rest.starts(with: list) {
            name += list
            rest = rest.dropFirst(3)
        }
        var usual: [ShellWord] = []
        let written = String(text[start..<place])
        for mark in [":-", ":=", "-", "=", ":+", "+"] where rest.starts(with: mark) && self.depth < 4 {
            var lexer = ShellLexer(Array(rest.dropFirst(mark.count)), line: line, kind, depth: self.depth + 1)
            let words: [ShellWord] = lexer.tokens().compactMap { if case .word(let word) = $0 { word } else { nil } }
            if mark.hasSuffix("+"), !name.isEmpty {
                return word.pieces.append(.init(.whereSet(name, written: "${\(name)}", words), isQuoted))
            }
            usual = words
            rest = []
            if mark.hasSuffix("="), !name.isEmpty {
                let value = ShellWord.Piece.variable(name, written: "${\(name)}", usual: words)
                fallbacks.append((name, .init(value, isQuoted)))
            }
        }
        // What only asks whether it is set.
        if rest.starts(with: ":?") || rest.starts(with: "?") { rest = [] }
        let isKnown = rest.isEmpty && !name.isEmpty
        let short = usual.isEmpty ? written : "${\(name)}"
        word.pieces.append(.init(isKnown ? .variable(name, written: short, usual: usual) : .unknown(written), isQuoted))
    }

    /// What stands in brackets.
    private mutating func bracketed() -> String {
        let start = place + 1
        var depth = 0
        var quote: Character?
        while let character = next {
            if character == "\\" {
                place += 1
            } else if let open = quote {
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == "(" {
                depth += 1
            } else if character == ")" {
                depth -= 1
                if depth == 0 { break }
            }
            if next?.isNewline ?? false { line += 1 }
            place += 1
        }
        let end = min(place, text.count)
        place = min(end + 1, text.count)
        return start < end ? String(text[start..<end]) : ""
    }
}
