import Foundation

extension Lexer {
    /// How one text is written.
    private struct Form {
        /// What closes it.
        var end: [UInt8]
        var isMultiline = false
        var hasEscapes = true
        /// What stands behind a backslash beside the escape: as many `#` as Swift's raw texts have.
        var hashes = 0
        var dollars = false
        /// Swift's `\(…)`.
        var backslashParentheses = false
        /// C#'s `$"…{…}"`.
        var braces = false
        /// C#'s `""` in a text that begins with `@`.
        var doublesQuote = false
        /// Whether the shared indentation of its lines is no part of it.
        var isIndented = false
    }

    /// The text that begins here, gone past; `nil` where none does, or where it has no end.
    mutating func readText() -> [Token.Piece]? {
        guard let (form, start) = form() else { return nil }
        let first = bytes[index]
        // What has no end before some place has none from here either.
        if let dead = deadEnds[first], index < dead { return nil }
        let (before, lineBefore) = (index, line)
        index = start
        if let pieces = readPieces(form) { return pieces }
        deadEnds[first] = max(deadEnds[first] ?? 0, index)
        (index, line) = (before, lineBefore)
        return nil
    }

    private func starts(_ text: String, at place: Int) -> Bool {
        place <= bytes.count && bytes[place...].starts(with: text.utf8)
    }

    private func form() -> (Form, start: Int)? {
        var place = index
        var form = Form(end: [])
        var isRaw = false
        switch (language, bytes[place]) {
        case (.objectiveC, UInt8(ascii: "@")) where starts("@\"", at: place): place += 1
        case (.dart, UInt8(ascii: "r")) where starts("r\"", at: place) || starts("r'", at: place):
            place += 1
            isRaw = true
        case (.cSharp, UInt8(ascii: "$")), (.cSharp, UInt8(ascii: "@")):
            while place < bytes.count, "$@".utf8.contains(bytes[place]), place < index + 3 {
                if bytes[place] == UInt8(ascii: "$") { form.braces = true } else { form.doublesQuote = true }
                place += 1
            }
            guard starts("\"", at: place) else { return nil }
        case (.swift, UInt8(ascii: "#")):
            while place < bytes.count, bytes[place] == UInt8(ascii: "#"), form.hashes < 8 {
                form.hashes += 1
                place += 1
            }
            guard starts("\"", at: place) else { return nil }
        default: break
        }
        guard place < bytes.count else { return nil }
        let quote = bytes[place]
        // What was copied from a page, as editors set it: “…”.
        if starts("“", at: place) || starts("”", at: place) {
            form.end = Array("”".utf8)
            form.backslashParentheses = language == .swift
            return (form, place + 3)
        }
        switch quote {
        case UInt8(ascii: "\""): break
        case UInt8(ascii: "'"):
            guard language.quotesSingly else { return character(at: place) }
        case UInt8(ascii: "`") where language == .script:
            form.end = [quote]
            form.isMultiline = true
            form.dollars = true
            return (form, place + 1)
        default: return nil
        }
        let isTriple = place + 2 < bytes.count && bytes[place + 1] == quote && bytes[place + 2] == quote
        if isTriple, language != .objectiveC, language != .script, !form.doublesQuote {
            form.end = [quote, quote, quote]
            form.isMultiline = true
            form.hasEscapes = language != .kotlin && language != .cSharp
            form.isIndented = language == .swift || language == .java || language == .cSharp
            place += 2
        } else {
            form.end = [quote]
            form.isMultiline = form.doublesQuote
        }
        if form.doublesQuote || isRaw { form.hasEscapes = false }
        form.dollars = !isRaw && language.interpolatesByDollar && !(language == .groovy && quote == UInt8(ascii: "'"))
        form.backslashParentheses = language == .swift
        form.end += Array(repeating: UInt8(ascii: "#"), count: form.hashes)
        return (form, place + 1)
    }

    /// `'x'`, which may be a quotation mark.
    private func character(at place: Int) -> (Form, start: Int)? {
        let rest = bytes[(place + 1)...].prefix(10)
        guard let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "'")), !rest[..<end].contains(0x0A) else {
            return nil
        }
        return (Form(end: [UInt8(ascii: "'")]), place + 1)
    }

    private mutating func readPieces(_ form: Form) -> [Token.Piece]? {
        var pieces: [Token.Piece] = []
        var text: [UInt8] = []
        func flushed() -> [Token.Piece] { text.isEmpty ? [] : [.plain(String(decoding: text, as: UTF8.self))] }
        while index < bytes.count {
            let byte = bytes[index]
            if byte == form.end[0], bytes[index...].starts(with: form.end) {
                if form.doublesQuote, bytes[index...].dropFirst().first == byte {
                    text.append(byte)
                    index += 2
                    continue
                }
                index += form.end.count
                pieces += flushed()
                return form.isIndented && form.isMultiline ? Self.outdented(pieces) : pieces
            }
            if byte == 0x0A {
                guard form.isMultiline else { return nil }
                line += 1
            }
            if byte == UInt8(ascii: "\\"), form.hasEscapes {
                let marks = Array(repeating: UInt8(ascii: "#"), count: form.hashes)
                guard bytes[(index + 1)...].starts(with: marks) else {
                    text.append(byte)
                    index += 1
                    continue
                }
                index += 1 + form.hashes
                if form.backslashParentheses, index < bytes.count, bytes[index] == UInt8(ascii: "(") {
                    index += 1
                    pieces += flushed()
                    text = []
                    pieces.append(.code(readCode(until: UInt8(ascii: ")"))))
                    continue
                }
                guard readEscape(into: &text) else { return nil }
                continue
            }
            if form.dollars, byte == UInt8(ascii: "$"), let code = readDollar() {
                pieces += flushed()
                text = []
                pieces.append(.code(code))
                continue
            }
            if form.braces, byte == UInt8(ascii: "{") {
                index += 1
                if index < bytes.count, bytes[index] == byte {
                    text.append(byte)
                    index += 1
                } else {
                    pieces += flushed()
                    text = []
                    pieces.append(.code(readCode(until: UInt8(ascii: "}"))))
                }
                continue
            }
            if form.braces, byte == UInt8(ascii: "}"), bytes[index...].dropFirst().first == byte { index += 1 }
            text.append(byte)
            index += 1
        }
        return nil
    }

    /// `$name` or `${…}`; `nil` for a plain dollar.
    private mutating func readDollar() -> [Token]? {
        let next = index + 1
        guard next < bytes.count else { return nil }
        if bytes[next] == UInt8(ascii: "{") {
            index = next + 1
            return readCode(until: UInt8(ascii: "}"))
        }
        guard language != .script, Self.isOfName(bytes[next]), !Self.isDigit(bytes[next]) else { return nil }
        let name = bytes[next...].prefix(while: Self.isOfName)
        index = name.endIndex
        return [Token(kind: .name(String(decoding: name, as: UTF8.self)), line: line, startsLine: false)]
    }

    private mutating func readCode(until end: UInt8) -> [Token] {
        guard depth < 4 else {
            index = bytes.count
            return []
        }
        var inner = Lexer(bytes, language, line: line, depth: depth + 1)
        inner.index = index
        let tokens = inner.read(until: end)
        (index, line) = (inner.index, inner.line)
        return tokens
    }

    /// What stands behind a backslash.
    private mutating func readEscape(into text: inout [UInt8]) -> Bool {
        guard index < bytes.count else { return false }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "0"): text.append(0)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "u"), UInt8(ascii: "x"):
            let isBraced = index < bytes.count && bytes[index] == UInt8(ascii: "{")
            let digits = bytes[(isBraced ? index + 1 : index)...].prefix(isBraced ? 8 : byte == 0x75 ? 4 : 2)
                .prefix { Character(Unicode.Scalar($0)).isHexDigit }
            guard let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(value)
            else { return true }
            text += Array(String(Character(scalar)).utf8)
            index = digits.endIndex + (isBraced ? 1 : 0)
        case 0x0A: line += 1
        default: text.append(byte)
        }
        return true
    }

    /// Without the first line feed, the last one, and the indentation of the last line.
    private static func outdented(_ pieces: [Token.Piece]) -> [Token.Piece] {
        // Only a text without anything put in is what apps write in this form.
        guard pieces.count == 1, case .plain(let text) = pieces[0] else { return pieces }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 1 else { return pieces }
        lines.removeFirst()
        let last = lines.removeLast()
        let isAlone = last.allSatisfy { $0 == " " || $0 == "\t" }
        if !isAlone { lines.append(last) }
        let indent =
            isAlone
            ? last.count : lines.map { $0.prefix { $0 == " " || $0 == "\t" }.count }.min() ?? 0
        return [.plain(lines.map { $0.dropFirst(indent) }.joined(separator: "\n"))]
    }
}
