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
        var found = tree.tested(around: place).flatMap(tree.switches)
        found += accepting(behind: place) + refusing(behind: place)
        guard steps < Self.mostSteps,
            let function = functions.filter({ $0.range.contains(place) }).min(by: { $0.range.count < $1.range.count })
        else { return found }
        let heads = functions.compactMap(\.head)
        let calls = tokens.filter { token in
            // Neither declared there, nor the callback of a library by its name.
            tree.tokens[token].isName(function.name) && !function.range.contains(token) && !heads.contains(token)
                && !ComparisonForm.isGiven(tree.tokens, token) && !onlyShows(at: token)
        }
        guard calls.count <= Self.mostCalls else { return found }
        let outside = calls.map { conditions(at: $0, steps: steps + 1) }
        found += (outside.first ?? []).filter { choice in outside.allSatisfy { $0.contains(choice) } }
        return found
    }

    /// Whether a function of Dart that is called nowhere takes a digest there, compares nothing and says neither yes nor
    /// no: it shows a certificate.
    private func onlyShows(at place: Int) -> Bool {
        guard tree.language == .dart,
            let function = functions.filter({ $0.range.contains(place) }).min(by: { $0.range.count < $1.range.count })
        else { return false }
        let isAnswer = tree.tokens[function.range].prefix { !$0.isName(function.name) }.contains { $0.isName("bool") }
        guard !isAnswer, !function.range.contains(where: { ComparisonForm.isGiven(tree.tokens, $0) }) else {
            return false
        }
        let isCalled = tree.tokens.indices.contains {
            tree.tokens[$0].names.contains(function.name) && !function.range.contains($0)
        }
        return !isCalled && !ComparisonForm.compares(CodeGroup(only: function.range), tree)
    }

    /// `if (kDebugMode) return true;` behind the digest, of which it asks nothing.
    private func accepting(behind place: Int) -> [Choices.Choice] {
        guard let body = tree.body(around: place) else { return [] }
        let known = tree.tested(around: place, areAll: true).map(\.choice)
        let names = namesOfDigest(at: place, in: body)
        return tree.blocks.flatMap(\.statements).compactMap { statement in
            let start = statement.tokens.lowerBound
            guard case .returning(let value) = statement.kind, start > place, body.contains(start), accepts(value),
                tree.body(around: start) == body, !isRefused(before: start)
            else { return nil }
            let conditions = tree.tested(around: start, areAll: true).filter { !known.contains($0.choice) }
            guard !conditions.contains(where: { $0.asksForPin(names) }) else { return nil }
            let asked = conditions.map(\.choice)
            let ofBuild = conditions.flatMap(tree.switches).filter(tree.isOfApp)
            // What is asked of hosts without pins says nothing of those that have some.
            let others = ["null", "undefined", "host", "domain", "isempty", "length", "containskey"]
            let isOfOthers = asked.contains { choice in
                !ofBuild.contains(choice) && others.contains(where: choice.condition.lowercased().contains)
            }
            guard ofBuild.count == 1, !isOfOthers else { return nil }
            return Choices.choice(ofBuild[0].condition, holds: ofBuild[0].option == 1)
        }
    }

    /// `if (!matches && isStrict) throw …`: which switches every refusal needs that asks for the digest.
    private func refusing(behind place: Int) -> [Choices.Choice] {
        guard tree.language == .script else { return [] }
        let known = tree.tested(around: place, areAll: true)
        for body in tree.bodies(around: place).sorted(by: { $0.count < $1.count }) {
            let names = namesOfDigest(at: place, in: body)
            let all = body.filter { $0 > place && isRefusal($0) }.compactMap { refusal -> [Choices.Choice]? in
                let asked = tree.tested(around: refusal, areAll: true).filter { !known.contains($0) }
                let words = asked.flatMap { ($0.test?.words ?? $0.choice.condition).words.map(String.init) }
                return names.isDisjoint(with: words) ? nil : asked.flatMap(tree.switches)
            }
            guard let first = all.first else { continue }
            return first.filter { choice in
                tree.isNamedSwitch(choice.condition) && all.allSatisfy { $0.contains(choice) }
            }
        }
        return []
    }

    /// What a digest that is taken at a place is called there, and what is made of it.
    private func namesOfDigest(at place: Int, in body: Range<Int>) -> Set<String> {
        var names = Set(tree.tokens[place].names)
        for statement in tree.blocks.flatMap(\.statements) where body.contains(statement.tokens.lowerBound) {
            guard case .declaration(let declaration) = statement.kind, declaration.kind == .value,
                statement.tokens.contains(place)
                    || statement.tokens.lowerBound > place
                        && statement.tokens.contains(where: { !names.isDisjoint(with: tree.tokens[$0].names) })
            else { continue }
            names.insert(declaration.name)
        }
        return names
    }

    /// `request.destroy(); return`
    private func isRefused(before place: Int) -> Bool {
        guard tree.language == .script, let block = tree.innermost(around: place)?.block else { return false }
        return tree.range(of: block)?.contains { $0 < place && isRefusal($0) } ?? false
    }

    /// `throw`, `new Error(…)`, `request.destroy()`, `callback(-2)`.
    private func isRefusal(_ place: Int) -> Bool {
        guard let name = tree.tokens[place].name, place + 2 < tree.tokens.count else { return false }
        switch name {
        case "throw": return true
        case "Error": return place > 0 && tree.tokens[place - 1].isName("new")
        case "abort", "destroy", "reject": return tree.tokens[place + 1].isMark("(")
        case "callback", "cb":
            return tree.tokens[place + 1].isMark("(")
                && (tree.tokens[place + 2].isMark("-") || tree.tokens[place + 2].isName("false"))
        default: return false
        }
    }

    private func accepts(_ value: Expression?) -> Bool {
        guard let value else { return tree.language == .script }
        return value.names("true") || tree.language == .script && (value.names("undefined") || value.names("null"))
    }

    private static func isClosure(_ value: Expression) -> Bool {
        if case .closure = value.kind { true } else { false }
    }
}

extension SyntaxTree.Condition {
    /// Whether it holds for a pin alone: `pins.includes(digest) && isPaid`.
    fileprivate func asksForPin(_ names: Set<String>) -> Bool {
        guard let test else { return false }
        return test.parts(holds: holds).contains { part, holds in
            if case .binary(let mark, _, _) = part.kind, mark.hasPrefix("!=") { return false }
            return holds && !names.isDisjoint(with: part.words.words.map(String.init))
        }
    }
}
