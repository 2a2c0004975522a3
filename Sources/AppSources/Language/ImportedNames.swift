/// Names that an import gives to what it imports: `import okhttp3.CertificatePinner as Pinner`.
///
/// What stands behind the import is read with the names that its own source has for it.
enum ImportedNames {
    static func resolved(_ tokens: [Token], in language: SourceLanguage) -> [Token] {
        switch language {
        case .kotlin: renamed(tokens, inKotlin(tokens))
        case .script: renamed(tokens, inScripts(tokens))
        case .dart: withoutPrefixes(tokens)
        case .java, .swift, .objectiveC, .cSharp, .groovy: tokens
        }
    }

    /// `import a.b.Name as Other`
    private static func inKotlin(_ tokens: [Token]) -> [String: String] {
        var names: [String: String] = [:]
        for place in tokens.indices.dropFirst(2) where tokens[place].isName("as") && isImport(tokens, place) {
            guard place + 1 < tokens.count, let name = tokens[place - 1].name, let other = tokens[place + 1].name else {
                continue
            }
            names[other] = name
        }
        return names
    }

    private static func isImport(_ tokens: [Token], _ place: Int) -> Bool {
        var place = place
        while place > 0, !tokens[place].startsLine { place -= 1 }
        return tokens[place].isName("import")
    }

    /// `import { name as other } from 'library'`, of a library: sources of the app's own are looked up by their paths.
    private static func inScripts(_ tokens: [Token]) -> [String: String] {
        var names: [String: String] = [:]
        for start in tokens.indices where tokens[start].isName("import") {
            let end = tokens[start...].prefix(400).firstIndex { $0.plainText != nil || $0.isMark(";") }
            guard let end, let path = tokens[end].plainText, !path.hasPrefix("."), !path.hasPrefix("@/"),
                !path.hasPrefix("~/"), !path.hasPrefix("src/")
            else { continue }
            for place in (start + 1)..<end where tokens[place].isName("as") && place + 1 < end {
                guard let name = tokens[place - 1].name, let other = tokens[place + 1].name else { continue }
                names[other] = name
            }
        }
        return names
    }

    /// Where a source has the name for something else as well, it keeps the one that it gave.
    private static func renamed(_ tokens: [Token], _ names: [String: String]) -> [Token] {
        let names = names.filter { other, name in
            other != name
                && tokens.indices.count {
                    tokens[$0].isName(name) && !isDeclaredType(tokens, $0) && !($0 > 0 && tokens[$0 - 1].isMark("."))
                        && !($0 + 1 < tokens.count && tokens[$0 + 1].isName("as"))
                } == 0
        }
        guard !names.isEmpty else { return tokens }
        return tokens.indices.map { place in
            var token = tokens[place]
            if place > 0, tokens[place - 1].isMark(".") || isMethod(tokens, place) { return token }
            token.rename(names)
            return token
        }
    }

    /// `object CertificatePinner { … }`, which makes what it is called after: a type of that name stands beside the library's.
    private static func isDeclaredType(_ tokens: [Token], _ place: Int) -> Bool {
        place > 0 && ["object", "class"].contains { tokens[place - 1].isName($0) }
    }

    /// `start() { … }` of a class.
    private static func isMethod(_ tokens: [Token], _ place: Int) -> Bool {
        guard tokens[place].name != nil, place + 1 < tokens.count, tokens[place + 1].isMark("(") else { return false }
        var depth = 0
        for next in tokens.indices[(place + 1)...].prefix(400) {
            if tokens[next].isMark("(") { depth += 1 }
            if tokens[next].isMark(")") { depth -= 1 }
            if depth == 0 { return next + 1 < tokens.count && tokens[next + 1].isMark("{") }
        }
        return false
    }

    /// `import 'pins.dart' as pins`: `pins.host` is the other source's `host`.
    private static func withoutPrefixes(_ tokens: [Token]) -> [Token] {
        var prefixes: Set<String> = []
        for place in tokens.indices.dropFirst() where tokens[place].isName("as") && tokens[place - 1].plainText != nil {
            guard isImport(tokens, place), place + 1 < tokens.count, let name = tokens[place + 1].name else { continue }
            prefixes.insert(name)
        }
        // A variable by the same name.
        prefixes = prefixes.filter { name in
            !tokens.indices.dropLast().contains { tokens[$0].isName(name) && tokens[$0 + 1].isMark("=") }
        }
        guard !prefixes.isEmpty else { return tokens }
        return withoutPrefixes(tokens, prefixes)
    }

    private static func withoutPrefixes(_ tokens: [Token], _ prefixes: Set<String>) -> [Token] {
        var kept: [Token] = []
        var startsLine: Bool?
        var place = 0
        while place < tokens.count {
            var token = tokens[place]
            let isBehindDot = place > 0 && (tokens[place - 1].isMark(".") || tokens[place - 1].isMark("?."))
            if let name = token.name, prefixes.contains(name), !isBehindDot, place + 2 < tokens.count,
                tokens[place + 1].isMark("."), tokens[place + 2].name != nil
            {
                startsLine = token.startsLine
                place += 2
                continue
            }
            if let first = startsLine { token.startsLine = first }
            startsLine = nil
            if case .text(let pieces) = token.kind {
                token.kind = .text(
                    pieces.map { piece in
                        guard case .code(let code) = piece else { return piece }
                        return .code(withoutPrefixes(code, prefixes))
                    }
                )
            }
            kept.append(token)
            place += 1
        }
        return kept
    }
}

extension Token {
    fileprivate mutating func rename(_ names: [String: String]) {
        switch kind {
        case .name(let own): if let name = names[own] { kind = .name(name) }
        case .text(let pieces):
            guard pieces.contains(where: { if case .code = $0 { true } else { false } }) else { return }
            kind = .text(
                pieces.map { piece in
                    guard case .code(let code) = piece else { return piece }
                    return .code(
                        code.indices.map { place in
                            var token = code[place]
                            if place == 0 || !code[place - 1].isMark(".") { token.rename(names) }
                            return token
                        }
                    )
                }
            )
        case .number, .mark, .directive: break
        }
    }
}
