/// What of the app itself decides what a callback of .NET says.
extension PassingWays {
    /// What the app itself must say, wherever a pin is a yes: `if (digest == PIN) { if (AllowsPinned) { return true; } throw … }`,
    /// `return AllowsPinned && digest == PIN || …`.
    func switches(of answers: [(token: Int, value: Expression)]) -> [Condition] {
        guard !goesOn else { return [] }
        let all = answers.filter(isOfPin).map { answer in
            let isOfDigest = mentionsDigest(answer.value)
            let conditions =
                tree.tested(around: answer.token, areAll: true) + (isOfDigest ? own + beside(answer.value) : [])
            return conditions.filter { tree.isOfBuild($0.choice) && !mentionsTaken($0.choice.condition) }
        }
        return (all.first ?? []).filter { condition in all.allSatisfy { $0.contains(condition) } }
    }

    /// What must hold beside a pin within an expression.
    private func beside(_ expression: Expression, _ depth: Int = 0) -> [Condition] {
        guard depth < 12 else { return [] }
        switch expression.kind {
        case .tested(_, let value): return beside(value, depth + 1)
        case .binary("&&", let left, let right):
            return [left, right].flatMap { side in
                mentionsDigest(side) ? beside(side, depth + 1) : SyntaxTree.parts(side.words, side, holds: true)
            }
        case .binary("||", let left, let right):
            let sides = [left, right].filter(mentionsDigest)
            return sides.count == 1 ? beside(sides[0], depth + 1) : []
        default: return []
        }
    }

    /// Whether an answer is a variable that begins as `true`, where no pin decides whether it becomes `false`.
    func isYesAtFirst(_ name: String, _ answer: Expression) -> Bool {
        let known = tree.tested(around: answer.token, areAll: true)
        let compared = compared
        var first: Expression?
        for block in tree.blocks.indices where isOwn(block) {
            for statement in tree.blocks[block].statements {
                switch statement.kind {
                case .declaration(let declaration) where declaration.kind == .value && declaration.name == name:
                    first = declaration.value
                case .assignment(let target, let mark, let value) where target.names(name):
                    let asked = tree.tested(around: statement.tokens.lowerBound, areAll: true)
                        .filter { !known.contains($0) }
                    let isOfPins = asked.contains { condition in
                        condition.choice.condition.words.contains { compared.contains(String($0)) }
                    }
                    guard mark == "=", value.names("false"), !isOfPins else { return false }
                default: break
                }
            }
        }
        return first?.names("true") ?? false
    }

    /// Names of what is compared, and of what a statement makes of it.
    private var compared: Set<String> {
        var found = Set(evidence.compactMap { tree.tokens[$0].name })
        let statements = tree.blocks.flatMap(\.statements).filter { body.tokens.contains($0.tokens.lowerBound) }
        for _ in 0..<4 {
            for statement in statements {
                guard statement.tokens.contains(where: { tree.tokens[$0].name.map(found.contains) ?? false }) else {
                    continue
                }
                switch statement.kind {
                case .declaration(let declaration) where declaration.kind == .value: found.insert(declaration.name)
                case .assignment(let target, _, _): if case .name(let name) = target.kind { found.insert(name) }
                default: break
                }
            }
        }
        return found
    }

    /// Whether a condition asks for something of the app that is missing, and for no certificate and no pin: `options == null`.
    func isMissingOfApp(_ words: String) -> Bool {
        guard !words.contains("IsNullOr"), !mentionsTaken(words) else { return false }
        let ofPins = ["pin", "cert", "finger", "thumb", "hash", "digest", "key"]
        return !ofPins.contains(where: words.lowercased().contains)
    }
}
