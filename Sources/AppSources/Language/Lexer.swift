/// Cuts a source into words, read in bytes and from front to back, so that the work is in proportion to its size.
struct Lexer {
    let bytes: [UInt8]
    let language: SourceLanguage
    var index = 0
    var line: Int
    /// How many texts lie around this one, each put into the next.
    let depth: Int
    private var tokens: [Token] = []
    private var isAtLineStart = true
    /// Where the line of a `#define` ends, which ends a declaration.
    private var definitionEnd: Int?
    /// Where a text without an end was looked for, by its first byte: what begins before that has no end either.
    var deadEnds: [UInt8: Int] = [:]

    init(_ bytes: [UInt8], _ language: SourceLanguage, line: Int = 1, depth: Int = 0) {
        self.bytes = bytes
        self.language = language
        self.line = line
        self.depth = depth
    }

    /// All words, and those of texts within texts.
    static func tokens(of text: String, in language: SourceLanguage) -> [Token] {
        var lexer = Lexer(Array(text.utf8), language)
        let tokens = lexer.read(until: nil)
        return language == .script ? tokens.withMethodsAsValues : tokens
    }

    /// Up to a closing bracket, which is gone past, or the end.
    mutating func read(until end: UInt8?) -> [Token] {
        var open = 0
        while index < bytes.count {
            skipSpace()
            if let definitionEnd, index >= definitionEnd {
                add(.mark(";"))
                self.definitionEnd = nil
                // The next one may stand on the next line.
                isAtLineStart = true
                continue
            }
            guard index < bytes.count else { break }
            let byte = bytes[index]
            if let end {
                if byte == end, open == 0 {
                    index += 1
                    return tokens
                }
                if byte == Self.opening(of: end) { open += 1 } else if byte == end { open -= 1 }
            }
            readToken(byte)
        }
        if definitionEnd != nil { add(.mark(";")) }
        return tokens
    }

    private mutating func readToken(_ byte: UInt8) {
        if byte == UInt8(ascii: "#"), language.hasDirectives, isAtLineStart, readDirective() { return }
        // A text of several lines stands where it begins.
        let start = line
        if let pieces = readText() { return add(.text(pieces), line: start) }
        if Self.isDigit(byte) {
            let number = bytes[index...].prefix { Self.isOfName($0) || $0 == UInt8(ascii: ".") }
            // A range begins with a number, too.
            var end = number.endIndex
            if let dots = number.indices.dropLast().first(where: { number[$0] == 0x2E && number[$0 + 1] == 0x2E }) {
                end = dots
            }
            let text = String(decoding: bytes[index..<end], as: UTF8.self)
            index = end
            return add(.number(text))
        }
        let name = bytes[index...].prefix(while: Self.isOfName)
        guard name.isEmpty else {
            index = name.endIndex
            return add(.name(String(decoding: name, as: UTF8.self)))
        }
        // What a closure of Swift is given.
        if byte == UInt8(ascii: "$"), language == .swift {
            let digits = bytes[(index + 1)...].prefix { 0x30...0x39 ~= $0 }
            if !digits.isEmpty {
                index = digits.endIndex
                return add(.name("$" + String(decoding: digits, as: UTF8.self)))
            }
        }
        // What a decompiler calls what the compiler made: `<>9`, `<>c`.
        if language == .cSharp, bytes[index...].starts(with: "<>".utf8) {
            let name = bytes[(index + 2)...].prefix(while: Self.isOfName)
            if !name.isEmpty {
                index = name.endIndex
                return add(.name("<>" + String(decoding: name, as: UTF8.self)))
            }
        }
        // In Kotlin and Swift a name may stand between backticks.
        if byte == UInt8(ascii: "`"), let end = bytes[(index + 1)...].prefix(80).firstIndex(of: byte) {
            let name = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
            index = end + 1
            return add(.name(name))
        }
        if byte == UInt8(ascii: "/"), language == .script, mayBeginPattern, skipPattern() {
            return add(.mark("/…/"))
        }
        let mark = Self.longMarks[byte]?.first { bytes[index...].starts(with: $0.utf8) }
        let text = mark ?? String(decoding: bytes[index...index], as: UTF8.self)
        index += text.utf8.count
        add(.mark(text))
    }

    /// By their first bytes; a longer one stands before its own beginning.
    private static let longMarks = Dictionary(
        grouping: [
            "...", "..<", "===", "!==", "??=", "||=", "->", "=>", "==", "!=", "?.", "?:", "??", "!!", "::", "&&",
            "||", "+=", "-=", "<=", ">=", "..",
        ],
        by: { $0.utf8.first ?? 0 }
    )

    mutating func add(_ kind: Token.Kind, line place: Int? = nil) {
        tokens.append(Token(kind: kind, line: place ?? line, startsLine: isAtLineStart))
        isAtLineStart = false
    }

    // MARK: What is gone past

    private mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x0A:
                newLine()
                index += 1
            case 0x20, 0x09, 0x0D, 0x0B, 0x0C: index += 1
            case UInt8(ascii: "/") where bytes[index...].starts(with: "//".utf8): skipLine()
            case UInt8(ascii: "/") where bytes[index...].starts(with: "/*".utf8): skipBlockComment()
            // A line that a backslash lengthens.
            case UInt8(ascii: "\\") where bytes[index...].dropFirst().first == 0x0A: index += 1
            case 0xEF where bytes[index...].starts(with: [0xEF, 0xBB, 0xBF]): index += 3
            default: return
            }
            if let definitionEnd, index >= definitionEnd { return }
        }
    }

    private mutating func newLine() {
        line += 1
        isAtLineStart = true
    }

    private mutating func skipLine() {
        index = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
    }

    private mutating func skipBlockComment() {
        index += 2
        var open = 1
        while index < bytes.count, open > 0 {
            if bytes[index...].starts(with: "*/".utf8) {
                open -= 1
                index += 2
            } else if language.nestsComments, bytes[index...].starts(with: "/*".utf8) {
                open += 1
                index += 2
            } else {
                if bytes[index] == 0x0A { newLine() }
                index += 1
            }
        }
    }

    /// Whether a slash can begin a regular expression, and not a division.
    private var mayBeginPattern: Bool {
        switch tokens.last?.kind {
        case .name(let name): ["return", "typeof", "case", "in", "of"].contains(name)
        case .number, .text: false
        // `</View>` ends an element.
        case .mark(let mark): ![")", "]", "}", "<"].contains(mark)
        case .directive, nil: true
        }
    }

    private mutating func skipPattern() -> Bool {
        guard deadEnds[UInt8(ascii: "/")].map({ index >= $0 }) ?? true else { return false }
        var place = index + 1
        var isInClass = false
        while place < bytes.count, bytes[place] != 0x0A {
            switch bytes[place] {
            case UInt8(ascii: "\\"): place += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "/") where !isInClass:
                index = place + 1
                return true
            default: break
            }
            place += 1
        }
        deadEnds[UInt8(ascii: "/")] = place
        return false
    }

    /// `#if` and its kin are words; what `#define` names is declared; other directives are gone past.
    private mutating func readDirective() -> Bool {
        let end = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
        var text = String(decoding: bytes[(index + 1)..<end].prefix(400), as: UTF8.self)
        if let comment = text.firstRange(of: "//") { text.removeSubrange(comment.lowerBound...) }
        let words = text.split(whereSeparator: \.isWhitespace)
        let directives = ["if", "ifdef", "ifndef", "elseif", "elif", "else", "endif"]
        // Swift writes `#if(…)` as well.
        guard let word = words.first?.prefix(while: \.isLetter), !word.isEmpty else { return false }
        if directives.contains(String(word)) {
            add(.directive(words.joined(separator: " ")))
            index = end
            return true
        }
        guard language != .swift else { return false }
        guard word == "define", words.count > 2, words[1].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
            index = end
            return true
        }
        add(.name("const"))
        add(.name(String(words[1])))
        add(.mark("="))
        let name = bytes[index..<end].firstRange(of: words[1].utf8)
        index = name?.upperBound ?? end
        definitionEnd = end
        return true
    }

    // MARK: Bytes

    static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// A letter that is not of ASCII counts as one of a name.
    static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39,
            UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    private static func opening(of end: UInt8) -> UInt8 {
        end == UInt8(ascii: "}") ? UInt8(ascii: "{") : UInt8(ascii: "(")
    }
}
