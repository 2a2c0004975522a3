/// Whether anything makes the objects of Swift that compare a server's certificate.
extension ComparisonForm {
    private static let delegates = ["SessionDelegate", "TaskDelegate", "ServerTrustEvaluating"]

    /// What is said of a delegate that nothing makes in what was read; empty of any other.
    static func unmade(_ group: CodeGroup, _ evaluator: Evaluator) -> String {
        let (tree, module) = (evaluator.tree, evaluator.module)
        guard tree.language == .swift else { return "" }
        let heads = tree.blocks.flatMap(\.statements).compactMap { statement -> (name: String, isDelegate: Bool)? in
            guard case .declaration(let declaration) = statement.kind, declaration.kind == .type,
                group.tokens.contains(where: statement.tokens.contains)
            else { return nil }
            let head = tree.tokens[statement.tokens.clamped(to: 0..<tree.tokens.count)].prefix { !$0.isMark("{") }
            let isDelegate = head.contains { token in delegates.contains { token.name?.hasSuffix($0) ?? false } }
            return (declaration.name, isDelegate)
        }
        let names = Set(heads.filter(\.isDelegate).map(\.name))
        guard names.count == 1, let name = names.first, !tree.mayMake(name), !tree.isOfScreens(name),
            !module.others(mentioning: name, than: tree.path, in: .swift).contains(where: {
                module.tree(of: $0).mayMake(name)
            })
        else { return "" }
        return "; nothing in what was read makes an object of '\(name)'"
    }
}

extension SyntaxTree {
    /// Whether a source may make an object of a type, by its name or by that of a type made from it.
    fileprivate func mayMake(_ type: String) -> Bool {
        guard language == .swift else { return true }
        if blocks.contains(where: { $0.declarations.values.joined().contains { $0.supers.contains(type) } }) {
            return true
        }
        return tokens.indices.dropLast().contains { place in
            tokens[place].isName(type) && ["(", "."].contains(where: tokens[place + 1].isMark)
        }
    }

    /// Whether a storyboard, or the system, may make objects of a type: a view, its controller, what an app starts with.
    fileprivate func isOfScreens(_ type: String) -> Bool {
        let made = ["Controller", "View", "Cell", "Responder", "Document"]
        return blocks.contains { block in
            block.declarations[type]?.contains { declaration in
                declaration.kind == .type
                    && declaration.supers.contains { base in made.contains(where: base.hasSuffix) }
            } ?? false
        }
    }
}
