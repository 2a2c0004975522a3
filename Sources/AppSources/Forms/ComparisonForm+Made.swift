/// Whether anything makes the objects that judge a server's certificate.
extension ComparisonForm {
    /// What types are made from whose objects a library asks.
    private static let asked: [SourceLanguage: [String]] = [
        .cSharp: ["CertificateHandler", "HttpClientHandler", "DelegatingHandler", "AndroidMessageHandler"],
        .kotlin: ["TrustManager", "HostnameVerifier", "Interceptor"],
        .java: ["TrustManager", "HostnameVerifier", "Interceptor"],
    ]

    /// What is said of such a type around some places that nothing makes an object of in what was read; empty of any other.
    static func unmade(at places: some Sequence<Int>, _ evaluator: Evaluator) -> String {
        let (tree, module) = (evaluator.tree, evaluator.module)
        if tree.isOfApple { return unused(at: places, evaluator) }
        guard let bases = asked[tree.language] else { return "" }
        let places = Set(places)
        let names = tree.blocks.flatMap(\.statements).compactMap { statement -> String? in
            guard case .declaration(let declaration) = statement.kind, declaration.kind == .type,
                statement.tokens.contains(where: places.contains),
                declaration.supers.contains(where: { name in bases.contains(where: name.hasSuffix) }),
                !tree.mayBeMade(statement)
            else { return nil }
            return declaration.name
        }
        guard Set(names).count == 1, let name = names.first, !tree.mayMake(name),
            !module.others(mentioning: name, than: tree.path, in: tree.language).contains(where: {
                module.tree(of: $0).mayMake(name)
            })
        else { return "" }
        return FoundPins.unmade + "'\(name)'"
    }
}

extension SyntaxTree {
    /// Whether a source may make an object of a type, by its name or by that of a type made from it.
    fileprivate func mayMake(_ type: String) -> Bool {
        if blocks.contains(where: { $0.declarations.values.joined().contains { $0.supers.contains(type) } }) {
            return true
        }
        // Containers, and what is looked up by its name, make objects, too.
        let own = blocks.flatMap(\.statements).filter { statement in
            guard case .declaration(let declaration) = statement.kind else { return false }
            return declaration.kind == .type && declaration.name == type
        }
        return tokens.indices.contains { place in
            tokens[place].names.contains(type) && !own.contains { $0.tokens.contains(place) } && !namesPackage(place)
        }
    }

    /// Whether a type of Kotlin, Java or C# makes an object of its own, is one, or has an attribute by which others may.
    fileprivate func mayBeMade(_ type: Statement) -> Bool {
        guard case .declaration(let declaration) = type.kind else { return false }
        let own = type.tokens.clamped(to: 0..<tokens.count)
        let head = tokens[own].prefix { !$0.isMark("{") }
        let before = tokens[..<own.lowerBound].suffix(12).reversed().prefix { token in
            !["{", "}", ";"].contains(where: token.isMark)
        }
        if head.contains(where: { $0.isName("object") || $0.isMark("@") || $0.isMark("[") }) { return true }
        if before.contains(where: { $0.isMark("@") || $0.isMark("]") || $0.isName("object") }) { return true }
        return own.dropFirst().contains { place in
            tokens[place].isName(declaration.name)
                && (language == .kotlin ? tokens[place - 1].name != "class" : tokens[place - 1].isName("new"))
                && place + 1 < tokens.count && tokens[place + 1].isMark("(")
        }
    }
}
