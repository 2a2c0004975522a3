/// A word of a shell: what its quotes and variables make of it.
struct ShellWord {
    enum Piece {
        case plain(String)
        /// As it is written, and what stands for it where it is not set.
        case variable(String, written: String, usual: [ShellWord])
        /// `${NAME:+--option}`: what stands there where a variable is set.
        case whereSet(String, written: String, [ShellWord])
        /// What only a run tells: `$(…)`.
        case unknown(String)
    }

    struct Part {
        var piece: Piece
        var isQuoted: Bool

        init(_ piece: Piece, _ isQuoted: Bool) {
            self.piece = piece
            self.isQuoted = isQuoted
        }
    }

    var pieces: [Part] = []
    /// `NAME=(a b)`
    var elements: [ShellWord]?
    /// Scripts in it: `$(…)`.
    var scripts: [(text: String, line: Int)] = []
    /// What `${NAME:=usual}` in it leaves in a variable.
    var fallbacks: [(name: String, value: Part)] = []
    /// As it is written.
    var range = 0..<0
    var line = 0

    /// Its text, where it is nothing else.
    var plain: String? {
        var text = ""
        for part in pieces {
            guard case .plain(let own) = part.piece else { return nil }
            text += own
        }
        return elements == nil ? text : nil
    }

    /// A word of the shell's own grammar has no quotes.
    var keyword: String? { pieces.count == 1 && !pieces[0].isQuoted ? plain : nil }
}

/// Words and marks of a shell's text.
struct ShellLexer {
    enum Token {
        case word(ShellWord)
        case mark(String, line: Int)
        /// `<<END`: the lines up to that word.
        case document(String, line: Int)
    }

    let text: [Character]
    var place = 0
    var line: Int
    let kind: ShellScript.Kind
    private var documents: [(end: String, isIndented: Bool)] = []
    var scripts: [(text: String, line: Int)] = []
    var fallbacks: [(name: String, value: ShellWord.Part)] = []

    /// How deep it lies in others, and whether in an array: hostile texts nest without an end.
    let depth: Int
    private var isInArray = false

    init(_ text: [Character], line: Int, _ kind: ShellScript.Kind, depth: Int = 0) {
        self.text = text
        self.line = line
        self.kind = kind
        self.depth = depth
    }

    var next: Character? { place < text.count ? text[place] : nil }

    func at(_ offset: Int) -> Character? { place + offset < text.count ? text[place + offset] : nil }

    mutating func tokens() -> [Token] {
        var found: [Token] = []
        while let character = next {
            switch character {
            case "\n", "\r\n":
                found.append(.mark("\n", line: line))
                place += 1
                line += 1
                for document in documents { found.append(body(of: document)) }
                documents = []
            case " ", "\t", "\r": place += 1
            case "\\" where at(1)?.isNewline ?? false:
                place += 2
                line += 1
            case "#": while let next, !next.isNewline { place += 1 }
            case ";", "&", "|":
                // `;&` and `;;&` go on with what stands below.
                let marks = [";;&", ";&", String(repeating: character, count: 2), String(character)]
                let mark = marks.first { text[place...].starts(with: $0) } ?? String(character)
                found.append(.mark(mark, line: line))
                place += mark.count
            case "(", ")":
                found.append(.mark(String(character), line: line))
                place += 1
            case "<", ">": if let mark = redirection(character) { found.append(mark) }
            default:
                let word = word()
                // `2>file`
                if let digits = word.keyword, digits.count == 1, digits.first?.isNumber ?? false,
                    next == ">" || next == "<", word.range.upperBound == place
                {
                    continue
                }
                found.append(.word(word))
            }
        }
        found.append(.mark("\n", line: line))
        return found
    }

    private mutating func redirection(_ character: Character) -> Token? {
        place += 1
        if character == "<", next == "<", at(1) != "<" {
            place += 1
            let isIndented = next == "-"
            if isIndented { place += 1 }
            while next == " " { place += 1 }
            if let end = word().plain, !end.isEmpty { documents.append((end, isIndented)) }
            return nil
        }
        while let next, "<>|".contains(next) { place += 1 }
        guard next == "&" else { return .mark(String(character), line: line) }
        place += 1
        return .mark(">&", line: line)
    }

    private mutating func body(of document: (end: String, isIndented: Bool)) -> Token {
        let first = line
        var lines: [String] = []
        while place < text.count {
            var written = ""
            while let next, !next.isNewline {
                written.append(next)
                place += 1
            }
            if place < text.count { place += 1 }
            line += 1
            let trimmed = String(written.drop { $0 == "\t" || $0 == " " && kind == .lines })
            if (document.isIndented || kind == .lines ? trimmed : written) == document.end { break }
            lines.append(written)
        }
        return .document(lines.joined(separator: "\n"), line: first)
    }

    // MARK: Words

    private mutating func word() -> ShellWord {
        var word = ShellWord(line: line)
        let start = place
        (scripts, fallbacks) = ([], [])
        func isName(_ text: String) -> Bool {
            let name = text.dropLast(text.hasSuffix("+=") ? 2 : 1)
            return text.hasSuffix("=") && !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        }
        while let character = next, !character.isWhitespace, !";&|)<>".contains(character) {
            if character == "(" {
                guard !isInArray, word.plain.map(isName) ?? false else { break }
                word.elements = elements()
                break
            }
            piece(character, isQuoted: false, into: &word)
        }
        place = min(max(place, start + 1), text.count)
        word.range = start..<place
        (word.scripts, word.fallbacks) = (scripts, fallbacks)
        return word
    }

    private mutating func elements() -> [ShellWord] {
        place += 1
        isInArray = true
        defer { isInArray = false }
        let outer = scripts
        var words: [ShellWord] = []
        while let character = next, character != ")" {
            if character.isWhitespace || "(;&|<>".contains(character) {
                if character.isNewline { line += 1 }
                place += 1
            } else if character == "#" {
                while let next, !next.isNewline { place += 1 }
            } else if character == "\\", at(1)?.isNewline ?? false {
                place += 2
                line += 1
            } else {
                words.append(word())
            }
        }
        place += 1
        scripts = outer
        return words
    }

    private mutating func piece(_ character: Character, isQuoted: Bool, into word: inout ShellWord) {
        func add(_ text: String, _ isQuoted: Bool) {
            if case .plain(let before)? = word.pieces.last?.piece, word.pieces.last?.isQuoted == isQuoted {
                word.pieces[word.pieces.count - 1].piece = .plain(before + text)
            } else {
                word.pieces.append(.init(.plain(text), isQuoted))
            }
        }
        switch character {
        case "\\":
            place += 1
            guard let escaped = next else { return }
            place += 1
            if escaped.isNewline {
                line += 1
            } else {
                add((isQuoted && !"\"\\$`".contains(escaped) ? "\\" : "") + String(escaped), isQuoted)
            }
        case "'" where !isQuoted, "\"" where !isQuoted:
            guard let end = end(of: character) else {
                place += 1
                return add(String(character), false)
            }
            place += 1
            if character == "'" {
                let body = text[place..<end]
                line += body.count { $0.isNewline }
                add(String(body), true)
                place = end + 1
                return
            }
            add("", true)
            while place < text.count, text[place] != "\"" { piece(text[place], isQuoted: true, into: &word) }
            place += 1
        case "$": variable(isQuoted, into: &word)
        case "`":
            let end = text[(place + 1)...].firstIndex(of: "`") ?? text.count
            if kind == .script { scripts.append((String(text[(place + 1)..<end]), line)) }
            line += text[place..<end].count { $0.isNewline }
            place = min(end + 1, text.count)
            word.pieces.append(.init(.unknown("`…`"), isQuoted))
        default:
            if character.isNewline { line += 1 }
            add(String(character), isQuoted)
            place += 1
        }
    }

    /// Where quotes are closed; in what is no script, on the same line.
    private func end(of quote: Character) -> Int? {
        var next = place + 1
        while next < text.count {
            if text[next] == "\\", quote == "\"" {
                next += 2
                continue
            }
            if text[next] == quote { return next }
            if text[next].isNewline, kind == .lines || kind == .makefile { return nil }
            next += 1
        }
        return nil
    }
}
