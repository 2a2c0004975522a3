/// Certificates of an app's own that code trusts, and holds against nothing.
extension ComparisonForm {
    /// What is told where Kotlin or Java makes certificates and puts them into a key store, and compares none; `nil` elsewhere.
    static func ofKeyStore(
        _ evidence: [Int],
        in group: CodeGroup,
        _ reading: GroupReading,
        _ hosts: [String],
        _ evaluator: Evaluator
    ) -> FoundPins.Content? {
        let tree = evaluator.tree
        let names = Set(group.tokens.compactMap { tree.tokens[$0].name })
        let comparing = ["equals", "contains", "contentEquals", "isEqual", "verify", "any", "all", "none", "anyMatch"]
        guard tree.language == .kotlin || tree.language == .java, let first = evidence.first,
            evidence.allSatisfy({ tree.tokens[$0].isName("generateCertificate") }),
            names.contains("setCertificateEntry"), names.isDisjoint(with: comparing),
            reading.pins.allSatisfy(PinText.isWholeCertificate)
        else { return nil }
        // The file that it is made of is told where it is opened.
        if DescribedForms.opened(in: tree).contains(where: { group.holds($0.call.token) }) {
            evaluator.choices.isAbsent = true
        }
        let own = reading.files + reading.pins.map(\.trimmedPin)
        guard own.isEmpty else { return .described(hosts: hosts, pins: own, what: DescribedForms.trust(tree)) }
        let reason = "certificates that are made when the app runs are trusted: which, this source does not tell"
        return .gaps([.init(line: tree.tokens[first].line, reason: reason)], hosts: hosts)
    }

    /// Whether a delegate of Apple's makes a certificate of the app's own the only root, and takes none apart.
    static func onlyAnchors(_ group: CodeGroup, _ tree: SyntaxTree) -> Bool {
        func has(_ word: String) -> Bool { group.tokens.contains { tree.tokens[$0].isName(word) } }
        return tree.isOfApple && has("SecTrustSetAnchorCertificates") && !comparing.contains(where: has)
            && anchoring(group, tree).isEmpty
    }
}
