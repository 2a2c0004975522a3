/// Callbacks of Dart that another source gives dart:io.
extension ComparisonForm {
    static let untold = "the server's certificate is compared in code, with what this source does not tell"

    static let untoldDigest =
        "a digest of the server's certificate is taken, and what it is compared with is not told here"

    struct GivenElsewhere {
        /// Whether all clients that are given it have the system's roots.
        var haveRoots: Bool
        /// Whether it says yes for a host that it has no pins for, and under which condition.
        var lettingOthersThrough: String?
    }

    /// What is known of a function with a callback's parameters that others give as `badCertificateCallback`; `nil` where
    /// none does, or one gives it as another callback.
    static func given(elsewhere group: CodeGroup, _ evaluator: Evaluator) -> GivenElsewhere? {
        let (tree, module) = (evaluator.tree, evaluator.module)
        let functions = tree.blocks.flatMap(\.statements).compactMap { statement -> String? in
            guard case .declaration(let declaration) = statement.kind, declaration.kind == .function,
                declaration.parameters.count == 3, declaration.parameters[0].typeName == "X509Certificate",
                statement.tokens.contains(group.evidence)
            else { return nil }
            return declaration.name
        }
        guard functions.count == 1, let name = functions.first else { return nil }
        var trees: [SyntaxTree] = []
        for file in module.others(mentioning: name, than: tree.path, in: .dart).prefix(20) {
            let other = module.tree(of: file)
            let places = other.tokens.indices.filter { isGiven(other.tokens, $0) && other.gives(name, at: $0) }
            guard places.allSatisfy({ other.tokens[$0].isName("badCertificateCallback") }) else { return nil }
            if !places.isEmpty { trees.append(other) }
        }
        guard !trees.isEmpty else { return nil }
        return .init(
            haveRoots: trees.allSatisfy(\.clientsHaveRoots),
            lettingOthersThrough: tree.lettingOthersThrough(inFunction: name, hostAt: 1)
        )
    }
}

extension SyntaxTree {
    /// Whether what is given at a place is a function by a name, or a closure that names it: `(…) => Pins.check(…)`.
    fileprivate func gives(_ name: String, at place: Int) -> Bool {
        let own = closure(givenAt: place) ?? place..<min(place + 6, tokens.count)
        return own.contains { tokens[$0].isName(name) }
    }
}
