/// Certificates of an app's own that code trusts, and holds against nothing.
extension ComparisonForm {
    /// What is said where Kotlin or Java makes certificates and puts them into a key store, and compares none; `nil` elsewhere.
    static func ofKeyStore(_ evidence: [Int], in group: CodeGroup, _ evaluator: Evaluator) -> String? {
        let tree = evaluator.tree
        let names = Set(group.tokens.compactMap { tree.tokens[$0].name })
        let comparing = ["equals", "contains", "contentEquals", "isEqual", "verify", "any", "all", "none", "anyMatch"]
        guard tree.language == .kotlin || tree.language == .java, !evidence.isEmpty,
            evidence.allSatisfy({ tree.tokens[$0].isName("generateCertificate") }),
            names.contains("setCertificateEntry"), names.isDisjoint(with: comparing)
        else { return nil }
        // The file that it is made of is told where it is opened.
        if !names.isDisjoint(with: SyntaxTree.openings) { evaluator.choices.isAbsent = true }
        return "certificates that are made when the app runs are trusted: which, this source does not tell"
    }

    /// Whether a delegate of Apple's makes a certificate of the app's own the only root, and takes none apart.
    static func onlyAnchors(_ group: CodeGroup, _ tree: SyntaxTree) -> Bool {
        func has(_ word: String) -> Bool { group.tokens.contains { tree.tokens[$0].isName(word) } }
        return tree.isOfApple && has("SecTrustSetAnchorCertificates") && !comparing.contains(where: has)
            && anchoring(group, tree).isEmpty
    }
}
