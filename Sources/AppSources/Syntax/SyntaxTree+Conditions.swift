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

    func tested(around token: Int) -> [Condition] {
        var found: [(start: Int, choices: [Condition])] = []
        for block in blocks {
            guard let place = block.statements.firstIndex(where: { $0.tokens.contains(token) }) else { continue }
            switch block.owner {
            case .function, .closure, .inner:
                for statement in block.statements[..<place] {
                    found.append((statement.tokens.lowerBound, choices(leaving: statement)))
                }
            case .file, .type: break
            }
            let statement = block.statements[place]
            guard case .branches(let branches, _) = statement.kind,
                let index = branches.firstIndex(where: { holds($0.block, token) })
            else { continue }
            var choices = branches[..<index].filter { !$0.isRest }.flatMap {
                Self.parts($0.condition, $0.test, holds: false)
            }
            if !branches[index].isRest {
                choices += Self.parts(branches[index].condition, branches[index].test, holds: true)
            }
            found.append((statement.tokens.lowerBound, choices))
        }
        visit { expression, _ in
            guard case .conditional(let condition, let first, let second) = expression.kind else { return true }
            if first.holds(token, in: self) {
                found.append((expression.token, Self.parts(condition.words, condition, holds: true)))
            } else if second.holds(token, in: self) {
                found.append((expression.token, Self.parts(condition.words, condition, holds: false)))
            }
            return true
        }
        var seen: Set<String> = []
        return found.sorted { $0.start < $1.start }.flatMap(\.choices).filter { condition in
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

    /// A condition that asks for `null` among others, in its parts: the others count.
    private static func parts(_ words: String, _ test: Expression?, holds: Bool) -> [Condition] {
        let whole = [Condition(choice: Choices.choice(words, holds: holds), test: test, holds: holds)]
        guard words.contains("null"), !words.contains(holds ? "||" : "&&") else { return whole }
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

    /// `if (BuildConfig.DEBUG) return client`: what stands behind it is for the rest.
    private func choices(leaving statement: Statement) -> [Condition] {
        if let condition = guards[statement.tokens.lowerBound] {
            // What it binds, and which question a delegate is asked, say nothing of a build.
            let isOfBuild = !["let ", "var ", "case ", "authenticationMethod"].contains { condition.contains($0) }
            return isOfBuild && !condition.asksForContents ? Self.parts(condition, nil, holds: true) : []
        }
        if leaves(statement) { return [Condition(choice: Choices.never)] }
        guard case .branches(let branches, _) = statement.kind, !branches.isEmpty else { return [] }
        let areLeft = branches.map { branch in blocks[branch.block].statements.last.map(leaves) ?? false }
        if !areLeft.contains(false), branches.last?.isRest == false {
            return branches.filter { !$0.condition.asksForContents }.flatMap {
                Self.parts($0.condition, $0.test, holds: false)
            }
        }
        // `if … { } else { return }`
        guard branches.count == 2, branches[1].isRest, areLeft[0] != areLeft[1], !branches[0].condition.asksForContents
        else { return [] }
        return Self.parts(branches[0].condition, branches[0].test, holds: areLeft[1])
    }

    /// Whether nothing behind it is run.
    private func leaves(_ statement: Statement) -> Bool {
        switch statement.kind {
        case .returning: true
        case .expression(let expression): expression.isThrow
        default: false
        }
    }

    private func holds(_ block: Int, _ token: Int) -> Bool {
        blocks[block].statements.contains { $0.tokens.contains(token) }
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
