/// Under which conditions of the build a comparison decides, in Dart and scripts.
struct ComparisonWays {
    private let tree: SyntaxTree
    private let tokens: [Int]
    private let functions: [Function]

    private struct Function {
        var name: String
        var range: Range<Int>
        /// Where it is declared.
        var head: Int?
    }

    /// Calls outwards, and those of one function.
    private static let mostSteps = 3
    private static let mostCalls = 8

    init(_ group: CodeGroup, _ tree: SyntaxTree) {
        self.tree = tree
        tokens = group.tokens
        functions = tree.blocks.flatMap(\.statements).compactMap { statement in
            guard case .declaration(let declaration) = statement.kind, group.holds(statement.tokens.lowerBound),
                declaration.kind == .function || declaration.value.map(Self.isClosure) ?? false
            else { return nil }
            let head = statement.tokens.first { tree.tokens[$0].isName(declaration.name) }
            return Function(name: declaration.name, range: statement.tokens, head: head)
        }
    }

    /// Those around a place, those that accept all behind it, and what those have in common who call its function.
    func conditions(at place: Int, steps: Int = 0) -> [Choices.Choice] {
        var found = tree.conditions(around: place) + accepting(behind: place)
        guard steps < Self.mostSteps,
            let function = functions.filter({ $0.range.contains(place) }).min(by: { $0.range.count < $1.range.count })
        else { return found }
        let heads = functions.compactMap(\.head)
        let calls = tokens.filter { token in
            // Neither declared there, nor the callback of a library by its name.
            tree.tokens[token].isName(function.name) && !function.range.contains(token) && !heads.contains(token)
                && !ComparisonForm.isGiven(tree.tokens, token)
        }
        guard calls.count <= Self.mostCalls else { return found }
        let outside = calls.map { conditions(at: $0, steps: steps + 1) }
        found += (outside.first ?? []).filter { choice in outside.allSatisfy { $0.contains(choice) } }
        return found
    }

    /// `if (kDebugMode) return true;` behind the digest, of which it asks nothing.
    private func accepting(behind place: Int) -> [Choices.Choice] {
        guard let body = body(around: place) else { return [] }
        let known = tree.tested(around: place, areAll: true).map(\.choice)
        return tree.blocks.flatMap(\.statements).compactMap { statement in
            let start = statement.tokens.lowerBound
            guard case .returning(let value) = statement.kind, start > place, body.contains(start), accepts(value),
                self.body(around: start) == body
            else { return nil }
            let asked = tree.tested(around: start, areAll: true).map(\.choice).filter { !known.contains($0) }
            let ofBuild = asked.filter(tree.isOfApp)
            // What is asked of hosts without pins says nothing of those that have some.
            let others = ["null", "undefined", "host", "domain", "isempty", "length", "containskey"]
            let isOfOthers = asked.contains { choice in
                !ofBuild.contains(choice) && others.contains(where: choice.condition.lowercased().contains)
            }
            guard ofBuild.count == 1, !isOfOthers else { return nil }
            return Choices.choice(ofBuild[0].condition, holds: ofBuild[0].option == 1)
        }
    }

    private func accepts(_ value: Expression?) -> Bool {
        guard let value else { return tree.language == .script }
        return value.names("true") || tree.language == .script && (value.names("undefined") || value.names("null"))
    }

    /// The innermost function or closure.
    private func body(around place: Int) -> Range<Int>? {
        var best: Range<Int>?
        for block in tree.blocks {
            switch block.owner {
            case .function, .closure: break
            case .file, .type, .inner: continue
            }
            guard let first = block.statements.first, let last = block.statements.last else { continue }
            let range = first.tokens.lowerBound..<max(first.tokens.lowerBound, last.tokens.upperBound)
            if range.contains(place), range.count < best?.count ?? .max { best = range }
        }
        return best
    }

    private static func isClosure(_ value: Expression) -> Bool {
        if case .closure = value.kind { true } else { false }
    }
}
