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

    /// Whether it never has a value.
    var isThrowing: Bool {
        switch kind {
        case .opaque(let text): text.hasPrefix("throw")
        case .call(let callee, _): ["error", "fatalError", "preconditionFailure", "TODO"].contains(callee.finalName)
        default: false
        }
    }
}
