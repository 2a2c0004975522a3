/// A word of a source.
struct Token: Sendable {
    enum Kind: Hashable, Sendable {
        case name(String)
        case text([Piece])
        case number(String)
        case mark(String)
        /// `#if DEBUG` and the like, without the `#`.
        case directive(String)
    }

    /// A part of a text.
    enum Piece: Hashable, Sendable {
        case plain(String)
        /// What is put in; empty where it cannot be read.
        case code([Token])
    }

    var kind: Kind
    var line: Int
    /// Whether it is the first of its line.
    var startsLine: Bool

    /// Its text, if it is a name.
    var name: String? { if case .name(let name) = kind { name } else { nil } }

    func isMark(_ mark: String) -> Bool { if case .mark(let own) = kind { own == mark } else { false } }

    func isName(_ name: String) -> Bool { if case .name(let own) = kind { own == name } else { false } }

    /// As it stands in the source, about: for messages.
    var description: String {
        switch kind {
        case .name(let name), .number(let name), .mark(let name): name
        case .directive(let text): "#\(text)"
        case .text(let pieces):
            "\"" + pieces.map { if case .plain(let text) = $0 { text } else { "…" } }.joined() + "\""
        }
    }
}

extension Token: Hashable {
    /// Where it stands does not count.
    static func == (left: Token, right: Token) -> Bool { left.kind == right.kind }

    func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

extension Token {
    /// Its own name, or those of what is put into a text.
    var names: [String] {
        switch kind {
        case .name(let name): [name]
        case .text(let pieces):
            pieces.flatMap { if case .code(let inner) = $0 { inner.flatMap(\.names) } else { [String]() } }
        case .number, .mark, .directive: []
        }
    }
}

extension ArraySlice<Token> {
    /// As they stand in the source, about, on one line.
    var words: String {
        var text = ""
        var last: Token?
        for token in self {
            let glue: Bool
            switch (last?.kind, token.kind) {
            // `mode == .strict`, where a name with nothing before it is an enum's.
            case (.mark("=="), .mark(".")), (.mark("!="), .mark(".")), (.mark("&&"), .mark(".")),
                (.mark("||"), .mark(".")), (.mark(","), .mark(".")), (.mark("&&"), .mark("[")),
                (.mark("||"), .mark("[")), (.mark("&&"), .mark("(")), (.mark("||"), .mark("(")):
                glue = false
            case (nil, _), (.mark("."), _), (_, .mark(".")), (.mark("("), _), (_, .mark("(")), (_, .mark(")")),
                (_, .mark(",")), (_, .mark("[")), (.mark("["), _), (_, .mark("]")), (.mark("!"), _), (.mark("@"), _),
                (.mark("#"), _), (.mark("$"), _), (.mark("*"), _), (_, .mark("?.")), (.mark("?."), _), (_, .mark("!!")):
                glue = true
            default: glue = false
            }
            text += (glue ? "" : " ") + token.description
            last = token
        }
        return text
    }
}
