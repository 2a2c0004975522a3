/// Functions of C# and Dart that would judge a certificate, and that nothing calls.
extension SyntaxTree {
    /// A function of C# or Dart around a place that nothing in the module calls or hands on; `nil` where something may.
    func unusedFunction(around token: Int, _ module: SourceModule, depth: Int = 0) -> String? {
        var best: (function: Declaration, tokens: Range<Int>)?
        for block in blocks {
            for statement in block.statements where statement.tokens.contains(token) {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .function,
                    statement.tokens.count < best?.tokens.count ?? .max
                else { continue }
                best = (declaration, statement.tokens)
            }
        }
        guard let (function, range) = best, depth < 4 else { return nil }
        // What has an attribute, or the parameters of an event, is called by others, and a client by who is given it.
        let head = tokens[range].prefix(while: { !$0.isMark("(") })
        let compares = tokens[range].prefix(while: { !$0.isMark("{") }).contains { $0.isName("SslPolicyErrors") }
        let isEvent =
            language == .cSharp && !compares
            && (function.parameters.count == 2 || function.name.hasPrefix("On")
                || ["Main", "Start", "Awake", "Update"].contains(function.name))
        let isOpen: Bool
        if language == .dart {
            isOpen = !function.name.hasPrefix("_") || tokens.contains { $0.isName("part") }
        } else if compares {
            // What says nothing else is private; a client's other functions may be cut out of more.
            let opening = ["public", "internal", "protected", "extern"]
            isOpen = head.contains { token in token.isMark(".") || opening.contains { token.isName($0) } }
        } else {
            // Beside a callback that says yes to all, this is what it stands in place of.
            let isSilent =
                depth == 0 && !function.parameters.isEmpty && isPrivateBySilence(range, head) && isGivenYes
            isOpen = !head.contains { $0.isName("private") } && !isSilent
        }
        // What is private in a class that is there as a whole is called by none but its own code, whatever it answers.
        let isOwn =
            language == .cSharp && head.contains { $0.isName("private") }
            && !tokens.contains { $0.isName("partial") || $0.plainText == function.name }
        guard isOwn || head.contains(where: { $0.isName("void") || $0.isName("bool") }), !isEvent,
            !head.contains(where: { $0.isMark("[") || $0.isName("override") }),
            range.lowerBound > 0, !tokens[range.lowerBound - 1].isMark("]"),
            module.others(mentioning: function.name, than: path, in: language).isEmpty
        else { return nil }
        let places = tokens.indices.filter { tokens[$0].names.contains(function.name) && !range.contains($0) }
        guard !places.isEmpty else { return isOpen ? nil : function.name }
        let around = places.prefix(20).map { unusedFunction(around: $0, module, depth: depth + 1) }
        return around.contains(nil) || places.count > 20 ? nil : around[0]
    }

    /// `void Check(Client client)` in a class of C# that is there as a whole: what says nothing else is private.
    private func isPrivateBySilence(_ function: Range<Int>, _ head: ArraySlice<Token>) -> Bool {
        let others = ["public", "internal", "protected", "extern", "partial", "abstract", "virtual"]
        guard language == .cSharp,
            !head.contains(where: { token in others.contains(where: token.isName) || token.isMark(".") })
        else { return false }
        let type = blocks.flatMap(\.statements).filter { statement in
            guard case .declaration(let declaration) = statement.kind, declaration.kind == .type else { return false }
            return statement.tokens.contains(function.lowerBound) && statement.tokens.count > function.count
        }
        .min { $0.tokens.count < $1.tokens.count }
        guard let type else { return false }
        let words = tokens[type.tokens.clamped(to: 0..<tokens.count)].prefix { !$0.isMark("{") }
        let before = tokens[..<type.tokens.lowerBound].suffix(4).reversed().prefix { $0.name != nil }
        return (words + before).contains { $0.isName("class") }
            && !(words + before).contains { ["partial", "interface"].contains(where: $0.isName) }
    }
}
