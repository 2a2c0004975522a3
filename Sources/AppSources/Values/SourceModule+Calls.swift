/// Calls in the sources that a source sees.
extension SourceModule {
    /// A call, and where it stands.
    struct Call {
        var tree: SyntaxTree
        var expression: Expression
        var arguments: [Expression.Argument]
    }

    /// What `let` and `also` are called of, by the blocks of their closures.
    func receivers(in tree: SyntaxTree) -> [Int: Expression] {
        if let known = receiversByPath[tree.path] { return known }
        var found: [Int: Expression] = [:]
        for (call, _, arguments) in tree.calls(["let", "also"]) {
            if arguments.count == 1, case .closure(let closure) = arguments[0].value.kind,
                case .call(let callee, _) = call.kind, case .member(let base, _) = callee.kind
            {
                found[closure.block] = base
            }
        }
        receiversByPath[tree.path] = found
        return found
    }

    /// The calls by a name in the sources that a source sees; `nil` where the name stands in some other way as well.
    func calls(of name: String, for tree: SyntaxTree) -> [Call]? {
        let key = "\(tree.path) \(name)"
        if let known = callsByName[key] { return known }
        let trees =
            [tree] + others(mentioning: name, than: tree.path, in: tree.language).prefix(100).map(self.tree(of:))
        var found: [Call]? = []
        for tree in trees {
            let own = tree.calls([name])
            if own.count < tree.mentions(ofCalled: name) { found = nil }
            found?.append(contentsOf: own.map { Call(tree: tree, expression: $0.call, arguments: $0.arguments) })
        }
        callsByName[key] = .some(found)
        return found
    }
}

extension SyntaxTree {
    /// How often a name stands as that of something called, or is handed on; not where it is declared.
    fileprivate func mentions(ofCalled name: String) -> Int {
        tokens.indices.count { place in
            guard tokens[place].isName(name), !isConstructor(place) else { return false }
            if place > 0, tokens[place - 1].isMark("::") { return true }
            guard place + 1 < tokens.count, tokens[place + 1].isMark("("), place > 0 else { return false }
            var before = place - 1
            // `fun Receiver.name(`
            while before > 0, tokens[before].isMark("."), tokens[before - 1].name != nil { before -= 2 }
            before = max(before, 0)
            guard let word = tokens[before].name else {
                // `List<String> name(` and a constructor behind what stands before it.
                return
                    !(language == .java
                    && (tokens[place - 1].isMark(">") || tokens[place - 1].isMark("]") || isType(name)))
            }
            if ["fun", "class", "record", "interface", "object", "enum"].contains(word) { return false }
            let isOperator = ["new", "return", "throw", "else", "in", "is", "as", "case", "yield"].contains(word)
            return language != .java || isOperator || before != place - 1 || tokens[place].startsLine
        }
    }

    /// Whether a type of Dart declares how it is made there: `Client({required this.host});`
    private func isConstructor(_ place: Int) -> Bool {
        guard language == .dart, let name = tokens[place].name else { return false }
        return blocks.contains { block in
            block.owner == .type(name)
                && block.statements.contains { statement in
                    guard case .declaration(let own) = statement.kind else { return false }
                    return own.kind == .function && own.name == name && statement.tokens.prefix(3).contains(place)
                }
        }
    }

    private func isType(_ name: String) -> Bool {
        blocks.contains { $0.declarations[name]?.contains { $0.kind == .type } ?? false }
    }
}
