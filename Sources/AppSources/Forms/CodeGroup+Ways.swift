/// `if usesCertificate { … } else { … }`: what is compared on each way of a switch.
extension CodeGroup {
    /// Words by which a branch of Apple's code compares something of its own.
    private static let comparing: Set<String> = [
        "SecCertificateCopyData", "SecCertificateCopyKey", "SecCertificateCopyPublicKey", "SecTrustCopyPublicKey",
        "SecTrustCopyKey", "SecKeyCopyExternalRepresentation", "CC_SHA256", "SHA256", "SecTrustGetCertificateAtIndex",
        "SecTrustCopyCertificateChain", "SecTrustSetAnchorCertificates",
    ]

    private static let naming: Set<String> = ["forResource", "pathForResource", "URLForResource"]

    /// Each way by itself, with its condition, where a switch of the app's own decides between two comparisons.
    func ways(in tree: SyntaxTree, _ isEvidence: (Int) -> Bool) -> [CodeGroup] {
        if tree.language == .dart || tree.language == .script { return environments(in: tree, isEvidence) }
        guard tree.language == .swift || tree.language == .objectiveC else { return [self] }
        for block in tree.blocks {
            for statement in block.statements where holds(statement.tokens.lowerBound) {
                guard case .branches(let branches, _) = statement.kind, branches.count > 1,
                    tree.isSwitch(Choices.choice(branches[0].condition, holds: true))
                else { continue }
                let bodies = branches.compactMap { tree.range(of: $0.block) }
                let ways = bodies.map { body in way(body, beside: bodies, in: tree) }
                let comparing = ways.filter { $0.compares }
                if comparing.count > 1 { return comparing.map(\.group) }
            }
        }
        return [self]
    }

    private func way(
        _ body: Range<Int>,
        beside bodies: [Range<Int>],
        in tree: SyntaxTree
    ) -> (group: CodeGroup, compares: Bool) {
        let functions = Self.functions(of: tree).filter { $0.isCalled && holds($0.range.lowerBound) }
        /// Functions that are called by some tokens, and those that these call.
        func called(_ tokens: [Int]) -> [Range<Int>] {
            var found: [Range<Int>] = []
            var places = tokens
            for _ in 0..<3 {
                let names = Set(places.flatMap { tree.tokens[$0].names })
                let more = functions.filter { function in
                    names.contains(function.name) && !found.contains(function.range)
                        && !function.range.overlaps(body)
                }
                found += more.map(\.range)
                places = more.flatMap { Array($0.range) }
            }
            return found
        }
        let others = bodies.filter { $0 != body }
        let ofAny = bodies.flatMap { called(Array($0)) }
        let rest = tokens.filter { place in !(bodies + ofAny).contains { $0.contains(place) } }
        let own = called(Array(body))
        let kept = own + called(rest)
        let gone = others + ofAny.filter { !kept.contains($0) }
        var group = without(gone)
        let place = (Array(body) + own.flatMap(Array.init)).first { place in
            tree.tokens[place].name.map(Self.comparing.contains) ?? false
        }
        group.evidence = place ?? evidence
        group.conditions = tree.conditions(around: body.lowerBound).filter(tree.isSwitch)
        // What is compared stands elsewhere, and with what is decided here.
        let namesFile = body.contains { tree.tokens[$0].name.map(Self.naming.contains) ?? false }
        return (group, place != nil || namesFile)
    }
}

extension SyntaxTree {
    /// The tokens of a block's statements.
    func range(of block: Int) -> Range<Int>? {
        guard let first = blocks[block].statements.first, let last = blocks[block].statements.last else { return nil }
        return first.tokens.lowerBound..<max(last.tokens.upperBound, first.tokens.lowerBound + 1)
    }
}
