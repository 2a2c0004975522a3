/// Under which conditions functions of a script give out what a constant has.
extension SyntaxTree {
    /// What the app decides wherever a function takes something from a constant and answers with it, and wherever others call
    /// that function: `if (!this.enabled) return null`.
    func guards(givingOut name: String) -> [Choices.Choice] {
        let uses = tokens.indices.filter { tokens[$0].isName(name) && namedFunction(around: [$0]) != nil }
        let answering = uses.filter { use in
            namedFunction(around: [use]).map { answersSomething(in: $0.tokens) } ?? false
        }
        let ways = (answering.isEmpty ? uses : answering).flatMap { guards(before: $0, depth: 0) }
        guard let first = ways.first else { return [] }
        return first.filter { choice in ways.allSatisfy { $0.contains(choice) } }.uniqued
    }

    /// Of each way to a place.
    private func guards(before place: Int, depth: Int) -> [[Choices.Choice]] {
        let own = conditions(around: place).filter(isOfBuild)
        guard depth < 3, let (name, range) = namedFunction(around: [place]) else { return [own] }
        let calls = callPlaces(of: name, outside: range)
        guard !calls.isEmpty, calls.count < 10 else { return [own] }
        return calls.flatMap { guards(before: $0, depth: depth + 1) }.map { $0 + own }
    }

    private func answersSomething(in function: Range<Int>) -> Bool {
        blocks.flatMap(\.statements).contains { statement in
            guard function.contains(statement.tokens.lowerBound), case .returning(let value?) = statement.kind else {
                return false
            }
            return !["null", "undefined"].contains(where: value.names)
        }
    }

    /// What a class's own field is at first of which a condition asks, and where it is changed.
    func beginning(of choice: Choices.Choice) -> String {
        guard choice.condition.hasPrefix("this.") else { return "" }
        let name = String(choice.condition.dropFirst(5))
        let fields = blocks.flatMap { block -> [Declaration] in
            guard case .type = block.owner else { return [] }
            return (block.declarations[name] ?? []).filter { $0.kind == .value }
        }
        guard fields.count == 1, let value = fields[0].value else { return "" }
        let change = changes[name]?.map(\.line).min()
        return "; '\(choice.condition)' begins as '\(value.words)'"
            + (change.map { ", and is changed on line \($0)" } ?? "")
    }
}
