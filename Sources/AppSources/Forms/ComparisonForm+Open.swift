/// Unity's handlers that look at no certificate.
extension ComparisonForm {
    /// Those that say yes to every one: a `CertificateHandler` is there for nothing but to judge them.
    static func openSites(of tree: SyntaxTree) -> [SourceReader.Site] {
        guard tree.language == .cSharp, tree.tokens.contains(where: { $0.isName("CertificateHandler") }) else {
            return []
        }
        let clues = clues(tree)
        return tree.blocks.flatMap { block -> [SourceReader.Site] in
            guard case .type(let type) = block.owner, tree.isHandler(type) else { return [] }
            return block.statements.compactMap { statement in
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .function,
                    declaration.name == "ValidateCertificate",
                    // What takes one apart is told by that.
                    !statement.tokens.contains(where: { place in
                        clues.contains { $0.isEvidence(tree.tokens, place) }
                    }),
                    tree.answer(ofCallbackAround: statement.tokens.lowerBound).isYes
                else { return nil }
                return site(statement, tree)
            }
        }
    }

    private static func site(_ statement: Statement, _ tree: SyntaxTree) -> SourceReader.Site {
        let uses = tree.uses(ofCallbackAround: statement.tokens.lowerBound)
        return .init(form: .dotNet, line: statement.line, uses: uses.count == 1 ? uses : [], isIdle: uses.isEmpty) {
            let what = "a handler that lets every certificate through\(unmade(at: statement.tokens, $0))"
            return .described(hosts: [], pins: [], what: what)
        }
    }
}

extension SyntaxTree {
    fileprivate func isHandler(_ type: String) -> Bool {
        blocks.contains { block in
            block.declarations[type]?.contains { $0.kind == .type && $0.supers.contains("CertificateHandler") } ?? false
        }
    }
}
