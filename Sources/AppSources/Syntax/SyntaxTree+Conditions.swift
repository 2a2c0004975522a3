extension SyntaxTree {
    /// The conditions under which a token's code is run, the outer ones first: those of the branches that it stands in,
    /// and those by which its function is left before.
    ///
    /// Whether something is `null` says nothing of a build, and is left out.
    func conditions(around token: Int) -> [Choices.Choice] { tested(around: token).map(\.choice) }

    struct Condition: Sendable {
        var choice: Choices.Choice
        /// What is compared, where that is understood, and whether it must hold.
        var test: Expression?
        var holds = true
    }

    /// - Parameter areAll: whether those that say nothing of a build are among them.
    func tested(around token: Int, areAll: Bool = false) -> [Condition] {
        var found: [(start: Int, choices: [Condition])] = []
        func isEntered(_ expression: Expression) -> Bool {
            // `!isDebug && install()`; what a closure does, as in `isOn && <Button onPress={() => ask()} />`, is done later.
            if case .binary(let mark, let first, let second) = expression.kind, mark == "&&" || mark == "||",
                second.mentions(token), !first.words.asksForContents
            {
                found.append((expression.token, Self.parts(first.words, first, holds: mark == "&&")))
            }
            guard case .conditional(let condition, let first, let second) = expression.kind else { return true }
            if first.holds(token, in: self) {
                found.append((expression.token, Self.parts(condition.words, condition, holds: true)))
            } else if second.holds(token, in: self) {
                found.append((expression.token, Self.parts(condition.words, condition, holds: false)))
            }
            return true
        }
        for block in blocks {
            guard let place = block.statements.firstIndex(where: { $0.tokens.contains(token) }) else { continue }
            let statement = block.statements[place]
            switch block.owner {
            case .function, .closure, .inner:
                // A function with a name is there before anything is left.
                if isDeclaredAhead(statement) { break }
                for statement in block.statements[..<place] {
                    found.append((statement.tokens.lowerBound, conditions(behind: statement)))
                }
            case .file, .type: break
            }
            if tokens[statement.tokens.lowerBound].isName("catch"), place > 0 {
                let tried = Condition.told("what is tried on line \(block.statements[place - 1].line) fails")
                found.append((statement.tokens.lowerBound, [tried]))
            }
            if areAll, statement.isRepeated {
                found.append((statement.tokens.lowerBound, [.told("the loop on line \(statement.line) has a round")]))
            }
            guard case .branches(let branches, _) = statement.kind else { continue }
            guard let index = branches.firstIndex(where: { holds($0.block, token) }) else {
                found.append((statement.tokens.lowerBound, asked(before: token, in: branches)))
                for branch in branches { branch.test?.visit(isEntered) }
                continue
            }
            // A case without an end of its own goes on with the next one.
            let first = branches[..<index].lastIndex { !$0.fallsThrough }.map { $0 + 1 } ?? 0
            var choices = branches[..<first].filter { !$0.isRest }.flatMap {
                Self.parts($0.condition, $0.test, holds: false)
            }
            if first < index, !branches[first...index].contains(where: \.isRest) {
                let cases = branches[first...index].map(\.condition)
                choices.append(Condition(choice: Choices.choice(Choices.either(cases), holds: true)))
            } else if !branches[index].isRest {
                choices += Self.parts(branches[index].condition, branches[index].test, holds: true)
            }
            found.append((statement.tokens.lowerBound, choices))
        }
        visit { expression, _ in isEntered(expression) }
        if language == .kotlin { found += taken(around: token) }
        let all = found.sorted { $0.start < $1.start }.flatMap(\.choices)
        if areAll { return all }
        var seen: Set<String> = []
        return all.filter { condition in
            let choice = condition.choice
            // Nor does whether an object could be made.
            // Of several parts, each.
            let parts = choice.condition.replacing("||", with: "&&").split(separator: "&&")
            let isNull =
                parts.allSatisfy { part in
                    let words = String(part).words
                    return ["null", "nil", "errSecSuccess", "noErr"].contains { words.contains($0) }
                }
                || choice.condition.contains("[super init") || ["", "self"].contains(choice.condition)
                || isFound(choice.condition)
            return !isNull && choice.condition.utf8.count < 120 && seen.insert(choice.condition).inserted
        }
    }

    /// `pinner.takeIf { isLive }`: what stands before it.
    private func taken(around token: Int) -> [(start: Int, choices: [Condition])] {
        calls(["takeIf", "takeUnless"]).compactMap { call, name, arguments in
            guard case .call(let callee, _) = call.kind, case .member(let base, _) = callee.kind,
                base.holds(token, in: self), case .closure(let closure)? = arguments.last?.value.kind,
                blocks[closure.block].statements.count == 1,
                case .expression(let test) = blocks[closure.block].statements[0].kind
            else { return nil }
            return (call.token, Self.parts(test.words, test, holds: name == "takeIf"))
        }
    }

    /// A condition that asks for `null` among others, in its parts: the others count.
    static func parts(_ words: String, _ test: Expression?, holds: Bool) -> [Condition] {
        let whole = [Condition(choice: Choices.choice(words, holds: holds), test: test, holds: holds)]
        guard words.contains("null") || words.asksForContents, !words.contains(holds ? "||" : "&&") else {
            return whole
        }
        let parts = words.split(separator: holds ? " && " : " || ")
        let areWhole = parts.allSatisfy { part in part.count { $0 == "(" } == part.count { $0 == ")" } }
        guard parts.count > 1, areWhole else { return whole }
        return parts.map { Condition(choice: Choices.choice(String($0), holds: holds)) }
    }

    /// Objective-C's `if (path)`: whether a file or an object is there.
    private func isFound(_ condition: String) -> Bool {
        guard language == .objectiveC, condition.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
            return false
        }
        let word = condition.lowercased()
        return [
            "path", "data", "cer", "cert", "certificate", "url", "policy", "manager", "client", "instance", "session",
        ].contains(where: word.hasSuffix)
    }

    /// What does not hold where the condition of a branch is asked in which a token stands: those of the branches before.
    private func asked(before token: Int, in branches: [Statement.Branch]) -> [Condition] {
        guard let last = branches.lastIndex(where: { $0.test.map { $0.token <= token } ?? false }) else { return [] }
        return branches[..<last].flatMap { Self.parts($0.condition, $0.test, holds: false) }
    }

    /// Whether a statement declares a function that those before it may call, too.
    private func isDeclaredAhead(_ statement: Statement) -> Bool {
        guard case .declaration(let declaration) = statement.kind, declaration.kind == .function else { return false }
        switch language {
        case .cSharp: return true
        case .script: return tokens[statement.tokens].prefix(2).contains { $0.isName("function") }
        default: return false
        }
    }

    private func holds(_ block: Int, _ token: Int) -> Bool {
        blocks[block].statements.contains { $0.tokens.contains(token) }
    }
}

extension Statement {
    /// Whether it is a loop, or what is run at some other time.
    fileprivate var isRepeated: Bool {
        switch kind {
        case .loop, .count, .repeated: true
        default: false
        }
    }
}

extension Expression {
    fileprivate func holds(_ token: Int, in tree: SyntaxTree) -> Bool {
        var found = false
        visit { part in
            if part.token == token { found = true }
            if case .closure(let closure) = part.kind,
                tree.blocks[closure.block].statements.contains(where: { $0.tokens.contains(token) })
            {
                found = true
            }
            return !found
        }
        return found
    }
}
