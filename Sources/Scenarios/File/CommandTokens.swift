/// A command line, split into words and groups of words.
struct CommandTokens {
    enum Token {
        case word([TemplateCharacter])
        case group([[TemplateCharacter]], column: Int)
    }

    private(set) var tokens: [Token] = []

    private let text: [Character]
    private var index = 0
    private var word: [TemplateCharacter]?
    /// How many brackets within the word wait for their partner.
    private var openBrackets = 0
    private var group: (words: [[TemplateCharacter]], column: Int)?

    init(_ text: String) throws(TemplateError) {
        self.text = Array(text)
        while index < self.text.count {
            try readNext()
            index += 1
        }
        endWord()
        if let group { throw .unclosedGroup(column: group.column) }
    }

    private var column: Int { index + 1 }

    private mutating func readNext() throws(TemplateError) {
        switch text[index] {
        case "'":
            try readSingleQuotes()
        case "\"":
            try readDoubleQuotes()
        case "\\":
            guard index + 1 < text.count else { throw .trailingBackslash(column: column) }
            index += 1
            if !text[index].isNewline { add(isPlain: true) }
        case "[" where word == nil:
            guard group == nil else { throw .nestedGroup(column: column) }
            group = ([], column)
        case "[":
            openBrackets += 1
            add()
        case "]" where openBrackets > 0:
            openBrackets -= 1
            add()
        case "]":
            endWord()
            guard let group else { throw .unopenedGroup(column: column) }
            tokens.append(.group(group.words, column: group.column))
            self.group = nil
        case let character where character.isWhitespace:
            endWord()
        default:
            add(isBare: true)
        }
    }

    private mutating func readSingleQuotes() throws(TemplateError) {
        let start = column
        word = word ?? []
        index += 1
        while index < text.count, text[index] != "'" {
            add()
            index += 1
        }
        guard index < text.count else { throw .unclosedQuote("'", column: start) }
    }

    private mutating func readDoubleQuotes() throws(TemplateError) {
        let start = column
        word = word ?? []
        index += 1
        while index < text.count, text[index] != "\"" {
            // Within double quotes a backslash stands for itself but for these (XCU 2.2.3), and our brace.
            if text[index] == "\\", index + 1 < text.count, "\"\\$`{\n".contains(text[index + 1]) {
                index += 1
                if !text[index].isNewline { add(isPlain: true) }
            } else {
                add()
            }
            index += 1
        }
        guard index < text.count else { throw .unclosedQuote("\"", column: start) }
    }

    private mutating func add(isPlain: Bool = false, isBare: Bool = false) {
        let character = TemplateCharacter(text[index], column: column, isPlain: isPlain, isBare: isBare)
        word = word ?? []
        word?.append(character)
    }

    private mutating func endWord() {
        guard let ended = word else { return }
        if group == nil {
            tokens.append(.word(ended))
        } else {
            group?.words.append(ended)
        }
        word = nil
        openBrackets = 0
    }
}

extension CommandTokens.Token {
    /// What stands there without quotes and only a shell would understand; nobody means it for a client.
    func signOfShell(isFirst: Bool) -> TemplateError? {
        guard case .word(let word) = self, let start = word.first else { return nil }
        // What is quoted is meant as it stands: here it is a letter like any other.
        let text = String(word.map { $0.isBare ? $0.character : "." })
        if isFirst, let name = text.prefixMatch(of: #/[A-Za-z_][A-Za-z0-9_]*=/#)?.output {
            return .variableOfShell(String(name.dropLast()), column: start.column)
        }
        guard text.contains(where: "|&;<>~$`".contains) else { return nil }
        let signs: [Regex<Substring>] = [
            #/^(?:\|\|?|&&?|;)$/#, #/^(?:[0-9]|&)?[<>].*/#, #/^~(?=\/|$)/#, #/\$[A-Za-z_(][A-Za-z0-9_]*/#, #/`/#,
            #/;$/#,
        ]
        guard let sign = signs.lazy.compactMap({ text.firstMatch(of: $0)?.output }).first else { return nil }
        let offset = text.distance(from: text.startIndex, to: sign.startIndex)
        return .signOfShell(String(sign), column: word[offset].column)
    }
}
