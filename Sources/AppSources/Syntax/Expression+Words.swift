extension Expression {
    /// A condition as it is written, without spaces.
    var words: String {
        switch kind {
        case .name(let name): name
        case .member(let base, let name): "\(base.words).\(name)"
        case .prefix(let mark, let value): mark + value.words
        case .binary(let mark, let left, let right): "\(left.words) \(mark) \(right.words)"
        case .call(let callee, let arguments):
            "\(callee.words)(\(arguments.map(\.value.words).joined(separator: ", ")))"
        case .index(let base, let key): "\(base.words)[\(key.words)]"
        case .number(let text): text
        case .text(let pieces):
            "\"" + pieces.map { if case .plain(let text) = $0 { text } else { "…" } }.joined() + "\""
        case .opaque(let text), .tested(let text, _): text
        case .list, .table, .closure, .conditional: "the condition on line \(line)"
        }
    }

    /// Whether it never has a value: `throw`, or a function of the language's own that does not return. A logger has an `error`,
    /// too, and goes on.
    func isThrowing(in language: SourceLanguage) -> Bool {
        switch kind {
        case .opaque(let text): text == "throw" || ["throw ", "throw("].contains(where: text.hasPrefix)
        case .call(let callee, _):
            switch (language, callee.kind) {
            case (.kotlin, .name("error")), (.kotlin, .name("TODO")), (.swift, .name("fatalError")),
                (.swift, .name("preconditionFailure")):
                true
            default: false
            }
        default: false
        }
    }
}
