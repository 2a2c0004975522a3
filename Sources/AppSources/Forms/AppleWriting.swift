/// How Swift writes the digest that it compares, beside in which letters.
struct AppleWriting {
    private let pins: [String]
    private let tree: SyntaxTree

    /// What may write a pin or a digest in another way, or compare a part of it.
    private static let changing = [
        "uppercas", "lowercas", "capitali", "replac", "trim", "components", "split", "drop", "suffix", "prefix",
        "filter",
        "compare", "range", "remove", "strip", "normal", "clean", "convert", "regex", "firstindex", "insert",
        "substring",
        "insensitive", "bytes",
    ]

    init(_ pins: [String], _ tree: SyntaxTree) { (self.pins, self.tree) = (pins, tree) }

    /// Why no pin is equal to the digest, in words; `nil` where one may be.
    var mismatch: String? {
        guard tree.language == .swift, areWritten, !changes else { return nil }
        let texts = tree.tokens.flatMap { token -> [String] in
            guard case .text(let pieces) = token.kind else { return [] }
            return pieces.compactMap { if case .plain(let text) = $0 { text } else { nil } }
        }
        .filter { !pins.contains($0) }
        let arePrefixed = pins.allSatisfy { $0.hasPrefix("sha256/") || $0.hasPrefix("sha1/") }
        // A text that is put together may have what a constant of another source is.
        let isJoined =
            tree.tokens.contains { $0.isMark("+") || $0.isMark("+=") }
            || tree.tokens.contains { token in
                guard case .text(let pieces) = token.kind else { return false }
                return pieces.contains { if case .code = $0 { true } else { false } }
            }
        if arePrefixed, !isJoined, !texts.contains(where: { $0.contains("sha") }) {
            return "the pins begin with 'sha256/', and the digest does not"
        }
        let formats = texts.filter { $0.contains("%02") }
        let isSmall = !formats.isEmpty && formats.allSatisfy { $0.hasSuffix("x") }
        guard isSmall, pins.allSatisfy({ PinText.isFingerprint($0) || PinText.isBareHex($0) }) else { return nil }
        if pins.allSatisfy({ $0.contains(where: \.isUppercase) }) {
            return "the digest is written in small letters, and the pins in capitals"
        }
        let joined = tree.calls(["joined"]).map(\.arguments)
        if pins.allSatisfy({ $0.contains(":") }), !joined.isEmpty, joined.allSatisfy(\.isEmpty) {
            return "the digest is written with nothing between its digits, and the pins with colons"
        }
        return nil
    }

    /// Whether each pin stands in the source as it is.
    private var areWritten: Bool {
        pins.allSatisfy { pin in tree.tokens.contains { $0.plainText == pin } }
    }

    private var changes: Bool {
        tree.tokens.indices.contains { place in
            guard let name = tree.tokens[place].name?.lowercased() else { return false }
            // `pin.contains(digest)` looks for a part of a text, and `pins.contains(digest)` for a whole one.
            let isOfPart = name == "contains" && !isAskedOfList(place)
            return isOfPart || name == "index" || Self.changing.contains(where: name.contains)
        }
    }

    /// `pins.contains(…)`, of a list or a set that the source writes.
    private func isAskedOfList(_ place: Int) -> Bool {
        guard place > 1, tree.tokens[place - 1].isMark("."), let name = tree.tokens[place - 2].name else {
            return false
        }
        let declared = tree.blocks.flatMap { $0.declarations[name] ?? [] }
        return !declared.isEmpty
            && declared.allSatisfy { if case .list? = $0.value?.kind { true } else { false } }
    }
}
