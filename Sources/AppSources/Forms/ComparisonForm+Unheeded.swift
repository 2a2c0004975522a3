/// Callbacks of Node whose answers are not heeded.
extension ComparisonForm {
    /// What is said where Node notes what `checkServerIdentity` answers, and goes on: `rejectUnauthorized: false`.
    static func unheeded(_ group: CodeGroup, _ tree: SyntaxTree) -> String {
        guard tree.language == .script else { return "" }
        // Code that looks at the note, or at the certificate behind it, may refuse.
        let looking = ["authorized", "authorizationError", "getPeerCertificate"]
        guard !tree.tokens.contains(where: { token in looking.contains(where: token.isName) }) else { return "" }
        let given = callbacks(of: group, tree).filter { tree.tokens[$0].isName("checkServerIdentity") }
        guard !given.isEmpty else { return "" }
        if tree.tellsNodeToRefuseNothing, !tree.tokens.contains(where: { $0.isName("rejectUnauthorized") }) {
            return "; with 'NODE_TLS_REJECT_UNAUTHORIZED' Node heeds no answer: every certificate is let through"
        }
        guard given.allSatisfy(tree.refusesNothing(besideOption:)) else { return "" }
        return "; with 'rejectUnauthorized: false' Node heeds no answer: every certificate is let through"
    }
}

extension SyntaxTree {
    /// `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'`, whatever the build is.
    fileprivate var tellsNodeToRefuseNothing: Bool {
        blocks.flatMap(\.statements).contains { statement in
            guard case .assignment(let target, "=", let value) = statement.kind,
                target.words.hasSuffix("NODE_TLS_REJECT_UNAUTHORIZED")
                    || target.words.hasSuffix("[\"NODE_TLS_REJECT_UNAUTHORIZED\"]"),
                ["0", "\"0\""].contains(value.words)
            else { return false }
            return conditions(around: statement.tokens.lowerBound).isEmpty
        }
    }

    /// Whether the options in which one stands tell Node to refuse nothing.
    fileprivate func refusesNothing(besideOption place: Int) -> Bool {
        var found = false
        visit { expression, _ in
            guard !found, case .table(let pairs) = expression.kind,
                pairs.contains(where: { $0.key.token == place })
            else { return !found }
            guard let last = pairs.lastIndex(where: { $0.key.names("rejectUnauthorized") }) else { return true }
            found =
                pairs[last].value.names("false")
                && pairs[last...].allSatisfy { pair in
                    // What is spread into them behind it may say otherwise.
                    if case .text = pair.key.kind { true } else { false }
                }
            return !found
        }
        return found
    }
}
