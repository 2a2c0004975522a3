/// What takes a callback away again that .NET has for the whole program.
extension ComparisonForm {
    /// What is said where another function of the source does so; empty where none does.
    static func removal(of group: CodeGroup, _ tree: SyntaxTree) -> String {
        let member = "ServerCertificateValidationCallback"
        guard tree.language == .cSharp, tree.tokens.contains(where: { $0.isName(member) }) else { return "" }
        let own = tree.delegates(around: group.evidence).places.filter { place in
            guard case .assignment(let target, _, _)? = tree.innermost(around: place)?.statement.kind else {
                return false
            }
            return target.words.hasSuffix("ServicePointManager.\(member)")
        }
        guard !own.isEmpty else { return "" }
        let functions = own.map(tree.function(around:))
        let found = tree.removals(of: member).filter { removal in
            // What a function takes away again is for those that it calls; one that says yes to all stays.
            !functions.contains(tree.function(around: removal.token))
                || removal.isYes && own.allSatisfy { $0 < removal.token }
        }
        return found.prefix(3).map { "; on line \($0.line) \($0.what)" }.joined()
    }
}

extension SyntaxTree {
    /// Where the whole program's callback is taken away, or one put in its place that says yes to all.
    fileprivate func removals(of member: String) -> [(token: Int, line: Int, what: String, isYes: Bool)] {
        blocks.flatMap(\.statements).compactMap { statement in
            guard case .assignment(let target, let mark, let value) = statement.kind,
                target.words.hasSuffix("ServicePointManager.\(member)")
            else { return nil }
            // One of some builds alone takes nothing from the others.
            guard !conditions(around: target.token).contains(where: ComparisonForm.isSwitch) else { return nil }
            if mark == "-=" || mark == "=" && value.names("null") {
                return (target.token, statement.line, "it is taken away again", false)
            }
            guard isYes(statement.tokens) || saysYes(value) else { return nil }
            let what = "ServicePointManager is given one that lets every certificate through"
            return (target.token, statement.line, what, true)
        }
    }

    /// Whether a callback of .NET is given by a statement that answers yes to every certificate, in any build.
    var isGivenYes: Bool {
        blocks.flatMap(\.statements).contains { statement in
            guard case .assignment(let target, let mark, let value) = statement.kind, mark != "-=",
                target.finalName?.hasSuffix("ValidationCallback") ?? false,
                isYes(statement.tokens) || saysYes(value)
            else { return false }
            return conditions(around: target.token).isEmpty
        }
    }

    /// Whether a value is a function that answers yes, and nothing else.
    private func saysYes(_ value: Expression) -> Bool {
        var name = value.finalName
        if case .call(let callee, let arguments) = value.kind, arguments.count == 1,
            callee.finalName == "RemoteCertificateValidationCallback"
        {
            name = arguments[0].value.finalName
        }
        guard let name else { return false }
        let found = blocks.flatMap(\.statements).filter { statement in
            guard case .declaration(let declaration) = statement.kind else { return false }
            return declaration.kind == .function && declaration.name == name
        }
        return found.count == 1 && isYes(found[0].tokens)
    }

    /// `=> true;`, `{ return true; }`
    private func isYes(_ range: Range<Int>) -> Bool {
        let own = range.clamped(to: 0..<tokens.count)
        let answers = own.filter { tokens[$0].isName("return") || tokens[$0].isMark("=>") }
        guard answers.count == 1, answers[0] + 2 < tokens.count, tokens[answers[0] + 1].isName("true"),
            [";", "}", ")", ","].contains(where: tokens[answers[0] + 2].isMark)
        else { return false }
        return !tokens[own].contains { $0.isName("if") || $0.isName("throw") }
    }
}
