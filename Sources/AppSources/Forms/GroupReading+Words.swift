/// Texts that code holds against digests, and that are none.
extension GroupReading {
    /// `digest !== EXPECTED`, where the constant says by its name that it is a pin, and is a text.
    static func compared(in group: CodeGroup, _ evaluator: Evaluator) -> [String] {
        let tree = evaluator.tree
        guard [.script, .swift, .dart].contains(tree.language) else { return [] }
        var found: [String] = []
        func take(_ expression: Expression) -> Bool {
            guard case .binary(let mark, let left, let right) = expression.kind,
                ["==", "===", "!=", "!=="].contains(mark), group.holds(expression.token)
            else { return true }
            for side in [left, right] {
                guard let name = side.nameOfOwn, PinText.namesDigests(name) || name.lowercased().contains("pin"),
                    let block = tree.block(declaring: name, from: side.block),
                    let declared = tree.blocks[block].declarations[name], declared.count == 1,
                    case .text(let pieces)? = declared[0].value?.kind, pieces.count == 1,
                    case .plain(let text) = pieces[0], text.utf8.count > 5, !text.contains(where: \.isWhitespace)
                else { continue }
                found.append(text)
            }
            return true
        }
        tree.visit { expression, _ in take(expression) }
        for case .branches(let branches, _) in tree.blocks.flatMap(\.statements).map(\.kind) {
            for branch in branches { branch.test?.visit(take) }
        }
        return found.uniqued
    }
}

extension Expression {
    /// `pin`, `self.pin`, `Self.pin`
    fileprivate var nameOfOwn: String? {
        switch kind {
        case .name(let name): name
        case .member(let base, let name) where base.names("self") || base.names("Self"): name
        default: nil
        }
    }
}
